/* SPDX-License-Identifier: MIT
 *
 * part_put.h - how to write fewer units than a vector has, for instruction sets without masked stores: by way of a
 * buffer. Included by those, after their vec_put16 and vec_put32.
 */
#ifndef ASSAY_SIMD_PART_PUT_H
#define ASSAY_SIMD_PART_PUT_H

KERNEL_PART void vec_put16_only(uint16_t *out, vec low, vec high, uint64_t chosen)
{
    uint16_t units[VEC_BYTES];
    vec_put16(units, low, high, chosen);
    memcpy(out, units, count_bits(chosen) * sizeof *units);
}

KERNEL_PART void vec_put32_only(uint32_t *out, vec low, vec high, vec top, bool has_top, uint64_t chosen)
{
    uint32_t units[VEC_BYTES];
    vec_put32(units, low, high, top, has_top, chosen);
    memcpy(out, units, count_bits(chosen) * sizeof *units);
}

#endif
