/* SPDX-License-Identifier: MIT
 *
 * loop.h - the slow, obvious loop of every reference. An encoding supplies one step: the next character or error.
 * Everything that follows from steps (policies, streams, limited room, counts, boundaries) is written here once. Keep
 * it slow and obvious.
 */
#ifndef ASSAY_REFERENCE_LOOP_H
#define ASSAY_REFERENCE_LOOP_H

#include "../assume.h"
#include "../codec.h"

#include <string.h>

enum {
    REPLACEMENT = 0xFFFD,
    LAST_CODE_POINT = 0x10FFFF,
    LONGEST = 8 /* bytes of a sequence: up to six, and eight in schemes */
};

/* The input of a step. */
struct ahead {
    const uint8_t *bytes;
    size_t count;    /* at least 1; if less than LONGEST, no bytes follow in this call */
    bool last;       /* no bytes follow in a later call */
    bool after_lead; /* the character just before is a lead surrogate */
};

/* One step through the input: a character, or a maximal subpart of an ill-formed subsequence. TRUNCATED with more input
 * to come means: not decided yet. */
struct step {
    size_t length;
    uint32_t code_point; /* when fault is NONE */
    enum assay_fault fault;
};

/* An encoding. */
struct encoding {
    struct step (*step)(const struct encoding *encoding, const struct ahead *ahead);
    /* A place near `at`, not after it, where a step begins. */
    size_t (*start_near)(const uint8_t *bytes, size_t at);
    /* Writes the bytes of a code point. Returns their number; 0 if the encoding cannot hold it. */
    size_t (*encode)(const struct encoding *encoding, uint32_t code_point, uint8_t out[LONGEST]);
    unsigned policies;     /* those that are offered, one bit each */
    bool joins_surrogates; /* a lead and a trail in a row always make one character (WTF-8) */
    bool refuses_pairs;    /* surrogates are code points, but a trail after a lead cannot be encoded (WTF-16) */

    const struct rows *rows;     /* for encodings of bytes: see rows.h */
    bool big_endian;             /* for UTF-16: see utf16.c */
    const struct scheme *scheme; /* for schemes: see ../schemes/step.h */
};

#define POLICY(id) (1u << ASSAY_POLICY_##id)
#define EVERY_POLICY ((1u << ASSAY_POLICY_COUNT) - 1)
#define POLICIES_OF_ALL (POLICY(STRICT) | POLICY(WHATWG) | POLICY(PER_RUN) | POLICY(SKIP)) /* of every encoding */

