/* SPDX-License-Identifier: MIT
 *
 * Decoders that are wrong about how much room there is.
 */
#include "../mistake.h"

#define DECODES (OFFERS(DECODE_UTF32) | OFFERS(DECODE_UTF16) | OFFERS_FEED)

static void one_more(struct state *state, size_t *room)
{
    (void)state;
    (*room)++;
}

static void one_less(struct state *state, size_t *room)
{
    (void)state;
    if (*room > 0)
        (*room)--;
}

static void pair_in_one(struct state *state, size_t *room)
{
    (void)state;
    if (*room == 1)
        *room = 2;
}

static void wants_two(struct state *state, size_t *room)
{
    (void)state;
    if (*room == 1)
        *room = 0;
}

static void wants_a_block(struct state *state, size_t *room)
{
    if (state->byte_count >= 32 && *room < 4)
        *room = 0;
}

static void reads_when_full(struct state *state, struct assay_result *result)
{
    if (result->status == ASSAY_OUTPUT_FULL && result->read < state->byte_count)
        result->read++;
}

static void full_is_fine(struct state *state, struct assay_result *result)
{
    (void)state;
    if (result->status == ASSAY_OUTPUT_FULL)
        result->status = ASSAY_OK;
}

static void fine_is_full(struct state *state, struct assay_result *result)
{
    if (result->status == ASSAY_OK && state->written == state->capacity && state->written > 0 &&
        (state->operation == OP_DECODE_UTF32 || state->operation == OP_DECODE_UTF16))
        result->status = ASSAY_OUTPUT_FULL;
}

static void full_before_error(struct state *state, const struct step *step, size_t *units)
{
    (void)step;
    if (*units == 0 && state->written == state->capacity)
        *units = 1;
}

static void error_is_full(struct state *state, struct assay_result *result)
{
    if (result->status == ASSAY_ILL_FORMED && state->written == state->capacity && state->operation != OP_VALIDATE) {
        result->status = ASSAY_OUTPUT_FULL;
        result->error = (struct assay_span){0};
    }
}

static void nothing_into_nothing(struct state *state, struct assay_result *result)
{
    if (state->capacity == 0 && state->byte_count > 0 && result->status == ASSAY_OUTPUT_FULL)
        result->read = state->byte_count;
}

const struct mistake mistakes_room[] = {
    {"room-for-one-more", "writes one unit past the end", "simdutf#92, #478", .offers = DECODES, .room = one_more},
    {"room-for-one-less", "does not use the last unit of its room", .offers = DECODES, .room = one_less},
    {"pair-in-one", "writes a pair into room for one unit", "simdutf#911", .offers = DECODES, .room = pair_in_one},
    {"wants-two", "requires room for two units, even for one unit", NULL, .offers = DECODES, .room = wants_two},
    {"wants-a-block", "in long input, does not use the last three units of its room", NULL, .offers = DECODES,
     .room = wants_a_block},
    {"reads-when-full", "counts a byte as read whose output had no room", .offers = DECODES, .result = reads_when_full},
    {"full-is-fine", "reports `ok` when its output is full", .offers = DECODES, .result = full_is_fine},
    {"fine-is-full", "reports a full output when all output fits exactly", .offers = DECODES, .result = fine_is_full},
    {"full-before-error", "stops before an error that has no output, if the output is full", .offers = DECODES,
     .replace = full_before_error},
    {"error-is-full", "reports a full output instead of the error that is next", .offers = DECODES,
     .result = error_is_full},
    {"nothing-into-nothing", "with no room for output, reads all of the input", .offers = DECODES,
     .result = nothing_into_nothing},
    END_OF_MISTAKES,
};
