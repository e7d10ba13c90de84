/* SPDX-License-Identifier: MIT
 *
 * vec_wasm.h - the verbs of vec.h for WebAssembly's vectors of 128 bits: four of them, truth in the top bit of each
 * byte.
 */
#ifndef ASSAY_SIMD_ISA_VEC_WASM_H
#define ASSAY_SIMD_ISA_VEC_WASM_H

#include "compress.h"
#include "load_tail.h"

#include <wasm_simd128.h>

typedef v128_t vec_part;
#define PART_REGISTER "r"

#define and_parts wasm_v128_and
#define or_parts wasm_v128_or
#define xor_parts wasm_v128_xor
#define add_parts wasm_i8x16_add
#define max_parts wasm_u8x16_max
#define min_parts wasm_u8x16_min
#define subtract_parts wasm_u8x16_sub_sat
#define plain_subtract_parts wasm_i8x16_sub
#define add_up_to_ff wasm_u8x16_add_sat
#define equal_parts wasm_i8x16_eq
#define greater_parts wasm_i8x16_gt
#define shift_left_units wasm_i16x8_shl
#define shift_right_units wasm_u16x8_shr
#define shuffle_part wasm_i8x16_swizzle
#define low_bytes_of(a, b) wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define high_bytes_of(a, b) wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define low_units_of(a, b) wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define high_units_of(a, b) wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15)

/* Bytes with the top bit set are negative. */
ALWAYS_INLINE v128_t select_part(v128_t truth, v128_t a, v128_t b)
{
    return wasm_v128_bitselect(a, b, wasm_i8x16_lt(truth, wasm_i8x16_const_splat(0)));
}

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

ALWAYS_INLINE v128_t part_of_words(uint64_t low, uint64_t high)
{
    return wasm_u64x2_make(low, high);
}

ALWAYS_INLINE v128_t later_part(v128_t part, v128_t before, size_t distance)
{
    return distance == 1
               ? wasm_i8x16_shuffle(before, part, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
           : distance == 2
               ? wasm_i8x16_shuffle(before, part, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
               : wasm_i8x16_shuffle(before, part, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28);
}

ALWAYS_INLINE uint64_t bits_of_part(v128_t part)
{
    return (uint64_t)(uint32_t)wasm_i8x16_bitmask(part);
}

#include "four_registers.h"
#include "each_register.h"
#include "top_bit.h"

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

ALWAYS_INLINE bool vec_is_zero(vec v)
{
    return !wasm_v128_any_true(any_part(v));
}

#include "refused_pairs.h"

/* ---- units ---------------------------------------------------------------------------------------- */

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

ALWAYS_INLINE void widen_units_part(uint32_t *out, v128_t part)
{
    store_part(out, wasm_u32x4_extend_low_u16x8(part));
    store_part(out + 4, wasm_u32x4_extend_high_u16x8(part));
}

ALWAYS_INLINE void widen32_part(uint32_t *out, v128_t part)
{
    widen_units_part(out, wasm_u16x8_extend_low_u8x16(part));
    widen_units_part(out + 8, wasm_u16x8_extend_high_u8x16(part));
}

ALWAYS_INLINE v128_t swap_part(v128_t part)
{
    return wasm_i8x16_shuffle(part, part, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
}

ALWAYS_INLINE vec vec_swap(vec v)
{
    return EACH(swap_part, v);
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

#include "four_registers_units.h"
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

ALWAYS_INLINE unit_vec units_least(unit_vec a, unit_vec b)
{
    return (unit_vec)wasm_u16x8_min((v128_t)a, (v128_t)b);
}

ALWAYS_INLINE uint32_t byte_tops(unit_vec a)
{
    return (uint32_t)wasm_i8x16_bitmask((v128_t)a);
}

ALWAYS_INLINE uint32_t low_byte_tops(unit_vec a)
{
    return byte_tops((unit_vec)wasm_u8x16_narrow_i16x8((v128_t)a, (v128_t)a));
}

#include "encode_shuffle.h"

#undef EACH
#undef EACH_OF_2
#undef EACH_OF_3
#undef EACH_WITH

#endif
