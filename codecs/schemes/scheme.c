/* SPDX-License-Identifier: MIT
 *
 * What all schemes share: sequences as their marks delimit them, and the operations of codec.h over these.
 */
#include "scheme.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD, COUNTER_BITS = 3, NOTHING = 0 };

static bool is_surrogate(uint64_t value)
{
    return value >= 0xD800 && value <= 0xDFFF;
}

/* ---- marks ------------------------------------------------------------------------------------ */

static struct marks marks_of(const struct chunk *chunk, size_t still_to_come)
{
    unsigned counter_bits = 0, counter = 0;
    if (chunk->counter == COUNT_DOWN) {
        counter_bits = COUNTER_BITS;
        counter = (unsigned)still_to_come;
    } else if (chunk->counter != NO_COUNTER) {
        unsigned ones = (unsigned)still_to_come + (chunk->counter == UNARY_FREED);
        counter_bits = ones + 1 < 8 ? ones + 1 : 8;
        counter = (1u << (ones + 1)) - 2;
    }
    unsigned payload_bits = 8 - chunk->tag_bits - counter_bits;
    unsigned value = ((unsigned)chunk->tag << counter_bits | counter) << payload_bits;
    return (struct marks){chunk->tag_bits, (uint8_t)counter_bits, (uint8_t)payload_bits, (uint8_t)value};
}

struct marks scheme_marks(const struct scheme *scheme, size_t length, size_t index)
{
    if (length == 1) /* a tag, or a unary counter that says that no more are to come */
        return scheme->first.counter < UNARY ? (struct marks){1, 0, 7, 0} : (struct marks){0, 1, 7, 0};
    return marks_of(index == 0 ? &scheme->first : &scheme->rest, length - 1 - index);
}

static bool has_marks(uint8_t byte, struct marks marks)
{
    return byte >> marks.payload_bits == marks.value >> marks.payload_bits;
}

static uint8_t payload_of(uint8_t byte, struct marks marks)
{
    return (uint8_t)(byte & ((1u << marks.payload_bits) - 1));
}

static unsigned leading_ones(uint8_t byte)
{
    unsigned ones = 0;
    while (ones < 8 && (byte & 0x80u >> ones) != 0)
        ones++;
    return ones;
}

/* How long the sequence is that this byte begins, NOTHING if it begins none. Without a counter it may be longer. */
static size_t length_asked(const struct scheme *scheme, uint8_t first)
{
    const struct chunk *chunk = &scheme->first;
    size_t length;
    if (first < 0x80)
        return 1;
    if (chunk->counter == COUNT_DOWN)
        length = (size_t)(first >> (8 - chunk->tag_bits - COUNTER_BITS) & 7) + 1;
    else if (chunk->counter != NO_COUNTER)
        length = leading_ones(first) + (chunk->counter == UNARY);
    else
        return NOTHING;
    bool fits = length > 1 && length <= scheme->longest && has_marks(first, scheme_marks(scheme, length, 0));
    return fits ? length : NOTHING;
}

struct marks scheme_marks_of_stray(const struct scheme *scheme, uint8_t byte)
{
    for (size_t still_to_come = 0; still_to_come + 1 < scheme->longest; still_to_come++)
        if (has_marks(byte, marks_of(&scheme->rest, still_to_come)))
            return marks_of(&scheme->rest, still_to_come);
    return (struct marks){0, 0, 8, 0};
}

/* ---- values ------------------------------------------------------------------------------------- */

/* The bytes behind the first all have as many. */
static unsigned bits_of(const struct scheme *scheme, size_t length)
{
    unsigned rest = length > 1 ? scheme_marks(scheme, length, 1).payload_bits : 0;
    return scheme_marks(scheme, length, 0).payload_bits + (unsigned)(length - 1) * rest;
}

/* What a biased scheme adds to the payload of a sequence: as many values as the shorter ones have. */
static uint64_t bias_of(const struct scheme *scheme, size_t length)
{
    uint64_t bias = 0;
    for (size_t shorter = 1; scheme->biased && shorter < length; shorter++)
        bias += (uint64_t)1 << bits_of(scheme, shorter);
    return bias;
}

/* The length of the shortest form of a value. */
static size_t length_of(const struct scheme *scheme, uint64_t value)
{
    size_t length = 1;
    while (length < scheme->longest && (value - bias_of(scheme, length)) >> bits_of(scheme, length) != 0)
        length++;
    return length;
}

/* A biased scheme numbers scalar values without a gap. */
static uint64_t number_of(const struct scheme *scheme, uint32_t code_point)
{
    return scheme->biased && code_point > 0xDFFF ? code_point - 0x800u : code_point;
}

static struct scheme_step evaluate(const struct scheme *scheme, size_t length, uint64_t payload)
{
    uint64_t number = payload + bias_of(scheme, length);
    uint64_t value = scheme->biased && number >= 0xD800 ? number + 0x800 : number;
    struct scheme_step step = {.length = length};
    if (!scheme->holds_redundant && length_of(scheme, number) < length)
        step.fault = ASSAY_FAULT_OVERLONG;
    else if (value > scheme->last)
        step.fault = ASSAY_FAULT_OUT_OF_RANGE;
    else if (!scheme->holds_surrogates && is_surrogate(value))
        step.fault = ASSAY_FAULT_SURROGATE;
    else
        step.code_point = (uint32_t)value;
    return step;
}

