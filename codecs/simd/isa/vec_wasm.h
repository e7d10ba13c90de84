/* SPDX-License-Identifier: MIT
 *
 * vec_wasm.h - the verbs of vec.h for WebAssembly's vectors of 128 bits: four of them, truth in the top bit of each byte.
 */
#ifndef ASSAY_SIMD_ISA_VEC_WASM_H
#define ASSAY_SIMD_ISA_VEC_WASM_H

#include "compress.h"
#include "load_tail.h"

#include <wasm_simd128.h>

typedef struct {
    v128_t part[4];
} vec;
typedef vec truth;

enum { VEC_BLOCKS_AT_ONCE = 1 };

#include "window.h"

/* An operation on each part: of one vector, of two, and of a vector with something that all parts share. */
#define EACH(f, a) ((vec){{f((a).part[0]), f((a).part[1]), f((a).part[2]), f((a).part[3])}})
#define EACH_OF_2(f, a, b) \
    ((vec){{f((a).part[0], (b).part[0]), f((a).part[1], (b).part[1]), f((a).part[2], (b).part[2]), \
            f((a).part[3], (b).part[3])}})
#define EACH_WITH(f, a, x) ((vec){{f((a).part[0], x), f((a).part[1], x), f((a).part[2], x), f((a).part[3], x)}})

ALWAYS_INLINE v128_t fill_part(uint8_t byte)
{
    return wasm_u8x16_splat(byte);
}

ALWAYS_INLINE v128_t load_part(const uint8_t *bytes)
{
    return wasm_v128_load(bytes);
}

ALWAYS_INLINE void store_part(void *out, v128_t part)
{
    wasm_v128_store(out, part);
}

ALWAYS_INLINE vec vec_load(const uint8_t *bytes)
{
    return (vec){{load_part(bytes), load_part(bytes + 16), load_part(bytes + 32), load_part(bytes + 48)}};
}

ALWAYS_INLINE v128_t load_piece(const uint8_t *bytes, size_t count, size_t number)
{
    struct piece piece = piece_of(bytes, count, number);
    return wasm_i8x16_swizzle(load_part(piece.bytes), load_part(piece.shuffle));
}

ALWAYS_INLINE vec vec_load_part(const uint8_t *bytes, size_t count)
{
    if (count >= PIECE_BYTES)
        return (vec){{load_piece(bytes, count, 0), load_piece(bytes, count, 1), load_piece(bytes, count, 2),
                      load_piece(bytes, count, 3)}};
    struct words words = words_of(bytes, count);
    v128_t zero = wasm_i8x16_const_splat(0);
    return (vec){{wasm_u64x2_make(words.low, words.high), zero, zero, zero}};
}

