/* SPDX-License-Identifier: MIT
 *
 * Long texts: errors at offsets that 8 or 16 bits cannot hold, far before the end, and at the edges of chunks.
 */
#include "far.h"

#include <string.h>

/* Asks with enough room, and with room for all but the last unit of output. */
static void ask_with_and_without_the_last(struct sweep *sweep, struct question question)
{
    question.capacity = CAPACITY_ANY;
    sweep_compare(sweep, &question);
    if (sweep->comparer.left_out >> question.operation & 1)
        return;
    question.capacity = needed_for(&sweep->comparer, question);
    question.capacity -= question.capacity > 0;
    sweep_compare(sweep, &question);
}

/* Asks all questions whose answer contains a number of bytes, units or errors, or an offset. */
static void ask_about_figures(struct sweep *sweep, uint8_t *input, size_t count, size_t error_at)
{
    size_t cuts[] = {error_at / 3, error_at, error_at + (error_at < count)};
    far_ask_verdict(sweep, input, count);
    ask_all(sweep, OP_BOUNDARY, ASSAY_POLICY_STRICT, input, count);
    ask_with_and_without_the_last(sweep,
                                  (struct question){.operation = OP_SPANS, .input = input, .input_count = count});
    for (enum assay_policy policy = ASSAY_POLICY_STRICT; policy <= ASSAY_POLICY_WHATWG; policy++) {
        ask_all(sweep, OP_COUNT, policy, input, count);
        for (size_t i = 0; i < REPLACING_COUNT; i++)
            ask_with_and_without_the_last(
                sweep,
                (struct question){.operation = replacing[i], .policy = policy, .input = input, .input_count = count});
        for (enum operation feed = OP_FEED_UTF32; feed <= OP_FEED_UTF16; feed++)
            sweep_compare(sweep, &(struct question){.operation = feed,
                                                    .policy = policy,
                                                    .input = input,
                                                    .input_count = count,
                                                    .capacity = CAPACITY_ANY,
                                                    .cuts = cuts,
                                                    .cut_count = sizeof cuts / sizeof cuts[0]});
    }
}

/* Asks encoders about 0x110000, which none can encode, or a lone lead surrogate, which some can, among many values that
 * all can. */
static void ask_encoders_about_figures(struct sweep *sweep, uint32_t filler, size_t error_at)
{
    static uint32_t code_points[FAR_MAX + AFTER_FAR];
    static uint16_t units[FAR_MAX + AFTER_FAR];
    size_t count = error_at + AFTER_FAR;
    for (size_t i = 0; i < count; i++) {
        code_points[i] = filler;
        units[i] = (uint16_t)(filler > 0xFFFF ? 0xFFFF : filler);
    }
    code_points[error_at] = 0x110000;
    units[error_at] = 0xD800;
    for (enum assay_policy policy = ASSAY_POLICY_STRICT; policy <= ASSAY_POLICY_WHATWG; policy++) {
        ask_with_and_without_the_last(
            sweep, (struct question){
                       .operation = OP_ENCODE_UTF32, .policy = policy, .input = code_points, .input_count = count});
        ask_with_and_without_the_last(
            sweep,
            (struct question){.operation = OP_ENCODE_UTF16, .policy = policy, .input = units, .input_count = count});
    }
}

/* For each filler, a long text with one error; then a long text of errors. */
void far_long_texts(struct sweep *sweep)
{
    static uint8_t input[FAR_MAX + AFTER_FAR];
    uint8_t error[2];
    size_t unit = put_error(sweep, error);
    for (size_t i = 0; i < FAR_COUNT * FILLER_COUNT; i++) {
        size_t offset = far[i / FILLER_COUNT] / unit * unit, filler = i % FILLER_COUNT;
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, i);
        fill(sweep, input, offset, filler);
        memcpy(input + offset, error, unit);
        fill(sweep, input + offset + unit, AFTER_FAR - unit, filler);
        ask_about_figures(sweep, input, offset + AFTER_FAR, offset);
        ask_encoders_about_figures(sweep, fillers[filler], offset);
    }
    for (size_t i = 0; i < FAR_COUNT; i++) {
        if (!count_input(sweep))
            continue;
        memset(input, error[0], far[i]);
        ask_about_figures(sweep, input, far[i], 0);
    }
}

/* For each filler, an error after some blocks, and much text after it: a codec that counts in kibibytes must end there.
 * The leads of four bytes are two bytes before the end of a block. */
void far_early_errors(struct sweep *sweep)
{
    enum { BEFORE = 602 };
    static uint8_t input[FAR_MAX];
    uint8_t error[2];
    size_t unit = put_error(sweep, error);
    for (size_t filler = 0; filler < FILLER_COUNT; filler++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, filler);
        fill(sweep, input, BEFORE, filler);
        memcpy(input + BEFORE, error, unit);
        fill(sweep, input + BEFORE + unit, FAR_MAX - BEFORE - unit, filler);
        far_ask_about_errors(sweep, input, FAR_MAX);
    }
}

/* For each filler, an error at every 1021st place of a long text, which is validated. A codec may choose its way for
 * the next bytes by what it has met, and for the more bytes, the longer the text is. */
void far_middles(struct sweep *sweep)
{
    enum { LENGTH = 2 * FAR_MAX, APART = 1021 };
    static uint8_t input[LENGTH], kept[2];
    uint8_t error[2];
    size_t unit = put_error(sweep, error);
    for (size_t filler = 0; filler < FILLER_COUNT; filler++) {
        size_t count = fill(sweep, input, LENGTH, filler);
        for (size_t at = 0; at + unit <= count; at += APART / unit * unit) {
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, at / unit);
            memcpy(kept, input + at, unit);
            memcpy(input + at, error, unit);
            far_ask_verdict(sweep, input, count);
            memcpy(input + at, kept, unit);
        }
    }
}

/* Each token at the edge of a chunk, with one or more of its units before the edge. 4,096 is a multiple of the usual
 * small chunks, and 65,536 of the large ones; one input in eight has 65,536. */
void far_chunks(struct sweep *sweep)
{
    enum { CHUNK = 4096, LARGE_CHUNK = 65536, VARIANTS = 8 };
    static uint8_t input[LARGE_CHUNK + AFTER_FAR + TAIL_MAX];
    const struct token_set *set = tokens_for(sweep);
    size_t variant = 0;
    for (size_t number = 0; number < set->count; number++) {
        const struct token *token = &set->tokens[number];
        for (size_t before = set->unit; before <= token->length; before += set->unit, variant++) {
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, variant / VARIANTS);
            size_t edge = variant % VARIANTS == 0 ? LARGE_CHUNK : CHUNK;
            size_t count = fill(sweep, input, edge - before, SPACES);
            count += put_token(input + count, token);
            count += fill(sweep, input + count, AFTER_FAR, SPACES);
            far_ask_about_errors(sweep, input, count);
        }
    }
}
