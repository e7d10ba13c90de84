/* SPDX-License-Identifier: MIT
 *
 * encode.h - encoding from code points and UTF-16 units, one by one, under every policy.
 */
#ifndef ASSAY_REFERENCE_ENCODE_H
#define ASSAY_REFERENCE_ENCODE_H

#include "loop.h"

/* Units of one form; the pointer of the other form is NULL. */
struct units {
    const uint32_t *utf32;
    const uint16_t *utf16;
    size_t count;
};

static uint32_t unit_at(const struct units *units, size_t at)
{
    return units->utf32 != NULL ? units->utf32[at] : units->utf16[at];
}

/* Reads the code point at `at`. Returns how many units it has. */
static size_t take_code_point(const struct units *units, size_t at, bool joins_surrogates, uint32_t *code_point)
{
    ASSUME(at < units->count);
    *code_point = unit_at(units, at);
    if (!joins_surrogates || !is_lead(*code_point) || at + 1 == units->count || !is_trail(unit_at(units, at + 1)))
        return 1;
    *code_point = scalar_of_pair(*code_point, unit_at(units, at + 1));
    return 2;
}

/* True if the code point at `at` is the second one of a pair of surrogates, of which UTF-16 would make another code
 * point (WTF-8, 4.1). */
static bool is_second_of_pair(const struct units *units, size_t at)
{
    return units->utf32 != NULL && at > 0 && is_lead(unit_at(units, at - 1)) && is_trail(unit_at(units, at));
}

static enum assay_fault fault_of_code_point(const struct units *units, uint32_t code_point, bool is_second)
{
    if (code_point > LAST_CODE_POINT)
        return ASSAY_FAULT_OUT_OF_RANGE;
    if (is_second)
        return ASSAY_FAULT_SURROGATE_PAIR;
    return units->utf16 != NULL ? ASSAY_FAULT_UNPAIRED_SURROGATE : ASSAY_FAULT_SURROGATE;
}

static struct assay_result encode_units(const struct encoding *encoding, enum assay_policy policy, struct units units,
                                        uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool in_run = false, joins = units.utf16 != NULL || encoding->joins_surrogates;
    if ((encoding->policies >> policy & 1) == 0)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    while (result.read < units.count) {
        uint32_t code_point;
        size_t taken = take_code_point(&units, result.read, joins, &code_point);
        uint8_t encoded[LONGEST];
        bool is_second = encoding->refuses_pairs && is_second_of_pair(&units, result.read);
        size_t length = is_second ? 0 : encoding->encode(encoding, code_point, encoded);
        bool is_error = length == 0;
        if (is_error && policy == ASSAY_POLICY_SURROGATEESCAPE && code_point >= 0xDC80 && code_point <= 0xDCFF) {
            encoded[length++] = (uint8_t)(code_point - 0xDC00);
        } else if (is_error && (policy == ASSAY_POLICY_STRICT || policy == ASSAY_POLICY_SURROGATEESCAPE)) {
            result.status = ASSAY_ILL_FORMED;
            result.error =
                (struct assay_span){result.read, taken, fault_of_code_point(&units, code_point, is_second), false};
            break;
        } else if (is_error && policy != ASSAY_POLICY_SKIP && !(policy == ASSAY_POLICY_PER_RUN && in_run)) {
            length = encoding->encode(encoding, REPLACEMENT, encoded);
        }
        if (capacity - result.written < length) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        for (size_t i = 0; i < length; i++)
            out[result.written++] = encoded[i];
        in_run = is_error;
        result.read += taken;
    }
    return result;
}

static struct assay_result reference_encode_utf32(const struct encoding *encoding, enum assay_policy policy,
                                                  const uint32_t *units, size_t unit_count, uint8_t *out,
                                                  size_t capacity)
{
    return encode_units(encoding, policy, (struct units){units, NULL, unit_count}, out, capacity);
}

static struct assay_result reference_encode_utf16(const struct encoding *encoding, enum assay_policy policy,
                                                  const uint16_t *units, size_t unit_count, uint8_t *out,
                                                  size_t capacity)
{
    return encode_units(encoding, policy, (struct units){NULL, units, unit_count}, out, capacity);
}

#endif
