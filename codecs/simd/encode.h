/* SPDX-License-Identifier: MIT
 *
 * encode.h - encoding from UTF-32 and UTF-16: ASCII by sixteens, the rest one by one.
 */
#ifndef ASSAY_SIMD_ENCODE_H
#define ASSAY_SIMD_ENCODE_H

#include "decode.h"

/* The bytes of a code point, in Table 3-6's four forms: six bits a byte, spread over a word whose top byte is the
 * first, with marks that make the first a lead and the others continuations. Returns how many. */
ALWAYS_INLINE size_t encode_one(uint32_t code_point, uint8_t out[4])
{
    static const uint32_t marks[] = {0, 0, 0xC080, 0xE08080, 0xF0808080};
    size_t length = 1u + (code_point > 0x7F) + (code_point > 0x7FF) + (code_point > 0xFFFF);
    if (length == 1) {
        out[0] = (uint8_t)code_point;
        return 1;
    }
    uint32_t word = (code_point & 0x3F) | (code_point << 2 & 0x3F00) | (code_point << 4 & 0x3F0000) |
                    (code_point << 6 & 0x07000000) | marks[length];
    for (size_t i = 0; i < length; i++)
        out[i] = (uint8_t)(word >> 8 * (length - 1 - i) & 0xFF);
    return length;
}

/* A code point of the input, how many units it has, and what is wrong with it. */
struct taken {
    uint32_t code_point;
    size_t length;
    enum assay_fault fault;
};

ALWAYS_INLINE struct taken take(enum form form, const void *units, size_t unit_count, size_t at)
{
    if (form == UTF32) {
        uint32_t unit = ((const uint32_t *)units)[at];
        bool surrogate = (unit & 0xFFFFF800) == 0xD800;
        enum assay_fault fault = surrogate         ? ASSAY_FAULT_SURROGATE
                                 : unit > 0x10FFFF ? ASSAY_FAULT_OUT_OF_RANGE
                                                   : ASSAY_FAULT_NONE;
        return (struct taken){unit, 1, fault};
    }
    const uint16_t *halves = (const uint16_t *)units + at;
    uint32_t first = halves[0];
    if ((first & 0xF800) != 0xD800)
        return (struct taken){first, 1, ASSAY_FAULT_NONE};
    if ((first & 0x0400) != 0 || unit_count - at < 2 || (halves[1] & 0xFC00) != 0xDC00)
        return (struct taken){first, 1, ASSAY_FAULT_UNPAIRED_SURROGATE};
    return (struct taken){((first & 0x3FF) << 10 | (halves[1] & 0x3FFu)) + 0x10000, 2, ASSAY_FAULT_NONE};
}

/* What goes out for what the encoding cannot hold: bytes, or the end (ILL_FORMED). */
ALWAYS_INLINE enum assay_status encode_error(enum assay_policy policy, uint32_t code_point, bool in_run, uint8_t out[4],
                                             size_t *length)
{
    switch (policy) {
    case ASSAY_POLICY_STRICT: return ASSAY_ILL_FORMED;
    case ASSAY_POLICY_SURROGATEESCAPE:
        if (code_point < ESCAPE + 0x80 || code_point > ESCAPE + 0xFF)
            return ASSAY_ILL_FORMED;
        out[0] = (uint8_t)(code_point - ESCAPE);
        *length = 1;
        return ASSAY_OK;
    case ASSAY_POLICY_SKIP: *length = 0; return ASSAY_OK;
    case ASSAY_POLICY_PER_RUN: *length = in_run ? 0 : encode_one(REPLACEMENT, out); return ASSAY_OK;
    default: *length = encode_one(REPLACEMENT, out); return ASSAY_OK;
    }
}

ALWAYS_INLINE bool encode_ascii(enum form form, const void *units, size_t at, uint8_t *out)
{
    return form == UTF16 ? vec_narrow16(out, (const uint16_t *)units + at)
                         : vec_narrow32(out, (const uint32_t *)units + at);
}

ALWAYS_INLINE struct assay_result encode(enum form form, enum assay_policy policy, const void *units, size_t unit_count,
                                         uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool in_run = false;
    while (result.read < unit_count) {
        if (unit_count - result.read >= NARROW_UNITS && capacity - result.written >= NARROW_UNITS &&
            encode_ascii(form, units, result.read, out + result.written)) {
            result.read += NARROW_UNITS;
            result.written += NARROW_UNITS;
            in_run = false;
            continue;
        }
        struct taken taken = take(form, units, unit_count, result.read);
        uint8_t bytes[4];
        size_t length;
        if (taken.fault == ASSAY_FAULT_NONE)
            length = encode_one(taken.code_point, bytes);
        else if (encode_error(policy, taken.code_point, in_run, bytes, &length) == ASSAY_ILL_FORMED) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){result.read, taken.length, taken.fault, false};
            break;
        }
        if (capacity - result.written < length) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        for (size_t i = 0; i < length; i++)
            out[result.written++] = bytes[i];
        in_run = taken.fault != ASSAY_FAULT_NONE;
        result.read += taken.length;
    }
    return result;
}

#endif
