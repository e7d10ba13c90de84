/* SPDX-License-Identifier: MIT
 *
 * vec_avx512.h - the verbs of vec.h for AVX-512 with BW, VBMI and VBMI2: one register, truth in a mask register.
 */
#ifndef ASSAY_SIMD_VEC_AVX512_H
#define ASSAY_SIMD_VEC_AVX512_H

#include "vec.h"

#include <immintrin.h>

typedef __m512i vec;
typedef __mmask64 truth;

/* 0, 1, 2 to 63. */
ALWAYS_INLINE __m512i byte_numbers(void)
{
    static const uint8_t numbers[VEC_BYTES] __attribute__((aligned(VEC_BYTES))) = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    return _mm512_load_si512(numbers);
}

ALWAYS_INLINE vec vec_load(const uint8_t *bytes)
{
    return _mm512_loadu_si512(bytes);
}

/* A byte that is masked off is not read. But where it lies in a page that cannot be read, finding that out takes a
 * hundred times as long as the load: near the end of a page, load what ends at the last byte, and move it down. */
ALWAYS_INLINE vec vec_load_part(const uint8_t *bytes, size_t count)
{
    enum { PAGE = 4096 };
    if (__builtin_expect(((uintptr_t)bytes & (PAGE - 1)) <= PAGE - VEC_BYTES, true))
        return _mm512_maskz_loadu_epi8(first_bits(count), bytes);
    __m512i index = _mm512_add_epi8(byte_numbers(), _mm512_set1_epi8((char)(VEC_BYTES - count)));
    __m512i loaded = _mm512_maskz_loadu_epi8(~first_bits(VEC_BYTES - count), bytes + count - VEC_BYTES);
    return _mm512_maskz_permutexvar_epi8(first_bits(count), index, loaded);
}

ALWAYS_INLINE vec vec_later(vec v, size_t distance)
{
    __m512i index = _mm512_sub_epi8(byte_numbers(), _mm512_set1_epi8((char)distance));
    return _mm512_maskz_permutexvar_epi8(~first_bits(distance), index, v);
}

ALWAYS_INLINE vec vec_fill(uint8_t byte)
{
    return _mm512_set1_epi8((char)byte);
}

ALWAYS_INLINE vec vec_table(const uint8_t entries[16])
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)entries));
}

ALWAYS_INLINE vec vec_and(vec a, vec b)
{
    return _mm512_and_si512(a, b);
}

ALWAYS_INLINE vec vec_or(vec a, vec b)
{
    return _mm512_or_si512(a, b);
}

ALWAYS_INLINE vec vec_xor(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}

ALWAYS_INLINE vec vec_add(vec a, vec b)
{
    return _mm512_add_epi8(a, b);
}

ALWAYS_INLINE vec vec_subtract(vec a, vec b)
{
    return _mm512_subs_epu8(a, b);
}

ALWAYS_INLINE vec vec_merge(uint8_t mask, vec a, vec b)
{
    return _mm512_ternarylogic_epi32(vec_fill(mask), a, b, 0xCA);
}

/* There are no shifts of bytes; those of 16 bits let the neighbour's bits in. The distance has to be a constant
 * where the compiler reads it, also when it does not optimise. */
ALWAYS_INLINE vec vec_left(vec v, int distance)
{
    return distance == 2   ? _mm512_slli_epi16(v, 2)
           : distance == 4 ? _mm512_slli_epi16(v, 4)
                           : _mm512_slli_epi16(v, 6);
}

ALWAYS_INLINE vec vec_right(vec v, int distance)
{
    return distance == 2 ? _mm512_srli_epi16(v, 2) : _mm512_srli_epi16(v, 4);
}

/* This permutation takes the low six bits of an index, and the table repeats: higher bits need no masking. */
ALWAYS_INLINE vec vec_lookup_low(vec table, vec v)
{
    return _mm512_permutexvar_epi8(v, table);
}

ALWAYS_INLINE vec vec_lookup_high(vec table, vec v)
{
    return _mm512_permutexvar_epi8(vec_right(v, 4), table);
}

ALWAYS_INLINE truth vec_high(vec v)
{
    return _mm512_movepi8_mask(v);
}

ALWAYS_INLINE truth vec_at_least(vec v, uint8_t least)
{
    return _mm512_cmpge_epu8_mask(v, vec_fill(least));
}

