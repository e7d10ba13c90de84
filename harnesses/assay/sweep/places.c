/* SPDX-License-Identifier: MIT
 *
 * Blocks of ASCII with one sequence at each place, right or wrong, in the first block of a text, in the next ones and
 * in the last one, of each length. A codec moves the bytes of a block through registers and looks them up in tables: a
 * wrong one shows only at some places, and only where nothing else in the register is refused.
 */
#include "sweep.h"

#include "../../core/dice.h"

#include <string.h>

enum { BLOCK = 64, LANE = 16, BLOCKS_BEFORE_MAX = 9, AFTER_MAX = 10 * BLOCK, SEQUENCE_MAX = 17 };
enum { LENGTH_MAX = (BLOCKS_BEFORE_MAX + 5) * BLOCK + AFTER_MAX };

/* Errors that a wrong lookup, or a constant that another instruction overwrites, takes for right: leads in a row,
 * before a place that is said to continue them; continuation bytes after a character; second bytes that are looked up
 * by their place; and bytes that fill a register. Those of validation alone are in mistaken[] of far_loops.c. */
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
 * bytes or with an error (2, 4, x); of characters of two bytes (T), or of three, after one byte of ASCII (H). */
enum { ONE_OF_TWOS, TWO_OF_TWOS, MANY_OF_TWOS, ERROR_AND_TWOS };
static const char *const beginnings[] = {[ONE_OF_TWOS] = "T",
                                         [TWO_OF_TWOS] = "TT",
                                         [MANY_OF_TWOS] = "TTTTTTTTT",
                                         [ERROR_AND_TWOS] = "xT",
                                         "",
                                         "e",
                                         "2",
                                         "22",
                                         "24",
                                         "HHHHHHHH2",
                                         "x",
                                         "xa",
                                         "xa22"};
enum { BEGINNING_COUNT = sizeof beginnings / sizeof beginnings[0] };

static size_t put_block(const struct sweep *sweep, uint8_t ascii, char kind, uint8_t *block)
{
    enum { END = 4 };
    if (kind == 'T' || kind == 'H')
        return fill(sweep, block, BLOCK, kind == 'T' ? TWO_BYTES : THREE_BYTES);
    put_ascii(sweep, ascii, block, BLOCK);
    if (kind == 'x')
        put_error(sweep, block);
    if (kind == '2' || kind == '4')
        put_filler(sweep, kind == '2' ? TWO_BYTES : FOUR_BYTES, block);
    if (kind == 'e')
        fill(sweep, block + BLOCK - END, END, TWO_BYTES);
    return BLOCK;
}