/* ---- one step ----------------------------------------------------------------------------------- */

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

static struct scheme_step step_at(const struct scheme *scheme, const struct window *window, size_t at)
{
    size_t end = window->held_count + window->byte_count;
    uint8_t first = byte_at(window, at);
    size_t length = length_asked(scheme, first);
    bool grows = scheme->first.counter == NO_COUNTER;
    if (length == NOTHING)
        return (struct scheme_step){.length = 1, .fault = scheme_marks_of_stray(scheme, first).payload_bits < 8
                                                              ? ASSAY_FAULT_STRAY_CONTINUATION
                                                              : ASSAY_FAULT_INVALID_LEAD};
    if (length == 1 && !grows)
        return (struct scheme_step){.length = 1, .asked = 1, .code_point = first};

    size_t most = grows ? scheme->longest : length, index = 1;
    struct marks begin = scheme_marks(scheme, length, 0);
    uint64_t payload = payload_of(first, begin);
    unsigned shift = begin.payload_bits;
    for (; index < most && at + index < end; index++) {
        uint8_t byte = byte_at(window, at + index);
        struct marks marks = scheme_marks(scheme, most, index);
        if (!has_marks(byte, marks))
            break;
        if (scheme->low_end_first)
            payload |= (uint64_t)payload_of(byte, marks) << shift;
        else
            payload = payload << marks.payload_bits | payload_of(byte, marks);
        shift += marks.payload_bits;
    }
    bool is_open = index < most && at + index == end;
    if (index < most && !grows)
        return (struct scheme_step){.length = index, .asked = most, .is_open = is_open,
                                    .fault = is_open ? ASSAY_FAULT_TRUNCATED : ASSAY_FAULT_MISSING_CONTINUATION};
    struct scheme_step step = evaluate(scheme, index, payload);
    step.asked = most;
    step.is_open = is_open;
    return step;
}

struct scheme_step scheme_step(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count)
{
    return step_at(scheme, &(struct window){NULL, 0, bytes, byte_count}, 0);
}

/* ---- decoding ----------------------------------------------------------------------------------- */

static bool put(struct scheme_sink *sink, uint32_t code_point)
{
    size_t units = sink->count_utf16 && code_point > 0xFFFF ? 2 : 1;
    if (sink->capacity - sink->written < units)
        return false;
    if (sink->utf32 != NULL) {
        sink->utf32[sink->written] = code_point;
    } else if (sink->utf16 != NULL && units == 1) {
        sink->utf16[sink->written] = (uint16_t)code_point;
    } else if (sink->utf16 != NULL) {
        sink->utf16[sink->written] = (uint16_t)(0xD800 + ((code_point - 0x10000) >> 10));
        sink->utf16[sink->written + 1] = (uint16_t)(0xDC00 + ((code_point - 0x10000) & 0x3FF));
    }
    sink->written += units;
    return true;
}

static bool is_offered(enum assay_policy policy)
{
    return policy == ASSAY_POLICY_STRICT || policy == ASSAY_POLICY_WHATWG || policy == ASSAY_POLICY_PER_RUN ||
           policy == ASSAY_POLICY_SKIP;
}

/* What a stream remembers, kept in assay_stream.state. */
struct memory {
    uint64_t position; /* offset in the stream of the first byte in hand */
    uint8_t held[SCHEME_LONGEST - 1];
    uint8_t held_count;
    bool in_run; /* the last thing was an error */
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
    memcpy(memory->held, kept, sizeof kept);
    result.read = stop - window->held_count;
    return result;
}

static struct assay_result run_from(const struct scheme *scheme, struct memory *memory, enum assay_policy policy,
                                    const uint8_t *bytes, size_t byte_count, bool last, struct scheme_sink *sink)
{
    struct memory before = *memory;
    struct window window = {before.held, before.held_count, bytes, byte_count};
    size_t end = window.held_count + byte_count, at = 0;
    struct assay_result result = {.status = ASSAY_OK};
    while (at < end) {
        struct scheme_step step = step_at(scheme, &window, at);
        if (step.is_open && !last)
            return result.written = sink->written, finish(memory, &window, at, end, result);
        bool is_error = step.fault != ASSAY_FAULT_NONE;
        if (is_error && policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){(size_t)memory->position + at, step.length, step.fault,
                                               step.fault == ASSAY_FAULT_TRUNCATED};
            break;
        }
        bool is_silent = is_error && (policy == ASSAY_POLICY_SKIP || (policy == ASSAY_POLICY_PER_RUN && memory->in_run));
        if (!is_silent && !put(sink, is_error ? REPLACEMENT : step.code_point)) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        memory->in_run = is_error;
        at += step.length;
    }
    result.written = sink->written;
    return finish(memory, &window, at, at < window.held_count ? window.held_count : at, result);
}

