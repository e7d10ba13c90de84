/* SPDX-License-Identifier: MIT
 *
 * vec_avx2.h - the verbs of vec.h for AVX2: two registers, truth in the top bit of each byte.
 */
#ifndef ASSAY_SIMD_ISA_VEC_AVX2_H
#define ASSAY_SIMD_ISA_VEC_AVX2_H

#include "compress.h"
#include "every_byte.h"
#include "../tables/decode_shuffles.h"
#include "load_tail.h"

#include <immintrin.h>

typedef struct {
    __m256i part[2];
} vec;
typedef vec truth;

enum { VEC_BLOCKS_AT_ONCE = 1 };
#define VEC_PROSE_BY_HALVES
enum { WORDS = VEC_BYTES / sizeof(uint32_t) };
#define ALL_BITS UINT32_MAX

#include "window.h"

/* An operation on each part: of two and three vectors, and of a vector with an operand that is the same for both
 * parts. */
#define EACH_OF_2(f, a, b) ((vec){{f((a).part[0], (b).part[0]), f((a).part[1], (b).part[1])}})
#define EACH_OF_3(f, a, b, c) \
    ((vec){{f((a).part[0], (b).part[0], (c).part[0]), f((a).part[1], (b).part[1], (c).part[1])}})
#define EACH_WITH(f, a, x) ((vec){{f((a).part[0], x), f((a).part[1], x)}})

#define and_parts _mm256_and_si256
#define or_parts _mm256_or_si256
#define xor_parts _mm256_xor_si256
#define add_parts _mm256_add_epi8
#define max_parts _mm256_max_epu8
#define min_parts _mm256_min_epu8
#define subtract_parts _mm256_subs_epu8
#define plain_subtract_parts _mm256_sub_epi8
#define add_up_to_ff _mm256_adds_epu8
#define equal_parts _mm256_cmpeq_epi8
#define greater_parts _mm256_cmpgt_epi8
#define shift_left_units _mm256_slli_epi16
#define shift_right_units _mm256_srli_epi16
#define select_part(truth, a, b) _mm256_blendv_epi8(b, a, truth)

ALWAYS_INLINE __m256i fill_part(uint8_t byte)
{
#ifdef CONSTANTS_ARE_LOADED
    if (__builtin_constant_p(byte) && byte != 0 && byte != 0xFF) {
        __m256i constant;
        LOAD_CONSTANT(constant, byte);
        return constant;
    }
#endif
    return _mm256_set1_epi8((char)byte);
}

ALWAYS_INLINE __m256i load_part(const void *bytes)
{
    return _mm256_loadu_si256((const __m256i *)bytes);
}

ALWAYS_INLINE void store_part(void *out, __m256i part)
{
    _mm256_storeu_si256((__m256i *)out, part);
}

ALWAYS_INLINE void store_half(void *out, __m128i half)
{
    _mm_storeu_si128((__m128i *)out, half);
}

ALWAYS_INLINE vec vec_load(const uint8_t *bytes)
{
    return (vec){{load_part(bytes), load_part(bytes + 32)}};
}

/* Masks: of the first n of 16 words of 32 bits, from word 16 - n on; of word n, from word 16 - n on. */
static const uint32_t mask_of_first[2 * WORDS] = {ALL_BITS, ALL_BITS, ALL_BITS, ALL_BITS, ALL_BITS, ALL_BITS,
                                                  ALL_BITS, ALL_BITS, ALL_BITS, ALL_BITS, ALL_BITS, ALL_BITS,
                                                  ALL_BITS, ALL_BITS, ALL_BITS, ALL_BITS};
static const uint32_t mask_of_one[2 * WORDS + 1] = {[WORDS] = ALL_BITS};

/* By the bytes of a word that are kept: how far it is shifted. */
static const uint32_t shift_of_rest[sizeof(uint32_t)] = {32, 24, 16, 8};

ALWAYS_INLINE __m256i fill_word(const void *address)
{
    uint32_t word;
    memcpy(&word, address, sizeof word);
    return _mm256_set1_epi32((int)word);
}

/* At least four bytes: whole words by masked loads, then the last word of the input, of which only the bytes that are
 * not in a whole word are kept. A word that is masked off is not read; where it lies in a page that is not there,
 * finding that out takes 100 ns or more, but after input that page is nearly always there. */
