/* SPDX-License-Identifier: MIT
 *
 * vec_neon.h - the verbs of vec.h for NEON, as AArch64 has it: four registers, truth as 00 or FF in each byte.
 */
#ifndef ASSAY_SIMD_ISA_VEC_NEON_H
#define ASSAY_SIMD_ISA_VEC_NEON_H

#include "compress.h"
#include "load_tail.h"

#include <arm_neon.h>

typedef uint8x16_t vec_part;
#define PART_REGISTER "w"

#define and_parts vandq_u8
#define or_parts vorrq_u8
#define xor_parts veorq_u8
#define add_parts vaddq_u8
#define max_parts vmaxq_u8
#define subtract_parts vqsubq_u8
#define select_part vbslq_u8
#define shuffle_part vqtbl1q_u8
#define fill_part vdupq_n_u8
#define load_part vld1q_u8
#define low_bytes_of vzip1q_u8
#define high_bytes_of vzip2q_u8

ALWAYS_INLINE void store_part(void *out, uint8x16_t part)
{
    vst1q_u8((uint8_t *)out, part);
}

ALWAYS_INLINE uint8x16_t part_of_words(uint64_t low, uint64_t high)
{
    return vcombine_u8(vcreate_u8(low), vcreate_u8(high));
}

ALWAYS_INLINE uint8x16_t low_units_of(uint8x16_t a, uint8x16_t b)
{
    return vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
}

ALWAYS_INLINE uint8x16_t high_units_of(uint8x16_t a, uint8x16_t b)
{
    return vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
}

ALWAYS_INLINE uint8x16_t later_part(uint8x16_t part, uint8x16_t before, size_t distance)
{
    return distance == 1   ? vextq_u8(before, part, 15)
           : distance == 2 ? vextq_u8(before, part, 14)
                           : vextq_u8(before, part, 13);
}

#include "four_registers.h"
#include "each_register.h"

/* A negative distance shifts to the right. */
ALWAYS_INLINE vec vec_shift(vec v, int distance, uint8_t mask, uint8_t flip)
{
    return vec_xor(vec_and(EACH_WITH(vshlq_u8, v, vdupq_n_s8((int8_t)distance)), vec_fill(mask)), vec_fill(flip));
}

ALWAYS_INLINE uint8x16_t shift_units_part(uint8x16_t part, int distance)
{
    return vreinterpretq_u8_u16(vshlq_u16(vreinterpretq_u16_u8(part), vdupq_n_s16((int16_t)distance)));
}

ALWAYS_INLINE vec vec_shift_units(vec v, int distance)
{
    return EACH_WITH(shift_units_part, v, distance);
}

ALWAYS_INLINE vec vec_lookup_low(vec table, vec v)
{
    return EACH_OF_2(vqtbl1q_u8, table, vec_and(v, vec_fill(0x0F)));
}

ALWAYS_INLINE vec vec_lookup_ascii(vec table, vec v)
{
    return vec_lookup_low(table, v);
}

ALWAYS_INLINE vec vec_lookup_high(vec table, vec v)
{
    return EACH_OF_2(vqtbl1q_u8, table, EACH_WITH(vshlq_u8, v, vdupq_n_s8(-4)));
}

ALWAYS_INLINE truth vec_at_least(vec v, uint8_t least)
{
    return EACH_WITH(vcgeq_u8, v, vdupq_n_u8(least));
}

ALWAYS_INLINE vec vec_bound(uint8_t least)
{
    return vec_constant(least);
}

ALWAYS_INLINE truth vec_reaches(vec v, vec bound)
{
    return EACH_OF_2(vcgeq_u8, v, bound);
}

ALWAYS_INLINE truth vec_high(vec v)
{
    return vec_at_least(v, 0x80);
}

ALWAYS_INLINE uint8x16_t is_continuation_part(uint8x16_t part)
{
    return vcltq_s8(vreinterpretq_s8_u8(part), vdupq_n_s8(-64)); /* signed: -128 to -65 */
}

ALWAYS_INLINE truth vec_is_continuation(vec v)
{
    return EACH(is_continuation_part, v);
}

