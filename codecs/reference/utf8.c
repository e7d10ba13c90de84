/* SPDX-License-Identifier: MIT
 *
 * The reference for UTF-8: the standard spelled in C. The rows are typed from Table 3-7; one slow,
 * obvious loop does everything else. Check it with the PDF in the other hand; never make it clever.
 */
#include "../codec.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD };

/* Unicode 17.0, Table 3-7: Well-Formed UTF-8 Byte Sequences. All bytes after the second are 80..BF. */
static const struct row {
    uint8_t first_low, first_high;
    uint8_t second_low, second_high;
    size_t length;
} table_3_7[] = {
    {0x00, 0x7F, 0x00, 0x00, 1}, /* U+0000..U+007F */
    {0xC2, 0xDF, 0x80, 0xBF, 2}, /* U+0080..U+07FF */
    {0xE0, 0xE0, 0xA0, 0xBF, 3}, /* U+0800..U+0FFF */
    {0xE1, 0xEC, 0x80, 0xBF, 3}, /* U+1000..U+CFFF */
    {0xED, 0xED, 0x80, 0x9F, 3}, /* U+D000..U+D7FF */
    {0xEE, 0xEF, 0x80, 0xBF, 3}, /* U+E000..U+FFFF */
    {0xF0, 0xF0, 0x90, 0xBF, 4}, /* U+10000..U+3FFFF */
    {0xF1, 0xF3, 0x80, 0xBF, 4}, /* U+40000..U+FFFFF */
    {0xF4, 0xF4, 0x80, 0x8F, 4}, /* U+100000..U+10FFFF */
};

static const struct row *row_of(uint8_t first)
{
    for (size_t i = 0; i < sizeof table_3_7 / sizeof table_3_7[0]; i++)
        if (table_3_7[i].first_low <= first && first <= table_3_7[i].first_high)
            return &table_3_7[i];
    return NULL;
}

static bool is_continuation(uint8_t byte)
{
    return byte >= 0x80 && byte <= 0xBF;
}

/* What is wrong with a byte that begins no row. */
static enum assay_fault fault_of_first(uint8_t first)
{
    if (is_continuation(first))
        return ASSAY_FAULT_STRAY_CONTINUATION;
    if (first == 0xC0 || first == 0xC1)
        return ASSAY_FAULT_OVERLONG;
    if (first >= 0xF5 && first <= 0xF7)
        return ASSAY_FAULT_OUT_OF_RANGE;
    return ASSAY_FAULT_INVALID_LEAD;
}

/* What is wrong with a second byte that is outside its row. */
static enum assay_fault fault_of_second(uint8_t first, uint8_t second)
{
    if (!is_continuation(second))
        return ASSAY_FAULT_MISSING_CONTINUATION;
    if (first == 0xED)
        return ASSAY_FAULT_SURROGATE;
    if (first == 0xF4)
        return ASSAY_FAULT_OUT_OF_RANGE;
    return ASSAY_FAULT_OVERLONG; /* E0 and F0 */
}

/* One step through the input: a character, or a maximal subpart of an ill-formed subsequence. */
struct step {
    size_t length;
    uint32_t scalar; /* when fault is NONE */
    enum assay_fault fault;
};

/* The bytes in hand: those held from earlier pieces, then those of this piece. */
struct window {
    const uint8_t *held;
    size_t held_count;
    const uint8_t *bytes;
    size_t byte_count;
};

static uint8_t byte_at(const struct window *window, size_t i)
{
    return i < window->held_count ? window->held[i] : window->bytes[i - window->held_count];
}

static struct step step_at(const struct window *window, size_t at)
{
    size_t end = window->held_count + window->byte_count;
    uint8_t first = byte_at(window, at);
    const struct row *row = row_of(first);
    if (row == NULL)
        return (struct step){1, 0, fault_of_first(first)};