ALWAYS_INLINE v128_t later_part(v128_t part, v128_t before, size_t distance)
{
    return distance == 1
               ? wasm_i8x16_shuffle(before, part, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
           : distance == 2
               ? wasm_i8x16_shuffle(before, part, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
               : wasm_i8x16_shuffle(before, part, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28);
}

ALWAYS_INLINE vec vec_later(vec v, size_t distance)
{
    return (vec){{later_part(v.part[0], wasm_i8x16_const_splat(0), distance),
                  later_part(v.part[1], v.part[0], distance), later_part(v.part[2], v.part[1], distance),
                  later_part(v.part[3], v.part[2], distance)}};
}

ALWAYS_INLINE vec vec_fill(uint8_t byte)
{
    v128_t part = fill_part(byte);
    return (vec){{part, part, part, part}};
}

ALWAYS_INLINE vec vec_table(const uint8_t entries[16])
{
    v128_t part = load_part(entries);
    __asm__("" : "+r"(part));
    return (vec){{part, part, part, part}};
}

ALWAYS_INLINE vec vec_hold(vec v)
{
    __asm__("" : "+r"(v.part[0]), "+r"(v.part[1]), "+r"(v.part[2]), "+r"(v.part[3]));
    return v;
}

ALWAYS_INLINE vec vec_constant(uint8_t byte)
{
    v128_t part = fill_part(byte);
    __asm__("" : "+r"(part));
    return (vec){{part, part, part, part}};
}

ALWAYS_INLINE vec vec_and(vec a, vec b)
{
    return EACH_OF_2(wasm_v128_and, a, b);
}

ALWAYS_INLINE vec vec_or(vec a, vec b)
{
    return EACH_OF_2(wasm_v128_or, a, b);
}

ALWAYS_INLINE vec vec_xor(vec a, vec b)
{
    return EACH_OF_2(wasm_v128_xor, a, b);
}

ALWAYS_INLINE vec vec_add(vec a, vec b)
{
    return EACH_OF_2(wasm_i8x16_add, a, b);
}

ALWAYS_INLINE vec vec_subtract(vec a, vec b)
{
    return EACH_OF_2(wasm_u8x16_sub_sat, a, b);
}

ALWAYS_INLINE vec vec_max(vec a, vec b)
{
    return EACH_OF_2(wasm_u8x16_max, a, b);
}

ALWAYS_INLINE vec vec_shift_units(vec v, int distance)
{
    return distance > 0 ? EACH_WITH(wasm_i16x8_shl, v, (uint32_t)distance)
                        : EACH_WITH(wasm_u16x8_shr, v, (uint32_t)-distance);
}

/* There are no shifts of bytes; those of units let the neighbour's bits in, and the mask takes them out. */
ALWAYS_INLINE vec vec_shift(vec v, int distance, uint8_t mask, uint8_t flip)
{
    vec kept = vec_and(vec_shift_units(v, distance), vec_fill(mask));
    return flip == 0 ? kept : vec_xor(kept, vec_fill(flip));
}

ALWAYS_INLINE vec vec_lookup_low(vec table, vec v)
{
    return EACH_OF_2(wasm_i8x16_swizzle, table, vec_and(v, vec_fill(0x0F)));
}

ALWAYS_INLINE vec vec_lookup_ascii(vec table, vec v)
{
    return vec_lookup_low(table, v);
}

ALWAYS_INLINE vec vec_lookup_high(vec table, vec v)
{
    return EACH_OF_2(wasm_i8x16_swizzle, table, EACH_WITH(wasm_u8x16_shr, v, 4));
}

ALWAYS_INLINE truth vec_high(vec v)
{
    return v;
}

ALWAYS_INLINE truth vec_at_least(vec v, uint8_t least)
{
    vec greater = EACH_WITH(wasm_u8x16_max, v, fill_part(least));
    return EACH_OF_2(wasm_i8x16_eq, greater, v);
}

ALWAYS_INLINE vec vec_bound(uint8_t least)
{
    return vec_constant((uint8_t)(least - 0x80));
}

/* What is left has the top bit exactly there. */
ALWAYS_INLINE truth vec_reaches(vec v, vec bound)
{
    return vec_subtract(v, bound);
}

/* What is left out of 80 carries into the top bit. */
ALWAYS_INLINE truth vec_attains(vec v, uint8_t least)
{
    return EACH_WITH(wasm_u8x16_add_sat, v, fill_part((uint8_t)(0x80 - least)));
}

ALWAYS_INLINE truth vec_between(vec v, uint8_t first, uint8_t last)
{
    vec distance = EACH_WITH(wasm_i8x16_sub, v, fill_part(first));
    vec lesser = EACH_WITH(wasm_u8x16_min, distance, fill_part((uint8_t)(last - first)));
    return EACH_OF_2(wasm_i8x16_eq, lesser, distance);
}

ALWAYS_INLINE truth vec_is_continuation(vec v)
{
    return EACH_OF_2(wasm_i8x16_gt, vec_fill(0xC0), v); /* signed: -128 to -65 */
}

/* Adding 7F carries whatever there is into the top bit. */
ALWAYS_INLINE truth vec_any(vec v, uint8_t bits)
{
    return EACH_WITH(wasm_u8x16_add_sat, vec_and(v, vec_fill(bits)), fill_part(0x7F));
}

ALWAYS_INLINE uint64_t bits_of_part(v128_t part)
{
    return (uint64_t)(uint32_t)wasm_i8x16_bitmask(part);
}

ALWAYS_INLINE uint64_t vec_bits(truth t)
{
    return bits_of_part(t.part[0]) | bits_of_part(t.part[1]) << 16 | bits_of_part(t.part[2]) << 32 |
           bits_of_part(t.part[3]) << 48;
}

/* Each byte looks at its own bit of the mask. */
ALWAYS_INLINE v128_t truth_of_part(uint64_t bits)
{
    const v128_t which_bit = wasm_u64x2_const_splat(UINT64_C(0x8040201008040201));
    v128_t both = wasm_u16x8_splat((uint16_t)(bits & 0xFFFF));
    v128_t spread = wasm_i8x16_shuffle(both, both, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    return wasm_i8x16_eq(wasm_v128_and(spread, which_bit), which_bit);
}

/* Bytes that are negative are true in all bits. */
ALWAYS_INLINE v128_t select_part(v128_t t, v128_t a, v128_t b)
{
    return wasm_v128_bitselect(a, b, wasm_i8x16_lt(t, wasm_i8x16_const_splat(0)));
}

ALWAYS_INLINE vec vec_select(truth t, vec a, vec b)
{
    return (vec){{select_part(t.part[0], a.part[0], b.part[0]), select_part(t.part[1], a.part[1], b.part[1]),
                  select_part(t.part[2], a.part[2], b.part[2]), select_part(t.part[3], a.part[3], b.part[3])}};
}

ALWAYS_INLINE v128_t any_part(vec v)
{
    return wasm_v128_or(wasm_v128_or(v.part[0], v.part[1]), wasm_v128_or(v.part[2], v.part[3]));
}

ALWAYS_INLINE vec vec_keep(truth t, vec v)
{
    return vec_select(t, v, vec_fill(0));
}

ALWAYS_INLINE bool vec_is_ascii(vec v)
{
    return wasm_i8x16_bitmask(any_part(v)) == 0;
}

ALWAYS_INLINE bool vec_is_zero(vec v)
{
    return !wasm_v128_any_true(any_part(v));
}

#include "refused_pairs.h"

/* ---- units ---------------------------------------------------------------------------------------- */

/* The bytes, or the units, of the first half of both in turn, and of the last half. */
ALWAYS_INLINE v128_t low_bytes_of(v128_t a, v128_t b)
{
    return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

ALWAYS_INLINE v128_t high_bytes_of(v128_t a, v128_t b)
{
    return wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

ALWAYS_INLINE v128_t low_units_of(v128_t a, v128_t b)
{
    return wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

ALWAYS_INLINE v128_t high_units_of(v128_t a, v128_t b)
{
    return wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/* True if a bit is set in both. */
ALWAYS_INLINE bool any_in_both(v128_t a, v128_t b)
{
    return wasm_v128_any_true(wasm_v128_and(a, b));
}

ALWAYS_INLINE void widen16_part(uint16_t *out, v128_t part)
{
    store_part(out, wasm_u16x8_extend_low_u8x16(part));
    store_part(out + 8, wasm_u16x8_extend_high_u8x16(part));
}

ALWAYS_INLINE void widen_part(uint32_t *out, v128_t part)
{
    store_part(out, wasm_u32x4_extend_low_u16x8(part));
    store_part(out + 4, wasm_u32x4_extend_high_u16x8(part));
}

ALWAYS_INLINE void widen32_part(uint32_t *out, v128_t part)
{
    widen_part(out, wasm_u16x8_extend_low_u8x16(part));
    widen_part(out + 8, wasm_u16x8_extend_high_u8x16(part));
}

ALWAYS_INLINE void vec_store(void *out, vec v)
{
    uint8_t *bytes = out;
    store_part(bytes, v.part[0]);
    store_part(bytes + 16, v.part[1]);
    store_part(bytes + 32, v.part[2]);
    store_part(bytes + 48, v.part[3]);
}

ALWAYS_INLINE v128_t swap_part(v128_t part)
{
    return wasm_i8x16_shuffle(part, part, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
}

ALWAYS_INLINE vec vec_swap(vec v)
{
    return EACH(swap_part, v);
}

ALWAYS_INLINE void vec_widen_units(uint32_t *out, vec v)
{
    widen_part(out, v.part[0]);
    widen_part(out + 8, v.part[1]);
    widen_part(out + 16, v.part[2]);
    widen_part(out + 24, v.part[3]);
}

/* Packs eight, and gathers their bits. */
ALWAYS_INLINE v128_t narrow_part(const uint32_t *units, v128_t *bits)
{
    v128_t low = load_part((const uint8_t *)units), high = load_part((const uint8_t *)(units + 4));
    *bits = wasm_v128_or(*bits, wasm_v128_or(low, high));
    return wasm_u16x8_narrow_i32x4(low, high);
}

ALWAYS_INLINE bool vec_narrow_units(vec *v, const uint32_t *units)
{
    v128_t bits = wasm_i8x16_const_splat(0);
    *v = (vec){{narrow_part(units, &bits), narrow_part(units + 8, &bits), narrow_part(units + 16, &bits),
                narrow_part(units + 24, &bits)}};
    return !any_in_both(bits, wasm_u32x4_const_splat(0xFFFF0000));
}

/* Brings the chosen of eight 16-bit units to the front. */
ALWAYS_INLINE v128_t compress_part(v128_t units, uint64_t chosen)
{
    return wasm_i8x16_swizzle(units, load_part(compress_shuffles[chosen & 0xFF]));
}

ALWAYS_INLINE void put16_part(uint16_t *out, v128_t low, v128_t high, uint64_t chosen, uint64_t counts, unsigned part)
{
    unsigned group = 2 * part;
    chosen >>= 8 * group;
    store_part(out + place_of(counts, group), compress_part(low_bytes_of(low, high), chosen));
    store_part(out + place_of(counts, group + 1), compress_part(high_bytes_of(low, high), chosen >> 8));
}

ALWAYS_INLINE void put32_group(uint32_t *out, v128_t units, v128_t tops, bool has_top, uint64_t chosen)
{
    units = compress_part(units, chosen);
    tops = has_top ? compress_part(tops, chosen) : wasm_i8x16_const_splat(0);
    store_part(out, low_units_of(units, tops));
    store_part(out + 4, high_units_of(units, tops));
}

ALWAYS_INLINE void put32_part(uint32_t *out, v128_t low, v128_t high, v128_t top, bool has_top, uint64_t chosen,
                              uint64_t counts, unsigned part)
{
    const v128_t zero = wasm_i8x16_const_splat(0);
    unsigned group = 2 * part;
    chosen >>= 8 * group;
    put32_group(out + place_of(counts, group), low_bytes_of(low, high), low_bytes_of(top, zero), has_top, chosen);
    put32_group(out + place_of(counts, group + 1), high_bytes_of(low, high), high_bytes_of(top, zero), has_top,
                chosen >> 8);
}

ALWAYS_INLINE vec units_of_half(vec low, vec high, unsigned number)
{
    v128_t first_low = low.part[2 * number], first_high = high.part[2 * number];
    v128_t second_low = low.part[2 * number + 1], second_high = high.part[2 * number + 1];
    return (vec){{low_bytes_of(first_low, first_high), high_bytes_of(first_low, first_high),
                  low_bytes_of(second_low, second_high), high_bytes_of(second_low, second_high)}};
}

#include "four_parts.h"
#include "store_tail.h"

ALWAYS_INLINE bool vec_narrow16(uint8_t *out, const uint16_t *units)
{
    v128_t a = load_part((const uint8_t *)units), b = load_part((const uint8_t *)(units + 8));
    if (any_in_both(wasm_v128_or(a, b), wasm_u16x8_const_splat(0xFF80)))
        return false;
    store_part(out, wasm_u8x16_narrow_i16x8(a, b));
    return true;
}

ALWAYS_INLINE bool vec_narrow32(uint8_t *out, const uint32_t *units)
{
    v128_t a = load_part((const uint8_t *)units), b = load_part((const uint8_t *)(units + 4));
    v128_t c = load_part((const uint8_t *)(units + 8)), d = load_part((const uint8_t *)(units + 12));
    v128_t any = wasm_v128_or(wasm_v128_or(a, b), wasm_v128_or(c, d));
    if (any_in_both(any, wasm_u32x4_const_splat(0xFFFFFF80)))
        return false;
    store_part(out, wasm_u8x16_narrow_i16x8(wasm_u16x8_narrow_i32x4(a, b), wasm_u16x8_narrow_i32x4(c, d)));
    return true;
}

typedef uint16_t unit_vec __attribute__((vector_size(16)));
typedef unit_vec half;
typedef uint32_t code_point_vec __attribute__((vector_size(16)));

ALWAYS_INLINE unit_vec units_constant(uint16_t unit)
{
    unit_vec v = (unit_vec)wasm_u16x8_splat(unit);
    __asm__("" : "+r"(v));
    return v;
}

ALWAYS_INLINE half units_half(unit_vec v, unsigned number)
{
    (void)number; /* there is but one */
    return v;
}

ALWAYS_INLINE half units_shuffle(half bytes, const uint8_t *shuffle)
{
    return (half)wasm_i8x16_swizzle((v128_t)bytes, load_part(shuffle));
}

ALWAYS_INLINE half half_before(const uint8_t *bytes, half last)
{
    return (half)wasm_i32x4_shuffle(load_part(bytes), (v128_t)last, 0, 1, 2, 7);
}

ALWAYS_INLINE unit_vec units_low(unit_vec a, unit_vec b)
{
    return (unit_vec)low_units_of((v128_t)a, (v128_t)b);
}

ALWAYS_INLINE unit_vec units_high(unit_vec a, unit_vec b)
{
    return (unit_vec)high_units_of((v128_t)a, (v128_t)b);
}

ALWAYS_INLINE unit_vec units_later(unit_vec before, unit_vec now)
{
    return (unit_vec)wasm_i16x8_shuffle((v128_t)before, (v128_t)now, 7, 8, 9, 10, 11, 12, 13, 14);
}

ALWAYS_INLINE unit_vec units_pack(code_point_vec a, code_point_vec b)
{
    return (unit_vec)wasm_u16x8_narrow_i32x4((v128_t)a, (v128_t)b);
}

ALWAYS_INLINE unit_vec units_bytes(unit_vec a, unit_vec b)
{
    return (unit_vec)wasm_u8x16_narrow_i16x8((v128_t)a, (v128_t)b);
}

ALWAYS_INLINE bool units_any(unit_vec a, unit_vec b)
{
    return any_in_both((v128_t)a, (v128_t)b);
}

ALWAYS_INLINE unit_vec units_select(unit_vec where, unit_vec a, unit_vec b)
{
    return (unit_vec)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)where);
}

ALWAYS_INLINE uint32_t byte_truths(unit_vec a)
{
    return (uint32_t)wasm_i8x16_bitmask((v128_t)a);
}

ALWAYS_INLINE uint32_t unit_truths(unit_vec a)
{
    return byte_truths((unit_vec)wasm_i8x16_narrow_i16x8((v128_t)a, (v128_t)a));
}

#include "encode_shuffle.h"

#undef EACH
#undef EACH_OF_2
#undef EACH_WITH

#endif