struct assay_result scheme_feed(const struct scheme *scheme, struct assay_stream *stream, const uint8_t *bytes,
                                size_t byte_count, bool last, struct scheme_sink sink)
{
    if (!is_offered(stream->policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    struct memory memory;
    memcpy(&memory, stream->state, sizeof memory);
    struct assay_result result = run_from(scheme, &memory, stream->policy, bytes, byte_count, last, &sink);
    memcpy(stream->state, &memory, sizeof memory);
    return result;
}

struct assay_result scheme_decode(const struct scheme *scheme, enum assay_policy policy, const uint8_t *bytes,
                                  size_t byte_count, struct scheme_sink sink)
{
    struct assay_stream stream;
    assay_stream_start(&stream, policy);
    return scheme_feed(scheme, &stream, bytes, byte_count, true, sink);
}

size_t scheme_spans(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, struct assay_span *spans,
                    size_t capacity)
{
    struct window window = {NULL, 0, bytes, byte_count};
    size_t count = 0;
    for (size_t at = 0; at < byte_count;) {
        struct scheme_step step = step_at(scheme, &window, at);
        if (step.fault != ASSAY_FAULT_NONE) {
            if (count < capacity)
                spans[count] = (struct assay_span){at, step.length, step.fault, step.fault == ASSAY_FAULT_TRUNCATED};
            count++;
        }
        at += step.length;
    }
    return count;
}

bool scheme_validate(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    struct assay_result result = scheme_decode(scheme, ASSAY_POLICY_STRICT, bytes, byte_count,
                                               (struct scheme_sink){.capacity = SIZE_MAX});
    if (error != NULL)
        *error = result.error;
    return result.status == ASSAY_OK;
}

struct assay_count scheme_count(const struct scheme *scheme, enum assay_policy policy, const uint8_t *bytes,
                                size_t byte_count)
{
    struct scheme_sink utf32 = {.capacity = SIZE_MAX}, utf16 = {.capacity = SIZE_MAX, .count_utf16 = true};
    struct assay_result code_points = scheme_decode(scheme, policy, bytes, byte_count, utf32);
    struct assay_result units = scheme_decode(scheme, policy, bytes, byte_count, utf16);
    return (struct assay_count){code_points.status, code_points.written, units.written};
}

/* ---- encoding ----------------------------------------------------------------------------------- */

static size_t encode_code_point(const struct scheme *scheme, uint32_t code_point, uint8_t out[SCHEME_LONGEST])
{
    uint64_t number = number_of(scheme, code_point);
    size_t length = length_of(scheme, number);
    uint64_t payload = number - bias_of(scheme, length);
    for (size_t i = 0; i < length; i++) {
        size_t index = scheme->low_end_first ? i : length - 1 - i; /* from the lowest bits up */
        struct marks marks = scheme_marks(scheme, length, index);
        out[index] = (uint8_t)(marks.value | (payload & ((1u << marks.payload_bits) - 1)));
        payload >>= marks.payload_bits;
    }
    return length;
}

struct unit_step {
    size_t length;
    uint32_t code_point;
    enum assay_fault fault;
};

static struct unit_step unit_step_at(const struct scheme *scheme, const uint32_t *utf32, const uint16_t *utf16,
                                     size_t unit_count, size_t at)
{
    struct unit_step step = {1, utf32 != NULL ? utf32[at] : utf16[at], ASSAY_FAULT_NONE};
    if (utf32 == NULL && step.code_point >= 0xD800 && step.code_point <= 0xDBFF && at + 1 < unit_count &&
        utf16[at + 1] >= 0xDC00 && utf16[at + 1] <= 0xDFFF) {
        step.length = 2;
        step.code_point = 0x10000 + ((step.code_point - 0xD800) << 10) + (utf16[at + 1] - 0xDC00u);
    }
    if (step.code_point > scheme->last)
        step.fault = ASSAY_FAULT_OUT_OF_RANGE;
    else if (is_surrogate(step.code_point) && !scheme->holds_surrogates)
        step.fault = utf32 != NULL ? ASSAY_FAULT_SURROGATE : ASSAY_FAULT_UNPAIRED_SURROGATE;
    return step;
}

struct assay_result scheme_encode(const struct scheme *scheme, enum assay_policy policy, const uint32_t *utf32,
                                  const uint16_t *utf16, size_t unit_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool in_run = false;
    if (!is_offered(policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    for (size_t at = 0; at < unit_count;) {
        struct unit_step step = unit_step_at(scheme, utf32, utf16, unit_count, at);
        bool is_error = step.fault != ASSAY_FAULT_NONE;
        if (is_error && policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){at, step.length, step.fault, false};
            break;
        }
        uint8_t encoded[SCHEME_LONGEST];
        bool is_silent = is_error && (policy == ASSAY_POLICY_SKIP || (policy == ASSAY_POLICY_PER_RUN && in_run));
        size_t length = is_silent ? 0 : encode_code_point(scheme, is_error ? REPLACEMENT : step.code_point, encoded);
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
