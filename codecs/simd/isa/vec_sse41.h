/* SPDX-License-Identifier: MIT
 *
 * vec_sse41.h - the verbs of vec.h for SSE4.1: four registers, truth in the top bit of each byte.
 */
#ifndef ASSAY_SIMD_ISA_VEC_SSE41_H
#define ASSAY_SIMD_ISA_VEC_SSE41_H

#include "compress.h"
#include "load_tail.h"

#include <smmintrin.h>

typedef __m128i vec_part;
#define PART_REGISTER "x"

#define and_parts _mm_and_si128
#define or_parts _mm_or_si128
#define xor_parts _mm_xor_si128
#define add_parts _mm_add_epi8
#define max_parts _mm_max_epu8
#define min_parts _mm_min_epu8
#define subtract_parts _mm_subs_epu8
#define plain_subtract_parts _mm_sub_epi8
#define add_up_to_ff _mm_adds_epu8
#define equal_parts _mm_cmpeq_epi8
#define greater_parts _mm_cmpgt_epi8
#define shift_left_units _mm_slli_epi16
#define shift_right_units _mm_srli_epi16
#define shuffle_part _mm_shuffle_epi8
#define select_part(truth, a, b) _mm_blendv_epi8(b, a, truth)
#define low_bytes_of _mm_unpacklo_epi8
#define high_bytes_of _mm_unpackhi_epi8
#define low_units_of _mm_unpacklo_epi16
#define high_units_of _mm_unpackhi_epi16

ALWAYS_INLINE __m128i fill_part(uint8_t byte)
{
    return _mm_set1_epi8((char)byte);
}