/* Writes the blocks before, and three of ASCII. Returns where these begin. */
static size_t put_beginning(const struct sweep *sweep, uint8_t ascii, size_t number, uint8_t *text)
{
    size_t count = 0;
    for (const char *kind = beginnings[number]; *kind != '\0'; kind++)
        count += put_block(sweep, ascii, *kind, text + count);
    put_ascii(sweep, ascii, text + count, 3 * BLOCK);
    return count;
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

/* Ends a text whose sequences end at `end`, in the block that begins at `begin` or after it. It ends right there, up to
 * four units later, within the block, with the block, or up to ten blocks later, which are ASCII or characters of two
 * bytes. Returns its length. */
static size_t put_end(const struct sweep *sweep, struct dice *dice, uint8_t ascii, size_t begin, size_t end,
                      uint8_t *text)
{
    enum { AT_ONCE, SOON, IN_BLOCK, WITH_BLOCK, LATER, SORTS = LATER + 2, SOON_MAX = 4 };
    static const size_t more[] = {BLOCK, BLOCK + LANE, AFTER_MAX};
    size_t unit = tokens_for(sweep)->unit, next = end < begin + BLOCK ? begin + BLOCK : end, left = (next - end) / unit;
    put_ascii(sweep, ascii, text + end, next - end);
    size_t sort = dice_roll(dice, SORTS), after = more[dice_roll(dice, sizeof more / sizeof more[0])];
    switch (sort) {
    case AT_ONCE: return end;
    case SOON: return end + dice_roll(dice, (left < SOON_MAX ? left : SOON_MAX) + 1) * unit;
    case IN_BLOCK: return end + dice_roll(dice, left + 1) * unit;
    case WITH_BLOCK: return next;
    default: break;
    }
    return next + (dice_roll(dice, 3) == 0 ? fill(sweep, text + next, after, TWO_BYTES)
                                           : put_ascii(sweep, ascii, text + next, after));
}

/* The number of units that the first `count` bytes of a question's input need. */
static size_t needed_before(const struct sweep *sweep, struct question question, size_t count)
{
    question.input_count = count;
    return needed_for(&sweep->comparer, question);
}

/* Decodes with room for what is before offset `at` and up to three units more, or for all but up to eight: some paths
 * are for blocks that have less room than they may need. */
static void ask_with_little_room(struct sweep *sweep, struct dice *dice, struct question question, size_t at)
{
    enum { MORE = 4, LESS = 8 };
    size_t needed = needed_for(&sweep->comparer, question), less = 1 + dice_roll(dice, LESS);
    question.capacity = needed > less ? needed - less : 0;
    if (dice_roll(dice, 2) == 0)
        question.capacity = needed_before(sweep, question, at) + dice_roll(dice, MORE);
    sweep_compare(sweep, &question);
}

/* Decodes and counts. */
static void ask_decoded(struct sweep *sweep, struct dice *dice, enum assay_policy policy, const uint8_t *text,
                        size_t count)
{
    ask_all_decoders(sweep, dice, policy, text, count);
    ask_all(sweep, OP_COUNT, policy, text, count);
}

enum { BEFORE = 3 };

/* One sequence; every second time, another one follows, mostly within 16 bytes, else within 64. The place is counted
 * from three units before a block on, so that the block's begin may cut the sequence. The text is also joined with an
 * empty one, before or after it, or what is before that block with the rest. */
static void ask_sequence(struct sweep *sweep, size_t number, size_t place, struct dice dice, uint8_t *text)
{
    const struct token_set *set = tokens_for(sweep);
    uint8_t ascii = (uint8_t)dice_roll(&dice, 0x80);
    size_t begin = put_beginning(sweep, ascii, dice_roll(&dice, BEGINNING_COUNT), text);
    size_t units = begin / set->unit + place, at = units < BEFORE ? 0 : (units - BEFORE) * set->unit;
    size_t end = at + put_sequence(set, number, text + at);
    if (dice_roll(&dice, 2) == 0) {
        end += dice_roll(&dice, (dice_roll(&dice, 3) == 0 ? BLOCK : LANE) / set->unit) * set->unit;
        end += put_sequence(set, dice_roll(&dice, sequence_count(set)), text + end);
    }
    size_t count = put_end(sweep, &dice, ascii, begin, end, text);
    enum assay_policy policy = roll_policy(&dice);
    alternate_placement(sweep, dice_roll(&dice, PLACEMENT_COUNT));
    ask_decoded(sweep, &dice, policy, text, count);
    struct question question = {.operation = OP_DECODE_UTF16, .policy = policy, .input = text, .input_count = count};
    ask_with_little_room(sweep, &dice, question, at);
    const size_t lefts[] = {0, begin < count ? begin : count, count};
    ask_joined(sweep, text, count, lefts[dice_roll(&dice, sizeof lefts / sizeof lefts[0])]);
}

static void ask_sequences(struct sweep *sweep, uint8_t *text)
{
    enum { FOR_TOKENS = 24, FOR_MISTAKES = 256 };
    const struct token_set *set = tokens_for(sweep);
    const size_t places = BEFORE + BLOCK / set->unit;
    for (size_t number = 0; number < sequence_count(set); number++) {
        size_t variants = number < set->count ? FOR_TOKENS : FOR_MISTAKES;
        for (size_t i = 0; i < places * variants; i++)
            if (count_input(sweep))
                ask_sequence(sweep, number, i / variants,
                             dice_from((const uint8_t[]){(uint8_t)number, (uint8_t)i, (uint8_t)(i >> 8)}, 3), text);
        show_progress(sweep, number, sequence_count(set));
    }
}

static bool is_well_formed(const struct sweep *sweep, const struct token *token)
{
    return registry_reference(sweep->comparer.encoding)->validate(token->bytes, token->length, NULL);
}

/* Blocks of which the last one ends with a character, and an error after it, which has no room or only a little: how
 * many bytes count as read depends on what a codec keeps of those before. Under each policy. */
static void ask_after_blocks(struct sweep *sweep, uint8_t *text, size_t kind, const struct token *character,
                             const struct token *error)
{
    enum { ROOMS = 4 };
    size_t at = put_beginning(sweep, 'a', kind, text) + BLOCK;
    put_token(text + at - character->length, character);
    put_token(text + at, error);
    struct question question = {.operation = OP_DECODE_UTF16, .input = text, .input_count = at + BLOCK};
    for (size_t policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        question.policy = (enum assay_policy)policy;
        size_t needed = needed_before(sweep, question, at);
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
        const struct token *character = &set->tokens[number / BEGINNING_COUNT / set->count],
                           *error = &set->tokens[number / BEGINNING_COUNT % set->count];
        if (!is_well_formed(sweep, character) || is_well_formed(sweep, error) || !count_input(sweep))
            continue;
        struct dice dice = {number};
        alternate_placement(sweep, dice_roll(&dice, PLACEMENT_COUNT));
        ask_after_blocks(sweep, text, number % BEGINNING_COUNT, character, error);
    }
}

enum { LONGER_FILLERS = FILLER_COUNT - TWO_BYTES }; /* those that are not ASCII */

/* The same under a random policy, at a random placement. */
static void ask_written(struct sweep *sweep, struct dice *dice, const uint8_t *text, size_t count)
{
    alternate_placement(sweep, dice_roll(dice, PLACEMENT_COUNT));
    ask_decoded(sweep, dice, roll_policy(dice), text, count);
}

/* A last block that begins within a character and ends within one, of each length: fewer bytes than a register are
 * loaded in several ways. */
static void ask_both_ends(struct sweep *sweep, uint8_t *text)
{
    enum { CUTS = 6, SORTS = LONGER_FILLERS * CUTS };
    const size_t unit = tokens_for(sweep)->unit;
    for (size_t number = 0; number < (size_t)2 * BLOCK * SORTS * SORTS; number++) {
        size_t begun = number % SORTS, ended = number / SORTS % SORTS, rest = number / SORTS / SORTS;
        uint8_t first[ASSAY_ENCODED_MAX(1)], last[ASSAY_ENCODED_MAX(1)];
        size_t before = begun % CUTS * unit, kept = ended % CUTS * unit;
        size_t first_length = put_filler(sweep, TWO_BYTES + begun / CUTS, first);
        if (before >= first_length || kept >= put_filler(sweep, TWO_BYTES + ended / CUTS, last) || !count_input(sweep))
            continue;
        struct dice dice = {number};
        size_t begin = put_beginning(sweep, 'a', rest % 2 == 0 ? ONE_OF_TWOS : MANY_OF_TWOS, text),
               count = begin + (1 + rest / 2) * unit;
        if (before > 0)
            memcpy(text + begin - before, first, first_length);
        memcpy(text + count - kept, last, kept);
        ask_written(sweep, &dice, text, count);
    }
}

/* A character amid the last block, and a stray continuation byte within 16 bytes after it, at each place, and the end
 * within 16 bytes after that. */
static void ask_strays(struct sweep *sweep, uint8_t *text)
{
    for (size_t number = 0; number < (size_t)BLOCK * LANE * LANE * LONGER_FILLERS; number++) {
        size_t place = number / LONGER_FILLERS % BLOCK, gap = number / LONGER_FILLERS / BLOCK % LANE;
        if (!count_input(sweep))
            continue;
        struct dice dice = {number};
        size_t begin = put_beginning(sweep, 'a', dice_roll(&dice, 2) == 0 ? ONE_OF_TWOS : MANY_OF_TWOS, text),
               at = begin + place;
        at += put_at_random(sweep, &dice, 1 + number % LONGER_FILLERS, text + at) + gap;
        text[at++] = 0xA9;
        ask_written(sweep, &dice, text, at + number / LONGER_FILLERS / BLOCK / LANE);
    }
}

/* A block of ASCII with one character of two bytes and one error, each at each place, and blocks of such characters
 * around it; every second time, one of them is right after the error. A loop that is for such text takes leads and
 * continuation bytes for masks of 64 bits. */
static void ask_twos(struct sweep *sweep, uint8_t *text)
{
    enum { WAYS = 4, AFTER = 8 * BLOCK, LENGTH = 3 };
    for (size_t number = 0; number < (size_t)BLOCK * (BLOCK + 1) * WAYS; number++) {
        if (!count_input(sweep))
            continue;
        struct dice dice = {number};
        size_t begin = put_beginning(sweep, 'a', TWO_OF_TWOS, text), at = begin + number / WAYS % (BLOCK + 1);
        put_filler(sweep, TWO_BYTES, text + begin + number / WAYS / (BLOCK + 1));
        text[at] = number % 2 == 0 ? 0xA9 : 0xFF;
        if (number / 2 % 2 == 0)
            put_filler(sweep, TWO_BYTES, text + at + 1);
        size_t count = at + LENGTH < begin + BLOCK ? begin + BLOCK : begin + 2 * BLOCK;
        ask_written(sweep, &dice, text, count + fill(sweep, text + count, AFTER, TWO_BYTES));
    }
}

/* Writes at most `count` bytes of one character of two bytes, whose continuation byte may be the least or the greatest
 * one. Returns how many. */
static size_t fill_with_a_two(const struct sweep *sweep, struct dice *dice, uint8_t *text, size_t count)
{
    static const uint32_t twos[] = {0xE9, 0x80, 0x100, 0x7FF};
    uint8_t character[ASSAY_ENCODED_MAX(1)];
    size_t length = registry_reference(sweep->comparer.encoding)
                        ->encode_utf32(ASSAY_POLICY_STRICT, &twos[dice_roll(dice, sizeof twos / sizeof twos[0])], 1,
                                       character, sizeof character)
                        .written,
           at = 0;
    for (; at + length <= count; at += length)
        memcpy(text + at, character, length);
    return at;
}

/* A sequence at each place of a block of characters of two bytes, which a unit of ASCII before them may shift, with
 * blocks of such characters around it. */
static void ask_amid_twos(struct sweep *sweep, uint8_t *text)
{
    enum { VARIANTS = 16, CHARACTER = 2, PLACES = BLOCK / CHARACTER, BEFORE_MAX = 3 };
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < sequence_count(set) * PLACES * VARIANTS; number++) {
        if (!count_input(sweep))
            continue;
        struct dice dice = {number};
        size_t count = fill_with_a_two(sweep, &dice, text, (1 + dice_roll(&dice, BEFORE_MAX)) * BLOCK);
        count += put_ascii(sweep, '0', text + count, dice_roll(&dice, 2) * set->unit);
        count += fill_with_a_two(sweep, &dice, text + count, number / VARIANTS % PLACES * CHARACTER);
        count += put_sequence(set, number / VARIANTS / PLACES, text + count);
        count += fill_with_a_two(sweep, &dice, text + count, dice_roll(&dice, PLACES) * CHARACTER);
        count += put_ascii(sweep, '0', text + count, dice_roll(&dice, 2) * set->unit);
        ask_written(sweep, &dice, text, count + fill_with_a_two(sweep, &dice, text + count, AFTER_MAX));
    }
}

