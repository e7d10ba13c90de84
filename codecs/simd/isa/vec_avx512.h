/* SPDX-License-Identifier: MIT
 *
 * vec_avx512.h - the verbs of vec.h for AVX-512 with BW, VBMI and VBMI2: one register, truth in a mask register.
 */
#ifndef ASSAY_SIMD_ISA_VEC_AVX512_H
#define ASSAY_SIMD_ISA_VEC_AVX512_H

#include "every_byte.h"
#include "vec.h"

#ifdef ASSAY_EMULATES_AVX512
#include "emulated_avx512.h"
#else
#include <immintrin.h>
#endif

typedef __m512i vec;
typedef __mmask64 truth;

#include "window.h"

enum { UNITS16 = 32, UNITS32 = 16 }; /* units in a register */
enum { VEC_BLOCKS_AT_ONCE = 4 };
enum { C_CHOOSES_XOR_OR_AND = 0x68, A_XOR_B_AND_C = 0x78 }; /* truth tables of vpternlogd */
#define VEC_MANY_REGISTERS
#define VEC_STORES_PARTS
#define VEC_CLASSIFY_FILE "classify_avx512.h"
#define VEC_VALIDATE_FILE "validate_avx512.h"

/* Indices: of bytes of two registers, one after the other; of the two bytes of units, of which one register has the low
 * bytes in one half and the high bytes in the other; of the same for 32 bits, where a second register has the third
 * byte, and nothing the fourth. */
#define ONE(n) n
#define TWO(n) n, UNITS16 + n
#define FOUR(n) (n) % UNITS16, UNITS16 + (n) % UNITS16, VEC_BYTES + n, 0
#define EIGHT_TIMES(f, n) f(n), f(n + 1), f(n + 2), f(n + 3), f(n + 4), f(n + 5), f(n + 6), f(n + 7)
#define ALL_TIMES(f, n) \
    EIGHT_TIMES(f, n), EIGHT_TIMES(f, n + 8), EIGHT_TIMES(f, n + 16), EIGHT_TIMES(f, n + 24), EIGHT_TIMES(f, n + 32), \
        EIGHT_TIMES(f, n + 40), EIGHT_TIMES(f, n + 48), EIGHT_TIMES(f, n + 56)

static const uint8_t one_by_one[2 * VEC_BYTES]
    __attribute__((aligned(VEC_BYTES))) = {ALL_TIMES(ONE, 0), ALL_TIMES(ONE, VEC_BYTES)};
static const uint8_t two_by_two[VEC_BYTES] __attribute__((aligned(VEC_BYTES))) = {
    EIGHT_TIMES(TWO, 0), EIGHT_TIMES(TWO, 8), EIGHT_TIMES(TWO, 16), EIGHT_TIMES(TWO, 24)};
static const uint8_t four_by_four[4 * VEC_BYTES] __attribute__((aligned(VEC_BYTES))) = {ALL_TIMES(FOUR, 0)};

#undef ONE
#undef TWO
#undef FOUR
#undef EIGHT_TIMES
#undef ALL_TIMES

ALWAYS_INLINE vec vec_load(const uint8_t *bytes)
{
    return _mm512_loadu_si512(bytes);
}

/* The lanes of `width` bytes that are chosen, a run of them; no others are touched, and those of a load are zero. For
 * each lane AddressSanitizer (clang 14) makes a branch, in all twenty times as much code; with it, runs are copied. */
ALWAYS_INLINE void copy_lanes(void *to, const void *from, uint64_t lanes, size_t width)
{
    size_t first = lanes == 0 ? 0 : width * (size_t)__builtin_ctzll(lanes);
    if (lanes != 0)
        memcpy((uint8_t *)to + first, (const uint8_t *)from + first, width * count_bits(lanes));
}

ALWAYS_INLINE __m512i load_lanes(const void *from, uint64_t lanes, size_t width)
{
#ifdef SANITIZES_ADDRESSES
    __m512i loaded = _mm512_setzero_si512();
    copy_lanes(&loaded, from, lanes, width);
    return loaded;
#else
    return width == 1   ? _mm512_maskz_loadu_epi8(lanes, from)
           : width == 2 ? _mm512_maskz_loadu_epi16((__mmask32)lanes, from)
                        : _mm512_maskz_loadu_epi32((__mmask16)lanes, from);
#endif
}

