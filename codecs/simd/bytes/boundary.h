/* SPDX-License-Identifier: MIT
 *
 * boundary.h - character boundaries, and the surrogate pair that concatenation may make.
 */
#ifndef ASSAY_SIMD_BYTES_BOUNDARY_H
#define ASSAY_SIMD_BYTES_BOUNDARY_H

#include "../common/concat.h"
#include "encode.h"
#include "validate.h"

/* ---- boundaries ------------------------------------------------------------------------------------------- */

enum { LOOK_BACK = 8 };

/* Returns a place, at most LOOK_BACK bytes before `at`, from which the marks do not depend on earlier bytes: that of a
 * byte which is not a continuation byte. It may be the second half of a pair, which then ends before `at`. If there is
 * no such byte, no lead is near enough to reach the last three bytes. */
KERNEL_PART size_t start_before(const uint8_t *bytes, size_t at)
{
    if (at <= LOOK_BACK)
        return 0;
    for (size_t start = at - LOOK_BACK; start <= at - SURROGATE_BYTES; start++)
        if (!is_continuation(bytes[start]))
            return start;
    return at - SURROGATE_BYTES;
}

static size_t boundary_in(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count, size_t at)
{
    if (at >= byte_count)
        return byte_count;
    size_t start = start_before(bytes, at);
    struct carry carry = carry_at_boundary(0, false, false);
    struct block block = block_at(bytes + start, byte_count - start, 0);
    struct marks marks = find_marks(encoding, &block, &carry, false);
    size_t boundary = start;
    for (uint64_t before = (marks.ends | marks.errors) & first_bits(at - start); before != 0; before &= before - 1)
        boundary = start + lowest(before) + 1;
    return boundary;
}

/* ---- concatenation -------------------------------------------------------------------------------------------- */

/* The surrogate that these three bytes encode, or 0. */
KERNEL_PART uint32_t surrogate_at(const struct encoding *encoding, const uint8_t *bytes)
{
    bool is_surrogate = bytes[0] == encoding->lead_of_surrogates && bytes[1] >= FIRST_SECOND_OF_LEAD;
    return is_surrogate ? 0xD000 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu) : 0;
}

/* Joins a surrogate pair; only WTF-8 does (section 6.5). */
KERNEL_PART struct joint join_surrogates(const struct encoding *encoding, const uint8_t *left, size_t left_count,
                                         const uint8_t *right, size_t right_count)
{
    struct joint joint = {{0}, 0, 0};
    if (encoding->surrogates != APART || left_count < SURROGATE_BYTES || right_count < SURROGATE_BYTES)
        return joint;
    uint32_t pair[2] = {surrogate_at(encoding, left + left_count - SURROGATE_BYTES), surrogate_at(encoding, right)};
    struct code_point_read taken = read_code_point(UTF32, encoding, pair, 2, 0);
    if (taken.length == 2) {
        joint.count = encode_in(encoding, taken.code_point, joint.bytes);
        joint.taken = SURROGATE_BYTES;
    }
    return joint;
}

#endif
