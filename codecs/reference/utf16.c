/* SPDX-License-Identifier: MIT
 *
 * The reference for UTF-16LE and UTF-16BE as streams of bytes: Unicode 17.0, D91, Table 3-5, and D97, D98.
 * One slow, obvious loop. Offsets and lengths are in bytes.
 *
 * What an ill-formed UTF-16 stream becomes is defined for `strict`, `whatwg` (one U+FFFD for each unpaired
 * surrogate, and for an end inside a code unit or a pair), `per-run` and `skip`. The other policies speak
 * of bytes that have no meaning here, so they are not offered when decoding.
 */
#include "../codec.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD };

static bool is_lead(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_trail(uint32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

static uint32_t scalar_of_pair(uint32_t lead, uint32_t trail)
{
    return 0x10000 + ((lead - 0xD800) << 10) + (trail - 0xDC00);
}

/* The bytes in hand: those held from earlier pieces, then those of this piece. */
struct window {
    const uint8_t *held;
    size_t held_count;
    const uint8_t *bytes;
    size_t byte_count;
    bool big_endian;
};

static uint8_t byte_at(const struct window *window, size_t i)
{
    return i < window->held_count ? window->held[i] : window->bytes[i - window->held_count];
}

static uint32_t unit_at(const struct window *window, size_t i)
{
    uint32_t first = byte_at(window, i), second = byte_at(window, i + 1);
    return window->big_endian ? first << 8 | second : second << 8 | first;
}

/* One step through the input: a character, or an error. */
struct step {
    size_t length;
    uint32_t scalar; /* when fault is NONE */
    enum assay_fault fault;
};

static struct step step_at(const struct window *window, size_t at)
{
    size_t left = window->held_count + window->byte_count - at;
    if (left < 2)
        return (struct step){left, 0, ASSAY_FAULT_TRUNCATED};
    uint32_t unit = unit_at(window, at);
    if (is_trail(unit))
        return (struct step){2, 0, ASSAY_FAULT_UNPAIRED_SURROGATE};
    if (!is_lead(unit))
        return (struct step){2, unit, ASSAY_FAULT_NONE};
    if (left < 4)
        return (struct step){left, 0, ASSAY_FAULT_TRUNCATED};
    uint32_t next = unit_at(window, at + 2);
    if (!is_trail(next))
        return (struct step){2, 0, ASSAY_FAULT_UNPAIRED_SURROGATE};
    return (struct step){4, scalar_of_pair(unit, next), ASSAY_FAULT_NONE};
}

/* Where output goes: UTF-32, UTF-16, or (both NULL) nowhere, and it is only counted. */
struct sink {
    uint32_t *utf32;
    uint16_t *utf16;
    bool count_utf16;
    size_t capacity;
    size_t written;
};

static bool put(struct sink *sink, uint32_t scalar)
{
    size_t units = sink->count_utf16 && scalar > 0xFFFF ? 2 : 1;
    if (sink->capacity - sink->written < units)
        return false;
    if (sink->utf32 != NULL) {
        sink->utf32[sink->written] = scalar;
    } else if (sink->utf16 != NULL && units == 1) {
        sink->utf16[sink->written] = (uint16_t)scalar;
    } else if (sink->utf16 != NULL) {
        sink->utf16[sink->written] = (uint16_t)(0xD800 + ((scalar - 0x10000) >> 10));
        sink->utf16[sink->written + 1] = (uint16_t)(0xDC00 + ((scalar - 0x10000) & 0x3FF));
    }
    sink->written += units;
    return true;
}

/* What a stream remembers, kept in assay_stream.state. */
struct memory {
    uint64_t position;
    uint8_t held[3];
    uint8_t held_count;
    bool in_run;
};
_Static_assert(sizeof(struct memory) <= sizeof ((struct assay_stream *)0)->state, "a stream has room for its memory");

static struct assay_result finish(struct memory *memory, const struct window *window, size_t at, size_t stop,
                                  struct assay_result result)
{
    uint8_t kept[sizeof memory->held] = {0};
    memory->position += at;
    memory->held_count = 0;
    while (at < stop)
        kept[memory->held_count++] = byte_at(window, at++);
    for (size_t i = 0; i < memory->held_count; i++)
        memory->held[i] = kept[i];
    result.read = stop - window->held_count;
    return result;
}

static bool is_offered(enum assay_policy policy)
{
    return policy == ASSAY_POLICY_STRICT || policy == ASSAY_POLICY_WHATWG || policy == ASSAY_POLICY_PER_RUN ||
           policy == ASSAY_POLICY_SKIP;
}

static struct assay_result run_from(bool big_endian, struct memory *memory, enum assay_policy policy,
                                    const uint8_t *bytes, size_t byte_count, bool last, struct sink *sink)
{
    uint8_t held[sizeof memory->held] = {memory->held[0], memory->held[1], memory->held[2]};
    struct window window = {held, memory->held_count, bytes, byte_count, big_endian};
    size_t end = window.held_count + byte_count, at = 0;
    struct assay_result result = {.status = ASSAY_OK};
    if (!is_offered(policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};

    while (at < end) {
        struct step step = step_at(&window, at);
        if (step.fault == ASSAY_FAULT_TRUNCATED && !last)
            return result.written = sink->written, finish(memory, &window, at, end, result);
        bool is_error = step.fault != ASSAY_FAULT_NONE;
        if (is_error && policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){(size_t)memory->position + at, step.length, step.fault,
                                               step.fault == ASSAY_FAULT_TRUNCATED};
            break;
        }
        bool is_silent = is_error && (policy == ASSAY_POLICY_SKIP ||
                                      (policy == ASSAY_POLICY_PER_RUN && memory->in_run));
        if (!is_silent && !put(sink, is_error ? REPLACEMENT : step.scalar)) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        memory->in_run = is_error;
        at += step.length;
    }
    result.written = sink->written;
    return finish(memory, &window, at, at < window.held_count ? window.held_count : at, result);
}

static struct assay_result run(bool big_endian, struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,
                               bool last, struct sink *sink)
{
    struct memory memory;
    memcpy(&memory, stream->state, sizeof memory);
    struct assay_result result = run_from(big_endian, &memory, stream->policy, bytes, byte_count, last, sink);
    memcpy(stream->state, &memory, sizeof memory);
    return result;
}

static struct assay_result run_whole(bool big_endian, enum assay_policy policy, const uint8_t *bytes,
                                     size_t byte_count, struct sink *sink)
{
    struct assay_stream stream;
    assay_stream_start(&stream, policy);
    return run(big_endian, &stream, bytes, byte_count, true, sink);
}

static size_t spans(bool big_endian, const uint8_t *bytes, size_t byte_count, struct assay_span *spans,
                    size_t capacity)
{
    struct window window = {NULL, 0, bytes, byte_count, big_endian};
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

static bool validate(bool big_endian, const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    struct assay_span first = {0};
    bool well_formed = spans(big_endian, bytes, byte_count, &first, 1) == 0;
    if (error != NULL)
        *error = first;
    return well_formed;
}

static struct assay_count count(bool big_endian, enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    struct sink utf32 = {.capacity = SIZE_MAX};
    struct sink utf16 = {.capacity = SIZE_MAX, .count_utf16 = true};
    enum assay_status status = run_whole(big_endian, policy, bytes, byte_count, &utf32).status;
    run_whole(big_endian, policy, bytes, byte_count, &utf16);
    return (struct assay_count){status, utf32.written, utf16.written};
}

/* ---- encoding: Table 3-5, then D97 or D98 ----------------------------------------------------- */

struct unit_step {
    size_t length;
    uint32_t code_point;
    enum assay_fault fault;
};

static struct unit_step unit_step_at(const uint32_t *utf32, const uint16_t *utf16, size_t unit_count, size_t at)
{
    uint32_t unit = utf32 != NULL ? utf32[at] : utf16[at];
    if (unit > 0x10FFFF)
        return (struct unit_step){1, unit, ASSAY_FAULT_OUT_OF_RANGE};
    if (!is_lead(unit) && !is_trail(unit))
        return (struct unit_step){1, unit, ASSAY_FAULT_NONE};
    if (utf32 != NULL)
        return (struct unit_step){1, unit, ASSAY_FAULT_SURROGATE};
    if (is_lead(unit) && at + 1 < unit_count && is_trail(utf16[at + 1]))
        return (struct unit_step){2, scalar_of_pair(unit, utf16[at + 1]), ASSAY_FAULT_NONE};
    return (struct unit_step){1, unit, ASSAY_FAULT_UNPAIRED_SURROGATE};
}

static size_t encode_scalar(bool big_endian, uint32_t scalar, uint8_t out[4])
{
    uint16_t units[2] = {0};
    struct sink sink = {.utf16 = units, .count_utf16 = true, .capacity = 2};
    put(&sink, scalar);
    for (size_t i = 0; i < sink.written; i++) {
        out[2 * i] = (uint8_t)(big_endian ? units[i] >> 8 : units[i] & 0xFF);
        out[2 * i + 1] = (uint8_t)(big_endian ? units[i] & 0xFF : units[i] >> 8);
    }
    return sink.written * 2;
}

/* There is no byte that `surrogateescape` could give back, so it stops at every error, as `strict` does. */
static struct assay_result encode(bool big_endian, enum assay_policy policy, const uint32_t *utf32,
                                  const uint16_t *utf16, size_t unit_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool in_run = false, stops = policy == ASSAY_POLICY_STRICT || policy == ASSAY_POLICY_SURROGATEESCAPE;
    for (size_t at = 0; at < unit_count;) {
        struct unit_step step = unit_step_at(utf32, utf16, unit_count, at);
        bool is_error = step.fault != ASSAY_FAULT_NONE;
        if (is_error && stops) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){at, step.length, step.fault, false};
            break;
        }
        uint8_t encoded[4];
        bool is_silent = is_error && (policy == ASSAY_POLICY_SKIP || (policy == ASSAY_POLICY_PER_RUN && in_run));
        size_t length = is_silent ? 0 : encode_scalar(big_endian, is_error ? REPLACEMENT : step.code_point, encoded);
        if (capacity - result.written < length) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        for (size_t i = 0; i < length; i++)
            out[result.written++] = encoded[i];
        in_run = is_error;
        at += step.length;
        result.read = at;
    }
    return result;
}

/* ---- the two codecs: the same operations, in one byte order or the other ------------------------ */

#define CODEC_IN_ONE_ORDER(id, encoding_name, big_endian)                                                              \
    static bool validate_##id(const uint8_t *bytes, size_t byte_count, struct assay_span *error)                       \
    {                                                                                                                  \
        return validate(big_endian, bytes, byte_count, error);                                                         \
    }                                                                                                                  \
    static size_t spans_##id(const uint8_t *bytes, size_t byte_count, struct assay_span *out, size_t capacity)         \
    {                                                                                                                  \
        return spans(big_endian, bytes, byte_count, out, capacity);                                                    \
    }                                                                                                                  \
    static struct assay_count count_##id(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)            \
    {                                                                                                                  \
        return count(big_endian, policy, bytes, byte_count);                                                           \
    }                                                                                                                  \
    static struct assay_result decode_utf32_##id(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,    \
                                                 uint32_t *out, size_t capacity)                                       \
    {                                                                                                                  \
        struct sink sink = {.utf32 = out, .capacity = capacity};                                                       \
        return run_whole(big_endian, policy, bytes, byte_count, &sink);                                                \
    }                                                                                                                  \
    static struct assay_result decode_utf16_##id(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,    \
                                                 uint16_t *out, size_t capacity)                                       \
    {                                                                                                                  \
        struct sink sink = {.utf16 = out, .count_utf16 = true, .capacity = capacity};                                  \
        return run_whole(big_endian, policy, bytes, byte_count, &sink);                                                \
    }                                                                                                                  \
    static struct assay_result feed_utf32_##id(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,   \
                                               bool last, uint32_t *out, size_t capacity)                              \
    {                                                                                                                  \
        struct sink sink = {.utf32 = out, .capacity = capacity};                                                       \
        return run(big_endian, stream, bytes, byte_count, last, &sink);                                                \
    }                                                                                                                  \
    static struct assay_result feed_utf16_##id(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,   \
                                               bool last, uint16_t *out, size_t capacity)                              \
    {                                                                                                                  \
        struct sink sink = {.utf16 = out, .count_utf16 = true, .capacity = capacity};                                  \
        return run(big_endian, stream, bytes, byte_count, last, &sink);                                                \
    }                                                                                                                  \
    static struct assay_result encode_utf32_##id(enum assay_policy policy, const uint32_t *units, size_t unit_count,   \
                                                 uint8_t *out, size_t capacity)                                        \
    {                                                                                                                  \
        return encode(big_endian, policy, units, NULL, unit_count, out, capacity);                                     \
    }                                                                                                                  \
    static struct assay_result encode_utf16_##id(enum assay_policy policy, const uint16_t *units, size_t unit_count,   \
                                                 uint8_t *out, size_t capacity)                                        \
    {                                                                                                                  \
        return encode(big_endian, policy, NULL, units, unit_count, out, capacity);                                     \
    }                                                                                                                  \
    const struct assay_codec codec_##id##_reference = {                                                                \
        ASSAY_CODEC_HEADER(encoding_name, "reference"),                                                                \
        .validate = validate_##id,                                                                                     \
        .spans = spans_##id,                                                                                           \
        .count = count_##id,                                                                                           \
        .decode_utf32 = decode_utf32_##id,                                                                             \
        .decode_utf16 = decode_utf16_##id,                                                                             \
        .feed_utf32 = feed_utf32_##id,                                                                                 \
        .feed_utf16 = feed_utf16_##id,                                                                                 \
        .encode_utf32 = encode_utf32_##id,                                                                             \
        .encode_utf16 = encode_utf16_##id,                                                                             \
    };

CODEC_IN_ONE_ORDER(utf16le, "utf-16le", false)
CODEC_IN_ONE_ORDER(utf16be, "utf-16be", true)