    static const uint8_t payload_of_first[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t scalar = first & payload_of_first[row->length];
    for (size_t i = 1; i < row->length; i++) {
        if (at + i == end)
            return (struct step){i, 0, ASSAY_FAULT_TRUNCATED};
        uint8_t byte = byte_at(window, at + i);
        if (i == 1 && (byte < row->second_low || byte > row->second_high))
            return (struct step){1, 0, fault_of_second(first, byte)};
        if (!is_continuation(byte))
            return (struct step){i, 0, ASSAY_FAULT_MISSING_CONTINUATION};
        scalar = scalar << 6 | (byte & 0x3Fu);
    }
    return (struct step){row->length, scalar, ASSAY_FAULT_NONE};
}

/* ---- what a policy makes of an error -------------------------------------------------------- */

/* How many bytes follow this lead in the scheme of RFC 2279, with up to 6 bytes a character. */
static size_t old_scheme_continuations(uint8_t lead)
{
    if (lead >= 0xC0 && lead <= 0xDF) return 1;
    if (lead >= 0xE0 && lead <= 0xEF) return 2;
    if (lead >= 0xF0 && lead <= 0xF7) return 3;
    if (lead >= 0xF8 && lead <= 0xFB) return 4;
    if (lead >= 0xFC && lead <= 0xFD) return 5;
    return 0;
}

/* How many continuation bytes after this error, if they come, belong to the same replacement. */
static size_t bytes_to_absorb(enum assay_policy policy, uint8_t first, const struct step *error)
{
    if (policy == ASSAY_POLICY_PER_SEQUENCE) {
        size_t wanted = old_scheme_continuations(first), had = error->length - 1;
        return wanted > had ? wanted - had : 0;
    }
    if (policy == ASSAY_POLICY_JDK && error->fault == ASSAY_FAULT_SURROGATE)
        return 2;
    return 0;
}

/* How many output units the policy puts in place of an error. */
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

/* Where output goes: UTF-32, UTF-16, or (both NULL) nowhere, and it is only counted. */
struct sink {
    uint32_t *utf32;
    uint16_t *utf16;
    bool count_utf16;
    size_t capacity;
    size_t written;
};

static bool is_utf16(const struct sink *sink)
{
    return sink->utf16 != NULL || sink->count_utf16;
}

static bool put(struct sink *sink, uint32_t code_point)
{
    size_t units = is_utf16(sink) && code_point > 0xFFFF ? 2 : 1;
    if (sink->capacity - sink->written < units)
        return false;
    if (sink->utf32 != NULL) {
        sink->utf32[sink->written] = code_point;
    } else if (sink->utf16 != NULL && units == 1) {
        sink->utf16[sink->written] = (uint16_t)code_point;
    } else if (sink->utf16 != NULL) { /* Unicode 17.0, Table 3-5 */
        sink->utf16[sink->written] = (uint16_t)(0xD800 + ((code_point - 0x10000) >> 10));
        sink->utf16[sink->written + 1] = (uint16_t)(0xDC00 + ((code_point - 0x10000) & 0x3FF));
    }
    sink->written += units;
    return true;
}

/* What a stream remembers, kept in assay_stream.state. */
struct memory {
    uint64_t position;  /* offset in the stream of the first byte in hand */
    uint8_t held[3];    /* a sequence well-formed so far */
    uint8_t held_count;
    uint8_t absorb;     /* continuation bytes that still belong to the last replacement */
    bool in_run;        /* the last thing was an error */
};
_Static_assert(sizeof(struct memory) <= sizeof ((struct assay_stream *)0)->state, "a stream has room for its memory");

static bool put_error(struct sink *sink, enum assay_policy policy, const struct window *window, size_t at,
                      size_t length, bool in_run)
{
    size_t units = units_for_error(policy, length, in_run);
    if (sink->capacity - sink->written < units)
        return false;
    for (size_t i = 0; i < units; i++)
        put(sink, policy == ASSAY_POLICY_SURROGATEESCAPE ? 0xDC00u + byte_at(window, at + i) : REPLACEMENT);
    return true;
}

/* Puts into memory what is still to be completed, and says how much of the new piece was read. */
static struct assay_result finish(struct memory *memory, const struct window *window, size_t at, bool hold,
                                  struct assay_result result)
{
    size_t end = window->held_count + window->byte_count;
    size_t kept_from = at;
    uint8_t kept[sizeof memory->held];
    size_t kept_count = 0;
    size_t stop = hold ? end : at < window->held_count ? window->held_count : at;
    while (at < stop)
        kept[kept_count++] = byte_at(window, at++);
    memory->position += kept_from;
    memory->held_count = (uint8_t)kept_count;
    for (size_t i = 0; i < kept_count; i++)
        memory->held[i] = kept[i];
    result.read = stop - window->held_count;
    return result;
}

static struct assay_result run_from(struct memory *memory, enum assay_policy policy, const uint8_t *bytes,
                                    size_t byte_count, bool last, struct sink *sink)
{
    uint8_t held[sizeof memory->held] = {memory->held[0], memory->held[1], memory->held[2]};
    struct window window = {held, memory->held_count, bytes, byte_count};
    size_t end = window.held_count + byte_count;
    size_t at = 0;
    struct assay_result result = {.status = ASSAY_OK};

    while (at < end) {
        uint8_t first = byte_at(&window, at);
        if (memory->absorb > 0 && is_continuation(first)) {
            memory->absorb--;
            at++;
            continue;
        }
        memory->absorb = 0;
        struct step step = step_at(&window, at);
        if (step.fault == ASSAY_FAULT_NONE) {
            if (!put(sink, step.scalar)) {
                result.status = ASSAY_OUTPUT_FULL;
                break;
            }
            memory->in_run = false;
            at += step.length;
            continue;
        }
        if (step.fault == ASSAY_FAULT_TRUNCATED && !last)
            return result.written = sink->written, finish(memory, &window, at, true, result);
        if (policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){(size_t)memory->position + at, step.length, step.fault,
                                               step.fault == ASSAY_FAULT_TRUNCATED};
            break;
        }
        if (!put_error(sink, policy, &window, at, step.length, memory->in_run)) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        memory->absorb = (uint8_t)bytes_to_absorb(policy, first, &step);
        memory->in_run = true;
        at += step.length;
    }
    result.written = sink->written;
    return finish(memory, &window, at, false, result);
}