ALWAYS_INLINE vec load_words(const uint8_t *bytes, size_t count)
{
    size_t whole = count / sizeof(uint32_t);
    const uint32_t *first = mask_of_first + WORDS - whole, *one = mask_of_one + WORDS - whole;
    const int *words = (const int *)(const void *)bytes;
    __m256i last = _mm256_srlv_epi32(fill_word(bytes + count - sizeof(uint32_t)),
                                     fill_word(shift_of_rest + count % sizeof(uint32_t)));
    __m256i low = _mm256_maskload_epi32(words, load_part(first));
    __m256i high = _mm256_maskload_epi32(words + WORDS / 2, load_part(first + WORDS / 2));
    return (vec){{_mm256_or_si256(low, _mm256_and_si256(last, load_part(one))),
                  _mm256_or_si256(high, _mm256_and_si256(last, load_part(one + WORDS / 2)))}};
}

ALWAYS_INLINE vec vec_load_part(const uint8_t *bytes, size_t count)
{
    ASSUME(count <= VEC_BYTES);
#ifdef SANITIZES /* sanitizers do not see what a masked load reads */
    uint8_t copy[VEC_BYTES] = {0};
    memcpy(copy, bytes, count);
    return vec_load(copy);
#else
    if (count >= sizeof(uint32_t))
        return load_words(bytes, count);
    return (vec){{_mm256_set_epi64x(0, 0, 0, (long long)words_of(bytes, count).low), _mm256_setzero_si256()}};
#endif
}

/* Shifting works on halves: `half_before` has, for each of them, the one before it. */
ALWAYS_INLINE __m256i later_part(__m256i part, __m256i half_before, size_t distance)
{
    return distance == 1   ? _mm256_alignr_epi8(part, half_before, 15)
           : distance == 2 ? _mm256_alignr_epi8(part, half_before, 14)
                           : _mm256_alignr_epi8(part, half_before, 13);
}

ALWAYS_INLINE vec vec_later(vec v, size_t distance)
{
    __m256i before_first = _mm256_permute2x128_si256(v.part[0], v.part[0], 0x08);
    __m256i before_second = _mm256_permute2x128_si256(v.part[0], v.part[1], 0x21);
    return (vec){{later_part(v.part[0], before_first, distance), later_part(v.part[1], before_second, distance)}};
}

ALWAYS_INLINE struct window vec_window(vec now, const uint8_t *bytes, size_t count)
{
    (void)bytes, (void)count;
    return (struct window){now, vec_later(now, 1), vec_later(now, 2), vec_later(now, 3)};
}

ALWAYS_INLINE vec vec_fill(uint8_t byte)
{
    return (vec){{fill_part(byte), fill_part(byte)}};
}

ALWAYS_INLINE vec vec_table(const uint8_t entries[16])
{
#ifdef CONSTANTS_ARE_LOADED
    __m256i part;
    __asm__("vbroadcasti128 %1, %0" : "=x"(part) : "m"(*(const __m128i *)(const void *)entries));
#else
    __m256i part = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)entries));
    __asm__("" : "+x"(part));
#endif
    return (vec){{part, part}};
}

ALWAYS_INLINE vec vec_hold(vec v)
{
    __asm__("" : "+x"(v.part[0]), "+x"(v.part[1]));
    return v;
}

ALWAYS_INLINE vec vec_constant(uint8_t byte)
{
    __m256i part = fill_part(byte);
    __asm__("" : "+x"(part));
    return (vec){{part, part}};
}

ALWAYS_INLINE uint64_t bits_of_part(__m256i part)
{
    return (uint32_t)_mm256_movemask_epi8(part);
}

ALWAYS_INLINE __m256i any_part(vec v)
{
    return _mm256_or_si256(v.part[0], v.part[1]);
}

#include "each_register.h"
#include "top_bit.h"

ALWAYS_INLINE vec vec_lookup_ascii(vec table, vec v)
{
    return EACH_OF_2(_mm256_shuffle_epi8, table, v);
}

