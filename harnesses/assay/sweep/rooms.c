/* SPDX-License-Identifier: MIT
 *
 * Every token with little room for output; texts of every length; long texts, and encoders, with every room.
 */
#include "sweep.h"
#include "../../core/utf16.h"

#include <string.h>

/* Asks with room for what is before the token, with up to three units or six bytes more, and with room for everything.
 * `spans` also counts errors that have no room. */
static void sweep_rooms_after(struct sweep *sweep, size_t offset, struct question question)
{
    struct question before = question;
    before.input_count = offset;
    size_t needed = needed_for(&sweep->comparer, before),
           most = needed + (question.operation == OP_TO_WELL_FORMED ? 6 : 3);
    for (question.capacity = needed; question.capacity <= most; question.capacity++)
        sweep_compare(sweep, &question);
    question.capacity = CAPACITY_ANY;
    sweep_compare(sweep, &question);
}

/* Tries each token after 0 to 159 bytes: once after an error and spaces, near the end of the input; once between
 * errors, with a block of them after it. Under `whatwg`, for which codecs have most of their code, and under each of
 * the other policies in turn. */
static void sweep_decoders(struct sweep *sweep)
{
    enum { BLOCK = 64, OTHERS = ASSAY_POLICY_COUNT - 1 };
    static const enum operation operations[] = {OP_DECODE_UTF16, OP_DECODE_UTF32, OP_TO_WELL_FORMED};
    static uint8_t input[NEAR + LONGEST_TOKEN + BLOCK];
    const struct token_set *set = tokens_for(sweep);
    bool is_utf16 = encoding_is_utf16(registry_reference(sweep->comparer.encoding));
    int error = is_utf16 ? 0xDC : 0xFF; /* DC DC is a trail surrogate in either byte order */
    size_t unit_size = is_utf16 ? 2 : 1;
    for (size_t number = 0; number < set->count; number++) {
        for (size_t place = 0; place < 2 * NEAR; place += unit_size) {
            if (!count_input(sweep))
                continue;
            bool amid_errors = place >= NEAR;
            size_t offset = place % NEAR, count = fill(sweep, input, offset, SPACES);
            if (offset > 0)
                memset(input, error, amid_errors ? offset : unit_size);
            count += put_token(input + count, &set->tokens[number]);
            memset(input + count, error, BLOCK);
            count += amid_errors ? BLOCK : fill(sweep, input + count, unit_size, SPACES);
            alternate_placement(sweep, number + place);
            enum assay_policy other =
                (enum assay_policy)((ASSAY_POLICY_WHATWG + 1 + sweep->inputs % OTHERS) % ASSAY_POLICY_COUNT);
            for (size_t i = 0; i < 2 * sizeof operations / sizeof operations[0]; i++)
                sweep_rooms_after(sweep, offset,
                                  (struct question){.operation = operations[i / 2],
                                                    .input = input,
                                                    .input_count = count,
                                                    .policy = i % 2 == 0 ? ASSAY_POLICY_WHATWG : other});
            sweep_rooms_after(sweep, offset,
                              (struct question){.operation = OP_SPANS, .input = input, .input_count = count});
            sweep_compare(
                sweep,
                &(struct question){.operation = OP_SPANS, .input = input, .input_count = count, .capacity = place % 3});
        }
        show_progress(sweep, number, set->count);
    }
}

/* Decodes texts of one kind of character, of every length below NEAR, and of as many from LONGER on: with just enough
 * room, and more. A codec may have a way of its own for short texts, such as those of ASCII alone. */
static void sweep_lengths(struct sweep *sweep)
{
    static const enum operation operations[] = {OP_DECODE_UTF16, OP_DECODE_UTF32, OP_TO_WELL_FORMED};
    enum { OPERATIONS = sizeof operations / sizeof operations[0], LONGER = 512 - NEAR / 2 };
    static uint8_t input[LONGER + NEAR];
    size_t unit = tokens_for(sweep)->unit;
    for (size_t number = 0; number < 2 * FILLER_COUNT * OPERATIONS * 2 * NEAR / unit; number++) {
        if (!count_input(sweep))
            continue;
        size_t count = number / (2 * FILLER_COUNT * OPERATIONS) * unit;
        count += count < NEAR ? 0 : LONGER - NEAR;
        fill(sweep, input, count, number / 2 % FILLER_COUNT);
        struct question question = {.operation = operations[number / (2 * FILLER_COUNT) % OPERATIONS],
                                    .input = input,
                                    .input_count = count,
                                    .policy = ASSAY_POLICY_WHATWG};
        alternate_placement(sweep, number);
        sweep_rooms_after(sweep, count, question);
        /* CAPACITY_ANY gives just enough room at one of the two guard pages; here there is plenty at either */
        question.capacity = capacity_for(question.operation, count);
        sweep_compare(sweep, &question);
    }
}

