/* SPDX-License-Identifier: MIT
 *
 * Texts of three stretches, each of one kind. A codec may have a loop for each kind, and blocks of 64 bytes: a loop
 * must end in time, and the next one begin at the right place, wherever a stretch ends; and no loop may go on after the
 * end of the text because there is room. Compilers make several copies of such a loop, one for each loop before it.
 * Then, exhaustively: how a text ends after blocks of one character, and the same in each 16 bytes after them. A text
 * that shows a new fault goes into the kind or the function that has the most similar ones.
 */
#include "sweep.h"

#include "../../core/dice.h"

#include <string.h>

enum { BLOCK = 64, BLOCKS_MAX = 20, STRETCHES = 3, LENGTH_MAX = (STRETCHES * BLOCKS_MAX + 1) * BLOCK + LONGEST_TOKEN };

/* Fillers, then: random characters; ASCII with few of them; ASCII with tokens at intervals; random tokens, of which
 * many are errors; one of them again and again. */
enum { CHARACTERS = FILLER_COUNT, FEW_CHARACTERS, AT_INTERVALS, TOKENS, ONE_TOKEN, KIND_COUNT };

static const struct token *roll_token(const struct token_set *set, struct dice *dice)
{
    return &set->tokens[dice_roll(dice, set->count)];
}

/* A random byte of ASCII. At least half are control characters: their high nibbles, 0 and 1, are in no other. */
static uint8_t roll_ascii(struct dice *dice)
{
    return (uint8_t)dice_roll(dice, dice_roll(dice, 2) == 0 ? 0x20 : 0x80);
}

/* Random tokens; or one, or one byte 80..FF, again and again, with 0 to 3 ASCII characters after each, in the place of
 * missing continuation bytes. */
static void put_tokens(const struct sweep *sweep, struct dice *dice, bool is_one, uint8_t *out, size_t count)
{
    const struct token_set *set = tokens_for(sweep);
    const struct token byte = {1, {(uint8_t)(0x80 + dice_roll(dice, 0x80))}},
                       *token = is_one && set->unit == 1 && dice_roll(dice, 2) == 0 ? &byte : roll_token(set, dice);
    size_t gap = is_one && dice_roll(dice, 2) == 0 ? dice_roll(dice, 4) * set->unit : 0;
    put_ascii(sweep, roll_ascii(dice), out, count);
    for (size_t at = 0; at + token->length <= count; token = is_one ? token : roll_token(set, dice))
        at += (put_token(out + at, token) + set->unit - 1) / set->unit * set->unit + gap;
}

/* Some random characters after up to a block of ASCII each. */
static void put_few_characters(const struct sweep *sweep, struct dice *dice, uint8_t *out, size_t count)
{
    enum { IN_A_ROW = 8 };
    size_t unit = tokens_for(sweep)->unit, most = IN_A_ROW * unit;
    fill(sweep, out, count, SPACES);
    for (size_t at = dice_roll(dice, BLOCK) * unit; at + most <= count; at += most + dice_roll(dice, BLOCK) * unit)
        fill_at_random(sweep, dice, out + at, (1 + dice_roll(dice, IN_A_ROW)) * unit);
}

/* A filler, a token, of which many are errors, or, in an encoding of bytes, two bytes 80..FF. */
static struct token roll_character_or_error(const struct sweep *sweep, struct dice *dice)
{
    struct token token = *roll_token(tokens_for(sweep), dice);
    size_t sort = dice_roll(dice, 3);
    if (sort == 0)
        token.length = (unsigned char)put_filler(sweep, dice_roll(dice, FILLER_COUNT), token.bytes);
    else if (sort == 1 && tokens_for(sweep)->unit == 1)
        token = (struct token){2, {(uint8_t)(0x80 + dice_roll(dice, 0x80)), (uint8_t)(0x80 + dice_roll(dice, 0x80))}};
    return token;
}

enum { LANE = 16 }; /* vector instructions do the same in each 16 bytes */

/* A place in an interval: the first, the last one of a lane, or any. */
static size_t roll_place(struct dice *dice, size_t interval)
{
    size_t sort = dice_roll(dice, 3);
    return sort == 0 ? 0 : sort == 1 ? (1 + dice_roll(dice, interval / LANE)) * LANE - 1 : dice_roll(dice, interval);
}

/* ASCII with a character or an error in each block, or in each lane of it, at the same place of each: the same one, or
 * another one at each place. `begin` and `end` are offsets in the text. */