ALWAYS_INLINE vec vec_lookup_low(vec table, vec v)
{
    return vec_lookup_ascii(table, vec_and(v, vec_fill(0x0F)));
}

ALWAYS_INLINE vec vec_lookup_high(vec table, vec v)
{
    return vec_lookup_low(table, EACH_WITH(_mm256_srli_epi16, v, 4));
}

ALWAYS_INLINE uint64_t vec_bits(truth t)
{
    return bits_of_part(t.part[0]) | bits_of_part(t.part[1]) << 32;
}

/* Each half by itself: to bring them together takes longer. */
ALWAYS_INLINE void vec_store_bits(uint64_t *to, truth t)
{
    for (size_t i = 0; i < 2; i++) {
        uint32_t bits = (uint32_t)_mm256_movemask_epi8(t.part[i]);
        memcpy((uint8_t *)to + i * sizeof bits, &bits, sizeof bits);
    }
}

/* Each byte looks at its own bit of the mask. */
ALWAYS_INLINE __m256i truth_of_part(uint32_t bits)
{
    const __m256i which_byte = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2,
                                                3, 3, 3, 3, 3, 3, 3, 3);
    const __m256i which_bit = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), which_byte);
    return _mm256_cmpeq_epi8(_mm256_and_si256(spread, which_bit), which_bit);
}

ALWAYS_INLINE truth vec_truth(uint64_t bits)
{
    return (vec){{truth_of_part((uint32_t)bits), truth_of_part((uint32_t)(bits >> 32))}};
}

ALWAYS_INLINE bool vec_is_zero(vec v)
{
    __m256i any = any_part(v);
    return _mm256_testz_si256(any, any) != 0;
}

ALWAYS_INLINE bool vec_neither(truth a, truth b)
{
    return vec_is_ascii(vec_or(a, b));
}

#include "refused_pairs.h"

/* ---- units ---------------------------------------------------------------------------------------- */

ALWAYS_INLINE __m128i low_half(__m256i part)
{
    return _mm256_castsi256_si128(part);
}

ALWAYS_INLINE __m128i high_half(__m256i part)
{
    return _mm256_extracti128_si256(part, 1);
}

ALWAYS_INLINE void vec_widen16(uint16_t *out, vec v)
{
    store_part(out, _mm256_cvtepu8_epi16(low_half(v.part[0])));
    store_part(out + 16, _mm256_cvtepu8_epi16(high_half(v.part[0])));
    keep_store_order();
    store_part(out + 32, _mm256_cvtepu8_epi16(low_half(v.part[1])));
    store_part(out + 48, _mm256_cvtepu8_epi16(high_half(v.part[1])));
}

ALWAYS_INLINE void widen32_half(uint32_t *out, __m128i half)
{
    store_part(out, _mm256_cvtepu8_epi32(half));
    store_part(out + 8, _mm256_cvtepu8_epi32(_mm_srli_si128(half, 8)));
}

ALWAYS_INLINE void vec_widen32(uint32_t *out, vec v)
{
    widen32_half(out, low_half(v.part[0]));
    keep_store_order();
    widen32_half(out + 16, high_half(v.part[0]));
    keep_store_order();
    widen32_half(out + 32, low_half(v.part[1]));
    keep_store_order();
    widen32_half(out + 48, high_half(v.part[1]));
}

ALWAYS_INLINE void vec_store(void *out, vec v)
{
    store_part(out, v.part[0]);
    store_part((uint8_t *)out + 32, v.part[1]);
}

ALWAYS_INLINE vec vec_swap(vec v)
{
    const __m256i swapped = _mm256_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 1, 0, 3, 2, 5, 4, 7,
                                             6, 9, 8, 11, 10, 13, 12, 15, 14);
    return EACH_WITH(_mm256_shuffle_epi8, v, swapped);
}

ALWAYS_INLINE void widen_part(uint32_t *out, __m256i part)
{
    store_part(out, _mm256_cvtepu16_epi32(low_half(part)));
    store_part(out + 8, _mm256_cvtepu16_epi32(high_half(part)));
}

ALWAYS_INLINE void vec_widen_units(uint32_t *out, vec v)
{
    widen_part(out, v.part[0]);
    widen_part(out + 16, v.part[1]);
}

