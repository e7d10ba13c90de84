/* SPDX-License-Identifier: MIT
 *
 * Blocks of ASCII with one sequence at each place, right or wrong, in the first block of a text, in the next ones and in
 * the last one, of each length. A codec moves the bytes of a block through registers and looks them up in tables: a
 * wrong one shows only at some places, and only where nothing else in the register is refused.
 */
#include "sweep.h"

#include "../../core/dice.h"

#include <string.h>

enum { BLOCK = 64, LANE = 16, BLOCKS_BEFORE_MAX = 9, AFTER_MAX = 10 * BLOCK, SEQUENCE_MAX = 17 };
enum { LENGTH_MAX = (BLOCKS_BEFORE_MAX + 1) * BLOCK + AFTER_MAX + 2 * SEQUENCE_MAX + LANE };

/* Errors that a wrong lookup, or a constant that another instruction overwrites, takes for right: leads in a row, before
 * a place that is said to continue them; continuation bytes after a character; second bytes that are looked up by their
 * place; and bytes that fill a register. */
static const struct {
    size_t length;
    uint8_t bytes[SEQUENCE_MAX];
} mistakes[] = {
    {4, {0xC3, 0xC3, 0xC3, 0xC3}},
    {5, {0xC2, 0xC2, 0xC2, 0xC2, 0x80}},
    {4, {0x82, 0x82, 0x82, 0x82}},
    {3, {0xC3, 0x80, 0x80}},
    {5, {0xC3, 0x80, 0x80, 0xA1, 0x80}},
    {5, {0xC3, 0x80, 0x80, 0xA2, 0x80}},
    {5, {0xC3, 0x80, 0x80, 0xA4, 0x80}},
    {5, {0xC3, 0x80, 0x80, 0xB1, 0x80}},
    {5, {0xC3, 0x80, 0x80, 0xB4, 0x80}},
    {4, {0xE1, 0x80, 0x80, 0x80}},
    {5, {0xF0, 0x90, 0x80, 0x80, 0x80}},
    {5, {0xF2, 0x82, 0x82, 0x82, 0x82}},
    {6, {0xF8, 0x80, 0x80, 0x80, 0x80, 0x80}},
    {4, {0xED, 0xA1, 0x80, 0x80}},
    {3, {0xC3, 0xC3, 0xA9}},
    {3, {0xC3, 0xA9, 0xA9}},
    {11, {0x80, 0, 0, 0, 0, 0, 0, 0xD0, 0xF0, 0x80, 0x80}},
    {17, {0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x80, 0x81, 0x81, 0x80}},
    {17, {0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x80, 0x80, 0xA0, 0x90}},
    {16, {0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3}},
    {17, {0xDF, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}},
};
enum { MISTAKE_COUNT = sizeof mistakes / sizeof mistakes[0] };

/* The blocks before: of ASCII (a), which a character of two bytes ends (e), or which begins with one of two or four
 * bytes or with an error (2, 4, x); or of characters of two or three bytes alone (T, H). */
static const char *const beginnings[] = {"",   "e",         "2",         "22", "24", "T",
                                         "TT", "TTTTTTTTT", "HHHHHHHH2", "x",  "xa", "xa22"};
enum { ONE_OF_TWOS = 5, TWO_OF_TWOS, MANY_OF_TWOS, BEGINNING_COUNT = sizeof beginnings / sizeof beginnings[0] };

/* Of a text, one of its own at random; in UTF-16, a space. */
struct ascii {
    const struct sweep *sweep;
    uint8_t byte;
};

static size_t put_ascii(const struct ascii *ascii, uint8_t *out, size_t count)
{
    if (tokens_for(ascii->sweep)->unit == 1)
        memset(out, ascii->byte, count);
    else
        fill(ascii->sweep, out, count, SPACES);
    return count;
}

