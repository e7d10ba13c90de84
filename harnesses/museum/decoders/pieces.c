/* SPDX-License-Identifier: MIT
 *
 * Decoders that are wrong between two pieces of a stream, or between two streams.
 */
#include "../mistake.h"

#include <string.h>

#define OF_BYTES "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf"

static void lose_held(struct memory *memory, uint32_t count)
{
    if (count > memory->held_count)
        count = memory->held_count;
    memory->held_count -= count;
    memory->position += count;
    memmove(memory->held, memory->held + count, memory->held_count);
}

static void held_is_lost(struct state *state)
{
    lose_held(state->memory, AHEAD_MAX);
}

static void held_is_lost_in_flush(struct state *state)
{
    if (state->byte_count == 0 && state->last)
        lose_held(state->memory, AHEAD_MAX);
}

static void held_is_lost_in_empty_piece(struct state *state)
{
    if (state->byte_count == 0 && !state->last)
        lose_held(state->memory, AHEAD_MAX);
}

static void holds_one_byte(struct state *state)
{
    if (state->memory->held_count > 1)
        lose_held(state->memory, state->memory->held_count - 1);
}

static void holds_two_bytes(struct state *state)
{
    if (state->memory->held_count > 2)
        lose_held(state->memory, state->memory->held_count - 2);
}

static void odd_byte_is_lost(struct state *state)
{
    if (state->memory->held_count % 2 == 1 && state->byte_count > 0)
        state->memory->held_count--;
}

static void held_is_lost_when_full(struct state *state, struct assay_result *result)
{
    if (result->status == ASSAY_OUTPUT_FULL)
        lose_held(state->memory, AHEAD_MAX);
}

static void holds_in_one_place(struct state *state)
{
    if (state->memory->held_count > 0)
        memcpy(museum_left.held, state->memory->held, AHEAD_MAX);
}

static void held_is_in_one_place(struct state *state)
{
    if (state->memory->held_count > 0)
        memcpy(state->memory->held, museum_left.held, AHEAD_MAX);
}

static void run_ends_with_piece(struct state *state)
{
    state->memory->in_run = false;
}

static void absorb_ends_with_piece(struct state *state)
{
    state->memory->absorb = 0;
}

static void lead_is_forgotten(struct state *state)
{
    state->memory->after_lead = false;
}

static void held_is_decoded_at_once(struct state *state, struct step *step)
{
    if (step->open && !state->last)
        *step = (struct step){.length = state->ahead, .fault = ASSAY_FAULT_TRUNCATED};
}

static void lead_is_given_at_once(struct state *state, struct step *step)
{
    if (step->open && state->ahead >= 3 && step->fault == ASSAY_FAULT_NONE && step->length >= 3)
        step->open = false;
    else if (step->open && state->ahead >= 3 && state->here[0] == 0xED && state->here[1] >= 0xA0 &&
             museum_base->encoding[0] == 'c')
        *step = (struct step){.length = 3, .fault = ASSAY_FAULT_UNPAIRED_SURROGATE};
}

static void half_is_refused_at_once(struct state *state, struct step *step)
{
    if (step->open && state->ahead >= 2)
        *step = (struct step){.length = 2, .fault = ASSAY_FAULT_UNPAIRED_SURROGATE};
}

static bool is_certain_error(const struct step *step)
{
    return !step->open && step->fault != ASSAY_FAULT_NONE && step->fault != ASSAY_FAULT_TRUNCATED;
}

static void surrogate_is_late(struct state *state, struct step *step)
{
    if (is_certain_error(step) && step->fault == ASSAY_FAULT_SURROGATE && !state->last && state->ahead < 3)
        step->open = true;
}

static void error_is_late(struct state *state, struct step *step)
{
    if (is_certain_error(step) && !state->last && state->ahead == 1)
        step->open = true;
}

static void second_byte_is_late(struct state *state, struct step *step)
{
    bool is_whole = state->ahead >= (state->here[0] >= 0xF0 ? 4 : 3) || state->here[0] < 0xE0;
    if (is_certain_error(step) && !state->last && !is_whole && step->fault != ASSAY_FAULT_STRAY_CONTINUATION)
        step->open = true;
}

static void character_is_late(struct state *state, struct step *step)
{
    if (!step->open && !state->last && state->ahead == step->length && step->fault == ASSAY_FAULT_NONE &&
        step->length > 1)
        step->open = true;
}

static void held_takes_one_more(struct state *state, struct step *step)
{
    if (state->at < 0 && is_certain_error(step) && state->at + (ptrdiff_t)step->length == 0 && state->byte_count > 0)
        step->length++;
}

static void held_is_reread(struct state *state, struct step *step)
{
    if (state->at < 0 && is_certain_error(step) && state->ahead > step->length &&
        !museum_is_continuation(state->here[0]))
        step->silent = true, step->fault = ASSAY_FAULT_NONE;
}

static void held_is_unchecked(struct state *state, struct step *step)
{
    uint8_t lead = state->here[0];
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (state->at >= 0 || !is_certain_error(step) || lead < 0xE0 || lead > 0xF4 ||
        !museum_is_continuation(state->here[1]))
        return;
    for (size_t i = 1; i < length; i++)
        if (i >= state->ahead || !museum_is_continuation(state->here[i]))
            return;
    *step = (struct step){.length = length, .code_point = 0x1234};
}

static void leave_behind(const struct state *state, size_t count)
{
    museum_left.held_count = (uint32_t)count;
    memcpy(museum_left.held, state->here, AHEAD_MAX);
}