/* The text before ASCII that changes: nothing, an error, or characters of two bytes or more. Returns its length. */
static size_t put_before_varied(const struct sweep *sweep, struct dice *dice, uint8_t *text)
{
    enum { ERROR = 1, TWOS };
    static const uint16_t lengths[] = {
        0,         0,         BLOCK - 4,     BLOCK - 2,     BLOCK,         2 * BLOCK,
        8 * BLOCK, 9 * BLOCK, 9 * BLOCK - 8, 9 * BLOCK - 6, 9 * BLOCK - 4, 9 * BLOCK - 2};
    size_t sort = dice_roll(dice, sizeof lengths / sizeof lengths[0]);
    return sort == ERROR ? put_error(sweep, text)
                         : fill(sweep, text, lengths[sort],
                                TWO_BYTES + (dice_roll(dice, 2) == 0 ? dice_roll(dice, LONGER_FILLERS) : 0));
}

/* Writes `count` bytes of ASCII of which no two units that are near are the same. */
static void put_varied_ascii(const struct sweep *sweep, struct dice *dice, uint8_t *text, size_t count)
{
    enum { PERIOD = 0x7F };
    size_t unit = tokens_for(sweep)->unit, first = dice_roll(dice, PERIOD);
    for (size_t at = 0; at < count; at += unit)
        put_ascii(sweep, (uint8_t)(1 + (first + at) % PERIOD), text + at, unit);
}