static size_t put_block(const struct ascii *ascii, char kind, uint8_t *block)
{
    enum { END = 4 };
    if (kind == 'T' || kind == 'H')
        return fill(ascii->sweep, block, BLOCK, kind == 'T' ? TWO_BYTES : THREE_BYTES);
    put_ascii(ascii, block, BLOCK);
    if (kind == 'x')
        put_error(ascii->sweep, block);
    if (kind == '2' || kind == '4')
        put_filler(ascii->sweep, kind == '2' ? TWO_BYTES : FOUR_BYTES, block);
    if (kind == 'e')
        fill(ascii->sweep, block + BLOCK - END, END, TWO_BYTES);
    return BLOCK;
}

/* Writes a token, or, in an encoding of bytes, one of the mistakes. Returns its length, in whole units. */
static size_t put_sequence(const struct token_set *set, size_t number, uint8_t *out)
{
    if (number >= set->count) {
        memcpy(out, mistakes[number - set->count].bytes, mistakes[number - set->count].length);
        return mistakes[number - set->count].length;
    }
    return (put_token(out, &set->tokens[number]) + set->unit - 1) / set->unit * set->unit;
}

static size_t sequence_count(const struct token_set *set)
{
    return set->unit == 1 ? set->count + MISTAKE_COUNT : set->count;
}

static size_t put_beginning(const struct ascii *ascii, size_t number, uint8_t *text)
{
    size_t count = 0;
    for (const char *kind = beginnings[number]; *kind != '\0'; kind++)
        count += put_block(ascii, *kind, text + count);
    return count;
}

/* Writes what is after sequences that end at `end`, where the last block begins at `begin`. The text ends with them, in
 * the same block, often soon, or a block or more later, which is ASCII or characters of two bytes. Returns where. */
static size_t put_rest(const struct ascii *ascii, struct dice *dice, size_t begin, size_t end, uint8_t *text)
{
    enum { SOON = 4 };
    static const size_t more[] = {BLOCK, BLOCK + LANE, AFTER_MAX};
    size_t unit = tokens_for(ascii->sweep)->unit, block_end = end < begin + BLOCK ? begin + BLOCK : end;
    size_t left = (block_end - end) / unit, sort = dice_roll(dice, 6), after = more[dice_roll(dice, 3)];
    put_ascii(ascii, text + end, block_end - end);
    if (sort == 0)
        return end;
    if (sort < 3)
        return end + dice_roll(dice, sort == 1 && left > SOON ? SOON + 1 : left + 1) * unit;
    if (sort == 3)
        return block_end;
    if (dice_roll(dice, 3) == 0)
        return block_end + fill(ascii->sweep, text + block_end, after, TWO_BYTES);
    return block_end + put_ascii(ascii, text + block_end, after);
}

/* Decodes with room for what is before offset `at` and up to three units more, or for all but up to eight: some paths
 * are for blocks that have less room than they may need. */
static void ask_with_little_room(struct sweep *sweep, struct dice *dice, struct question question, size_t at)
{
    enum { MORE = 4, LESS = 8 };
    size_t count = question.input_count;
    bool is_before = dice_roll(dice, 2) == 0;
    question.input_count = is_before ? at : count;
    size_t needed = needed_for(&sweep->comparer, question), less = 1 + dice_roll(dice, LESS);
    question.input_count = count;
    question.capacity = is_before ? needed + dice_roll(dice, MORE) : needed > less ? needed - less : 0;
    sweep_compare(sweep, &question);
}

enum { BEFORE = 3, PLACES = BEFORE + BLOCK, FOR_TOKENS = 24, FOR_MISTAKES = 256 };

/* One sequence; every second time, another one follows within 16 units. The place is counted from three units before a
 * block on, so that the block's begin may cut the sequence. */
