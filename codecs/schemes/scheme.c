/* SPDX-License-Identifier: MIT
 *
 * The decoder and encoder of all schemes: tags and counters of bytes delimit sequences.
 */
#include "scheme.h"

#include "../assume.h"

enum { COUNTER_BITS = 3, NOTHING = 0 };

static bool is_surrogate(uint64_t value)
{
    return value >= 0xD800 && value <= 0xDFFF;
}

/* ---- the layout of a byte -------------------------------------------------------------------- */

static struct byte_layout layout_of(const struct chunk *chunk, size_t still_to_come)
{
    ASSUME(still_to_come < SCHEME_LONGEST);
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
    return (struct byte_layout){chunk->tag_bits, (uint8_t)counter_bits, (uint8_t)payload_bits, (uint8_t)value};
}

struct byte_layout scheme_layout(const struct scheme *scheme, size_t length, size_t index)
{
    ASSUME(length >= 1 && length <= scheme->longest && index < length);
    if (length == 1) /* a tag, or a unary counter that leaves no room for more bits */
        return scheme->first.counter < UNARY ? (struct byte_layout){1, 0, 7, 0} : (struct byte_layout){0, 1, 7, 0};
    return layout_of(index == 0 ? &scheme->first : &scheme->rest, length - 1 - index);
}

static bool has_layout(uint8_t byte, struct byte_layout layout)
{
    return byte >> layout.payload_bits == layout.value >> layout.payload_bits;
}

static uint8_t payload_of(uint8_t byte, struct byte_layout layout)
{
    return (uint8_t)(byte & ((1u << layout.payload_bits) - 1));
}

static unsigned leading_ones(uint8_t byte)
{
    unsigned ones = 0;
    while (ones < 8 && (byte & 0x80u >> ones) != 0)
        ones++;
    return ones;
}

/* The length of the sequence that this byte begins; NOTHING if it begins none. In a scheme without counters, the
 * sequence may be longer. */
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
    bool fits = length > 1 && length <= scheme->longest && has_layout(first, scheme_layout(scheme, length, 0));
    return fits ? length : NOTHING;
}

struct byte_layout scheme_layout_of_stray(const struct scheme *scheme, uint8_t byte)
{
    for (size_t still_to_come = 0; still_to_come + 1 < scheme->longest; still_to_come++)
        if (has_layout(byte, layout_of(&scheme->rest, still_to_come)))
            return layout_of(&scheme->rest, still_to_come);
    return (struct byte_layout){0, 0, 8, 0};
}

/* ---- values ------------------------------------------------------------------------------------- */

/* The payload bits of a sequence. All bytes after the first have the same number. */
static unsigned bits_of(const struct scheme *scheme, size_t length)
{
    unsigned rest = length > 1 ? scheme_layout(scheme, length, 1).payload_bits : 0;
    return scheme_layout(scheme, length, 0).payload_bits + (unsigned)(length - 1) * rest;
}

/* What a biased scheme adds to the payload of a sequence: the number of values with shorter sequences. */
static uint64_t bias_of(const struct scheme *scheme, size_t length)
{
    uint64_t bias = 0;
    for (size_t shorter = 1; scheme->biased && shorter < length; shorter++)
        bias += (uint64_t)1 << bits_of(scheme, shorter);
    return bias;
}

/* The length of the shortest form of a number. */
static size_t length_of(const struct scheme *scheme, uint64_t value)
{
    size_t length = 1;
    while (length < scheme->longest && (value - bias_of(scheme, length)) >> bits_of(scheme, length) != 0)
        length++;
    return length;
}

/* The number that a scheme encodes for a code point: the code point itself; in a biased scheme, its index among the
 * scalar values, which surrogates are not. */
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

struct scheme_step scheme_step(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count)
{
    ASSUME(byte_count > 0);
    uint8_t first = bytes[0];
    size_t length = length_asked(scheme, first);
    bool grows = scheme->first.counter == NO_COUNTER;
    if (length == NOTHING)
        return (struct scheme_step){.length = 1,
                                    .fault = scheme_layout_of_stray(scheme, first).payload_bits < 8
                                                 ? ASSAY_FAULT_STRAY_CONTINUATION
                                                 : ASSAY_FAULT_INVALID_LEAD};
    if (length == 1 && !grows)
        return (struct scheme_step){.length = 1, .asked = 1, .code_point = first};

    size_t most = grows ? scheme->longest : length, index = 1;
    struct byte_layout begin = scheme_layout(scheme, length, 0);
    uint64_t payload = payload_of(first, begin);
    unsigned shift = begin.payload_bits;
    for (; index < most && index < byte_count; index++) {
        uint8_t byte = bytes[index];
        struct byte_layout layout = scheme_layout(scheme, most, index);
        if (!has_layout(byte, layout))
            break;
        if (scheme->low_end_first)
            payload |= (uint64_t)payload_of(byte, layout) << shift;
        else
            payload = payload << layout.payload_bits | payload_of(byte, layout);
        shift += layout.payload_bits;
    }
    bool is_open = index < most && index == byte_count;
    if (index < most && !grows)
        return (struct scheme_step){.length = index,
                                    .asked = most,
                                    .is_open = is_open,
                                    .fault = is_open ? ASSAY_FAULT_TRUNCATED : ASSAY_FAULT_MISSING_CONTINUATION};
    struct scheme_step step = evaluate(scheme, index, payload);
    step.asked = most;
    step.is_open = is_open;
    return step;
}

/* ---- encoding ----------------------------------------------------------------------------------- */

size_t scheme_encode(const struct scheme *scheme, uint32_t code_point, uint8_t out[SCHEME_LONGEST])
{
    if (code_point > scheme->last || (is_surrogate(code_point) && !scheme->holds_surrogates))
        return 0;
    uint64_t number = number_of(scheme, code_point);
    size_t length = length_of(scheme, number);
    uint64_t payload = number - bias_of(scheme, length);
    for (size_t i = 0; i < length; i++) {
        size_t index = scheme->low_end_first ? i : length - 1 - i; /* the first byte has the lowest bits */
        struct byte_layout layout = scheme_layout(scheme, length, index);
        out[index] = (uint8_t)(layout.value | (payload & ((1u << layout.payload_bits) - 1)));
        payload >>= layout.payload_bits;
    }
    return length;
}