ALWAYS_INLINE truth vec_between(vec v, uint8_t first, uint8_t last)
{
    return _mm512_cmple_epu8_mask(_mm512_sub_epi8(v, vec_fill(first)), vec_fill((uint8_t)(last - first)));
}

ALWAYS_INLINE truth vec_any(vec v, uint8_t bits)
{
    return _mm512_test_epi8_mask(v, vec_fill(bits));
}

ALWAYS_INLINE uint64_t vec_bits(truth t)
{
    return t;
}

ALWAYS_INLINE truth vec_truth(uint64_t bits)
{
    return bits;
}

ALWAYS_INLINE vec vec_select(truth t, vec a, vec b)
{
    return _mm512_mask_blend_epi8(t, b, a);
}

ALWAYS_INLINE bool vec_is_ascii(vec v)
{
    return _mm512_movepi8_mask(v) == 0;
}

ALWAYS_INLINE bool vec_is_zero(vec v)
{
    return _mm512_test_epi8_mask(v, v) == 0;
}

/* ---- units ---------------------------------------------------------------------------------------- */

ALWAYS_INLINE void vec_widen16(uint16_t *out, vec v)
{
    _mm512_storeu_si512(out, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(v)));
    _mm512_storeu_si512(out + 32, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(v, 1)));
}

ALWAYS_INLINE void vec_widen32(uint32_t *out, vec v)
{
    _mm512_storeu_si512(out, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(v)));
    _mm512_storeu_si512(out + 16, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(v, 1)));
    _mm512_storeu_si512(out + 32, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(v, 2)));
    _mm512_storeu_si512(out + 48, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(v, 3)));
}

/* The chosen bytes of a plane at the front, in an order that makes up for unpacking by lanes: quarter k of the first
 * half at the bottom of lane k, that of the second half at its top. */
ALWAYS_INLINE vec compress_plane(vec plane, uint64_t chosen)
{
    const __m512i lanes = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    return _mm512_permutexvar_epi64(lanes, _mm512_maskz_compress_epi8(chosen, plane));
}

ALWAYS_INLINE void vec_put16(uint16_t *out, vec low, vec high, uint64_t chosen)
{
    low = compress_plane(low, chosen);
    high = compress_plane(high, chosen);
    _mm512_storeu_si512(out, _mm512_unpacklo_epi8(low, high));
    _mm512_storeu_si512(out + 32, _mm512_unpackhi_epi8(low, high));
}

ALWAYS_INLINE void put32_half(uint32_t *out, __m512i units, __m512i tops, bool has_top)
{
    __m512i first = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(units));
    __m512i second = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(units, 1));
    if (has_top) {
        first = _mm512_or_si512(first, _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(tops)), 16));
        second = _mm512_or_si512(second,
                                 _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(tops, 1)), 16));
    }
    _mm512_storeu_si512(out, first);
    _mm512_storeu_si512(out + 16, second);
}

ALWAYS_INLINE void vec_put32(uint32_t *out, vec low, vec high, vec top, bool has_top, uint64_t chosen)
{
    const __m512i zero = _mm512_setzero_si512();
    low = compress_plane(low, chosen);
    high = compress_plane(high, chosen);
    if (has_top)
        top = compress_plane(top, chosen);
    put32_half(out, _mm512_unpacklo_epi8(low, high), _mm512_unpacklo_epi8(top, zero), has_top);
    put32_half(out + 32, _mm512_unpackhi_epi8(low, high), _mm512_unpackhi_epi8(top, zero), has_top);
}

ALWAYS_INLINE bool vec_narrow16(uint8_t *out, const uint16_t *units)
{
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)units);
    if (!_mm256_testz_si256(v, _mm256_set1_epi16((short)0xFF80)))
        return false;
    _mm_storeu_si128((__m128i *)(void *)out, _mm256_cvtepi16_epi8(v));
    return true;
}

ALWAYS_INLINE bool vec_narrow32(uint8_t *out, const uint32_t *units)
{
    __m512i v = _mm512_loadu_si512(units);
    if (_mm512_test_epi32_mask(v, _mm512_set1_epi32((int)0xFFFFFF80)) != 0)
        return false;
    _mm_storeu_si128((__m128i *)(void *)out, _mm512_cvtepi32_epi8(v));
    return true;
}

#endif
