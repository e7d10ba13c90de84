/* SPDX-License-Identifier: MIT
 *
 * join.h - where text may be cut, and how it is put together.
 */
#ifndef ASSAY_SIMD_JOIN_H
#define ASSAY_SIMD_JOIN_H

#include "encode.h"
#include "validate.h"

/* ---- cutting ---------------------------------------------------------------------------------------------- */

enum { LOOK_BACK = 8 };

/* A place not far before `at` from which the marks can be taken without what is before. That is a byte that continues
 * nothing; it may be the second half of a pair, but that ends before `at`. Where there is none, no lead reaches as far
 * as the last three bytes. */
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
    struct carry carry = carry_between(0, false, false);
    struct block block = block_at(bytes + start, byte_count - start, 0);
    struct marks marks = mark(encoding, &block, &carry, false);
    size_t boundary = start;
    for (uint64_t before = (marks.ends | marks.errors) & first_bits(at - start); before != 0; before &= before - 1)
        boundary = start + lowest(before) + 1;
    return boundary;
}

/* ---- joining ------------------------------------------------------------------------------------------------ */

/* The surrogate that these three bytes are, or 0. */
KERNEL_PART uint32_t surrogate_at(const struct encoding *encoding, const uint8_t *bytes)
{
    bool is_surrogate = bytes[0] == encoding->lead_of_surrogates && bytes[1] >= 0xA0;
    return is_surrogate ? 0xD000 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu) : 0;
}

/* The bytes of the character that a lead at the end of `left` and a trail at the start of `right` make, where an encoding
 * keeps these apart (WTF-8, section 6.5); how many, or 0. Both are well-formed. */
KERNEL_PART size_t join_surrogates(const struct encoding *encoding, const uint8_t *left, size_t left_count,
                                     const uint8_t *right, size_t right_count, uint8_t joint[LONGEST])
{
    if (encoding->surrogates != APART || left_count < SURROGATE_BYTES || right_count < SURROGATE_BYTES)
        return 0;
    uint32_t pair[2] = {surrogate_at(encoding, left + left_count - SURROGATE_BYTES), surrogate_at(encoding, right)};
    struct taken taken = take(UTF32, encoding, pair, 2, 0);
    return taken.length == 2 ? encode_in(encoding, taken.code_point, joint) : 0;
}

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
    uint8_t joint[LONGEST];
    size_t joint_count = join_surrogates(encoding, left, left_count, right, right_count, joint);
    size_t taken = joint_count > 0 ? SURROGATE_BYTES : 0;
    if (capacity < left_count + right_count - 2 * taken + joint_count)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    size_t written = append(out, 0, left, left_count - taken);
    written = append(out, written, joint, joint_count);
    written = append(out, written, taken > 0 ? right + taken : right, right_count - taken);
    return (struct assay_result){.status = ASSAY_OK, .read = left_count + right_count, .written = written};
}

#endif
