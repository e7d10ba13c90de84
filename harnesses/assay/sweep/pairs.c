/* SPDX-License-Identifier: MIT
 *
 * All pairs of tokens, at the offsets that could matter to a block of any width.
 */
#include "sweep.h"

/* Joins the text and an empty string, or its two parts. Asks for the boundary at or before each offset of a short text;
 * a codec looks back from there by a few bytes. */
static void sweep_parts(struct sweep *sweep, const uint8_t *input, size_t count, size_t middle, size_t variant)
{
    enum { SHORT = 40 };
    size_t cuts[] = {0, middle, count};
    ask_joined(sweep, input, count, cuts[variant % (sizeof cuts / sizeof cuts[0])]);
    if (count < SHORT)
        ask_all(sweep, OP_BOUNDARY, ASSAY_POLICY_STRICT, input, count);
}

/* Asks about one input. `variant` selects filler, gap, tail and question, so that each pair is combined with all of
 * these. With `dirt`, the input begins with an error: decoders remember for a while that there was one. */
static void sweep_pair(struct sweep *sweep, uint8_t *input, const struct token *first, const struct token *second,
                       size_t offset, bool dirt, size_t variant)
{
    enum { PARTS_EVERY = 3, CUTS_EVERY = 13 }; /* not 3, as for gaps: the cut would depend on them */
    static const size_t tails[] = {0, 1, 3, 17, TAIL_MAX};
    size_t filler = dirt ? SPACES : variant % FILLER_COUNT, count = fill(sweep, input, offset, filler);
    if (dirt)
        input[0] = 0xFF;
    count += put_token(input + count, first);
    size_t after_first = count;
    count += fill(sweep, input + count, variant / 3 % GAPS, (filler + 1) % FILLER_COUNT);
    count += put_token(input + count, second);
    count += fill(sweep, input + count, tails[variant / 7 % (sizeof tails / sizeof tails[0])], filler);
    alternate_placement(sweep, variant);
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    enum assay_policy policy = dirt ? ASSAY_POLICY_WHATWG : (enum assay_policy)(variant / 11 % ASSAY_POLICY_COUNT);
    /* listed twice, because codecs have most of their code for the text after an error */
    static const enum operation operations[] = {OP_SPANS,        OP_DECODE_UTF32,   OP_DECODE_UTF16,  OP_COUNT,
                                                OP_DECODE_UTF16, OP_TO_WELL_FORMED, OP_TO_WELL_FORMED};
    ask_all(sweep, operations[variant / 2 % (sizeof operations / sizeof operations[0])], policy, input, count);
    if (!dirt && variant % PARTS_EVERY == 0)
        sweep_parts(sweep, input, count, after_first, variant / CUTS_EVERY);
}

/* Decodes two tokens, up to three spaces apart, amid ASCII at the end of the first block or after it, in a text that
 * begins with TWO_BYTES. A codec may load the last block so that it ends with the text, and find its errors in another
 * way. One text in four ends with the second block. */
static void sweep_last_blocks(struct sweep *sweep)
{
    enum { BLOCK = 64, BEFORE = 4, OFFSETS = 61, GAPS_HERE = 4, TAILS = 4, TO_END = TAILS - 1 };
    static const enum operation operations[] = {OP_DECODE_UTF16, OP_DECODE_UTF32};
    enum { QUESTIONS = GAPS_HERE * sizeof operations / sizeof operations[0] };
    static uint8_t input[2 * (2 * BLOCK + GAPS_HERE + TAILS) + 2 * LONGEST_TOKEN];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * set->count * QUESTIONS; number++) {
        if (!count_input(sweep))
            continue;
        size_t pair = number / QUESTIONS, question = number % QUESTIONS, unit = set->unit;
        size_t count = fill(sweep, input, (BLOCK - BEFORE + number % OFFSETS) * unit, SPACES);
        fill(sweep, input, 2 * unit, TWO_BYTES);
        count += put_token(input + count, &set->tokens[pair / set->count]);
        count += fill(sweep, input + count, question % GAPS_HERE * unit, SPACES);
        count += put_token(input + count, &set->tokens[pair % set->count]);
        size_t tail = pair % TAILS * unit, end = 2 * BLOCK * unit;
        if (pair % TAILS == TO_END)
            tail = count < end ? end - count : 0;
        count += fill(sweep, input + count, tail, SPACES);
        alternate_placement(sweep, pair + question);
        ask_all(sweep, operations[question / GAPS_HERE], ASSAY_POLICY_STRICT, input, count);
    }
}

/* A token at the end of a text as long as a register, a block, or two blocks, and another one at its begin. A codec may
 * rotate the register, and then take the end for what comes before the begin. */
static void sweep_circles(struct sweep *sweep)
{
    enum { LONGEST = 128, UNIT_MAX = 2 };
    static const size_t lengths[] = {16, 32, 64, LONGEST};
    static const enum operation operations[] = {OP_VALIDATE, OP_DECODE_UTF16, OP_DECODE_UTF32, OP_TO_WELL_FORMED};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0], OPERATIONS = sizeof operations / sizeof operations[0] };
    enum { QUESTIONS = LENGTHS * OPERATIONS };
    static uint8_t input[UNIT_MAX * LONGEST];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * set->count * QUESTIONS; number++) {
        if (!count_input(sweep))
            continue;
        size_t pair = number / QUESTIONS, question = number % QUESTIONS,
               count = lengths[question / OPERATIONS] * set->unit;
        const struct token *last = &set->tokens[pair / set->count], *first = &set->tokens[pair % set->count];
        fill(sweep, input, count, SPACES);
        put_token(input + count - last->length, last);
        put_token(input, first);
        alternate_placement(sweep, pair + question);
        ask_all(sweep, operations[question % OPERATIONS], ASSAY_POLICY_WHATWG, input, count);
    }
}

/* VARIANTS_MORE are skipped after each pair, so that its question at an offset depends on both tokens. A pair takes 163
 * numbers in all, which is prime: with a common divisor, an offset would be combined with only some operations, fillers
 * or policies. */
void sweep_pairs(struct sweep *sweep)
{
    static const size_t farther[] = {255, 256, 257, 4095, 4096, 4097, 8191, 65535, 65536};
    enum {
        FARTHER_COUNT = sizeof farther / sizeof farther[0],
        FAR_EVERY = 4
    }; /* at a far offset, a pair takes as long as hundreds of pairs at near ones */
    enum { AFTER_DIRT = 640, BLOCK = 64, VARIANTS_MORE = 163 - NEAR };
    static uint8_t input[65536 + 2 * LONGEST_TOKEN + GAPS + TAIL_MAX];
    const struct token_set *set = tokens_for(sweep);
    size_t variant = 0;
    for (size_t first = 0; first < set->count; first++) {
        for (size_t second = 0; second < set->count; second++) {
            for (size_t offset = 0; offset < NEAR; offset++, variant++)
                if (count_input(sweep))
                    sweep_pair(sweep, input, &set->tokens[first], &set->tokens[second], offset, false, variant);
            if ((first + 2 * second) % FAR_EVERY == 0 && count_input(sweep))
                sweep_pair(sweep, input, &set->tokens[first], &set->tokens[second],
                           farther[(first + second) % FARTHER_COUNT], false, variant);
            if (count_input(sweep))
                sweep_pair(sweep, input, &set->tokens[first], &set->tokens[second], AFTER_DIRT + variant % BLOCK, true,
                           variant);
            variant += VARIANTS_MORE;
        }
        show_progress(sweep, first, set->count);
    }
    sweep_last_blocks(sweep);
    sweep_circles(sweep);
}
