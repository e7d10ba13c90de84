/* SPDX-License-Identifier: MIT
 *
 * vec_sse41.h - the verbs of vec.h for SSE4.1: four registers, truth in the top bit of each byte.
 */
#ifndef ASSAY_SIMD_ISA_VEC_SSE41_H
#define ASSAY_SIMD_ISA_VEC_SSE41_H

#include "compress.h"
#include "load_tail.h"

#include <smmintrin.h>

typedef struct {
    __m128i part[4];
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

ALWAYS_INLINE vec vec_load(const uint8_t *bytes)
{
    return (vec){{load_part(bytes), load_part(bytes + 16), load_part(bytes + 32), load_part(bytes + 48)}};
}

ALWAYS_INLINE __m128i load_piece(const uint8_t *bytes, size_t count, size_t number)
{
    struct piece piece = piece_of(bytes, count, number);
    return _mm_shuffle_epi8(load_part(piece.bytes), load_part(piece.shuffle));
}

ALWAYS_INLINE vec vec_load_part(const uint8_t *bytes, size_t count)
{
    if (count >= PIECE_BYTES)
        return (vec){{load_piece(bytes, count, 0), load_piece(bytes, count, 1), load_piece(bytes, count, 2),
                      load_piece(bytes, count, 3)}};
    struct words words = words_of(bytes, count);
    __m128i zero = _mm_setzero_si128();
    return (vec){{_mm_set_epi64x((long long)words.high, (long long)words.low), zero, zero, zero}};
}

ALWAYS_INLINE __m128i later_part(__m128i part, __m128i before, size_t distance)
{
    return distance == 1   ? _mm_alignr_epi8(part, before, 15)
           : distance == 2 ? _mm_alignr_epi8(part, before, 14)
                           : _mm_alignr_epi8(part, before, 13);
}

ALWAYS_INLINE vec vec_later(vec v, size_t distance)
{
    return (vec){{later_part(v.part[0], _mm_setzero_si128(), distance), later_part(v.part[1], v.part[0], distance),
                  later_part(v.part[2], v.part[1], distance), later_part(v.part[3], v.part[2], distance)}};
}

ALWAYS_INLINE vec vec_fill(uint8_t byte)
{
    __m128i part = fill_part(byte);
    return (vec){{part, part, part, part}};
}

ALWAYS_INLINE vec vec_table(const uint8_t entries[16])
{
    __m128i part = load_part(entries);
    __asm__("" : "+x"(part));
    return (vec){{part, part, part, part}};
}

ALWAYS_INLINE vec vec_hold(vec v)
{
    __asm__("" : "+x"(v.part[0]), "+x"(v.part[1]), "+x"(v.part[2]), "+x"(v.part[3]));
    return v;
}

ALWAYS_INLINE vec vec_constant(uint8_t byte)
{
    __m128i part = fill_part(byte);
    __asm__("" : "+x"(part));
    return (vec){{part, part, part, part}};
}

ALWAYS_INLINE vec vec_and(vec a, vec b)
{
    return EACH_OF_2(_mm_and_si128, a, b);
}

ALWAYS_INLINE vec vec_or(vec a, vec b)
{
    return EACH_OF_2(_mm_or_si128, a, b);
}

ALWAYS_INLINE vec vec_xor(vec a, vec b)
{
    return EACH_OF_2(_mm_xor_si128, a, b);
}

ALWAYS_INLINE vec vec_add(vec a, vec b)
{
    return EACH_OF_2(_mm_add_epi8, a, b);
}

ALWAYS_INLINE vec vec_subtract(vec a, vec b)
{
    return EACH_OF_2(_mm_subs_epu8, a, b);
}

ALWAYS_INLINE vec vec_max(vec a, vec b)
{
    return EACH_OF_2(_mm_max_epu8, a, b);
}

ALWAYS_INLINE vec vec_shift_units(vec v, int distance)
{
    return distance > 0 ? EACH_WITH(_mm_slli_epi16, v, distance) : EACH_WITH(_mm_srli_epi16, v, -distance);
}

/* There are no shifts of bytes; those of units let the neighbour's bits in, and the mask takes them out. */
ALWAYS_INLINE vec vec_shift(vec v, int distance, uint8_t mask, uint8_t flip)
{
    vec kept = vec_and(vec_shift_units(v, distance), vec_fill(mask));
    return flip == 0 ? kept : vec_xor(kept, vec_fill(flip));
}

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

ALWAYS_INLINE truth vec_high(vec v)
{
    return v;
}

ALWAYS_INLINE truth vec_at_least(vec v, uint8_t least)
{
    vec greater = EACH_WITH(_mm_max_epu8, v, fill_part(least));
    return EACH_OF_2(_mm_cmpeq_epi8, greater, v);
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
    return EACH_WITH(_mm_adds_epu8, v, fill_part((uint8_t)(0x80 - least)));
}

ALWAYS_INLINE truth vec_between(vec v, uint8_t first, uint8_t last)
{
    vec distance = EACH_WITH(_mm_sub_epi8, v, fill_part(first));
    vec lesser = EACH_WITH(_mm_min_epu8, distance, fill_part((uint8_t)(last - first)));
    return EACH_OF_2(_mm_cmpeq_epi8, lesser, distance);
}

ALWAYS_INLINE truth vec_is_continuation(vec v)
{
    return EACH_OF_2(_mm_cmpgt_epi8, vec_fill(0xC0), v); /* signed: -128 to -65 */
}

/* Adding 7F carries whatever there is into the top bit. */
ALWAYS_INLINE truth vec_any(vec v, uint8_t bits)
{
    return EACH_WITH(_mm_adds_epu8, vec_and(v, vec_fill(bits)), fill_part(0x7F));
}

ALWAYS_INLINE uint64_t bits_of_part(__m128i part)
{
    return (uint64_t)(uint32_t)_mm_movemask_epi8(part);
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

ALWAYS_INLINE vec vec_select(truth t, vec a, vec b)
{
    return (vec){{_mm_blendv_epi8(b.part[0], a.part[0], t.part[0]), _mm_blendv_epi8(b.part[1], a.part[1], t.part[1]),
                  _mm_blendv_epi8(b.part[2], a.part[2], t.part[2]), _mm_blendv_epi8(b.part[3], a.part[3], t.part[3])}};
}

ALWAYS_INLINE __m128i any_part(vec v)
{
    return _mm_or_si128(_mm_or_si128(v.part[0], v.part[1]), _mm_or_si128(v.part[2], v.part[3]));
}

ALWAYS_INLINE vec vec_keep(truth t, vec v)
{
    return vec_select(t, v, vec_fill(0));
}

ALWAYS_INLINE bool vec_is_ascii(vec v)
{
    return _mm_movemask_epi8(any_part(v)) == 0;
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

ALWAYS_INLINE void vec_store(void *out, vec v)
{
    uint8_t *bytes = out;
    store_part(bytes, v.part[0]);
    store_part(bytes + 16, v.part[1]);
    store_part(bytes + 32, v.part[2]);
    store_part(bytes + 48, v.part[3]);
}

ALWAYS_INLINE vec vec_swap(vec v)
{
    const __m128i swapped = _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    return EACH_WITH(_mm_shuffle_epi8, v, swapped);
}

ALWAYS_INLINE void widen_part(uint32_t *out, __m128i part)
{
    store_part(out, _mm_unpacklo_epi16(part, _mm_setzero_si128()));
    store_part(out + 4, _mm_unpackhi_epi16(part, _mm_setzero_si128()));
}

ALWAYS_INLINE void vec_widen_units(uint32_t *out, vec v)
{
    widen_part(out, v.part[0]);
    widen_part(out + 8, v.part[1]);
    widen_part(out + 16, v.part[2]);
    widen_part(out + 24, v.part[3]);
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

/* Brings the chosen of eight 16-bit units to the front. */
ALWAYS_INLINE __m128i compress_part(__m128i units, uint64_t chosen)
{
    return _mm_shuffle_epi8(units, load_part(compress_shuffles[chosen & 0xFF]));
}

ALWAYS_INLINE void put16_part(uint16_t *out, __m128i low, __m128i high, uint64_t chosen, uint64_t counts, unsigned part)
{
    unsigned group = 2 * part;
    chosen >>= 8 * group;
    store_part(out + place_of(counts, group), compress_part(_mm_unpacklo_epi8(low, high), chosen));
    store_part(out + place_of(counts, group + 1), compress_part(_mm_unpackhi_epi8(low, high), chosen >> 8));
}

ALWAYS_INLINE void put32_group(uint32_t *out, __m128i units, __m128i tops, bool has_top, uint64_t chosen)
{
    units = compress_part(units, chosen);
    tops = has_top ? compress_part(tops, chosen) : _mm_setzero_si128();
    store_part(out, _mm_unpacklo_epi16(units, tops));
    store_part(out + 4, _mm_unpackhi_epi16(units, tops));
}

ALWAYS_INLINE void put32_part(uint32_t *out, __m128i low, __m128i high, __m128i top, bool has_top, uint64_t chosen,
                              uint64_t counts, unsigned part)
{
    const __m128i zero = _mm_setzero_si128();
    unsigned group = 2 * part;
    chosen >>= 8 * group;
    put32_group(out + place_of(counts, group), _mm_unpacklo_epi8(low, high), _mm_unpacklo_epi8(top, zero), has_top,
                chosen);
    put32_group(out + place_of(counts, group + 1), _mm_unpackhi_epi8(low, high), _mm_unpackhi_epi8(top, zero),
                has_top, chosen >> 8);
}

ALWAYS_INLINE vec units_of_half(vec low, vec high, unsigned number)
{
    __m128i first_low = low.part[2 * number], first_high = high.part[2 * number];
    __m128i second_low = low.part[2 * number + 1], second_high = high.part[2 * number + 1];
    return (vec){{_mm_unpacklo_epi8(first_low, first_high), _mm_unpackhi_epi8(first_low, first_high),
                  _mm_unpacklo_epi8(second_low, second_high), _mm_unpackhi_epi8(second_low, second_high)}};
}

#include "four_parts.h"
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

ALWAYS_INLINE uint32_t byte_truths(unit_vec a)
{
    return (uint32_t)_mm_movemask_epi8((__m128i)a);
}

ALWAYS_INLINE uint32_t unit_truths(unit_vec a)
{
    return byte_truths((unit_vec)_mm_packs_epi16((__m128i)a, (__m128i)a));
}

#include "encode_shuffle.h"

#undef EACH
#undef EACH_OF_2
#undef EACH_WITH

#endif