ALWAYS_INLINE void store_lanes(void *to, __m512i v, uint64_t lanes, size_t width)
{
#ifdef SANITIZES_ADDRESSES
    copy_lanes(to, &v, lanes, width);
#else
    if (width == 1)
        _mm512_mask_storeu_epi8(to, lanes, v);
    else if (width == 2)
        _mm512_mask_storeu_epi16(to, (__mmask32)lanes, v);
    else
        _mm512_mask_storeu_epi32(to, (__mmask16)lanes, v);
#endif
}

ALWAYS_INLINE vec vec_load_part(const uint8_t *bytes, size_t count)
{
    ASSUME(count <= VEC_BYTES);
    return load_lanes(bytes, first_bits(count), 1);
}

/* v, up to three places later, after the last bytes of `earlier`. */
ALWAYS_INLINE vec vec_after(vec earlier, vec v, size_t distance)
{
    return _mm512_permutex2var_epi8(earlier, vec_load(one_by_one + VEC_BYTES - distance), v);
}

/* In registers: a masked load of what is some bytes before would take longer. Not vec_after(): outside a loop, its
 * index would be loaded. `before` has the 16 bytes before each 16 of v. */
ALWAYS_INLINE vec vec_later(vec v, size_t distance)
{
    vec before = _mm512_alignr_epi32(v, _mm512_setzero_si512(), 12);
    return distance == 1   ? _mm512_alignr_epi8(v, before, 15)
           : distance == 2 ? _mm512_alignr_epi8(v, before, 14)
                           : _mm512_alignr_epi8(v, before, 13);
}

/* The indices are 63, 64 to 126; of these the permutation uses the low six bits: 63, 0 to 62. */
ALWAYS_INLINE vec vec_rotate(vec v)
{
    return _mm512_permutexvar_epi8(vec_load(one_by_one + VEC_BYTES - 1), v);
}

ALWAYS_INLINE vec vec_load_last(const uint8_t *end, size_t count)
{
    return load_lanes((const void *)((uintptr_t)end - VEC_BYTES), ~first_bits(VEC_BYTES - count), 1);
}

ALWAYS_INLINE truth vec_truth(uint64_t bits)
{
#ifdef ASSAY_EMULATES_AVX512
    return bits;
#else
    truth t;
    __asm__("kmovq %1, %0" : "=k"(t) : "r"(bits));
    return t;
#endif
}

ALWAYS_INLINE struct window vec_window(vec now, const uint8_t *bytes, size_t count)
{
    (void)bytes, (void)count;
    return (struct window){now, vec_later(now, 1), vec_later(now, 2), vec_later(now, 3)};
}

ALWAYS_INLINE vec vec_fill(uint8_t byte)
{
    return _mm512_set1_epi8((char)byte);
}

ALWAYS_INLINE vec vec_hold(vec v)
{
#ifndef ASSAY_EMULATES_AVX512
    __asm__("" : "+v"(v));
#endif
    return v;
}

/* Broadcasts 16 bytes as it loads them. From the intrinsic clang 14 makes a constant of 64 bytes, and a Zen 5 loads
 * only two vectors of 64 bytes a cycle. */
ALWAYS_INLINE vec vec_table(const uint8_t entries[16])
{
#ifdef ASSAY_EMULATES_AVX512
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)entries));
#else
    vec table;
    __asm__("vbroadcasti32x4 %1, %0" : "=v"(table) : "m"(*(const __m128i *)(const void *)entries));
    return table;
#endif
}

