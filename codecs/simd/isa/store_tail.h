/* SPDX-License-Identifier: MIT
 *
 * store_tail.h - writes fewer units than a vector has, for instruction sets without masked stores: by way of a buffer,
 * or in pieces that overlap. A template: needs vec_store, vec_put16, vec_put32, vec_widen_units, and
 *
 *   units_of_half(low, high, number)     32 units from planes of their bytes: the first ones (0) or the last (1)
 */
#ifndef ASSAY_SIMD_ISA_STORE_TAIL_H
#define ASSAY_SIMD_ISA_STORE_TAIL_H

/* Groups of eight units are written whole. */
KERNEL_PART size_t vec_put_reach(size_t chosen)
{
    return chosen + 8;
}

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

KERNEL_PART void vec_put16_all(uint16_t *out, vec low, vec high)
{
    vec_store(out, units_of_half(low, high, 0));
    vec_store(out + VEC_BYTES / 2, units_of_half(low, high, 1));
}

KERNEL_PART void vec_put32_all(uint32_t *out, vec low, vec high)
{
    vec_widen_units(out, units_of_half(low, high, 0));
    vec_widen_units(out + VEC_BYTES / 2, units_of_half(low, high, 1));
}

/* Widens `count` bytes, at least `size`, by pieces of that size, each in a vector of its own. It converts in two steps,
 * because gcc 12 splits one conversion of more than a factor of two into smaller operations. */
#define WIDEN_BY(size, unit) \
    KERNEL_PART void widen_by_##size##_##unit(unit *out, const uint8_t *bytes, size_t count) \
    { \
        typedef uint8_t piece __attribute__((vector_size(size))); \
        typedef uint16_t wider __attribute__((vector_size((size) * sizeof(uint16_t)))); \
        typedef unit units __attribute__((vector_size((size) * sizeof(unit)))); \
        for (size_t at = 0, next = 0; next < count; at = next) { \
            piece narrow; \
            next = at + (size) < count ? at + (size) : count; \
            memcpy(&narrow, bytes + next - (size), sizeof narrow); \
            units wide = __builtin_convertvector(__builtin_convertvector(narrow, wider), units); \
            memcpy(out + next - (size), &wide, sizeof wide); \
        } \
    }
WIDEN_BY(16, uint16_t)
WIDEN_BY(4, uint16_t)
WIDEN_BY(8, uint32_t)
WIDEN_BY(4, uint32_t)
#undef WIDEN_BY

KERNEL_PART void vec_widen16_ascii(uint16_t *out, vec v, const uint8_t *bytes, size_t count)
{
    (void)v;
    if (count >= 16)
        widen_by_16_uint16_t(out, bytes, count);
    else if (count >= 4)
        widen_by_4_uint16_t(out, bytes, count);
    else
        for (size_t i = 0; i < count; i++)
            out[i] = bytes[i];
}

KERNEL_PART void vec_widen32_ascii(uint32_t *out, vec v, const uint8_t *bytes, size_t count)
{
    (void)v;
    if (count >= 8)
        widen_by_8_uint32_t(out, bytes, count);
    else if (count >= 4)
        widen_by_4_uint32_t(out, bytes, count);
    else
        for (size_t i = 0; i < count; i++)
            out[i] = bytes[i];
}

#endif