static struct assay_result run(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                               struct sink *sink)
{
    struct memory memory;
    memcpy(&memory, stream->state, sizeof memory);
    struct assay_result result = run_from(&memory, stream->policy, bytes, byte_count, last, sink);
    memcpy(stream->state, &memory, sizeof memory);
    return result;
}

/* ---- the operations ------------------------------------------------------------------------- */

static struct assay_result run_whole(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                     struct sink *sink)
{
    struct assay_stream stream;
    assay_stream_start(&stream, policy);
    return run(&stream, bytes, byte_count, true, sink);
}

static size_t spans(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity)
{
    struct window window = {NULL, 0, bytes, byte_count};
    size_t count = 0;
    for (size_t at = 0; at < byte_count;) {
        struct step step = step_at(&window, at);
        if (step.fault != ASSAY_FAULT_NONE) {
            if (count < capacity)
                spans[count] = (struct assay_span){at, step.length, step.fault, step.fault == ASSAY_FAULT_TRUNCATED};
            count++;
        }
        at += step.length;
    }
    return count;
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    struct assay_span first = {0};
    bool well_formed = spans(bytes, byte_count, &first, 1) == 0;
    if (error != NULL)
        *error = first;
    return well_formed;
}

static struct assay_count count(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    struct sink utf32 = {.capacity = SIZE_MAX};
    struct sink utf16 = {.capacity = SIZE_MAX, .count_utf16 = true};
    enum assay_status status = run_whole(policy, bytes, byte_count, &utf32).status;
    run_whole(policy, bytes, byte_count, &utf16);
    return (struct assay_count){status, utf32.written, utf16.written};
}

static struct assay_result decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint32_t *out, size_t capacity)
{
    return run_whole(policy, bytes, byte_count, &(struct sink){.utf32 = out, .capacity = capacity});
}

static struct assay_result decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint16_t *out, size_t capacity)
{
    return run_whole(policy, bytes, byte_count, &(struct sink){.utf16 = out, .capacity = capacity, .count_utf16 = true});
}

static struct assay_result feed_utf32(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                                      uint32_t *out, size_t capacity)
{
    return run(stream, bytes, byte_count, last, &(struct sink){.utf32 = out, .capacity = capacity});
}

static struct assay_result feed_utf16(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                                      uint16_t *out, size_t capacity)
{
    return run(stream, bytes, byte_count, last, &(struct sink){.utf16 = out, .capacity = capacity, .count_utf16 = true});
}

/* ---- encoding: Unicode 17.0, Table 3-6 -------------------------------------------------------- */