ALWAYS_INLINE __m128i load_part(const uint8_t *bytes)
{
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

ALWAYS_INLINE void store_part(void *out, __m128i part)
{
    _mm_storeu_si128((__m128i *)out, part);
}

ALWAYS_INLINE __m128i part_of_words(uint64_t low, uint64_t high)
{
    return _mm_set_epi64x((long long)high, (long long)low);
}

ALWAYS_INLINE __m128i later_part(__m128i part, __m128i before, size_t distance)
{
    return distance == 1   ? _mm_alignr_epi8(part, before, 15)
           : distance == 2 ? _mm_alignr_epi8(part, before, 14)
                           : _mm_alignr_epi8(part, before, 13);
}

ALWAYS_INLINE uint64_t bits_of_part(__m128i part)
{
    return (uint64_t)(uint32_t)_mm_movemask_epi8(part);
}

#include "four_registers.h"
#include "each_register.h"
#include "top_bit.h"

ALWAYS_INLINE vec vec_lookup_ascii(vec table, vec v)
{
    return EACH_OF_2(_mm_shuffle_epi8, table, v);
}

ALWAYS_INLINE vec vec_lookup_low(vec table, vec v)
{
    return vec_lookup_ascii(table, vec_and(v, vec_fill(0x0F)));
}

ALWAYS_INLINE vec vec_lookup_high(vec table, vec v)
{
    return vec_lookup_low(table, EACH_WITH(_mm_srli_epi16, v, 4));
}

ALWAYS_INLINE uint64_t vec_bits(truth t)
{
    return bits_of_part(t.part[0]) | bits_of_part(t.part[1]) << 16 | bits_of_part(t.part[2]) << 32 |
           bits_of_part(t.part[3]) << 48;
}

/* Each byte looks at its own bit of the mask. */
ALWAYS_INLINE __m128i truth_of_part(uint64_t bits)
{
    const __m128i which_byte = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    const __m128i which_bit = _mm_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    __m128i spread = _mm_shuffle_epi8(_mm_cvtsi32_si128((int)(uint32_t)(bits & 0xFFFF)), which_byte);
    return _mm_cmpeq_epi8(_mm_and_si128(spread, which_bit), which_bit);
}

ALWAYS_INLINE bool vec_is_zero(vec v)
{
    __m128i any = any_part(v);
    return _mm_testz_si128(any, any) != 0;
}

#include "refused_pairs.h"

/* ---- units ---------------------------------------------------------------------------------------- */

ALWAYS_INLINE void widen16_part(uint16_t *out, __m128i part)
{
    store_part(out, _mm_unpacklo_epi8(part, _mm_setzero_si128()));
    store_part(out + 8, _mm_unpackhi_epi8(part, _mm_setzero_si128()));
}

ALWAYS_INLINE void widen32_part(uint32_t *out, __m128i part)
{
    store_part(out, _mm_cvtepu8_epi32(part));
    store_part(out + 4, _mm_cvtepu8_epi32(_mm_srli_si128(part, 4)));
    store_part(out + 8, _mm_cvtepu8_epi32(_mm_srli_si128(part, 8)));
    store_part(out + 12, _mm_cvtepu8_epi32(_mm_srli_si128(part, 12)));
}

ALWAYS_INLINE vec vec_swap(vec v)
{
    const __m128i swapped = _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    return EACH_WITH(_mm_shuffle_epi8, v, swapped);
}

ALWAYS_INLINE void widen_units_part(uint32_t *out, __m128i part)
{
    store_part(out, _mm_unpacklo_epi16(part, _mm_setzero_si128()));
    store_part(out + 4, _mm_unpackhi_epi16(part, _mm_setzero_si128()));
}

/* Packs eight, and gathers their bits. */
ALWAYS_INLINE __m128i narrow_part(const uint32_t *units, __m128i *bits)
{
    __m128i low = load_part((const uint8_t *)units), high = load_part((const uint8_t *)(units + 4));
    *bits = _mm_or_si128(*bits, _mm_or_si128(low, high));
    return _mm_packus_epi32(low, high);
}

ALWAYS_INLINE bool vec_narrow_units(vec *v, const uint32_t *units)
{
    __m128i bits = _mm_setzero_si128();
    *v = (vec){{narrow_part(units, &bits), narrow_part(units + 8, &bits), narrow_part(units + 16, &bits),
                narrow_part(units + 24, &bits)}};
    return _mm_testz_si128(bits, _mm_set1_epi32((int)0xFFFF0000)) != 0;
}

#include "four_registers_units.h"
#include "store_tail.h"

ALWAYS_INLINE bool vec_narrow16(uint8_t *out, const uint16_t *units)
{
    __m128i a = load_part((const uint8_t *)units), b = load_part((const uint8_t *)(units + 8));
    if (!_mm_testz_si128(_mm_or_si128(a, b), _mm_set1_epi16((short)0xFF80)))
        return false;
    store_part(out, _mm_packus_epi16(a, b));
    return true;
}

ALWAYS_INLINE bool vec_narrow32(uint8_t *out, const uint32_t *units)
{
    __m128i a = load_part((const uint8_t *)units), b = load_part((const uint8_t *)(units + 4));
    __m128i c = load_part((const uint8_t *)(units + 8)), d = load_part((const uint8_t *)(units + 12));
    __m128i any = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
    if (!_mm_testz_si128(any, _mm_set1_epi32((int)0xFFFFFF80)))
        return false;
    store_part(out, _mm_packus_epi16(_mm_packus_epi32(a, b), _mm_packus_epi32(c, d)));
    return true;
}

typedef uint16_t unit_vec __attribute__((vector_size(16)));
typedef unit_vec half;
typedef uint32_t code_point_vec __attribute__((vector_size(16)));

ALWAYS_INLINE unit_vec units_constant(uint16_t unit)
{
    unit_vec v = (unit_vec)_mm_set1_epi16((short)unit);
    __asm__("" : "+x"(v));
    return v;
}

ALWAYS_INLINE half units_half(unit_vec v, unsigned number)
{
    (void)number; /* there is but one */
    return v;
}

ALWAYS_INLINE half units_shuffle(half bytes, const uint8_t *shuffle)
{
    return (half)_mm_shuffle_epi8((__m128i)bytes, _mm_load_si128((const __m128i *)(const void *)shuffle));
}

ALWAYS_INLINE half half_before(const uint8_t *bytes, half last)
{
    return (half)_mm_blend_epi16(_mm_loadu_si128((const __m128i *)(const void *)bytes), (__m128i)last, 0xC0);
}

ALWAYS_INLINE unit_vec units_low(unit_vec a, unit_vec b)
{
    return (unit_vec)_mm_unpacklo_epi16((__m128i)a, (__m128i)b);
}

ALWAYS_INLINE unit_vec units_high(unit_vec a, unit_vec b)
{
    return (unit_vec)_mm_unpackhi_epi16((__m128i)a, (__m128i)b);
}

ALWAYS_INLINE unit_vec units_later(unit_vec before, unit_vec now)
{
    return (unit_vec)_mm_alignr_epi8((__m128i)now, (__m128i)before, 14);
}

ALWAYS_INLINE unit_vec units_pack(code_point_vec a, code_point_vec b)
{
    return (unit_vec)_mm_packus_epi32((__m128i)a, (__m128i)b);
}

ALWAYS_INLINE unit_vec units_bytes(unit_vec a, unit_vec b)
{
    return (unit_vec)_mm_packus_epi16((__m128i)a, (__m128i)b);
}

ALWAYS_INLINE bool units_any(unit_vec a, unit_vec b)
{
    return !_mm_testz_si128((__m128i)a, (__m128i)b);
}

ALWAYS_INLINE unit_vec units_select(unit_vec where, unit_vec a, unit_vec b)
{
    return (unit_vec)_mm_blendv_epi8((__m128i)b, (__m128i)a, (__m128i)where);
}

ALWAYS_INLINE unit_vec units_least(unit_vec a, unit_vec b)
{
    return (unit_vec)_mm_min_epu16((__m128i)a, (__m128i)b);
}

ALWAYS_INLINE uint32_t byte_tops(unit_vec a)
{
    return (uint32_t)_mm_movemask_epi8((__m128i)a);
}

ALWAYS_INLINE uint32_t low_byte_tops(unit_vec a)
{
    return byte_tops((unit_vec)_mm_packus_epi16((__m128i)a, (__m128i)a));
}

#include "encode_shuffle.h"

#undef EACH
#undef EACH_OF_2
#undef EACH_OF_3
#undef EACH_WITH

#endif