/* Packs sixteen, and gathers their bits. Packing works on halves. */
ALWAYS_INLINE __m256i narrow_part(const uint32_t *units, __m256i *bits)
{
    __m256i low = load_part(units), high = load_part(units + 8);
    *bits = _mm256_or_si256(*bits, _mm256_or_si256(low, high));
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xD8);
}

ALWAYS_INLINE bool vec_narrow_units(vec *v, const uint32_t *units)
{
    __m256i bits = _mm256_setzero_si256();
    *v = (vec){{narrow_part(units, &bits), narrow_part(units + 16, &bits)}};
    return _mm256_testz_si256(bits, _mm256_set1_epi32((int)0xFFFF0000)) != 0;
}

/* Returns the offset in bytes, in a table of rows of 32 bytes, of the row for the `count` bits from bit `from` on. */
ALWAYS_INLINE size_t wide_row_of(uint64_t bits, unsigned from, unsigned count)
{
    unsigned left = (69 - from) % 64;
    uint64_t rotated = bits << left | bits >> (64 - left);
    __asm__("" : "+r"(rotated)); /* as in row_of() */
    return (size_t)(rotated & (((uint64_t)1 << count) - 1) << 5);
}

ALWAYS_INLINE __m128i shuffle_at(size_t row)
{
    return _mm_load_si128((const __m128i *)(const void *)((const uint8_t *)compress_shuffles + row));
}

/* Writes the chosen ones of eight units, and returns where the next go. */
ALWAYS_INLINE uint16_t *put16_group(uint16_t *out, __m128i units, size_t row)
{
    store_half(out, _mm_shuffle_epi8(units, shuffle_at(row)));
    return out + count_bits(row);
}

/* Unpacking works on halves: `even` has the units of groups 0 and 2 of this part, `odd` those of 1 and 3. */
ALWAYS_INLINE uint16_t *put16_part(uint16_t *out, __m256i low, __m256i high, uint64_t chosen, unsigned group)
{
    __m256i even = _mm256_unpacklo_epi8(low, high), odd = _mm256_unpackhi_epi8(low, high);
    out = put16_group(out, low_half(even), row_of(chosen, group));
    out = put16_group(out, low_half(odd), row_of(chosen, group + 1));
    out = put16_group(out, high_half(even), row_of(chosen, group + 2));
    return put16_group(out, high_half(odd), row_of(chosen, group + 3));
}

/* `chosen` is held so that compilers do not join the rows of two such places, and keep them in memory. */
ALWAYS_INLINE void vec_put16(uint16_t *out, vec low, vec high, uint64_t chosen)
{
    __asm__("" : "+r"(chosen));
    out = put16_part(out, low.part[0], high.part[0], chosen, 0);
    put16_part(out, low.part[1], high.part[1], chosen, 4);
}

/* The same for lanes of 32 bits, of units that both halves have. */
ALWAYS_INLINE uint32_t *put32_group(uint32_t *out, __m256i units, __m256i tops, bool has_top, size_t row)
{
    __m256i shuffle = _mm256_load_si256((const __m256i *)(const void *)((const uint8_t *)spread_shuffles + row));
    __m256i wide = _mm256_shuffle_epi8(units, shuffle);
    if (has_top)
        wide = _mm256_or_si256(wide, _mm256_slli_epi32(_mm256_shuffle_epi8(tops, shuffle), 16));
    store_part(out, wide);
    return out + count_bits(row);
}

/* Puts one half into both. The copy is so that clang does not make one vpermq of it, which takes longer. */
ALWAYS_INLINE __m256i twice(__m256i part, unsigned number)
{
    __m256i copy = part;
    __asm__("" : "+x"(copy));
    return number == 0 ? _mm256_permute2x128_si256(part, copy, 0x20) : _mm256_permute2x128_si256(part, copy, 0x31);
}

ALWAYS_INLINE uint32_t *put32_part(uint32_t *out, __m256i low, __m256i high, __m256i top, bool has_top, uint64_t chosen,
                                   unsigned group)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i even = _mm256_unpacklo_epi8(low, high), odd = _mm256_unpackhi_epi8(low, high);
    __m256i even_top = _mm256_unpacklo_epi8(top, zero), odd_top = _mm256_unpackhi_epi8(top, zero);