static void ask_sequence(struct sweep *sweep, size_t number, size_t place, struct dice dice, uint8_t *text)
{
    const struct token_set *set = tokens_for(sweep);
    const struct ascii ascii = {sweep, (uint8_t)dice_roll(&dice, 0x80)};
    size_t begin = put_beginning(&ascii, dice_roll(&dice, BEGINNING_COUNT), text), units = begin / set->unit + place;
    put_ascii(&ascii, text + begin, BLOCK);
    size_t at = units < BEFORE ? 0 : (units - BEFORE) * set->unit, end = at + put_sequence(set, number, text + at);
    if (dice_roll(&dice, 2) == 0) {
        end += put_ascii(&ascii, text + end, dice_roll(&dice, LANE) * set->unit);
        end += put_sequence(set, dice_roll(&dice, sequence_count(set)), text + end);
    }
    size_t count = put_rest(&ascii, &dice, begin, end, text);
    enum assay_policy policy = roll_policy(&dice);
    ask_all_decoders(sweep, &dice, policy, text, count);
    struct question question = {.operation = OP_DECODE_UTF16, .policy = policy, .input = text, .input_count = count};
    ask_with_little_room(sweep, &dice, question, at);
}

static void ask_sequences(struct sweep *sweep, uint8_t *text)
{
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < sequence_count(set); number++) {
        size_t places = PLACES / set->unit, variants = number < set->count ? FOR_TOKENS : FOR_MISTAKES;
        for (size_t i = 0; i < places * variants; i++) {
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, i);
            ask_sequence(sweep, number, i / variants,
                         dice_from((const uint8_t[]){(uint8_t)number, (uint8_t)i, (uint8_t)(i >> 8)}, 3), text);
        }
        show_progress(sweep, number, sequence_count(set));
    }
}

static bool is_well_formed(const struct sweep *sweep, const struct token *token)
{
    return registry_reference(sweep->comparer.encoding)->validate(token->bytes, token->length, NULL);
}

/* Blocks of which the last one ends with a character, and an error after it, which has no room or only a little: how
 * many bytes count as read depends on what a codec keeps of those before. Under each policy. */
static void ask_after_blocks(struct sweep *sweep, uint8_t *text, size_t kind, const struct token *first,
                             const struct token *error)
{
    enum { ROOMS = 4 };
    const struct ascii ascii = {sweep, 'a'};
    size_t at = put_beginning(&ascii, kind, text);
    put_ascii(&ascii, text + at, 2 * BLOCK);
    at += BLOCK;
    put_token(text + at - first->length, first);
    put_token(text + at, error);
    struct question question = {.operation = OP_DECODE_UTF16, .input = text, .input_count = at};
    for (size_t policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        question.policy = (enum assay_policy)policy;
        question.input_count = at;
        size_t needed = needed_for(&sweep->comparer, question);
        question.input_count = at + BLOCK;
        for (size_t more = 0; more < ROOMS; more++) {
            question.capacity = needed + more;
            sweep_compare(sweep, &question);
        }
    }
}

static void ask_errors_after_blocks(struct sweep *sweep, uint8_t *text)
{
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < BEGINNING_COUNT * set->count * set->count; number++) {
        const struct token *first = &set->tokens[number / BEGINNING_COUNT / set->count],
                           *error = &set->tokens[number / BEGINNING_COUNT % set->count];
        if (!is_well_formed(sweep, first) || is_well_formed(sweep, error) || !count_input(sweep))
            continue;
        alternate_placement(sweep, number);
        ask_after_blocks(sweep, text, number % BEGINNING_COUNT, first, error);
    }
}

/* A last block that ends within a character, and begins within one: fewer than a register are loaded in several ways. */
static void ask_both_ends(struct sweep *sweep, uint8_t *text)
{
    enum { CHARACTERS = FILLER_COUNT - TWO_BYTES, CUTS = FOUR_BYTES, SORTS = CHARACTERS * CUTS };
    const size_t unit = tokens_for(sweep)->unit;
    for (size_t number = 0; number < (size_t)BLOCK * SORTS * SORTS; number++) {
        size_t begun = number % SORTS, ended = number / SORTS % SORTS, length = (1 + number / SORTS / SORTS) * unit;
        uint8_t first[ASSAY_ENCODED_MAX(1)], last[ASSAY_ENCODED_MAX(1)];
        size_t before = begun % CUTS * unit, kept = ended % CUTS * unit;
        if (before >= put_filler(sweep, TWO_BYTES + begun / CUTS, first) ||
            kept >= put_filler(sweep, TWO_BYTES + ended / CUTS, last) || !count_input(sweep))
            continue;
        struct dice dice = {number};
        const struct ascii ascii = {sweep, 'a'};
        size_t begin = put_beginning(&ascii, number % 2 == 0 ? ONE_OF_TWOS : MANY_OF_TWOS, text),
               count = begin + length;
        put_ascii(&ascii, text + begin, length);
        if (before > 0)
            put_filler(sweep, TWO_BYTES + begun / CUTS, text + begin - before);
        memcpy(text + count - kept, last, kept);
        alternate_placement(sweep, number);
        ask_all_decoders(sweep, &dice, roll_policy(&dice), text, count);
    }
}

