/* SPDX-License-Identifier: MIT
 *
 * vec_neon.h - the verbs of vec.h for NEON, as AArch64 has it: four registers, truth as 00 or FF in each byte.
 */
#ifndef ASSAY_SIMD_ISA_VEC_NEON_H
#define ASSAY_SIMD_ISA_VEC_NEON_H

#include "compress.h"
#include "load_tail.h"

#include <arm_neon.h>

typedef struct {
    uint8x16_t part[4];
} vec;
typedef vec truth;

enum { VEC_BLOCKS_AT_ONCE = 1 };

#include "window.h"

/* An operation on each part: of one vector, of two, and of a vector with something that all parts share. */
#define EACH(f, a) ((vec){{f((a).part[0]), f((a).part[1]), f((a).part[2]), f((a).part[3])}})
#define EACH_OF_2(f, a, b)                                                                                \
    ((vec){{f((a).part[0], (b).part[0]), f((a).part[1], (b).part[1]), f((a).part[2], (b).part[2]), \
            f((a).part[3], (b).part[3])}})
#define EACH_WITH(f, a, x) ((vec){{f((a).part[0], x), f((a).part[1], x), f((a).part[2], x), f((a).part[3], x)}})

ALWAYS_INLINE vec vec_load(const uint8_t *bytes)
{
    return (vec){{vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
}

ALWAYS_INLINE uint8x16_t load_piece(const uint8_t *bytes, size_t count, size_t number)
{
    struct piece piece = piece_of(bytes, count, number);
    return vqtbl1q_u8(vld1q_u8(piece.bytes), vld1q_u8(piece.shuffle));
}

ALWAYS_INLINE vec vec_load_part(const uint8_t *bytes, size_t count)
{
    if (count >= PIECE_BYTES)
        return (vec){{load_piece(bytes, count, 0), load_piece(bytes, count, 1), load_piece(bytes, count, 2),
                      load_piece(bytes, count, 3)}};
    struct words words = words_of(bytes, count);
    uint8x16_t zero = vdupq_n_u8(0);
    return (vec){{vcombine_u8(vcreate_u8(words.low), vcreate_u8(words.high)), zero, zero, zero}};
}

ALWAYS_INLINE uint8x16_t later_part(uint8x16_t part, uint8x16_t before, size_t distance)
{
    return distance == 1   ? vextq_u8(before, part, 15)
           : distance == 2 ? vextq_u8(before, part, 14)
                           : vextq_u8(before, part, 13);
}

ALWAYS_INLINE vec vec_later(vec v, size_t distance)
{
    return (vec){{later_part(v.part[0], vdupq_n_u8(0), distance), later_part(v.part[1], v.part[0], distance),
                  later_part(v.part[2], v.part[1], distance), later_part(v.part[3], v.part[2], distance)}};
}

ALWAYS_INLINE vec vec_fill(uint8_t byte)
{
    uint8x16_t part = vdupq_n_u8(byte);
    return (vec){{part, part, part, part}};
}

ALWAYS_INLINE vec vec_table(const uint8_t entries[16])
{
    uint8x16_t part = vld1q_u8(entries);
    __asm__("" : "+w"(part));
    return (vec){{part, part, part, part}};
}

ALWAYS_INLINE vec vec_hold(vec v)
{
    __asm__("" : "+w"(v.part[0]), "+w"(v.part[1]), "+w"(v.part[2]), "+w"(v.part[3]));
    return v;
}

ALWAYS_INLINE vec vec_constant(uint8_t byte)
{
    uint8x16_t part = vdupq_n_u8(byte);
    __asm__("" : "+w"(part));
    return (vec){{part, part, part, part}};
}

ALWAYS_INLINE vec vec_and(vec a, vec b)
{
    return EACH_OF_2(vandq_u8, a, b);
}

ALWAYS_INLINE vec vec_or(vec a, vec b)
{
    return EACH_OF_2(vorrq_u8, a, b);
}

ALWAYS_INLINE vec vec_xor(vec a, vec b)
{
    return EACH_OF_2(veorq_u8, a, b);
}

ALWAYS_INLINE vec vec_add(vec a, vec b)
{
    return EACH_OF_2(vaddq_u8, a, b);
}

ALWAYS_INLINE vec vec_subtract(vec a, vec b)
{
    return EACH_OF_2(vqsubq_u8, a, b);
}

/* A negative distance shifts to the right. */
ALWAYS_INLINE vec vec_shift(vec v, int distance, uint8_t mask, uint8_t flip)
{
    return vec_xor(vec_and(EACH_WITH(vshlq_u8, v, vdupq_n_s8((int8_t)distance)), vec_fill(mask)), vec_fill(flip));
}

ALWAYS_INLINE uint8x16_t shift_units_part(uint8x16_t part, int distance)
{
    return vreinterpretq_u8_u16(vshlq_u16(vreinterpretq_u16_u8(part), vdupq_n_s16((int16_t)distance)));
}

ALWAYS_INLINE vec vec_max(vec a, vec b)
{
    return EACH_OF_2(vmaxq_u8, a, b);
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

ALWAYS_INLINE vec vec_select(truth t, vec a, vec b)
{
    return (vec){{vbslq_u8(t.part[0], a.part[0], b.part[0]), vbslq_u8(t.part[1], a.part[1], b.part[1]),
                  vbslq_u8(t.part[2], a.part[2], b.part[2]), vbslq_u8(t.part[3], a.part[3], b.part[3])}};
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

ALWAYS_INLINE void widen32_part(uint32_t *out, uint8x16_t part)
{
    widen32_group(out, vmovl_u8(vget_low_u8(part)));
    widen32_group(out + 8, vmovl_high_u8(part));
}

ALWAYS_INLINE void vec_store(void *out, vec v)
{
    uint8_t *bytes = out;
    vst1q_u8(bytes, v.part[0]);
    vst1q_u8(bytes + 16, v.part[1]);
    vst1q_u8(bytes + 32, v.part[2]);
    vst1q_u8(bytes + 48, v.part[3]);
}

ALWAYS_INLINE vec vec_swap(vec v)
{
    return EACH(vrev16q_u8, v);
}

ALWAYS_INLINE void vec_widen_units(uint32_t *out, vec v)
{
    widen32_group(out, vreinterpretq_u16_u8(v.part[0]));
    widen32_group(out + 8, vreinterpretq_u16_u8(v.part[1]));
    widen32_group(out + 16, vreinterpretq_u16_u8(v.part[2]));
    widen32_group(out + 24, vreinterpretq_u16_u8(v.part[3]));
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

/* Brings the chosen of eight 16-bit units to the front. */
ALWAYS_INLINE uint16x8_t compress_part(uint8x16_t units, uint64_t chosen)
{
    return vreinterpretq_u16_u8(vqtbl1q_u8(units, vld1q_u8(compress_shuffles[chosen & 0xFF])));
}

ALWAYS_INLINE void put16_part(uint16_t *out, uint8x16_t low, uint8x16_t high, uint64_t chosen, uint64_t counts,
                              unsigned part)
{
    unsigned group = 2 * part;
    chosen >>= 8 * group;
    vst1q_u16(out + place_of(counts, group), compress_part(vzip1q_u8(low, high), chosen));
    vst1q_u16(out + place_of(counts, group + 1), compress_part(vzip2q_u8(low, high), chosen >> 8));
}

ALWAYS_INLINE void put32_group(uint32_t *out, uint8x16_t units, uint8x16_t tops, bool has_top, uint64_t chosen)
{
    uint16x8_t low = compress_part(units, chosen), high = has_top ? compress_part(tops, chosen) : vdupq_n_u16(0);
    vst1q_u32(out, vreinterpretq_u32_u16(vzip1q_u16(low, high)));
    vst1q_u32(out + 4, vreinterpretq_u32_u16(vzip2q_u16(low, high)));
}

ALWAYS_INLINE void put32_part(uint32_t *out, uint8x16_t low, uint8x16_t high, uint8x16_t top, bool has_top,
                              uint64_t chosen, uint64_t counts, unsigned part)
{
    const uint8x16_t zero = vdupq_n_u8(0);
    unsigned group = 2 * part;
    chosen >>= 8 * group;
    put32_group(out + place_of(counts, group), vzip1q_u8(low, high), vzip1q_u8(top, zero), has_top, chosen);
    put32_group(out + place_of(counts, group + 1), vzip2q_u8(low, high), vzip2q_u8(top, zero), has_top, chosen >> 8);
}

ALWAYS_INLINE vec units_of_half(vec low, vec high, unsigned number)
{
    uint8x16_t first_low = low.part[2 * number], first_high = high.part[2 * number];
    uint8x16_t second_low = low.part[2 * number + 1], second_high = high.part[2 * number + 1];
    return (vec){{vzip1q_u8(first_low, first_high), vzip2q_u8(first_low, first_high),
                  vzip1q_u8(second_low, second_high), vzip2q_u8(second_low, second_high)}};
}

#include "four_parts.h"
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

ALWAYS_INLINE uint32_t byte_truths(unit_vec a)
{
    uint8x16_t own = vandq_u8(vreinterpretq_u8_u16(a), own_bits());
    uint8x8_t sums = vpadd_u8(vget_low_u8(own), vget_high_u8(own));
    sums = vpadd_u8(sums, sums);
    return vget_lane_u16(vreinterpret_u16_u8(vpadd_u8(sums, sums)), 0);
}

ALWAYS_INLINE uint32_t unit_truths(unit_vec a)
{
    uint8x8_t narrow = vmovn_u16(a);
    return byte_truths(vreinterpretq_u16_u8(vcombine_u8(narrow, narrow)));
}

#include "encode_shuffle.h"

#undef EACH
#undef EACH_OF_2
#undef EACH_WITH

#endif
