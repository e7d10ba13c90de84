/* SPDX-License-Identifier: MIT
 *
 * Texts of three stretches, each of one kind. A codec may have a loop for each kind, and blocks of 64 bytes: a loop
 * must end in time, and the next one begin at the right place, wherever a stretch ends; and no loop may go on after the
 * end of the text because there is room.
 */
#include "sweep.h"

#include "../../core/dice.h"

#include <string.h>

enum { BLOCK = 64, BLOCKS_MAX = 20, STRETCHES = 3, LENGTH_MAX = STRETCHES * (BLOCKS_MAX + 1) * BLOCK };

/* Fillers, then: random characters; random tokens, of which many are errors; one of them again and again. */
enum { CHARACTERS = FILLER_COUNT, TOKENS, ONE_TOKEN, KIND_COUNT };

/* Random tokens, or one again and again, with up to three of a random ASCII character after each, which stand where
 * continuation bytes may be missing. */
static void put_tokens(const struct sweep *sweep, struct dice *dice, bool is_one, uint8_t *out, size_t count)
{
    const struct token_set *set = tokens_for(sweep);
    const struct token *token = &set->tokens[dice_roll(dice, set->count)];
    size_t gap = is_one ? dice_roll(dice, 4) * set->unit : 0;
    if (set->unit == 1)
        memset(out, (int)dice_roll(dice, 0x80), count);
    else
        fill(sweep, out, count, SPACES);
    for (size_t at = 0; at + LONGEST_TOKEN <= count; at += put_token(out + at, token) + gap)
        token = is_one ? token : &set->tokens[dice_roll(dice, set->count)];
}

static void put_kind(const struct sweep *sweep, struct dice *dice, size_t kind, uint8_t *out, size_t count)
{
    if (kind == CHARACTERS)
        fill_at_random(sweep, dice, out, count);
    else if (kind >= TOKENS)
        put_tokens(sweep, dice, kind == ONE_TOKEN, out, count);
    else
        fill(sweep, out, count, kind);
}

/* Writes a stretch after `at` bytes. Half of all stretches end with a block, and half have up to three blocks; a
 * quarter begin with a token, and a quarter with a continuation byte. Returns where it ends. */
static size_t put_stretch(const struct sweep *sweep, struct dice *dice, size_t kind, uint8_t *text, size_t at)
{
    const struct token_set *set = tokens_for(sweep);
    size_t most = dice_roll(dice, 2) == 0 ? 4 : BLOCKS_MAX;
    size_t end = (at / BLOCK + dice_roll(dice, most)) * BLOCK;
    if (dice_roll(dice, 2) == 0)
        end += dice_roll(dice, BLOCK / set->unit) * set->unit;
    if (end < at + LONGEST_TOKEN)
        return at;
    size_t begin = dice_roll(dice, 4);
    if (begin == 0)
        at += put_token(text + at, &set->tokens[dice_roll(dice, set->count)]);
    else if (begin == 1 && set->unit == 1)
        text[at++] = (uint8_t)(0x80 + dice_roll(dice, 0x40));
    put_kind(sweep, dice, kind, text + at, end - at);
    return end;
}

/* Asks with too little room, with just enough, for a block more, and with as much as such an input may need. */
static void ask_with_rooms(struct sweep *sweep, struct dice *dice, struct question question)
{
    size_t needed = needed_for(&sweep->comparer, question);
    const size_t rooms[] = {dice_roll(dice, needed + 1), needed, needed + BLOCK,
                            capacity_for(question.operation, question.input_count)};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        question.capacity = rooms[i];
        sweep_compare(sweep, &question);
    }
}

static void ask_decoders(struct sweep *sweep, struct dice *dice, enum assay_policy policy, const uint8_t *text,
                         size_t count)
{
    static const enum operation operations[] = {OP_DECODE_UTF16, OP_DECODE_UTF32, OP_TO_WELL_FORMED};
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        ask_with_rooms(
            sweep, dice,
            (struct question){.operation = operations[i], .policy = policy, .input = text, .input_count = count});
}

static void ask_encoders(struct sweep *sweep, struct dice *dice, const uint8_t *text, size_t count)
{
    static uint16_t units[ASSAY_DECODED_MAX(LENGTH_MAX)];
    static uint32_t code_points[ASSAY_DECODED_MAX(LENGTH_MAX)];
    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    ask_with_rooms(
        sweep, dice,
        (struct question){
            .operation = OP_ENCODE_UTF16,
            .policy = ASSAY_POLICY_WHATWG,
            .input = units,
            .input_count =
                reference->decode_utf16(ASSAY_POLICY_WHATWG, text, count, units, ASSAY_DECODED_MAX(count)).written});
    ask_with_rooms(sweep, dice,
                   (struct question){.operation = OP_ENCODE_UTF32,
                                     .policy = ASSAY_POLICY_WHATWG,
                                     .input = code_points,
                                     .input_count = reference
                                                        ->decode_utf32(ASSAY_POLICY_WHATWG, text, count, code_points,
                                                                       ASSAY_DECODED_MAX(count))
                                                        .written});
}

/* One text in four begins at a guard page, the others end at one, all with any room. */
void sweep_stretches(struct sweep *sweep)
{
    enum { VARIANTS = 64, KINDS_OF_ALL = KIND_COUNT * KIND_COUNT * KIND_COUNT };
    _Static_assert(VARIANTS * KINDS_OF_ALL <= UINT16_MAX + 1, "two bytes of a seed");
    static uint8_t text[LENGTH_MAX];
    comparer_begin(&sweep->comparer);
    sweep->has_little_room = true;
    for (size_t number = 0; number < VARIANTS * KINDS_OF_ALL; number++) {
        if (!count_input(sweep))
            continue;
        struct dice dice = dice_from((const uint8_t[]){(uint8_t)number, (uint8_t)(number >> 8)}, 2);
        size_t count = 0, kinds = number / VARIANTS;
        for (size_t i = 0; i < STRETCHES; i++, kinds /= KIND_COUNT)
            count = put_stretch(sweep, &dice, kinds % KIND_COUNT, text, count);
        alternate_placement(sweep, number % 4 == 0);
        ask_decoders(sweep, &dice,
                     number % 3 == 0 ? (enum assay_policy)(number % ASSAY_POLICY_COUNT) : ASSAY_POLICY_WHATWG, text,
                     count);
        ask_encoders(sweep, &dice, text, count);
        show_progress(sweep, number, VARIANTS * KINDS_OF_ALL);
    }
}