ALWAYS_INLINE vec vec_constant(uint8_t byte)
{
#ifdef CONSTANTS_ARE_LOADED
    vec constant;
    LOAD_CONSTANT(constant, byte);
    return constant;
#else
    return vec_fill(byte);
#endif
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

/* The row of a matrix that takes bit `bit - distance` to bit `bit`, if the mask has that. */
ALWAYS_INLINE uint64_t shift_row(int bit, int distance, uint8_t mask)
{
    int from = bit - distance;
    uint64_t row = from >= 0 && from < 8 && (mask >> bit & 1) != 0 ? (uint64_t)1 << from : 0;
    return row << 8 * (7 - bit); /* rows are numbered from the top */
}

/* There are no shifts of bytes, but there are products of bit matrices. What is added to those has to be a constant
 * where the compiler reads it, also when it does not optimise. */
ALWAYS_INLINE vec vec_shift(vec v, int distance, uint8_t mask, uint8_t flip)
{
    uint64_t rows = shift_row(0, distance, mask) | shift_row(1, distance, mask) | shift_row(2, distance, mask) |
                    shift_row(3, distance, mask) | shift_row(4, distance, mask) | shift_row(5, distance, mask) |
                    shift_row(6, distance, mask) | shift_row(7, distance, mask);
    __m512i matrix = _mm512_set1_epi64((long long)rows);
    return flip == 0 ? _mm512_gf2p8affine_epi64_epi8(v, matrix, 0) : _mm512_gf2p8affine_epi64_epi8(v, matrix, 0x80);
}

/* This permutation takes the low six bits of an index, and the table repeats: higher bits need no masking. */
ALWAYS_INLINE vec vec_lookup_low(vec table, vec v)
{
    return _mm512_permutexvar_epi8(v, table);
}

ALWAYS_INLINE vec vec_lookup_high(vec table, vec v)
{
    return _mm512_permutexvar_epi8(_mm512_srli_epi16(v, 4), table);
}

ALWAYS_INLINE truth vec_high(vec v)
{
    return _mm512_movepi8_mask(v);
}

ALWAYS_INLINE truth vec_at_least(vec v, uint8_t least)
{
    return _mm512_cmpge_epu8_mask(v, vec_fill(least));
}

ALWAYS_INLINE vec vec_bound(uint8_t least)
{
    return vec_constant(least);
}

ALWAYS_INLINE truth vec_reaches(vec v, vec bound)
{
    return _mm512_cmpge_epu8_mask(v, bound);
}

ALWAYS_INLINE truth vec_between(vec v, uint8_t first, uint8_t last)
{
    return _mm512_cmple_epu8_mask(_mm512_sub_epi8(v, vec_fill(first)), vec_fill((uint8_t)(last - first)));
}

ALWAYS_INLINE truth vec_is_continuation(vec v)
{
    return _mm512_cmplt_epi8_mask(v, vec_constant(0xC0)); /* signed: -128 to -65 */
}

ALWAYS_INLINE truth vec_both(truth a, truth b)
{
    return a & b;
}

ALWAYS_INLINE truth vec_any(vec v, uint8_t bits)
{
    return _mm512_test_epi8_mask(v, vec_fill(bits));
}

/* Moving a mask from a mask register to a general one takes two cycles. Compilers treat both as integers and move masks
 * to and fro; so this states where a mask moves. */
ALWAYS_INLINE uint64_t vec_bits(truth t)
{
#ifdef ASSAY_EMULATES_AVX512
    return t;
#else
    uint64_t bits;
    __asm__("kmovq %1, %0" : "=r"(bits) : "k"(t));
    return bits;
#endif
}

/* By the port for stores, not by the one for moves to general registers. MemorySanitizer does not see what assembly
 * stores. */
ALWAYS_INLINE void vec_store_bits(uint64_t *to, truth t)
{
#if defined ASSAY_EMULATES_AVX512 || defined SANITIZES_MEMORY
    *to = t;
#else
    __asm__("kmovq %1, %0" : "=m"(*to) : "k"(t));
#endif
}

ALWAYS_INLINE truth load_truth(const uint64_t *from)
{
#ifdef ASSAY_EMULATES_AVX512
    return *from;
#else
    truth t;
    __asm__("kmovq %1, %0" : "=k"(t) : "m"(*from));
    return t;
#endif
}

ALWAYS_INLINE truth vec_attains(vec v, uint8_t least)
{
    return _mm512_cmpge_epu8_mask(v, vec_fill(least));
}

ALWAYS_INLINE vec vec_select(truth t, vec a, vec b)
{
    return _mm512_mask_blend_epi8(t, b, a);
}

ALWAYS_INLINE vec vec_keep(truth t, vec v)
{
    return _mm512_maskz_mov_epi8(t, v);
}

ALWAYS_INLINE bool vec_is_ascii(vec v)
{
    return _mm512_movepi8_mask(v) == 0;
}

ALWAYS_INLINE bool vec_is_zero(vec v)
{
    return _mm512_test_epi8_mask(v, v) == 0;
}

ALWAYS_INLINE bool vec_are_equal(vec a, vec b)
{
    return _mm512_cmpneq_epi8_mask(a, b) == 0;
}

ALWAYS_INLINE bool vec_neither(truth a, truth b)
{
    return _kortestz_mask64_u8(a, b) != 0;
}

/* Leads differ in their low six bits, and so do continuation bytes: a lookup of 64 takes each by one step. */
struct refusal {
    vec of_first, of_second;
};

ALWAYS_INLINE struct refusal vec_refusal(const struct encoding *encoding)
{
    vec numbers = _mm512_load_si512(one_by_one);
    vec leads = _mm512_or_si512(numbers, vec_fill(0xC0)), continuations = _mm512_or_si512(numbers, vec_fill(0x80));
    vec of_high = vec_lookup_high(vec_table(encoding->first_high), leads);
    vec of_low = vec_lookup_low(vec_table(encoding->first_low), leads);
    return (struct refusal){vec_and(vec_and(of_high, of_low), vec_fill(encoding->not_second)),
                            vec_lookup_high(vec_table(encoding->second_high), continuations)};
}

ALWAYS_INLINE truth vec_refused(const struct refusal *refusal, vec first, vec second)
{
    return _mm512_test_epi8_mask(_mm512_permutexvar_epi8(first, refusal->of_first),
                                 _mm512_permutexvar_epi8(second, refusal->of_second));
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

ALWAYS_INLINE void vec_store(void *out, vec v)
{
    _mm512_storeu_si512(out, v);
}

#define VEC_STORE_PAST_CACHES

ALWAYS_INLINE void vec_store_past_caches(void *out, vec v)
{
#ifdef ASSAY_EMULATES_AVX512
    vec_store(out, v);
#else
    _mm512_stream_si512(out, v);
#endif
}

ALWAYS_INLINE void vec_end_stores_past_caches(void)
{
#ifndef ASSAY_EMULATES_AVX512
    _mm_sfence();
#endif
}

ALWAYS_INLINE vec vec_swap(vec v)
{
    return _mm512_or_si512(_mm512_slli_epi16(v, 8), _mm512_srli_epi16(v, 8));
}

ALWAYS_INLINE void vec_widen_units(uint32_t *out, vec v)
{
    _mm512_storeu_si512(out, _mm512_cvtepu16_epi32(_mm512_castsi512_si256(v)));
    _mm512_storeu_si512(out + UNITS32, _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(v, 1)));
}

ALWAYS_INLINE bool vec_narrow_units(vec *v, const uint32_t *units)
{
    __m512i low = _mm512_loadu_si512(units), high = _mm512_loadu_si512(units + UNITS32);
    *v = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(low)), _mm512_cvtepi32_epi16(high), 1);
    return _mm512_test_epi32_mask(_mm512_or_si512(low, high), _mm512_set1_epi32((int)0xFFFF0000)) == 0;
}