#pragma GCC unroll 2
    for (unsigned half = 0; half < 2; half++, group += 2) {
        out = put32_group(out, twice(even, half), twice(even_top, half), has_top, wide_row_of(chosen, 8 * group, 8));
        out = put32_group(out, twice(odd, half), twice(odd_top, half), has_top, wide_row_of(chosen, 8 * group + 8, 8));
    }
    return out;
}

ALWAYS_INLINE void vec_put32(uint32_t *out, vec low, vec high, vec top, bool has_top, uint64_t chosen)
{
    __asm__("" : "+r"(chosen));
    out = put32_part(out, low.part[0], high.part[0], top.part[0], has_top, chosen, 0);
    put32_part(out, low.part[1], high.part[1], top.part[1], has_top, chosen, 4);
}

#define VEC_CHARACTERS

/* The constants that make a code point of a character's bytes in a lane of 32 bits, the last byte lowest. `payload`
 * keeps six bits of each byte (seven of the last one), `of_bytes` joins them two by two, and `of_pairs` joins the two
 * pairs. The mark of a lead comes into bits 16 to 23: 02 of a lead of three, C0 of a lead of four, above the bits of
 * the code point there. A saturating subtraction of C0 (`marks`) removes the mark and keeps these bits. */
struct weights {
    __m256i payload, of_bytes, of_pairs, marks;
};

ALWAYS_INLINE struct weights vec_weights(void)
{
    struct weights weights = {_mm256_set1_epi32(0x3F3F3F7F), _mm256_set1_epi16(1 | 1 << 6 << 8),
                              _mm256_set1_epi32(1 | 1 << 12 << 16), _mm256_set1_epi32(0x00C00000)};
    __asm__("" : "+x"(weights.payload), "+x"(weights.of_bytes), "+x"(weights.of_pairs), "+x"(weights.marks));
    return weights;
}

/* The characters that end in eight bytes. */
ALWAYS_INLINE void put_characters_group(uint32_t *out, const struct weights *weights, const uint8_t *bytes, size_t row)
{
    const __m256i *shuffle = (const __m256i *)(const void *)((const uint8_t *)decode_shuffles + row);
    __m256i window = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(bytes - 8)));
    __m256i lanes = _mm256_and_si256(_mm256_shuffle_epi8(window, _mm256_load_si256(shuffle)), weights->payload);
    __m256i sums = _mm256_madd_epi16(_mm256_maddubs_epi16(lanes, weights->of_bytes), weights->of_pairs);
    store_part(out, _mm256_subs_epu8(sums, weights->marks));
}

ALWAYS_INLINE uint32_t *vec_put_characters(uint32_t *out, const struct weights *weights, const uint8_t *bytes,
                                           uint64_t last_ends, uint64_t ends)
{
    uint64_t from_before = ends << 3 | last_ends >> 61; /* from three bytes before on */
#pragma GCC unroll 8
    for (unsigned group = 0; group < 8; group++) {
        size_t row = group < 7 ? wide_row_of(from_before, 8 * group, 11) : wide_row_of(ends, 8 * group - 3, 11);
        put_characters_group(out, weights, bytes + 8 * group, row);
        out += count_bits(row >> 8);
    }
    return out;
}

/* Unpacking works on halves. */
ALWAYS_INLINE vec units_of_half(vec low, vec high, unsigned number)
{
    __m256i even = _mm256_unpacklo_epi8(low.part[number], high.part[number]);
    __m256i odd = _mm256_unpackhi_epi8(low.part[number], high.part[number]);
    return (vec){{_mm256_permute2x128_si256(even, odd, 0x20), _mm256_permute2x128_si256(even, odd, 0x31)}};
}

#include "store_tail.h"

ALWAYS_INLINE bool vec_narrow16(uint8_t *out, const uint16_t *units)
{
    __m256i v = load_part(units);
    if (!_mm256_testz_si256(v, _mm256_set1_epi16((short)0xFF80)))
        return false;
    store_half(out, _mm_packus_epi16(low_half(v), high_half(v)));
    return true;
}

