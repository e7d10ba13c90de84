/* SPDX-License-Identifier: MIT
 *
 * compress.h - brings chosen units together, on instruction sets without an instruction for it: eight 16-bit units at a
 * time, by a shuffle from a table.
 */
#ifndef ASSAY_SIMD_ISA_COMPRESS_H
#define ASSAY_SIMD_ISA_COMPRESS_H

#include "../tables/compress_shuffles.h"
#include "vec.h"

/* Byte k is the number of bits set in bytes 0 to k. So the places of all groups of eight units are known at once. */
KERNEL_PART uint64_t running_counts(uint64_t bits)
{
    return counts_of_bytes(bits) * UINT64_C(0x0101010101010101);
}

/* The place where the chosen units of this group of eight go, from the running counts. */
KERNEL_PART size_t place_of(uint64_t counts, unsigned group)
{
    return group == 0 ? 0 : (size_t)(counts >> 8 * (group - 1) & 0xFF);
}

/* The byte offset, in a table of 256 rows of 16 bytes, of the row for byte `group` of the bits. */
ALWAYS_INLINE size_t row_of(uint64_t bits, unsigned group)
{
    unsigned left = (68 - 8 * group) % 64;
    uint64_t rotated = bits << left | bits >> (64 - left);
#ifdef __BMI2__ /* rotates to another register in one instruction; clang 14 would use two, one of them a shift */
    __asm__("" : "+r"(rotated));
#endif
    return (size_t)(rotated & 0xFF0);
}

#endif