/* Always executes all stores; those beyond `count` store nothing. A branch on the number of units would be mispredicted
 * in strings of all lengths, which takes longer. Nor is there a branch on whether a page ends within the stores, as
 * put_first_bytes() has: it would be mispredicted for 3 of 100 short strings, to UTF-32 for 6. So where the next page
 * is not there, each string at the end of its page takes 100 ns. The same in vec_widen32_ascii(), vec_put16_only() and
 * vec_put32_only(). */
ALWAYS_INLINE void vec_widen16_ascii(uint16_t *out, vec v, const uint8_t *bytes, size_t count)
{
    (void)bytes;
    uint64_t units = first_bits(count);
    store_lanes(out, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(v)), units & 0xFFFFFFFF, sizeof *out);
    store_lanes(out + UNITS16, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(v, 1)), units >> UNITS16, sizeof *out);
}

ALWAYS_INLINE void vec_widen32_ascii(uint32_t *out, vec v, const uint8_t *bytes, size_t count)
{
    (void)bytes;
    for (size_t first = 0; first < VEC_BYTES; first += UNITS32) {
        store_lanes(out + first, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(v)), (first_bits(count) >> first) & 0xFFFF,
                    sizeof *out);
        v = _mm512_alignr_epi32(v, v, 4);
    }
}

/* Of two planes bytes 0 to 31, or 32 to 63, in a register. With that, to bring bytes to their units takes a permutation
 * of one register; of two, it is one operation on AMD's processors, but three on Intel's. */
ALWAYS_INLINE __m512i paired_halves(vec low, vec high, unsigned first)
{
    enum { UPPER_HALVES = 0xEE };
    return first < UNITS16 ? _mm512_inserti64x4(low, _mm512_castsi512_si256(high), 1)
                           : _mm512_shuffle_i64x2(low, high, UPPER_HALVES);
}

/* Units first to first + 31 of two compressed planes. */
ALWAYS_INLINE __m512i join16(vec low, vec high, unsigned first)
{
    return _mm512_permutexvar_epi8(_mm512_load_si512(two_by_two), paired_halves(low, high, first));
}

ALWAYS_INLINE size_t vec_put_reach(size_t chosen)
{
    (void)chosen;
    return VEC_BYTES;
}