ALWAYS_INLINE bool vec_narrow32(uint8_t *out, const uint32_t *units)
{
    __m256i a = load_part(units), b = load_part(units + 8);
    if (!_mm256_testz_si256(_mm256_or_si256(a, b), _mm256_set1_epi32((int)0xFFFFFF80)))
        return false;
    store_half(out, _mm_packus_epi16(_mm_packus_epi32(low_half(a), high_half(a)),
                                     _mm_packus_epi32(low_half(b), high_half(b))));
    return true;
}

typedef uint16_t unit_vec __attribute__((vector_size(32)));
typedef uint16_t half __attribute__((vector_size(16)));
typedef uint32_t code_point_vec __attribute__((vector_size(32)));

ALWAYS_INLINE unit_vec units_constant(uint16_t unit)
{
    unit_vec v = (unit_vec)_mm256_set1_epi16((short)unit);
    __asm__("" : "+x"(v));
    return v;
}

#ifdef CONSTANTS_ARE_LOADED /* as every_byte.h says; a constant in memory needs a literal, so this is a macro */
#define units_literal(unit) \
    __extension__({ \
        static const uint32_t twice = (unit)*0x10001U; \
        unit_vec units; \
        __asm__("vpbroadcastd %1, %0" : "=x"(units) : "m"(twice)); \
        units; \
    })
#endif

ALWAYS_INLINE half units_half(unit_vec v, unsigned number)
{
    return (half)(number == 0 ? low_half((__m256i)v) : high_half((__m256i)v));
}

ALWAYS_INLINE half units_shuffle(half bytes, const uint8_t *shuffle)
{
    return (half)_mm_shuffle_epi8((__m128i)bytes, _mm_load_si128((const __m128i *)(const void *)shuffle));
}

ALWAYS_INLINE half half_before(const uint8_t *bytes, half last)
{
    return (half)_mm_blend_epi32(_mm_loadu_si128((const __m128i *)(const void *)bytes), (__m128i)last, 0x8);
}

ALWAYS_INLINE unit_vec units_low(unit_vec a, unit_vec b)
{
    return (unit_vec)_mm256_unpacklo_epi16((__m256i)a, (__m256i)b);
}

ALWAYS_INLINE unit_vec units_high(unit_vec a, unit_vec b)
{
    return (unit_vec)_mm256_unpackhi_epi16((__m256i)a, (__m256i)b);
}

/* Shifting works on halves, as in vec_later(). */
ALWAYS_INLINE unit_vec units_later(unit_vec before, unit_vec now)
{
    __m256i half_before = _mm256_permute2x128_si256((__m256i)before, (__m256i)now, 0x21);
    return (unit_vec)later_part((__m256i)now, half_before, sizeof(uint16_t));
}

/* Packing works on halves, too. */
ALWAYS_INLINE unit_vec units_pack(code_point_vec a, code_point_vec b)
{
    return (unit_vec)_mm256_permute4x64_epi64(_mm256_packus_epi32((__m256i)a, (__m256i)b), 0xD8);
}

ALWAYS_INLINE unit_vec units_bytes(unit_vec a, unit_vec b)
{
    return (unit_vec)_mm256_permute4x64_epi64(_mm256_packus_epi16((__m256i)a, (__m256i)b), 0xD8);
}

ALWAYS_INLINE bool units_any(unit_vec a, unit_vec b)
{
    return !_mm256_testz_si256((__m256i)a, (__m256i)b);
}

ALWAYS_INLINE unit_vec units_select(unit_vec where, unit_vec a, unit_vec b)
{
    return (unit_vec)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)where);
}

ALWAYS_INLINE unit_vec units_least(unit_vec a, unit_vec b)
{
    return (unit_vec)_mm256_min_epu16((__m256i)a, (__m256i)b);
}

ALWAYS_INLINE uint32_t byte_tops(unit_vec a)
{
    return (uint32_t)_mm256_movemask_epi8((__m256i)a);
}

ALWAYS_INLINE uint32_t low_byte_tops(unit_vec a)
{
    return byte_tops((unit_vec)_mm256_packus_epi16((__m256i)a, (__m256i)a));
}

#define ENCODES_BY_QUADS
#include "encode_shuffle.h"

#undef EACH_OF_2
#undef EACH_OF_3
#undef EACH_WITH

#endif