static void put_at_intervals(const struct sweep *sweep, struct dice *dice, uint8_t *text, size_t begin, size_t end)
{
    size_t unit = tokens_for(sweep)->unit;
    struct token token = roll_character_or_error(sweep, dice);
    bool is_one = dice_roll(dice, 2) == 0;
    size_t interval = dice_roll(dice, 2) == 0 ? LANE : BLOCK, place = roll_place(dice, interval);
    put_ascii(sweep, roll_ascii(dice), text + begin, end - begin);
    for (size_t at = begin / interval * interval + place / unit * unit; at + token.length <= end; at += interval) {
        if (at >= begin)
            put_token(text + at, &token);
        token = is_one ? token : roll_character_or_error(sweep, dice);
    }
}

static void put_kind(const struct sweep *sweep, struct dice *dice, size_t kind, uint8_t *text, size_t begin, size_t end)
{
    uint8_t *out = text + begin;
    size_t count = end - begin;
    if (kind == AT_INTERVALS)
        put_at_intervals(sweep, dice, text, begin, end);
    else if (kind == FEW_CHARACTERS)
        put_few_characters(sweep, dice, out, count);
    else if (kind == CHARACTERS)
        fill_at_random(sweep, dice, out, count);
    else if (kind >= TOKENS)
        put_tokens(sweep, dice, kind == ONE_TOKEN, out, count);
    else
        fill(sweep, out, count, kind);
}

/* Writes a token of whole units, or, in an encoding of bytes, a byte 80..BF or 00..7F, or nothing. Returns how many
 * bytes. */
static size_t put_beginning(const struct token_set *set, struct dice *dice, uint8_t *out)
{
    size_t sort = dice_roll(dice, 4);
    const struct token *token = roll_token(set, dice);
    if (sort == 0 && token->length % set->unit == 0)
        return put_token(out, token);
    if (sort == 0 || sort == 3 || set->unit != 1)
        return 0;
    *out = (uint8_t)(sort == 1 ? 0x80 + dice_roll(dice, 0x40) : roll_ascii(dice));
    return 1;
}

/* Returns where a stretch that starts at `at` ends. In a short text, a stretch has at most a third of a block. Else
 * about half of the stretches end at the end of a block. */
static size_t end_of_stretch(struct dice *dice, bool is_short, size_t unit, size_t at)
{
    static const size_t most_blocks[] = {1, 2, 4, BLOCKS_MAX};
    if (is_short)
        return at + dice_roll(dice, BLOCK / STRETCHES / unit + 1) * unit;
    size_t most = most_blocks[dice_roll(dice, sizeof most_blocks / sizeof most_blocks[0])];
    size_t end = (at / BLOCK + 1 + dice_roll(dice, most)) * BLOCK;
    return dice_roll(dice, 2) == 0 ? end + dice_roll(dice, BLOCK / unit) * unit : end;
}

/* Writes a stretch after `at` bytes. Returns where it ends. */
static size_t put_stretch(const struct sweep *sweep, struct dice *dice, size_t kind, bool is_short, uint8_t *text,
                          size_t at)
{
    const struct token_set *set = tokens_for(sweep);
    size_t end = end_of_stretch(dice, is_short, set->unit, at);
    if (end - at >= LONGEST_TOKEN)
        at += put_beginning(set, dice, text + at);
    put_kind(sweep, dice, kind, text, at, end);
    return end;
}

/* Writes a token that begins 1 to 3 units before the end of a block. It may be cut by the end of the text. */
static void put_token_over_edge(const struct token_set *set, struct dice *dice, uint8_t *text, size_t count)
{
    enum { BEFORE = 3 };
    if (count >= BLOCK)
        put_token(text + (1 + dice_roll(dice, count / BLOCK)) * BLOCK - (1 + dice_roll(dice, BEFORE)) * set->unit,
                  roll_token(set, dice));
}

/* Changes one text in two, at one to four places: a token over the edge of a block, or one unit, which becomes that of
 * another place or, in an encoding of bytes, a random one. */
static void change(const struct token_set *set, struct dice *dice, uint8_t *text, size_t count)
{
    size_t places = count / set->unit;
    for (size_t left = dice_roll(dice, 2) * (1 + dice_roll(dice, 4)); left > 0 && places > 0; left--) {
        uint8_t *to = text + dice_roll(dice, places) * set->unit;
        if (dice_roll(dice, 2) == 0)
            put_token_over_edge(set, dice, text, count);
        else if (set->unit == 1 && dice_roll(dice, 2) == 0)
            *to = (uint8_t)dice_roll(dice, UINT8_MAX + 1);
        else
            memmove(to, text + dice_roll(dice, places) * set->unit, set->unit);
    }
}