/* Asks with all rooms that are too little, with exactly enough, and with up to `more` bytes more, which a codec may
 * overwrite. */
static void sweep_rooms_of(struct sweep *sweep, struct question question, size_t more)
{
    size_t most = needed_for(&sweep->comparer, question) + more;
    for (question.capacity = 0; question.capacity <= most; question.capacity++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, question.capacity + question.input_count);
        sweep_compare(sweep, &question);
    }
}

/* Decodes spaces with one character, or an error, in every `period` units of input, the first after `before` units:
 * with all rooms that are too little, and with just enough. A codec that writes whole blocks must stop in time. */
static void sweep_every_room(struct sweep *sweep, size_t sort, size_t before, size_t period)
{
    enum { BLOCK = 64, UNITS = 4 * BLOCK };
    static const enum operation operations[] = {OP_DECODE_UTF16, OP_DECODE_UTF32, OP_TO_WELL_FORMED};
    static uint8_t input[2 * (UNITS + BLOCK) + ASSAY_ENCODED_MAX(1)];
    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    size_t unit = tokens_for(sweep)->unit, end = before * unit, count = 0;
    for (; end < UNITS * unit; end += period * unit) {
        count += fill(sweep, input + count, end - count, SPACES);
        count +=
            sort == FILLER_COUNT
                ? put_error(sweep, input + count)
                : reference->encode_utf32(ASSAY_POLICY_STRICT, &fillers[sort], 1, input + count, ASSAY_ENCODED_MAX(1))
                      .written;
    }
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        sweep_rooms_of(
            sweep,
            (struct question){
                .operation = operations[i], .policy = ASSAY_POLICY_WHATWG, .input = input, .input_count = count},
            0);
}

enum { COUNT_MAX = 80 };

/* Encodes up to COUNT_MAX code points, two alternating ones. */
static void sweep_encoders(struct sweep *sweep, const uint32_t pair[2], size_t count, size_t more)
{
    uint32_t code_points[COUNT_MAX];
    uint16_t units[2 * COUNT_MAX];
    size_t unit_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t value = code_points[i] = pair[i % 2];
        unit_count += utf16_write(value, units + unit_count);
    }
    sweep_rooms_of(
        sweep,
        (struct question){
            .operation = OP_ENCODE_UTF16, .policy = ASSAY_POLICY_WHATWG, .input = units, .input_count = unit_count},
        more);
    sweep_rooms_of(
        sweep,
        (struct question){
            .operation = OP_ENCODE_UTF32, .policy = ASSAY_POLICY_WHATWG, .input = code_points, .input_count = count},
        more);
}

/* Joins each two tokens, with just enough room, and with one unit less. Two surrogates may become one character, which
 * takes less room than both. */
static void sweep_joints(struct sweep *sweep)
{
    uint8_t input[2 * LONGEST_TOKEN];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * set->count; number++) {
        if (!count_input(sweep))
            continue;
        size_t cut = put_token(input, &set->tokens[number / set->count]);
        struct question question = {.operation = OP_CONCAT,
                                    .input = input,
                                    .input_count = cut + put_token(input + cut, &set->tokens[number % set->count]),
                                    .cuts = &cut,
                                    .cut_count = 1};
        alternate_placement(sweep, number);
        size_t needed = needed_for(&sweep->comparer, question);
        for (question.capacity = needed - (needed > 0); question.capacity <= needed; question.capacity++)
            sweep_compare(sweep, &question);
    }
}

void sweep_rooms(struct sweep *sweep)
{
    enum {
        SORTS = FILLER_COUNT + 1,
        FEW = 20,
        PERIOD = 64,
        GROUP = 64 /* bytes that an encoder of a few units may overwrite */
    };
    uint32_t sorts[SORTS] = {[FILLER_COUNT] = 0xD800}; /* the last one is an error, or a lead surrogate */
    memcpy(sorts, fillers, sizeof fillers);
    sweep->has_little_room = true;
    comparer_begin(&sweep->comparer); /* asks the reference for the needed room before it asks all codecs */
    sweep_decoders(sweep);
    for (size_t sort = TWO_BYTES; sort <= FILLER_COUNT; sort++)
        for (size_t place = PERIOD - PERIOD / 4; place < PERIOD + PERIOD / 4; place++)
            sweep_every_room(sweep, sort, place % PERIOD, place < PERIOD ? PERIOD : PERIOD / 4);
    for (size_t i = 0; i < SORTS * SORTS; i++)
        sweep_encoders(sweep, (uint32_t[]){sorts[i / SORTS], sorts[i % SORTS]}, COUNT_MAX, 0);
    for (size_t i = 0; i < SORTS * FEW; i++)
        sweep_encoders(sweep, (uint32_t[]){sorts[i % SORTS], sorts[i % SORTS]}, 1 + i / SORTS, GROUP);
    sweep_lengths(sweep);
    sweep_joints(sweep);
}
