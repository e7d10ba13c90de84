/* SPDX-License-Identifier: MIT
 *
 * four_parts.h - the verbs that are the same wherever a vec is four registers of 16 bytes. A template: needs vec, truth, the verbs
 * before "units" in vec.h, running_counts() of compress.h, and
 *
 *   vec_later(v, distance)                       each byte that many places later, after zeros
 *   truth_of_part(bits)                          16 truths of the lowest 16 bits
 *   widen16_part(out, part), widen32_part(...)   the 16 bytes of a part as units
 *   put16_part(out, low, high, chosen, counts, part), put32_part(...)   the chosen units of part number `part`, to their places
 */
#ifndef ASSAY_SIMD_ISA_FOUR_PARTS_H
#define ASSAY_SIMD_ISA_FOUR_PARTS_H

ALWAYS_INLINE struct window vec_window(vec now, const uint8_t *bytes, size_t count)
{
    (void)bytes, (void)count;
    return (struct window){now, vec_later(now, 1), vec_later(now, 2), vec_later(now, 3)};
}

ALWAYS_INLINE truth vec_both(truth a, truth b)
{
    return vec_and(a, b);
}

ALWAYS_INLINE void vec_store_bits(uint64_t *to, truth t)
{
    *to = vec_bits(t);
}

ALWAYS_INLINE truth vec_truth(uint64_t bits)
{
    return (vec){{truth_of_part(bits), truth_of_part(bits >> 16),
                  truth_of_part(bits >> 32), truth_of_part(bits >> 48)}};
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

#endif