static void ask_encoder(struct sweep *sweep, struct dice *dice, enum operation operation, const void *units,
                        size_t count)
{
    ask_with_rooms(
        sweep, dice,
        (struct question){.operation = operation, .policy = ASSAY_POLICY_WHATWG, .input = units, .input_count = count});
}

/* Asks for what the reference decodes the text to. */
static void ask_encoders(struct sweep *sweep, struct dice *dice, const uint8_t *text, size_t count)
{
    static uint16_t units[ASSAY_DECODED_MAX(LENGTH_MAX)];
    static uint32_t code_points[ASSAY_DECODED_MAX(LENGTH_MAX)];
    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    size_t room = ASSAY_DECODED_MAX(count);
    ask_encoder(sweep, dice, OP_ENCODE_UTF16, units,
                reference->decode_utf16(ASSAY_POLICY_WHATWG, text, count, units, room).written);
    ask_encoder(sweep, dice, OP_ENCODE_UTF32, code_points,
                reference->decode_utf32(ASSAY_POLICY_WHATWG, text, count, code_points, room).written);
}

/* Writes a sequence again and again. Returns how many bytes. */
static size_t put_again(uint8_t *out, const char *sequence, size_t times)
{
    size_t length = strlen(sequence);
    for (size_t i = 0; i < times; i++)
        memcpy(out + i * length, sequence, length);
    return times * length;
}

/* Three texts of UTF-8, which are asked whatever the stride is. For each there is a mutant of machine code that is
 * wrong about this text and hardly any other, so that random texts do not find the mutant. */
static void ask_rare_texts(struct sweep *sweep, uint8_t *text)
{
    static const struct {
        size_t ascii, count;
        const char *sequence, *end;
    } rare[] = {{1, 61, "\xCD\x82", "\xCD\x80\xDF\xDF\xBF"},
                {1, 285, "\xCD\x82", "\xCD\x80\xDF\xDF\xBF"},
                {32, 16, "\xC3", "aaaaaaaaaaaaaaaabbbbbbbbbb"}};
    for (size_t i = 0; i < sizeof rare / sizeof rare[0] && strcmp(sweep->comparer.encoding, "utf-8") == 0; i++) {
        size_t count = put_again(text, "a", rare[i].ascii);
        count += put_again(text + count, rare[i].sequence, rare[i].count);
        count += put_again(text + count, rare[i].end, 1);
        sweep->inputs++;
        for (size_t ways = 0; ways < 2 * PLACEMENT_COUNT; ways++) {
            struct dice dice = {i};
            alternate_placement(sweep, ways);
            ask_all_decoders(sweep, &dice, ways < PLACEMENT_COUNT ? ASSAY_POLICY_WHATWG : ASSAY_POLICY_STRICT, text,
                             count);
        }
    }
}

/* Texts of one filler that end with a token or within one. They have two blocks, or nine, since decoders have a way of
 * their own for a few blocks; and 1 to 64 units after them. */
static void ask_ends(struct sweep *sweep, uint8_t *text)
{
    static const size_t begun_at[] = {2 * BLOCK, 9 * BLOCK};
    enum { LENGTHS = BLOCK * sizeof begun_at / sizeof begun_at[0] };
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < LENGTHS * FILLER_COUNT * set->count; number++) {
        const struct token *token = &set->tokens[number / FILLER_COUNT / LENGTHS];
        size_t place = number / FILLER_COUNT % LENGTHS,
               count = begun_at[place / BLOCK] + (1 + place % BLOCK) * set->unit;
        for (size_t kept = set->unit; kept <= token->length; kept += set->unit) {
            if (!count_input(sweep))
                continue;
            struct dice dice = {number};
            fill(sweep, text, count - kept, number % FILLER_COUNT);
            memcpy(text + count - kept, token->bytes, kept);
            alternate_placement(sweep, number);
            ask_all_decoders(sweep, &dice, roll_policy(&dice), text, count);
        }
    }
}

/* Texts of one filler, of whole blocks, and a few bytes more: a token between spaces, or the end of a random
 * character. */