/* A random character of the length of a filler. Returns its length. In an encoding of bytes. */
static size_t put_like_filler(const struct sweep *sweep, struct dice *dice, size_t filler, uint8_t *out)
{
    size_t length = put_filler(sweep, filler, out);
    for (size_t i = 1; i < length; i++)
        out[i] |= (uint8_t)dice_roll(dice, 0x40);
    return length;
}

/* A character amid the last block, and a stray continuation byte within 16 bytes after it, at each place, and the end
 * within 16 bytes after that. */
static void ask_strays(struct sweep *sweep, uint8_t *text)
{
    enum { CHARACTERS = FILLER_COUNT - TWO_BYTES };
    for (size_t number = 0; number < (size_t)BLOCK * LANE * LANE * CHARACTERS; number++) {
        size_t place = number / CHARACTERS % BLOCK, gap = number / CHARACTERS / BLOCK % LANE;
        if (!count_input(sweep))
            continue;
        struct dice dice = {number};
        const struct ascii ascii = {sweep, 'a'};
        size_t begin = put_beginning(&ascii, number % 2 == 0 ? ONE_OF_TWOS : MANY_OF_TWOS, text), at = begin + place;
        put_ascii(&ascii, text + begin, 2 * BLOCK);
        at += put_like_filler(sweep, &dice, TWO_BYTES + number % CHARACTERS, text + at) + gap;
        text[at++] = 0xA9;
        alternate_placement(sweep, number);
        ask_all_decoders(sweep, &dice, roll_policy(&dice), text, at + number / CHARACTERS / BLOCK / LANE);
    }
}

/* A block of ASCII with one character of two bytes and one error, each at each place, amid such characters: a loop that
 * is for these takes leads and continuation bytes for masks of 64 bits. */
static void ask_twos(struct sweep *sweep, uint8_t *text)
{
    enum { WAYS = 4, AFTER = 8 * BLOCK };
    for (size_t number = 0; number < (size_t)BLOCK * (BLOCK + 1) * WAYS; number++) {
        if (!count_input(sweep))
            continue;
        struct dice dice = {number};
        const struct ascii ascii = {sweep, 'a'};
        size_t begin = put_beginning(&ascii, TWO_OF_TWOS, text), at = begin + number / WAYS % (BLOCK + 1);
        put_ascii(&ascii, text + begin, 2 * BLOCK);
        put_filler(sweep, TWO_BYTES, text + begin + number / WAYS / (BLOCK + 1));
        text[at] = number % 2 == 0 ? 0xA9 : 0xFF;
        if (number / 2 % 2 == 0)
            put_filler(sweep, TWO_BYTES, text + at + 1);
        size_t count = at + 3 < begin + BLOCK ? begin + BLOCK : begin + 2 * BLOCK;
        alternate_placement(sweep, number);
        ask_all_decoders(sweep, &dice, roll_policy(&dice), text, count + fill(sweep, text + count, AFTER, TWO_BYTES));
    }
}

void sweep_places(struct sweep *sweep)
{
    static uint8_t text[LENGTH_MAX];
    comparer_begin(&sweep->comparer);
    sweep->has_little_room = true;
    ask_sequences(sweep, text);
    ask_errors_after_blocks(sweep, text);
    ask_both_ends(sweep, text);
    if (tokens_for(sweep)->unit > 1)
        return;
    ask_strays(sweep, text);
    ask_twos(sweep, text);
}
