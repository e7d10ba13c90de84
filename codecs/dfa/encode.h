/* SPDX-License-Identifier: MIT
 *
 * encode.h - encoding, under every policy.
 */
#ifndef ASSAY_DFA_ENCODE_H
#define ASSAY_DFA_ENCODE_H

#include "decode.h"

/* Writes the bytes of a code point, last byte first, in the shortest form of at least `least_length` bytes. */
static size_t put_form(uint32_t code_point, size_t least_length, uint8_t *out)
{
    static const uint32_t first_beyond[] = {0x80, 0x800, 0x10000};
    static const uint8_t lead_mark[] = {0x00, 0xC0, 0xE0, 0xF0};
    size_t length = least_length;
    ASSUME(least_length >= 1 && least_length <= 4 && code_point <= 0x10FFFF);
    while (length < 4 && code_point >= first_beyond[length - 1])
        length++;
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (uint8_t)(0x80 + code_point % 0x40);
        code_point /= 0x40;
    }
    out[0] = (uint8_t)(lead_mark[length - 1] + code_point);
    return length;
}

static size_t put_unit(const struct encoding *encoding, uint32_t unit, uint8_t *out)
{
    if (encoding->unit == 1)
        return put_form(unit, 1, out);
    out[encoding->is_swapped] = (uint8_t)(unit >> 8);
    out[!encoding->is_swapped] = (uint8_t)unit;
    return 2;
}

/* Writes the bytes of a code point, up to LONGEST. Returns how many. */
static size_t encode_one(const struct encoding *encoding, uint32_t code_point, uint8_t *out)
{
    if (encoding->past_lead != NULL && code_point > 0xFFFF)
        return put_unit(encoding, 0xD7C0 + (code_point >> 10), out) +
               put_unit(encoding, 0xDC00 | (code_point & 0x3FF), out + surrogate_length(encoding));
    if (encoding->unit > 1)
        return put_unit(encoding, code_point, out);
    return put_form(code_point, code_point == 0 ? encoding->nul_length : 1, out);
}

enum { PAIR_BIAS = 0x35FDC00 }; /* (D800 << 10) + DC00 - 10000 */

/* Takes the next code point from the units. Returns how many units it had. */
static size_t take_code_point(const void *units, bool is_utf16, bool joins, size_t unit_count, size_t at,
                              uint32_t *code_point)
{
    uint32_t unit = is_utf16 ? ((const uint16_t *)units)[at] : ((const uint32_t *)units)[at];
    ASSUME(at < unit_count);
    *code_point = unit;
    if (!joins || unit >> 10 != 0x36 || at + 1 == unit_count)
        return 1;
    uint32_t next = is_utf16 ? ((const uint16_t *)units)[at + 1] : ((const uint32_t *)units)[at + 1];
    if (next >> 10 != 0x37)
        return 1;
    *code_point = (unit << 10) + next - PAIR_BIAS;
    return 2;
}

/* True if the code points at `at` - 1 and `at` are a lead and a trail that the encoding would read as another one. */
static bool makes_refused_pair(const struct encoding *encoding, const void *units, bool is_utf16, size_t at)
{
    const uint32_t *code_points = units;
    return encoding->refuses_pairs && !is_utf16 && at > 0 && code_points[at - 1] >> 10 == 0x36 &&
           code_points[at] >> 10 == 0x37;
}

static struct assay_result encode(const struct encoding *encoding, enum assay_policy policy, const void *units,
                                  bool is_utf16, size_t unit_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool after_error = false, joins = is_utf16 || encoding->after_lead != 0;
    if ((encoding->policies >> policy & 1) == 0)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    while (result.read < unit_count) {
        uint32_t code_point;
        uint8_t bytes[LONGEST];
        size_t taken = take_code_point(units, is_utf16, joins, unit_count, result.read, &code_point), length;
        bool surrogate = code_point >> 11 == 0x1B, pair = makes_refused_pair(encoding, units, is_utf16, result.read);
        bool error = pair || (surrogate && !encoding->holds_surrogates) || code_point > 0x10FFFF;
        if (!error) {
            length = encode_one(encoding, code_point, bytes);
        } else if (policy == ASSAY_POLICY_SURROGATEESCAPE && code_point >= 0xDC80 && code_point <= 0xDCFF) {
            bytes[0] = (uint8_t)code_point;
            length = 1;
        } else if (policy == ASSAY_POLICY_STRICT || policy == ASSAY_POLICY_SURROGATEESCAPE) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){result.read, 1, ASSAY_FAULT_OUT_OF_RANGE, false};
            if (pair)
                result.error.fault = ASSAY_FAULT_SURROGATE_PAIR;
            else if (surrogate)
                result.error.fault = is_utf16 ? ASSAY_FAULT_UNPAIRED_SURROGATE : ASSAY_FAULT_SURROGATE;
            break;
        } else {
            bool silent = policy == ASSAY_POLICY_SKIP || (policy == ASSAY_POLICY_PER_RUN && after_error);
            length = silent ? 0 : encode_one(encoding, REPLACEMENT, bytes);
        }
        if (length > capacity - result.written) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        for (size_t i = 0; i < length; i++)
            out[result.written + i] = bytes[i];
        result.written += length;
        result.read += taken;
        after_error = error;
    }
    return result;
}

OPERATION_OF_ENGINE struct assay_result dfa_encode_utf32(const struct automaton *dfa, enum assay_policy policy,
                                                         const uint32_t *units, size_t unit_count, uint8_t *out,
                                                         size_t capacity)
{
    return encode(dfa->encoding, policy, units, false, unit_count, out, capacity);
}

OPERATION_OF_ENGINE struct assay_result dfa_encode_utf16(const struct automaton *dfa, enum assay_policy policy,
                                                         const uint16_t *units, size_t unit_count, uint8_t *out,
                                                         size_t capacity)
{
    return encode(dfa->encoding, policy, units, true, unit_count, out, capacity);
}

#endif