/* The same, and over it up to two sequences, of which the end may cut the last. Every second one is the least
 * continuation byte, or ends with it. */
static void put_varied(const struct sweep *sweep, struct dice *dice, uint8_t *text, size_t count)
{
    enum { SORTS = 3 };
    const struct token_set *set = tokens_for(sweep);
    put_varied_ascii(sweep, dice, text, count);
    for (size_t left = count > 0 ? dice_roll(dice, SORTS) : 0; left > 0; left--) {
        uint8_t sequence[SEQUENCE_MAX + ASSAY_ENCODED_MAX(1)] = {0}; /* a token may end within a unit */
        size_t length = put_sequence(set, dice_roll(dice, sequence_count(set)), sequence),
               at = dice_roll(dice, count / set->unit) * set->unit;
        if (dice_roll(dice, 2) == 0) {
            length = set->unit;
            sequence[length - 1] = 0x80;
        }
        memcpy(text + at, sequence, length < count - at ? length : count - at);
    }
}

/* ASCII that changes, of each length, after and before other text. A codec that puts a part of a block in a wrong place
 * shows it only there. */
static void ask_varied(struct sweep *sweep, uint8_t *text)
{
    enum { LONGEST = 10 * BLOCK, TIMES = 64, ENDS = 4, AFTER_LONGER = 5 * BLOCK };
    const size_t unit = tokens_for(sweep)->unit;
    for (size_t number = 0; number < (size_t)LONGEST * TIMES; number++) {
        if (!count_input(sweep))
            continue;
        struct dice dice = {number};
        size_t begin = put_before_varied(sweep, &dice, text), length = number / TIMES,
               count = begin + (begin < BLOCK / 2 ? length : length % AFTER_LONGER) / unit * unit;
        put_varied(sweep, &dice, text + begin, count - begin);
        size_t end = dice_roll(&dice, ENDS);
        if (end == 0)
            count += put_ascii(sweep, 'a', text + count, AFTER_MAX);
        if (end == 1)
            count += fill_with_a_two(sweep, &dice, text + count, AFTER_MAX);
        ask_written(sweep, &dice, text, count);
    }
}

