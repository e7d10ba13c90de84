/* SPDX-License-Identifier: MIT
 *
 * Decoders that count in too few bits, or say of an error what it is not.
 */
#include "../mistake.h"

#include <string.h>

static void offset_in_8_bits(struct state *state, struct assay_span *span)
{
    (void)state;
    span->offset = (uint8_t)span->offset;
}

static void offset_in_16_bits(struct state *state, struct assay_span *span)
{
    (void)state;
    span->offset = (uint16_t)span->offset;
}

static void offset_from_this_piece(struct state *state, struct assay_span *span)
{
    if (state->memory->calls > 0 && state->at >= 0)
        span->offset = (size_t)state->at;
}

static void offset_without_held(struct state *state, struct assay_span *span)
{
    if (state->at < 0)
        span->offset += (size_t)-state->at;
}

static void offset_of_offender(struct state *state, struct assay_span *span)
{
    (void)state;
    if (span->fault == ASSAY_FAULT_MISSING_CONTINUATION)
        span->offset += span->length;
}

static void length_of_one(struct state *state, struct assay_span *span)
{
    (void)state;
    if (span->fault == ASSAY_FAULT_TRUNCATED)
        span->length = 1;
}

static void never_incomplete(struct state *state, struct assay_span *span)
{
    (void)state;
    span->incomplete = false;
}

static void stray_is_invalid_lead(struct state *state, struct assay_span *span)
{
    (void)state;
    if (span->fault == ASSAY_FAULT_STRAY_CONTINUATION)
        span->fault = ASSAY_FAULT_INVALID_LEAD;
}

static void truncated_is_missing(struct state *state, struct assay_span *span)
{
    if (span->fault == ASSAY_FAULT_TRUNCATED && state->byte_count >= 16)
        span->fault = ASSAY_FAULT_MISSING_CONTINUATION, span->incomplete = false;
}

static void written_in_8_bits(struct state *state, struct assay_result *result)
{
    (void)state;
    result->written = (uint8_t)result->written;
}

static void written_in_16_bits(struct state *state, struct assay_result *result)
{
    (void)state;
    result->written = (uint16_t)result->written;
}

static void read_in_8_bits(struct state *state, struct assay_result *result)
{
    (void)state;
    result->read = (uint8_t)result->read;
}

static void read_in_16_bits(struct state *state, struct assay_result *result)
{
    (void)state;
    result->read = (uint16_t)result->read;
}

static size_t spans_in_8_bits(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity)
{
    return (uint8_t)museum_base->spans(bytes, byte_count, spans, capacity);
}

static size_t spans_up_to_capacity(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity)
{
    size_t count = museum_base->spans(bytes, byte_count, spans, capacity);
    return count < capacity ? count : capacity;
}

static size_t spans_one_too_many(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity)
{
    size_t count = museum_base->spans(bytes, byte_count, spans, capacity);
    if (count > capacity && capacity > 0)
        memset(&spans[capacity], 0, 1);
    return count;
}

#define DECODES (OFFERS(DECODE_UTF32) | OFFERS(DECODE_UTF16))

const struct mistake mistakes_offsets[] = {
    {"offset-in-8-bits", "keeps the offset of an error in a byte", .span = offset_in_8_bits},
    {"offset-in-16-bits", "keeps the offset of an error in two bytes", .span = offset_in_16_bits},
    {"offset-in-8-bits-in-streams", "keeps the offset of an error of a stream in a byte", .offers = OFFERS_FEED,
     .span = offset_in_8_bits},
    {"offset-in-16-bits-in-streams", "keeps the offset of an error of a stream in two bytes", .offers = OFFERS_FEED,
     .span = offset_in_16_bits},
    {"offset-from-this-piece", "counts the offset of an error from the start of the piece, not of the stream",
     .offers = OFFERS_FEED, .span = offset_from_this_piece},
    {"offset-without-held", "reports an error that begins in held bytes at the start of this piece",
     .offers = OFFERS_FEED, .span = offset_without_held},
    {"offset-of-offender", "reports the offset of the byte that cannot follow, not of the start of the sequence",
     "autobahn, nlohmann", .only = "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf",
     .span = offset_of_offender},
    {"length-of-one", "reports a truncated sequence as an error of one byte", .same = AT_THE_END,
     .span = length_of_one},
    {"never-incomplete", "reports no error as incomplete", .span = never_incomplete},
    {"stray-is-invalid-lead", "reports a stray continuation as an invalid lead",
     .only = "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf", .span = stray_is_invalid_lead},
    {"truncated-is-missing", "pads the last block, so that a truncated sequence is reported as a missing continuation",
     .span = truncated_is_missing},
    {"written-in-8-bits", "keeps the count of output units in a byte", .offers = DECODES, .result = written_in_8_bits},
    {"written-in-16-bits", "keeps the count of output units in two bytes", .offers = DECODES,
     .result = written_in_16_bits},
    {"read-in-8-bits", "keeps the count of bytes read in a byte", .offers = DECODES, .result = read_in_8_bits},
    {"read-in-16-bits", "keeps the count of bytes read in two bytes", .offers = DECODES, .result = read_in_16_bits},
    {"spans-in-8-bits", "counts errors in a byte", .same = AT_THE_END, .wraps = {.spans = spans_in_8_bits}},
    {"spans-up-to-capacity", "counts only the errors for which there was room",
     .wraps = {.spans = spans_up_to_capacity}},
    {"spans-one-too-many", "writes one span more than there is room for", .same = AT_THE_END,
     .wraps = {.spans = spans_one_too_many}},
    END_OF_MISTAKES,
};
