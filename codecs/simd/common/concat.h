/* SPDX-License-Identifier: MIT
 *
 * concat.h - concatenation: a template over validate_in() and join_surrogates(), which the file that includes it
 * defines.
 */
#ifndef ASSAY_SIMD_COMMON_CONCAT_H
#define ASSAY_SIMD_COMMON_CONCAT_H

#include "../isa/vec.h"

/* Replaces the last `taken` bytes of the left string, and as many at the start of the right one. */
struct joint {
    uint8_t bytes[ASSAY_ENCODED_MAX(1)];
    size_t count, taken;
};

static bool validate_in(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count,
                        struct assay_span *error);

/* The character that a lead at the end of `left` and a trail at the start of `right` make, if any. Both strings are
 * well-formed. */
KERNEL_PART struct joint join_surrogates(const struct encoding *encoding, const uint8_t *left, size_t left_count,
                                         const uint8_t *right, size_t right_count);

KERNEL_PART size_t append(uint8_t *out, size_t at, const uint8_t *bytes, size_t byte_count)
{
    if (byte_count > 0)
        memcpy(out + at, bytes, byte_count);
    return at + byte_count;
}

static struct assay_result concat_in(const struct encoding *encoding, const uint8_t *left, size_t left_count,
                                     const uint8_t *right, size_t right_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_ILL_FORMED};
    if (!validate_in(encoding, left, left_count, &result.error))
        return result;
    result.read = left_count;
    if (!validate_in(encoding, right, right_count, &result.error))
        return result;
    struct joint joint = join_surrogates(encoding, left, left_count, right, right_count);
    if (capacity < left_count + right_count - 2 * joint.taken + joint.count)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    size_t written = append(out, 0, left, left_count - joint.taken);
    written = append(out, written, joint.bytes, joint.count);
    written = append(out, written, joint.taken > 0 ? right + joint.taken : right, right_count - joint.taken);
    return (struct assay_result){.status = ASSAY_OK, .read = left_count + right_count, .written = written};
}

#endif