/* The text before a last block: a block of characters of two bytes, the same after an error, or eight blocks of them or
 * more, whole or not. Returns its length. */
static size_t put_before_last(const struct sweep *sweep, struct dice *dice, size_t sort, uint8_t *text)
{
    enum { BLOCKS = 8, CHARACTER = 2 };
    if (sort == ONE_OF_TWOS || sort == ERROR_AND_TWOS)
        return put_beginning(sweep, 'a', sort, text);
    return fill(sweep, text, BLOCKS * BLOCK + dice_roll(dice, BLOCK / CHARACTER) * CHARACTER, TWO_BYTES);
}

enum { LAST_SORTS = 3, LAST_LENGTHS = BLOCK + 8 };
static const size_t last_sorts[LAST_SORTS] = {ONE_OF_TWOS, MANY_OF_TWOS, ERROR_AND_TWOS};

/* Under a random policy that does not end at the error that such a text may begin with. */
static void ask_last(struct sweep *sweep, struct dice *dice, size_t sort, const uint8_t *text, size_t count)
{
    enum assay_policy policy = roll_policy(dice);
    if (policy == ASSAY_POLICY_STRICT && sort == ERROR_AND_TWOS)
        policy = ASSAY_POLICY_WHATWG;
    alternate_placement(sweep, dice_roll(dice, PLACEMENT_COUNT));
    ask_decoded(sweep, dice, policy, text, count);
}