static void ask_short_ends(struct sweep *sweep, uint8_t *text)
{
    enum { SPACES_MAX = 4, RANDOM = 1 << 15, AT_RANDOM = 4 };
    const struct token_set *set = tokens_for(sweep);
    size_t of_tokens = set->count * SPACES_MAX * SPACES_MAX * FILLER_COUNT;
    for (size_t number = 0; number < of_tokens + RANDOM; number++) {
        if (!count_input(sweep))
            continue;
        struct dice dice = {number};
        size_t blocks = (size_t)BLOCK << dice_roll(&dice, 5), count = blocks + (1 + dice_roll(&dice, 3)) * set->unit;
        fill(sweep, text, blocks + BLOCK, number % FILLER_COUNT);
        if (number < of_tokens) {
            size_t spaces = number / FILLER_COUNT % SPACES_MAX, after = number / FILLER_COUNT / SPACES_MAX % SPACES_MAX;
            count = blocks + fill(sweep, text + blocks, spaces * set->unit, SPACES);
            count += put_token(text + count, &set->tokens[number / FILLER_COUNT / SPACES_MAX / SPACES_MAX]);
            count += fill(sweep, text + count, after * set->unit, SPACES);
        } else {
            fill_at_random(sweep, &dice, text + count - AT_RANDOM, AT_RANDOM);
        }
        alternate_placement(sweep, number);
        ask_all_decoders(sweep, &dice, roll_policy(&dice), text, count);
    }
}

/* Texts of a filler, of half a block or whole ones, and six blocks of spaces, of which the first 64 bytes have the
 * same at one place of each lane: a token or, in an encoding of bytes, up to three continuation bytes. */
static void ask_lanes(struct sweep *sweep, uint8_t *text)
{
    enum { RUNS = 3, SPACES_COUNT = 6 * BLOCK };
    static const size_t fillings[] = {BLOCK / 2, BLOCK, 9 * BLOCK, 9 * BLOCK + BLOCK / 2};
    enum { FILLINGS = sizeof fillings / sizeof fillings[0] };
    const struct token_set *set = tokens_for(sweep);
    size_t sorts = set->unit == 1 ? set->count + RUNS : set->count;
    for (size_t number = 0; number < sorts * LANE * FILLER_COUNT * FILLINGS; number++) {
        if (!count_input(sweep))
            continue;
        size_t rest = number / FILLINGS / FILLER_COUNT, sort = rest / LANE, place = rest % LANE;
        size_t begin = fill(sweep, text, fillings[number % FILLINGS], number / FILLINGS % FILLER_COUNT);
        struct dice dice = {number};
        struct token run = {(unsigned char)(sort - set->count + 1), {0x80, 0x80, 0x80}};
        fill(sweep, text + begin, SPACES_COUNT, SPACES);
        for (size_t lane = 0; lane < BLOCK / LANE; lane++)
            put_token(text + begin + lane * LANE + place / set->unit * set->unit,
                      sort < set->count ? &set->tokens[sort] : &run);
        alternate_placement(sweep, number / FILLINGS);
        ask_all_decoders(sweep, &dice, roll_policy(&dice), text, begin + SPACES_COUNT);
    }
}

/* One text in four begins at a guard page, the others end at one. Each is asked with four rooms. */
void sweep_stretches(struct sweep *sweep)
{
    enum { VARIANTS = 1024, TEXTS = VARIANTS * KIND_COUNT * KIND_COUNT * KIND_COUNT };
    static uint8_t text[LENGTH_MAX];
    comparer_begin(&sweep->comparer);
    sweep->has_little_room = true;
    ask_rare_texts(sweep, text);
    for (size_t number = 0; number < TEXTS; number++) {
        if (!count_input(sweep))
            continue;
        struct dice dice =
            dice_from((const uint8_t[]){(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16)}, 3);
        size_t count = 0, kinds = number / VARIANTS;
        for (size_t i = 0; i < STRETCHES; i++, kinds /= KIND_COUNT)
            count = put_stretch(sweep, &dice, kinds % KIND_COUNT, number % 4 == 0, text, count);
        change(tokens_for(sweep), &dice, text, count);
        alternate_placement(sweep, dice_roll(&dice, 4) == 0);
        ask_all_decoders(sweep, &dice, roll_policy(&dice), text, count);
        ask_encoders(sweep, &dice, text, count);
        sweep->asked_once++; /* of the 20 questions of a text each fifth has a shift: other ones for the next text */
        show_progress(sweep, number, TEXTS);
    }
    ask_ends(sweep, text);
    ask_short_ends(sweep, text);
    ask_lanes(sweep, text);
}