ALWAYS_INLINE truth vec_attains(vec v, uint8_t least)
{
    return vec_at_least(v, least);
}

ALWAYS_INLINE truth vec_between(vec v, uint8_t first, uint8_t last)
{
    vec distance = EACH_WITH(vsubq_u8, v, vdupq_n_u8(first));
    return EACH_WITH(vcleq_u8, distance, vdupq_n_u8((uint8_t)(last - first)));
}

ALWAYS_INLINE truth vec_any(vec v, uint8_t bits)
{
    return EACH_WITH(vtstq_u8, v, vdupq_n_u8(bits));
}

/* A bit of its own for each of eight bytes. */
ALWAYS_INLINE uint8x16_t own_bits(void)
{
    return vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x8040201008040201)));
}

/* Pairwise sums bring the bits of eight neighbours together. */
ALWAYS_INLINE uint64_t vec_bits(truth t)
{
    vec own = EACH_WITH(vandq_u8, t, own_bits());
    uint8x16_t halves = vpaddq_u8(vpaddq_u8(own.part[0], own.part[1]), vpaddq_u8(own.part[2], own.part[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(halves, halves)), 0);
}

ALWAYS_INLINE uint8x16_t truth_of_part(uint64_t bits)
{
    return vtstq_u8(vcombine_u8(vdup_n_u8((uint8_t)(bits & 0xFF)), vdup_n_u8((uint8_t)(bits >> 8 & 0xFF))), own_bits());
}

ALWAYS_INLINE vec vec_keep(truth t, vec v)
{
    return vec_and(t, v);
}

ALWAYS_INLINE uint8_t greatest(vec v)
{
    return vmaxvq_u8(vmaxq_u8(vmaxq_u8(v.part[0], v.part[1]), vmaxq_u8(v.part[2], v.part[3])));
}

ALWAYS_INLINE bool vec_is_ascii(vec v)
{
    return greatest(v) < 0x80;
}

ALWAYS_INLINE bool vec_is_zero(vec v)
{
    return greatest(v) == 0;
}

#include "refused_pairs.h"

/* ---- units ---------------------------------------------------------------------------------------- */

ALWAYS_INLINE void widen16_part(uint16_t *out, uint8x16_t part)
{
    vst1q_u16(out, vmovl_u8(vget_low_u8(part)));
    vst1q_u16(out + 8, vmovl_high_u8(part));
}

ALWAYS_INLINE void widen32_group(uint32_t *out, uint16x8_t units)
{
    vst1q_u32(out, vmovl_u16(vget_low_u16(units)));
    vst1q_u32(out + 4, vmovl_high_u16(units));
}

ALWAYS_INLINE void widen_units_part(uint32_t *out, uint8x16_t units)
{
    widen32_group(out, vreinterpretq_u16_u8(units));
}

ALWAYS_INLINE void widen32_part(uint32_t *out, uint8x16_t part)
{
    widen32_group(out, vmovl_u8(vget_low_u8(part)));
    widen32_group(out + 8, vmovl_high_u8(part));
}

ALWAYS_INLINE vec vec_swap(vec v)
{
    return EACH(vrev16q_u8, v);
}

/* Packs eight, and gathers their bits. */
ALWAYS_INLINE uint8x16_t narrow_part(const uint32_t *units, uint32x4_t *bits)
{
    uint32x4_t low = vld1q_u32(units), high = vld1q_u32(units + 4);
    *bits = vorrq_u32(*bits, vorrq_u32(low, high));
    return vreinterpretq_u8_u16(vcombine_u16(vmovn_u32(low), vmovn_u32(high)));
}

ALWAYS_INLINE bool vec_narrow_units(vec *v, const uint32_t *units)
{
    uint32x4_t bits = vdupq_n_u32(0);
    *v = (vec){{narrow_part(units, &bits), narrow_part(units + 8, &bits), narrow_part(units + 16, &bits),
                narrow_part(units + 24, &bits)}};
    return vmaxvq_u32(bits) <= 0xFFFF;
}

#include "four_registers_units.h"
#include "store_tail.h"

ALWAYS_INLINE bool vec_narrow16(uint8_t *out, const uint16_t *units)
{
    uint16x8_t a = vld1q_u16(units), b = vld1q_u16(units + 8);
    if (vmaxvq_u16(vorrq_u16(a, b)) > 0x7F)
        return false;
    vst1q_u8(out, vcombine_u8(vmovn_u16(a), vmovn_u16(b)));
    return true;
}

ALWAYS_INLINE bool vec_narrow32(uint8_t *out, const uint32_t *units)
{
    uint32x4_t a = vld1q_u32(units), b = vld1q_u32(units + 4), c = vld1q_u32(units + 8), d = vld1q_u32(units + 12);
    if (vmaxvq_u32(vorrq_u32(vorrq_u32(a, b), vorrq_u32(c, d))) > 0x7F)
        return false;
    vst1q_u8(out, vcombine_u8(vmovn_u16(vcombine_u16(vmovn_u32(a), vmovn_u32(b))),
                              vmovn_u16(vcombine_u16(vmovn_u32(c), vmovn_u32(d)))));
    return true;
}

typedef uint16x8_t unit_vec;
typedef unit_vec half;
typedef uint32x4_t code_point_vec;

ALWAYS_INLINE unit_vec units_constant(uint16_t unit)
{
    unit_vec v = vdupq_n_u16(unit);
    __asm__("" : "+w"(v));
    return v;
}

ALWAYS_INLINE half units_half(unit_vec v, unsigned number)
{
    (void)number; /* there is but one */
    return v;
}

ALWAYS_INLINE half units_shuffle(half bytes, const uint8_t *shuffle)
{
    return vreinterpretq_u16_u8(vqtbl1q_u8(vreinterpretq_u8_u16(bytes), vld1q_u8(shuffle)));
}

ALWAYS_INLINE half half_before(const uint8_t *bytes, half last)
{
    return vreinterpretq_u16_u32(
        vcopyq_laneq_u32(vreinterpretq_u32_u8(vld1q_u8(bytes)), 3, vreinterpretq_u32_u16(last), 3));
}

ALWAYS_INLINE unit_vec units_low(unit_vec a, unit_vec b)
{
    return vzip1q_u16(a, b);
}

ALWAYS_INLINE unit_vec units_high(unit_vec a, unit_vec b)
{
    return vzip2q_u16(a, b);
}

ALWAYS_INLINE unit_vec units_later(unit_vec before, unit_vec now)
{
    return vextq_u16(before, now, 7);
}

ALWAYS_INLINE unit_vec units_pack(code_point_vec a, code_point_vec b)
{
    return vcombine_u16(vmovn_u32(a), vmovn_u32(b));
}

ALWAYS_INLINE unit_vec units_bytes(unit_vec a, unit_vec b)
{
    return vreinterpretq_u16_u8(vcombine_u8(vmovn_u16(a), vmovn_u16(b)));
}

ALWAYS_INLINE bool units_any(unit_vec a, unit_vec b)
{
    return vmaxvq_u16(vandq_u16(a, b)) != 0;
}

ALWAYS_INLINE unit_vec units_select(unit_vec where, unit_vec a, unit_vec b)
{
    return vbslq_u16(where, a, b);
}

ALWAYS_INLINE unit_vec units_least(unit_vec a, unit_vec b)
{
    return vminq_u16(a, b);
}

ALWAYS_INLINE uint32_t byte_tops(unit_vec a)
{
    uint8x16_t own = vandq_u8(vcltzq_s8(vreinterpretq_s8_u16(a)), own_bits());
    uint8x8_t sums = vpadd_u8(vget_low_u8(own), vget_high_u8(own));
    sums = vpadd_u8(sums, sums);
    return vget_lane_u16(vreinterpret_u16_u8(vpadd_u8(sums, sums)), 0);
}

ALWAYS_INLINE uint32_t low_byte_tops(unit_vec a)
{
    uint8x8_t narrow = vmovn_u16(a);
    return byte_tops(vreinterpretq_u16_u8(vcombine_u8(narrow, narrow)));
}

#include "encode_shuffle.h"

#undef EACH
#undef EACH_OF_2
#undef EACH_OF_3
#undef EACH_WITH

#endif
