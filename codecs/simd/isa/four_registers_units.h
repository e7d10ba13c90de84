/* SPDX-License-Identifier: MIT
 *
 * four_registers_units.h - the verbs that write units or make truths, wherever a vec is four registers of 16 bytes. A
 * template: needs the verbs before "units" in vec.h, running_counts() of compress.h, four_registers.h, and
 *
 *   truth_of_part(bits)                          16 truths of the lowest 16 bits
 *   widen16_part(out, part), widen32_part(...)   the 16 bytes of a part as units
 *   widen_units_part(out, part)                  its eight units of 16 bits as units of 32
 *   low_bytes_of(a, b), high_bytes_of(a, b)      bytes of `a` and `b` in turn, of their first and of their last halves
 *   low_units_of(a, b), high_units_of(a, b)      the same with units of 16 bits
 */
#ifndef ASSAY_SIMD_ISA_FOUR_REGISTERS_UNITS_H
#define ASSAY_SIMD_ISA_FOUR_REGISTERS_UNITS_H

ALWAYS_INLINE void vec_store_bits(uint64_t *to, truth t)
{
    *to = vec_bits(t);
}

ALWAYS_INLINE truth vec_truth(uint64_t bits)
{
    return (vec){
        {truth_of_part(bits), truth_of_part(bits >> 16), truth_of_part(bits >> 32), truth_of_part(bits >> 48)}};
}

ALWAYS_INLINE bool vec_neither(truth a, truth b)
{
    return vec_is_ascii(vec_or(a, b));
}

ALWAYS_INLINE void vec_widen16(uint16_t *out, vec v)
{
    widen16_part(out, v.part[0]);
    widen16_part(out + 16, v.part[1]);
    widen16_part(out + 32, v.part[2]);
    widen16_part(out + 48, v.part[3]);
}

ALWAYS_INLINE void vec_widen32(uint32_t *out, vec v)
{
    widen32_part(out, v.part[0]);
    widen32_part(out + 16, v.part[1]);
    widen32_part(out + 32, v.part[2]);
    widen32_part(out + 48, v.part[3]);
}

ALWAYS_INLINE void vec_widen_units(uint32_t *out, vec v)
{
    widen_units_part(out, v.part[0]);
    widen_units_part(out + 8, v.part[1]);
    widen_units_part(out + 16, v.part[2]);
    widen_units_part(out + 24, v.part[3]);
}

/* Brings the chosen of eight units of 16 bits to the front. */
ALWAYS_INLINE vec_part compress_part(vec_part units, uint64_t chosen)
{
    return shuffle_part(units, load_part(compress_shuffles[chosen & 0xFF]));
}

/* Writes the chosen units of part number `number`, to their places. */
ALWAYS_INLINE void put16_part(uint16_t *out, vec_part low, vec_part high, uint64_t chosen, uint64_t counts,
                              unsigned number)
{
    unsigned group = 2 * number;
    chosen >>= 8 * group;
    store_part(out + place_of(counts, group), compress_part(low_bytes_of(low, high), chosen));
    store_part(out + place_of(counts, group + 1), compress_part(high_bytes_of(low, high), chosen >> 8));
}

ALWAYS_INLINE void put32_group(uint32_t *out, vec_part units, vec_part tops, bool has_top, uint64_t chosen)
{
    units = compress_part(units, chosen);
    tops = has_top ? compress_part(tops, chosen) : fill_part(0);
    store_part(out, low_units_of(units, tops));
    store_part(out + 4, high_units_of(units, tops));
}

ALWAYS_INLINE void put32_part(uint32_t *out, vec_part low, vec_part high, vec_part top, bool has_top, uint64_t chosen,
                              uint64_t counts, unsigned number)
{
    const vec_part zero = fill_part(0);
    unsigned group = 2 * number;
    chosen >>= 8 * group;
    put32_group(out + place_of(counts, group), low_bytes_of(low, high), low_bytes_of(top, zero), has_top, chosen);
    put32_group(out + place_of(counts, group + 1), high_bytes_of(low, high), high_bytes_of(top, zero), has_top,
                chosen >> 8);
}

ALWAYS_INLINE void vec_put16(uint16_t *out, vec low, vec high, uint64_t chosen)
{
    uint64_t counts = running_counts(chosen);
    put16_part(out, low.part[0], high.part[0], chosen, counts, 0);
    put16_part(out, low.part[1], high.part[1], chosen, counts, 1);
    put16_part(out, low.part[2], high.part[2], chosen, counts, 2);
    put16_part(out, low.part[3], high.part[3], chosen, counts, 3);
}

ALWAYS_INLINE void vec_put32(uint32_t *out, vec low, vec high, vec top, bool has_top, uint64_t chosen)
{
    uint64_t counts = running_counts(chosen);
    put32_part(out, low.part[0], high.part[0], top.part[0], has_top, chosen, counts, 0);
    put32_part(out, low.part[1], high.part[1], top.part[1], has_top, chosen, counts, 1);
    put32_part(out, low.part[2], high.part[2], top.part[2], has_top, chosen, counts, 2);
    put32_part(out, low.part[3], high.part[3], top.part[3], has_top, chosen, counts, 3);
}

/* 32 units from planes of their bytes: the first ones (number 0) or the last (1). */
ALWAYS_INLINE vec units_of_half(vec low, vec high, unsigned number)
{
    vec_part first_low = low.part[2 * number], first_high = high.part[2 * number];
    vec_part second_low = low.part[2 * number + 1], second_high = high.part[2 * number + 1];
    return (vec){{low_bytes_of(first_low, first_high), high_bytes_of(first_low, first_high),
                  low_bytes_of(second_low, second_high), high_bytes_of(second_low, second_high)}};
}

#endif
