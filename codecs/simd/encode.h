/* SPDX-License-Identifier: MIT
 *
 * encode.h - encoding from UTF-32 and UTF-16: what the vectors can do (vec_encode16), and the rest one by one.
 */
#ifndef ASSAY_SIMD_ENCODE_H
#define ASSAY_SIMD_ENCODE_H

#include "units.h"

/* The bytes of a code point, in Table 3-6's four forms: six bits a byte, spread over a word whose top byte is the
 * first, with marks that make the first a lead and the others continuations. Returns how many, and writes four. */
ALWAYS_INLINE size_t encode_one(uint32_t code_point, uint8_t out[4])
{
    static const uint32_t marks[] = {0xC0800000, 0xE0808000, 0xF0808080};
    size_t length = 1u + (code_point > 0x7F) + (code_point > 0x7FF) + (code_point > 0xFFFF);
    uint32_t spread = (code_point & 0x3F) | (code_point << 2 & 0x3F00) | (code_point << 4 & 0x3F0000) |
                      (code_point << 6 & 0x07000000);
    uint32_t word = length == 1 ? code_point << 24 : spread << 8 * (4 - length) | marks[length - 2];
    out[0] = (uint8_t)(word >> 24);
    out[1] = (uint8_t)(word >> 16 & 0xFF);
    out[2] = (uint8_t)(word >> 8 & 0xFF);
    out[3] = (uint8_t)(word & 0xFF);
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

/* What goes out for what the encoding cannot hold: bytes, of which four are written, or the end (ILL_FORMED). */
ALWAYS_INLINE enum assay_status encode_error(enum assay_policy policy, uint32_t code_point, bool in_run, uint8_t out[4],
                                             size_t *length)
{
    switch (policy) {
    case ASSAY_POLICY_STRICT: return ASSAY_ILL_FORMED;
    case ASSAY_POLICY_SURROGATEESCAPE:
        if (code_point < ESCAPE + 0x80 || code_point > ESCAPE + 0xFF)
            return ASSAY_ILL_FORMED;
        memset(out, (int)(code_point - ESCAPE), 4);
        *length = 1;
        return ASSAY_OK;
    default:
        *length = encode_one(REPLACEMENT, out);
        if (policy == ASSAY_POLICY_SKIP || (policy == ASSAY_POLICY_PER_RUN && in_run))
            *length = 0;
        return ASSAY_OK;
    }
}

/* Encodes what the vectors can. */
ALWAYS_INLINE struct progress encode_easy(enum form form, const void *units, size_t at, size_t unit_count, uint8_t *out,
                                          size_t room)
{
    return form == UTF16 ? vec_encode16((const uint16_t *)units + at, unit_count - at, out, room)
                         : vec_encode32((const uint32_t *)units + at, unit_count - at, out, room);
}

/* Encodes one code point, or what stands for an error. */
ALWAYS_INLINE enum assay_status encode_next(enum assay_policy policy, const struct taken *taken, bool *in_run,
                                            uint8_t *out, size_t room, size_t *length)
{
    uint8_t bytes[4];
    if (taken->fault == ASSAY_FAULT_NONE)
        *length = encode_one(taken->code_point, bytes);
    else if (encode_error(policy, taken->code_point, *in_run, bytes, length) == ASSAY_ILL_FORMED)
        return ASSAY_ILL_FORMED;
    if (room < *length)
        return ASSAY_OUTPUT_FULL;
    if (room >= sizeof bytes)
        memcpy(out, bytes, sizeof bytes); /* a store of fixed size, of which the next one may take back some */
    else
        for (size_t i = 0; i < *length; i++)
            out[i] = bytes[i];
    *in_run = taken->fault != ASSAY_FAULT_NONE;
    return ASSAY_OK;
}

ALWAYS_INLINE struct assay_result encode(enum form form, enum assay_policy policy, const void *units, size_t unit_count,
                                         uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool in_run = false;
    size_t read = 0, written = 0, look_again = 0; /* for what is easy, likely to be far after what is not */
    while (read < unit_count) {
        uint8_t *to = written < capacity ? out + written : NULL; /* `out` may be NULL */
        if (read >= look_again) {
            struct progress easy = encode_easy(form, units, read, unit_count, to, capacity - written);
            read += easy.read;
            written += easy.written;
            look_again = read + NARROW_UNITS;
            in_run = in_run && easy.read == 0;
            continue;
        }
        struct taken taken = take(form, units, unit_count, read);
        size_t length;
        result.status = encode_next(policy, &taken, &in_run, to, capacity - written, &length);
        if (result.status != ASSAY_OK) {
            if (result.status == ASSAY_ILL_FORMED)
                result.error = (struct assay_span){read, taken.length, taken.fault, false};
            break;
        }
        written += length;
        read += taken.length;
    }
    result.read = read;
    result.written = written;
    return result;
}

#endif