static bool is_lead(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_trail(uint32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* Unicode 17.0, Table 3-5. */
static uint32_t scalar_of_pair(uint32_t lead, uint32_t trail)
{
    ASSUME(is_lead(lead) && is_trail(trail));
    return 0x10000 + ((lead - 0xD800) << 10) + (trail - 0xDC00);
}

static uint16_t lead_of(uint32_t scalar)
{
    ASSUME(scalar > 0xFFFF && scalar <= LAST_CODE_POINT);
    return (uint16_t)(0xD800 + ((scalar - 0x10000) >> 10));
}

static uint16_t trail_of(uint32_t scalar)
{
    ASSUME(scalar > 0xFFFF && scalar <= LAST_CODE_POINT);
    return (uint16_t)(0xDC00 + ((scalar - 0x10000) & 0x3FF));
}

static bool is_continuation(uint8_t byte)
{
    return byte >= 0x80 && byte <= 0xBF;
}

static bool is_lone_lead(const struct step *step)
{
    return step->fault == ASSAY_FAULT_NONE && is_lead(step->code_point);
}

/* ---- the output of a policy for an error ---------------------------------------------------- */

/* The number of continuation bytes that a lead requires in the scheme of RFC 2279, with up to 6 bytes a character. */
static size_t old_scheme_continuations(uint8_t lead)
{
    if (lead >= 0xC0 && lead <= 0xDF)
        return 1;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 2;
    if (lead >= 0xF0 && lead <= 0xF7)
        return 3;
    if (lead >= 0xF8 && lead <= 0xFB)
        return 4;
    if (lead >= 0xFC && lead <= 0xFD)
        return 5;
    return 0;
}

/* The number of continuation bytes after this error that belong to the same replacement. */
static size_t bytes_to_absorb(enum assay_policy policy, uint8_t first, const struct step *error)
{
    ASSUME(error->length > 0);
    if (policy == ASSAY_POLICY_PER_SEQUENCE) {
        size_t wanted = old_scheme_continuations(first), had = error->length - 1;
        return wanted > had ? wanted - had : 0;
    }
    if (policy == ASSAY_POLICY_JDK && error->fault == ASSAY_FAULT_SURROGATE)
        return 2;
    return 0;
}

/* The number of units that the policy writes for an error. */
static size_t units_for_error(enum assay_policy policy, size_t length, bool in_run)
{
    switch (policy) {
    case ASSAY_POLICY_PER_BYTE:
    case ASSAY_POLICY_SURROGATEESCAPE: return length;
    case ASSAY_POLICY_PER_RUN: return in_run ? 0 : 1;
    case ASSAY_POLICY_SKIP: return 0;
    default: return 1;
    }
}

/* ---- the loop ------------------------------------------------------------------------------- */

/* The output, UTF-32 or UTF-16; if both are NULL, units are only counted. */
struct sink {
    uint32_t *utf32;
    uint16_t *utf16;
    bool count_utf16;
    size_t capacity;
    size_t written;
};

static bool put_code_point(struct sink *sink, uint32_t code_point)
{
    size_t units = sink->count_utf16 && code_point > 0xFFFF ? 2 : 1;
    if (sink->capacity - sink->written < units)
        return false;
    if (sink->utf32 != NULL) {
        sink->utf32[sink->written] = code_point;
    } else if (sink->utf16 != NULL && units == 1) {
        sink->utf16[sink->written] = (uint16_t)code_point;
    } else if (sink->utf16 != NULL) {
        sink->utf16[sink->written] = lead_of(code_point);
        sink->utf16[sink->written + 1] = trail_of(code_point);
    }
    sink->written += units;
    return true;
}

/* The state of a stream, kept in assay_stream.state. `held` has at most ASSAY_HELD_MAX bytes; in a scheme it may have
 * more, which become one character or replacement. It has no padding: a call would copy the padding, and
 * MemorySanitizer reports that. */
struct memory {
    uint64_t position;     /* stream offset of the first held byte, or of the next byte if none is held */
    uint8_t held[LONGEST]; /* an undecided sequence, at most all but its last byte */
    uint32_t held_count;
    uint16_t absorb; /* continuation bytes that the last replacement would still absorb */
    bool in_run;     /* an error was last */
    bool after_lead; /* a lead surrogate was last */
};
_Static_assert(sizeof(struct memory) <= sizeof((struct assay_stream *)0)->state, "a stream has room for its memory");
_Static_assert(sizeof(struct memory) == 3 * sizeof(uint64_t), "no padding");

static bool put_error(struct sink *sink, enum assay_policy policy, const uint8_t *bytes, size_t length, bool in_run)
{
    size_t units = units_for_error(policy, length, in_run);
    if (sink->capacity - sink->written < units)
        return false;
    for (size_t i = 0; i < units; i++)
        put_code_point(sink, policy == ASSAY_POLICY_SURROGATEESCAPE ? 0xDC00u + bytes[i] : REPLACEMENT);
    return true;
}

/* The undecided bytes: those held from earlier pieces, then those of this piece. */
struct pending {
    const uint8_t *held;
    size_t held_count;
    const uint8_t *bytes;
    size_t byte_count;
};

static uint8_t byte_at(const struct pending *pending, size_t i)
{
    return i < pending->held_count ? pending->held[i] : pending->bytes[i - pending->held_count];
}

/* Returns the bytes from `at` on, at least as many as a step reads. Copies them to `buffer` if some are held and some
 * are new. */
static const uint8_t *bytes_at(const struct pending *pending, size_t at, uint8_t buffer[LONGEST], size_t *count)
{
    ASSUME(at < pending->held_count + pending->byte_count);
    *count = pending->held_count + pending->byte_count - at;
    if (at >= pending->held_count)
        return pending->bytes + (at - pending->held_count);
    if (*count > LONGEST)
        *count = LONGEST;
    for (size_t i = 0; i < *count; i++)
        buffer[i] = byte_at(pending, at + i);
    return buffer;
}

/* Holds the bytes from `at` to `stop` for the next piece. Returns how many bytes of this piece were read. */
static size_t hold_bytes(struct memory *memory, const struct pending *pending, size_t at, size_t stop)
{
    uint8_t kept[LONGEST] = {0};
    ASSUME(stop >= pending->held_count && (at >= stop || stop - at < LONGEST));
    memory->position += at;
    memory->held_count = 0;
    while (at < stop)
        kept[memory->held_count++] = byte_at(pending, at++);
    memcpy(memory->held, kept, sizeof kept);
    return stop - pending->held_count;
}

static struct assay_span span_at(size_t offset, const struct step *error)
{
    return (struct assay_span){offset, error->length, error->fault, error->fault == ASSAY_FAULT_TRUNCATED};
}

static struct assay_result decode_from(const struct encoding *encoding, struct memory *memory, enum assay_policy policy,
                                       const uint8_t *bytes, size_t byte_count, bool last, struct sink *sink)
{
    if ((encoding->policies >> policy & 1) == 0)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    uint8_t held[LONGEST];
    memcpy(held, memory->held, sizeof held);
    struct pending pending = {held, memory->held_count, bytes, byte_count};
    size_t end = pending.held_count + byte_count, at = 0;
    struct assay_result result = {.status = ASSAY_OK};
    bool hold = false;
    uint8_t buffer[LONGEST];

    while (at < end && result.status == ASSAY_OK) {
        size_t count;
        const uint8_t *here = bytes_at(&pending, at, buffer, &count);
        struct ahead ahead = {here, count, last, memory->after_lead};
        if (memory->absorb > 0 && is_continuation(ahead.bytes[0])) {
            memory->absorb--;
            at++;
            continue;
        }
        memory->absorb = 0;
        struct step step = encoding->step(encoding, &ahead);
        ASSUME(step.length > 0 && step.length <= count);
        bool is_error = step.fault != ASSAY_FAULT_NONE;
        hold = step.fault == ASSAY_FAULT_TRUNCATED && !last;
        if (hold)
            break;
        if (is_error && policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = span_at((size_t)memory->position + at, &step);
        } else if (is_error ? !put_error(sink, policy, ahead.bytes, step.length, memory->in_run)
                            : !put_code_point(sink, step.code_point)) {
            result.status = ASSAY_OUTPUT_FULL;
        } else {
            memory->absorb = (uint16_t)(is_error ? bytes_to_absorb(policy, ahead.bytes[0], &step) : 0);
            memory->in_run = is_error;
            memory->after_lead = is_lone_lead(&step);
            at += step.length;
        }
    }
    result.written = sink->written;
    /* Bytes held from earlier pieces counted as read then, and are not given back. An unfinished sequence is held for
     * the next piece, and counts as read now. */
    result.read = hold_bytes(memory, &pending, at, hold ? end : at < pending.held_count ? pending.held_count : at);
    return result;
}

static struct assay_result decode_stream(const struct encoding *encoding, struct assay_stream *stream,
                                         const uint8_t *bytes, size_t byte_count, bool last, struct sink *sink)
{
    struct memory memory;
    memcpy(&memory, stream->state, sizeof memory);
    struct assay_result result = decode_from(encoding, &memory, stream->policy, bytes, byte_count, last, sink);
    memcpy(stream->state, &memory, sizeof memory);
    return result;
}

static struct assay_result decode_whole(const struct encoding *encoding, enum assay_policy policy, const uint8_t *bytes,
                                        size_t byte_count, struct sink *sink)
{
    return decode_from(encoding, &(struct memory){0}, policy, bytes, byte_count, true, sink);
}

static struct assay_result reference_decode_utf32(const struct encoding *encoding, enum assay_policy policy,
                                                  const uint8_t *bytes, size_t byte_count, uint32_t *out,
                                                  size_t capacity)
{
    return decode_whole(encoding, policy, bytes, byte_count, &(struct sink){.utf32 = out, .capacity = capacity});
}

static struct assay_result reference_decode_utf16(const struct encoding *encoding, enum assay_policy policy,
                                                  const uint8_t *bytes, size_t byte_count, uint16_t *out,
                                                  size_t capacity)
{
    return decode_whole(encoding, policy, bytes, byte_count,
                        &(struct sink){.utf16 = out, .capacity = capacity, .count_utf16 = true});
}

static struct assay_result reference_feed_utf32(const struct encoding *encoding, struct assay_stream *stream,
                                                const uint8_t *bytes, size_t byte_count, bool last, uint32_t *out,
                                                size_t capacity)
{
    return decode_stream(encoding, stream, bytes, byte_count, last, &(struct sink){.utf32 = out, .capacity = capacity});
}

static struct assay_result reference_feed_utf16(const struct encoding *encoding, struct assay_stream *stream,
                                                const uint8_t *bytes, size_t byte_count, bool last, uint16_t *out,
                                                size_t capacity)
{
    return decode_stream(encoding, stream, bytes, byte_count, last,
                         &(struct sink){.utf16 = out, .capacity = capacity, .count_utf16 = true});
}

static struct assay_count reference_count(const struct encoding *encoding, enum assay_policy policy,
                                          const uint8_t *bytes, size_t byte_count)
{
    struct sink utf32 = {.capacity = SIZE_MAX};
    struct sink utf16 = {.capacity = SIZE_MAX, .count_utf16 = true};
    enum assay_status status = decode_whole(encoding, policy, bytes, byte_count, &utf32).status;
    decode_whole(encoding, policy, bytes, byte_count, &utf16);
    return (struct assay_count){status, utf32.written, utf16.written};
}

/* ---- errors and boundaries ---------------------------------------------------------------------- */

static size_t reference_spans(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count,
                              struct assay_span *spans, size_t capacity)
{
    size_t count = 0;
    bool after_lead = false;
    for (size_t at = 0; at < byte_count;) {
        struct step step = encoding->step(encoding, &(struct ahead){bytes + at, byte_count - at, true, after_lead});
        ASSUME(step.length > 0 && step.length <= byte_count - at);
        if (step.fault != ASSAY_FAULT_NONE) {
            if (count < capacity)
                spans[count] = span_at(at, &step);
            count++;
        }
        after_lead = is_lone_lead(&step);
        at += step.length;
    }
    return count;
}

static bool reference_validate(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count,
                               struct assay_span *error)
{
    struct assay_span first = {0};
    bool well_formed = reference_spans(encoding, bytes, byte_count, &first, 1) == 0;
    if (error != NULL)
        *error = first;
    return well_formed;
}

static size_t reference_boundary(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count, size_t at)
{
    if (at >= byte_count)
        return byte_count;
    size_t start = encoding->start_near(bytes, at);
    ASSUME(start <= at);
    bool after_lead = false;
    for (;;) {
        struct step step =
            encoding->step(encoding, &(struct ahead){bytes + start, byte_count - start, true, after_lead});
        if (at < start + step.length)
            return start;
        after_lead = is_lone_lead(&step);
        start += step.length;
    }
}

#endif