static size_t encode_scalar(uint32_t scalar, uint8_t out[4])
{
    if (scalar <= 0x7F) {
        out[0] = (uint8_t)scalar;
        return 1;
    }
    if (scalar <= 0x7FF) {
        out[0] = (uint8_t)(0xC0 | scalar >> 6);
        out[1] = (uint8_t)(0x80 | (scalar & 0x3F));
        return 2;
    }
    if (scalar <= 0xFFFF) {
        out[0] = (uint8_t)(0xE0 | scalar >> 12);
        out[1] = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (scalar & 0x3F));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | scalar >> 18);
    out[1] = (uint8_t)(0x80 | (scalar >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (scalar & 0x3F));
    return 4;
}

/* A code point of the input, or what is wrong with it. */
struct unit_step {
    size_t length;
    uint32_t code_point;
    enum assay_fault fault;
};

static struct unit_step step_utf32(const uint32_t *units, size_t at)
{
    uint32_t code_point = units[at];
    if (code_point > 0x10FFFF)
        return (struct unit_step){1, code_point, ASSAY_FAULT_OUT_OF_RANGE};
    if (code_point >= 0xD800 && code_point <= 0xDFFF)
        return (struct unit_step){1, code_point, ASSAY_FAULT_SURROGATE};
    return (struct unit_step){1, code_point, ASSAY_FAULT_NONE};
}

static struct unit_step step_utf16(const uint16_t *units, size_t unit_count, size_t at)
{
    uint32_t unit = units[at];
    if (unit < 0xD800 || unit > 0xDFFF)
        return (struct unit_step){1, unit, ASSAY_FAULT_NONE};
    if (unit <= 0xDBFF && at + 1 < unit_count && units[at + 1] >= 0xDC00 && units[at + 1] <= 0xDFFF)
        return (struct unit_step){2, 0x10000 + ((unit - 0xD800) << 10) + (units[at + 1] - 0xDC00u), ASSAY_FAULT_NONE};
    return (struct unit_step){1, unit, ASSAY_FAULT_UNPAIRED_SURROGATE};
}

static struct assay_result encode(enum assay_policy policy, const uint32_t *utf32, const uint16_t *utf16,
                                  size_t unit_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool in_run = false;
    for (size_t at = 0; at < unit_count;) {
        struct unit_step step = utf32 != NULL ? step_utf32(utf32, at) : step_utf16(utf16, unit_count, at);
        bool escaped = policy == ASSAY_POLICY_SURROGATEESCAPE && step.code_point >= 0xDC80 && step.code_point <= 0xDCFF;
        uint8_t encoded[4] = {(uint8_t)(step.code_point & 0xFF)};
        size_t length = 1;
        if (step.fault == ASSAY_FAULT_NONE) {
            length = encode_scalar(step.code_point, encoded);
        } else if (policy == ASSAY_POLICY_SKIP || (policy == ASSAY_POLICY_PER_RUN && in_run)) {
            length = 0;
        } else if (policy == ASSAY_POLICY_STRICT || (policy == ASSAY_POLICY_SURROGATEESCAPE && !escaped)) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){at, step.length, step.fault, false};
            break;
        } else if (!escaped) {
            length = encode_scalar(REPLACEMENT, encoded);
        }
        if (capacity - result.written < length) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        for (size_t i = 0; i < length; i++)
            out[result.written++] = encoded[i];
        in_run = step.fault != ASSAY_FAULT_NONE;
        at += step.length;
        result.read = at;
    }
    return result;
}

static struct assay_result encode_utf32(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity)
{
    return encode(policy, units, NULL, unit_count, out, capacity);
}

static struct assay_result encode_utf16(enum assay_policy policy, const uint16_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity)
{
    return encode(policy, NULL, units, unit_count, out, capacity);
}

const struct assay_codec codec_utf8_reference = {
    ASSAY_CODEC_HEADER("utf-8", "reference"),
    .validate = validate,
    .spans = spans,
    .count = count,
    .decode_utf32 = decode_utf32,
    .decode_utf16 = decode_utf16,
    .feed_utf32 = feed_utf32,
    .feed_utf16 = feed_utf16,
    .encode_utf32 = encode_utf32,
    .encode_utf16 = encode_utf16,
};
