/* SPDX-License-Identifier: MIT
 *
 * strings.h - operations whose output is a string: concatenation, to_well_formed.
 */
#ifndef ASSAY_REFERENCE_STRINGS_H
#define ASSAY_REFERENCE_STRINGS_H

#include "encode.h"

/* ---- concatenation -------------------------------------------------------------------------------- */

enum { SURROGATE_LENGTH = 3 };

static uint32_t first_code_point(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count)
{
    return encoding->step(encoding, &(struct ahead){bytes, byte_count, true, false}).code_point;
}

/* Writes the bytes that replace a lead at the end of `left` and a trail at the start of `right`, both well-formed
 * (WTF-8, 6.5). Returns their number; 0 if the strings do not end and start so. */
static size_t join_surrogates(const struct encoding *encoding, const uint8_t *left, size_t left_count,
                              const uint8_t *right, size_t right_count, uint8_t joint[LONGEST])
{
    if (!encoding->joins_surrogates || left_count < SURROGATE_LENGTH || right_count < SURROGATE_LENGTH)
        return 0;
    uint32_t lead = first_code_point(encoding, left + left_count - SURROGATE_LENGTH, SURROGATE_LENGTH);
    uint32_t trail = first_code_point(encoding, right, right_count);
    return is_lead(lead) && is_trail(trail) ? encoding->encode(encoding, scalar_of_pair(lead, trail), joint) : 0;
}

/* Copies bytes[begin..end-1] to out[at]. Returns the new end of the output. */
static size_t append(uint8_t *out, size_t at, const uint8_t *bytes, size_t begin, size_t end)
{
    while (begin < end)
        out[at++] = bytes[begin++];
    return at;
}

static struct assay_result reference_concat(const struct encoding *encoding, const uint8_t *left, size_t left_count,
                                            const uint8_t *right, size_t right_count, uint8_t *out, size_t capacity)
{
    struct assay_span error;
    if (!reference_validate(encoding, left, left_count, &error))
        return (struct assay_result){ASSAY_ILL_FORMED, 0, 0, error};
    if (!reference_validate(encoding, right, right_count, &error))
        return (struct assay_result){ASSAY_ILL_FORMED, left_count, 0, error};
    uint8_t joint[LONGEST];
    size_t joint_count = join_surrogates(encoding, left, left_count, right, right_count, joint);
    size_t cut = joint_count > 0 ? SURROGATE_LENGTH : 0;
    if (capacity < left_count - cut + joint_count + right_count - cut)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    size_t written = append(out, 0, left, 0, left_count - cut);
    written = append(out, written, joint, 0, joint_count);
    written = append(out, written, right, cut, right_count);
    return (struct assay_result){.status = ASSAY_OK, .read = left_count + right_count, .written = written};
}

/* ---- to_well_formed ----------------------------------------------------------------------------------- */

/* What replaces a step: bytes, written `times` times after `taken_back` bytes of the output are dropped. */
struct substitute {
    uint8_t bytes[LONGEST];
    size_t length, times, taken_back;
};

static struct substitute substitute_for_error(const struct encoding *encoding, enum assay_policy policy,
                                              const struct step *error, bool in_run)
{
    struct substitute substitute = {.times = units_for_error(policy, error->length, in_run)};
    substitute.length = encoding->encode(encoding, REPLACEMENT, substitute.bytes);
    return substitute;
}

/* A character is kept. Exception: a trail that follows a lead, because the error between them was dropped. */
static struct substitute substitute_for_character(const struct encoding *encoding, const uint8_t *bytes, size_t length,
                                                  const uint8_t *out, size_t written)
{
    struct substitute substitute = {.times = 1};
    substitute.length = join_surrogates(encoding, out, written, bytes, length, substitute.bytes);
    if (substitute.length > 0)
        substitute.taken_back = SURROGATE_LENGTH;
    else
        substitute.length = append(substitute.bytes, 0, bytes, 0, length);
    return substitute;
}

static struct assay_result reference_to_well_formed(const struct encoding *encoding, enum assay_policy policy,
                                                    const uint8_t *bytes, size_t byte_count, uint8_t *out,
                                                    size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool in_run = false, after_lead = false;
    size_t absorb = 0;
    if ((encoding->policies >> policy & 1) == 0 || policy == ASSAY_POLICY_SURROGATEESCAPE)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    while (result.read < byte_count) {
        const uint8_t *here = bytes + result.read;
        if (absorb > 0 && is_continuation(*here)) {
            absorb--;
            result.read++;
            continue;
        }
        absorb = 0;
        struct step step = encoding->step(encoding, &(struct ahead){here, byte_count - result.read, true, after_lead});
        bool is_error = step.fault != ASSAY_FAULT_NONE;
        if (is_error && policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = span_at(result.read, &step);
            break;
        }
        struct substitute substitute = is_error
                                           ? substitute_for_error(encoding, policy, &step, in_run)
                                           : substitute_for_character(encoding, here, step.length, out, result.written);
        if (capacity - result.written + substitute.taken_back < substitute.length * substitute.times) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        ASSUME(result.written >= substitute.taken_back);
        result.written -= substitute.taken_back;
        for (size_t i = 0; i < substitute.times; i++)
            result.written = append(out, result.written, substitute.bytes, 0, substitute.length);
        absorb = is_error ? bytes_to_absorb(policy, *here, &step) : 0;
        in_run = is_error;
        after_lead = is_lone_lead(&step);
        result.read += step.length;
    }
    return result;
}

#endif