/* A last block of each length, of ASCII that changes, with a character or its first units at each place, alone or
 * before a continuation byte. The place is counted from three units before the block on; the end may cut both. */
static void ask_last_blocks(struct sweep *sweep, uint8_t *text)
{
    enum { KEPT = 4, FOR_PLACE = 2 * KEPT * LAST_SORTS * LONGER_FILLERS };
    const size_t unit = tokens_for(sweep)->unit;
    for (size_t number = 0; number < (size_t)FOR_PLACE * LAST_LENGTHS * LAST_LENGTHS; number++) {
        uint8_t character[ASSAY_ENCODED_MAX(1)];
        size_t length = (1 + number / FOR_PLACE % LAST_LENGTHS) * unit,
               place = number / FOR_PLACE / LAST_LENGTHS * unit, kept = (1 + number / 2 % KEPT) * unit;
        if (kept > put_filler(sweep, TWO_BYTES + number / 2 / KEPT / LAST_SORTS % LONGER_FILLERS, character) ||
            place >= length + BEFORE * unit || !count_input(sweep))
            continue;
        struct dice dice = {number};
        size_t sort = last_sorts[number / 2 / KEPT % LAST_SORTS], begin = put_before_last(sweep, &dice, sort, text),
               at = begin + place - BEFORE * unit;
        put_varied_ascii(sweep, &dice, text + begin, length);
        memcpy(text + at, character, kept);
        if (number % 2 == 1)
            memset(text + at + kept, 0x80, unit);
        ask_last(sweep, &dice, sort, text, begin + length);
    }
}

/* The same with each sequence as the last one, of which the end leaves one to four units. */
static void ask_last_sequences(struct sweep *sweep, uint8_t *text)
{
    enum { LEFT = 4, FOR_SEQUENCE = LEFT * LAST_SORTS * LAST_LENGTHS };
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < sequence_count(set) * FOR_SEQUENCE; number++) {
        size_t length = (1 + number / LEFT / LAST_SORTS % LAST_LENGTHS) * set->unit,
               left = (1 + number % LEFT) * set->unit;
        if (left > length || !count_input(sweep))
            continue;
        struct dice dice = {number};
        size_t sort = last_sorts[number / LEFT % LAST_SORTS], begin = put_before_last(sweep, &dice, sort, text);
        put_varied_ascii(sweep, &dice, text + begin, length);
        put_sequence(set, number / FOR_SEQUENCE, text + begin + length - left);
        ask_last(sweep, &dice, sort, text, begin + length);
    }
}

void sweep_places(struct sweep *sweep)
{
    static uint8_t text[LENGTH_MAX];
    comparer_begin(&sweep->comparer);
    sweep->has_little_room = true;
    ask_errors_after_blocks(sweep, text);
    ask_both_ends(sweep, text);
    if (tokens_for(sweep)->unit == 1) {
        ask_strays(sweep, text);
        ask_twos(sweep, text);
        ask_amid_twos(sweep, text);
    }
    ask_sequences(sweep, text);
    ask_varied(sweep, text);
    ask_last_blocks(sweep, text);
    ask_last_sequences(sweep, text);
}