ALWAYS_INLINE void put16_where(void *to, vec low, vec high, truth chosen)
{
    uint16_t *out = (uint16_t *)to;
    low = _mm512_maskz_compress_epi8(chosen, low);
    high = _mm512_maskz_compress_epi8(chosen, high);
    _mm512_storeu_si512(out, join16(low, high, 0));
    _mm512_storeu_si512(out + UNITS16, join16(low, high, UNITS16));
}

ALWAYS_INLINE void vec_put16(uint16_t *out, vec low, vec high, uint64_t chosen)
{
    put16_where(out, low, high, vec_truth(chosen));
}

ALWAYS_INLINE void vec_put16_all(uint16_t *out, vec low, vec high)
{
    _mm512_storeu_si512(out, join16(low, high, 0));
    _mm512_storeu_si512(out + UNITS16, join16(low, high, UNITS16));
}

ALWAYS_INLINE void vec_put16_only(uint16_t *out, vec low, vec high, uint64_t chosen)
{
    uint64_t units = first_bits(count_bits(chosen));
    low = _mm512_maskz_compress_epi8(vec_truth(chosen), low);
    high = _mm512_maskz_compress_epi8(vec_truth(chosen), high);
    store_lanes(out, join16(low, high, 0), units & 0xFFFFFFFF, sizeof *out);
    store_lanes(out + UNITS16, join16(low, high, UNITS16), units >> UNITS16, sizeof *out);
}

/* Units first to first + 15, of which `halves` are paired_halves() of two compressed planes, and a third plane may have
 * the top. */
ALWAYS_INLINE __m512i join32(__m512i halves, vec top, bool has_top, unsigned first)
{
    const __mmask64 two = UINT64_C(0x3333333333333333), three = UINT64_C(0x7777777777777777);
    __m512i index = _mm512_load_si512(four_by_four + 4 * first);
    return has_top ? _mm512_maskz_permutex2var_epi8(three, halves, index, top)
                   : _mm512_maskz_permutexvar_epi8(two, index, halves);
}

/* vec_put32() with the chosen units as a truth. In a text with 4-byte characters, 64 bytes seldom have more than 32
 * units, so that the branch on it is worth its cost. */
ALWAYS_INLINE void put32_where(void *to, vec low, vec high, vec top, bool has_top, truth chosen)
{
    uint32_t *out = (uint32_t *)to;
    low = _mm512_maskz_compress_epi8(chosen, low);
    high = _mm512_maskz_compress_epi8(chosen, high);
    if (has_top)
        top = _mm512_maskz_compress_epi8(chosen, top);
    __m512i lower = paired_halves(low, high, 0), upper = paired_halves(low, high, UNITS16);
    _mm512_storeu_si512(out, join32(lower, top, has_top, 0));
    _mm512_storeu_si512(out + UNITS32, join32(lower, top, has_top, UNITS32));
    if (has_top && count_bits(vec_bits(chosen)) <= UNITS16)
        return;
    _mm512_storeu_si512(out + 2 * UNITS32, join32(upper, top, has_top, 2 * UNITS32));
    _mm512_storeu_si512(out + 3 * UNITS32, join32(upper, top, has_top, 3 * UNITS32));
}

ALWAYS_INLINE void vec_put32(uint32_t *out, vec low, vec high, vec top, bool has_top, uint64_t chosen)
{
    put32_where(out, low, high, top, has_top, vec_truth(chosen));
}

ALWAYS_INLINE void vec_put32_all(uint32_t *out, vec low, vec high)
{
    for (unsigned first = 0; first < VEC_BYTES; first += UNITS32)
        _mm512_storeu_si512(out + first, join32(paired_halves(low, high, first), vec_fill(0), false, first));
}

ALWAYS_INLINE void vec_put32_only(uint32_t *out, vec low, vec high, vec top, bool has_top, uint64_t chosen)
{
    size_t count = count_bits(chosen);
    low = _mm512_maskz_compress_epi8(vec_truth(chosen), low);
    high = _mm512_maskz_compress_epi8(vec_truth(chosen), high);
    if (has_top)
        top = _mm512_maskz_compress_epi8(vec_truth(chosen), top);
    for (unsigned first = 0; first < VEC_BYTES; first += UNITS32)
        store_lanes(out + first, join32(paired_halves(low, high, first), top, has_top, first),
                    (first_bits(count) >> first) & 0xFFFF, sizeof *out);
}

#include "encode_avx512.h"

#endif