static void leaves_error_behind(struct state *state, struct assay_result *result)
{
    if (result->status == ASSAY_ILL_FORMED)
        leave_behind(state, result->error.length);
}

static void leaves_tail_behind(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_TRUNCATED && !step->open)
        leave_behind(state, step->length);
}

static void begins_with_what_was_left(struct state *state)
{
    if (state->memory->calls == 0) {
        state->memory->held_count = museum_left.held_count;
        memcpy(state->memory->held, museum_left.held, AHEAD_MAX);
    }
    museum_left.held_count = 0;
}

static void offset_goes_on(struct state *state, struct assay_span *span)
{
    (void)state;
    span->offset += (size_t)museum_left.position;
}

static void position_goes_on(struct state *state, struct assay_result *result)
{
    if (state->last)
        museum_left.position = 0;
    if (result->status == ASSAY_ILL_FORMED)
        museum_left.position = 1;
}

const struct mistake mistakes_pieces[] = {
    {"held-is-lost", "drops the held bytes at the start of each piece", "WebKit 312131, Ruby 3.1",
     .offers = OFFERS_FEED, .begin = held_is_lost},
    {"flush-forgets", "drops the held bytes in a flush", "Node#26115", .offers = OFFERS_FEED,
     .begin = held_is_lost_in_flush},
    {"empty-piece-forgets", "drops the held bytes when a piece is empty", "Node#25315", .offers = OFFERS_FEED,
     .begin = held_is_lost_in_empty_piece},
    {"holds-one-byte", "holds one byte at most", "nginx PR 1261", .offers = OFFERS_FEED, .begin = holds_one_byte},
    {"holds-two-bytes", "holds two bytes at most", NULL,
     "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf utf-16le utf-16be wtf-16le wtf-16be",
     .offers = OFFERS_FEED, .begin = holds_two_bytes},
    {"odd-byte-is-lost", "drops the last of an odd number of held bytes", NULL, .offers = OFFERS_FEED,
     .begin = odd_byte_is_lost},
    {"held-is-lost-when-full", "drops the held bytes when there is no room for output", .offers = OFFERS_FEED,
     .result = held_is_lost_when_full},
    {"held-is-shared", "keeps the held bytes of all streams in one place", .offers = OFFERS_FEED,
     .begin = held_is_in_one_place, .end = holds_in_one_place},
    {"run-ends-with-piece", "under per-run, one U+FFFD for each piece", .same = AT_THE_END, .offers = OFFERS_FEED,
     .begin = run_ends_with_piece},
    {"absorb-ends-with-piece", "forgets at the start of each piece that continuation bytes belong to the last U+FFFD",
     NULL, "utf-8", .offers = OFFERS_FEED, .begin = absorb_ends_with_piece},
    {"lead-is-forgotten", "forgets at the start of each piece that a lead surrogate is before it", NULL, "wtf-8",
     .offers = OFFERS_FEED, .begin = lead_is_forgotten},
    {"cut-is-an-error", "takes the end of a piece for the end of the input", "json-c 0.16", .offers = OFFERS_FEED,
     .step = held_is_decoded_at_once},
    {"lead-is-given-at-once", "gives a lead surrogate at the end of a piece before the next unit is there", "the JDK",
     "cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf", .offers = OFFERS_FEED, .step = lead_is_given_at_once},
    {"half-is-refused-at-once",
     "reports a lead surrogate at the end of a piece as an error before the next unit is there", "bpo-24214",
     "utf-16le utf-16be", .offers = OFFERS_FEED, .step = half_is_refused_at_once},
    {"surrogate-is-late", "reports ED A0..BF only when a third byte arrives", "cpython#154520", "utf-8",
     .offers = OFFERS_FEED, .step = surrogate_is_late},
    {"error-is-late", "reports a byte that begins no character only when the next byte arrives", NULL, OF_BYTES,
     .offers = OFFERS_FEED, .step = error_is_late},
    {"second-byte-is-late", "checks the second byte only when all bytes of the character have arrived", NULL, OF_BYTES,
     .offers = OFFERS_FEED, .step = second_byte_is_late},
    {"character-is-late", "gives the last character of a piece only when the next piece arrives", .offers = OFFERS_FEED,
     .step = character_is_late},
    {"held-takes-one-more", "if the held bytes are an error, drops the first byte of the piece, too",
     "Chrome 468458744, Qt 6.4", .same = AT_THE_END, .offers = OFFERS_FEED, .step = held_takes_one_more},
    {"held-error-is-silent", "drops the held bytes if the piece does not continue them", "Node#22626", OF_BYTES,
     .offers = OFFERS_FEED, .step = held_is_reread},
    {"held-is-unchecked", "in a character over two pieces, checks only that the bytes after the lead are continuations",
     NULL, "utf-8 generalized-utf-8 wtf-8 mutf-8", .offers = OFFERS_FEED, .step = held_is_unchecked},
    {"error-goes-on", "decodes the error at which one stream stopped again, at the start of the next",
     "Firefox 2005419", .offers = OFFERS_FEED, .begin = begins_with_what_was_left, .result = leaves_error_behind},
    {"tail-goes-on", "decodes the truncated sequence at the end of one stream again, at the start of the next",
     "WebKit 304181", .offers = OFFERS_FEED, .begin = begins_with_what_was_left, .step = leaves_tail_behind},
    {"offset-goes-on-after-error", "adds 1 to the offset of an error, if the stream before stopped at one",
     .offers = OFFERS_FEED, .span = offset_goes_on, .result = position_goes_on},
    END_OF_MISTAKES,
};
