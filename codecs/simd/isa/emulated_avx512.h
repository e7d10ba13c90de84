/* SPDX-License-Identifier: MIT
 *
 * emulated_avx512.h - the AVX-512 intrinsics that vec_avx512.h uses, under their names, in C with the vectors of gcc
 * and clang (Intel's Software Developer's Manual, volume 2), for any little-endian processor. So the kernels run on
 * CPUs without the instructions, and under tools that do not know them. It is slow, and for tests only.
 * harnesses/emulation compares each of them with the instruction.
 */
#ifndef ASSAY_SIMD_ISA_EMULATED_AVX512_H
#define ASSAY_SIMD_ISA_EMULATED_AVX512_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "AVX-512 is emulated on little-endian processors only: its lanes are the bytes of memory"
#endif

/* Each is a call: inlined, a codec would take minutes to compile. harnesses/emulation defines the word otherwise. */
#ifndef EMULATED
#define EMULATED static __attribute__((noinline, unused))
#endif

typedef uint64_t __m512i __attribute__((vector_size(64)));
typedef uint64_t __m256i __attribute__((vector_size(32)));
typedef uint64_t __m128i __attribute__((vector_size(16)));
typedef uint64_t __mmask64;
typedef uint32_t __mmask32;
typedef uint16_t __mmask16;

/* asN: a register as lanes of N bits; then half a register, and a quarter. */
typedef uint8_t as8 __attribute__((vector_size(64)));
typedef uint16_t as16 __attribute__((vector_size(64)));
typedef uint32_t as32 __attribute__((vector_size(64)));
typedef uint64_t as64 __attribute__((vector_size(64)));
typedef uint8_t half_as8 __attribute__((vector_size(32)));
typedef uint16_t half_as16 __attribute__((vector_size(32)));
typedef uint8_t quarter_as8 __attribute__((vector_size(16)));

/* ---- masks, loads and stores ------------------------------------------------------------------------ */

/* For lanes of `bits` bits: makes a mask of the lanes that are all ones; makes lanes of all ones or zeros from a mask;
 * chooses from two vectors lane by lane; loads, where lanes that are not in the mask become zero and are not read;
 * stores, where such lanes are not written. */
#define FOR_LANES_OF(bits, lane_count) \
    EMULATED __mmask64 mask##bits(as##bits truth) \
    { \
        __mmask64 mask = 0; \
        for (unsigned i = 0; i < lane_count; i++) \
            mask |= (__mmask64)(truth[i] & 1) << i; \
        return mask; \
    } \
    EMULATED as##bits truth##bits(__mmask64 mask) \
    { \
        as##bits truth = {0}; \
        for (unsigned i = 0; i < lane_count; i++) \
            truth[i] = (uint##bits##_t) - (mask >> i & 1); \
        return truth; \
    } \
    EMULATED __m512i select##bits(__mmask64 mask, __m512i yes, __m512i no) \
    { \
        __m512i truth = (__m512i)truth##bits(mask); \
        return (yes & truth) | (no & ~truth); \
    } \
    EMULATED __m512i _mm512_maskz_loadu_epi##bits(__mmask##lane_count mask, const void *from) \
    { \
        as##bits loaded = {0}; \
        for (unsigned i = 0; i < lane_count; i++) { \
            uint##bits##_t lane = 0; \
            if (mask >> i & 1) \
                memcpy(&lane, (const uint8_t *)from + i * sizeof lane, sizeof lane); \
            loaded[i] = lane; \
        } \
        return (__m512i)loaded; \
    } \
    EMULATED void _mm512_mask_storeu_epi##bits(void *to, __mmask##lane_count mask, __m512i v) \
    { \
        for (unsigned i = 0; i < lane_count; i++) { \
            uint##bits##_t lane = ((as##bits)v)[i]; \
            if (mask >> i & 1) \
                memcpy((uint8_t *)to + i * sizeof lane, &lane, sizeof lane); \
        } \
    }
FOR_LANES_OF(8, 64)
FOR_LANES_OF(16, 32)
FOR_LANES_OF(32, 16)
#undef FOR_LANES_OF

EMULATED __m512i _mm512_loadu_si512(const void *from)
{
    __m512i loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

/* Ends the program, as the instruction does, if the address is not a multiple of 64. */
EMULATED __m512i _mm512_load_si512(const void *from)
{
    if ((uintptr_t)from % sizeof(__m512i) != 0)
        __builtin_trap();
    return _mm512_loadu_si512(from);
}

/* The type has no alignment that clang could rely on. */
EMULATED __m128i _mm_loadu_si128(const void *from)
{
    __m128i loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

EMULATED void _mm512_storeu_si512(void *to, __m512i v)
{
    memcpy(to, &v, sizeof v);
}

EMULATED void _mm_storeu_si128(void *to, __m128i v)
{
    memcpy(to, &v, sizeof v);
}

/* ---- the same in each lane --------------------------------------------------------------------------- */

EMULATED __m512i _mm512_setzero_si512(void)
{
    return (__m512i){0};
}

#define SAME_IN_ALL(bits, type) \
    EMULATED __m512i _mm512_set1_epi##bits(type value) \
    { \
        return (__m512i)((as##bits){0} + (uint##bits##_t)value); \
    }
SAME_IN_ALL(8, char)
SAME_IN_ALL(16, short)
SAME_IN_ALL(32, int)
SAME_IN_ALL(64, long long)
#undef SAME_IN_ALL

#define OF_TWO(name, result) \
    EMULATED __m512i name(__m512i a, __m512i b) \
    { \
        return (__m512i)(result); \
    }
/* clang-format off */
OF_TWO(_mm512_and_si512, a & b)
OF_TWO(_mm512_or_si512, a | b)
OF_TWO(_mm512_xor_si512, a ^ b)
OF_TWO(_mm512_add_epi8, (as8)a + (as8)b)
OF_TWO(_mm512_add_epi16, (as16)a + (as16)b)
OF_TWO(_mm512_sub_epi8, (as8)a - (as8)b)
OF_TWO(_mm512_subs_epu8, ((as8)a - (as8)b) & (as8)((as8)a > (as8)b)) /* zero where the difference would be negative */
/* clang-format on */
#undef OF_TWO

EMULATED __m512i _mm512_maskz_or_epi32(__mmask16 mask, __m512i a, __m512i b)
{
    return select32(mask, a | b, (__m512i){0});
}

EMULATED __m512i _mm512_maskz_add_epi16(__mmask32 mask, __m512i a, __m512i b)
{
    return select16(mask, _mm512_add_epi16(a, b), (__m512i){0});
}

EMULATED __m512i _mm512_mask_sub_epi16(__m512i other, __mmask32 mask, __m512i a, __m512i b)
{
    return select16(mask, (__m512i)((as16)a - (as16)b), other);
}

/* Shifts by the width of a lane or more leave zeros. */
EMULATED __m512i _mm512_slli_epi16(__m512i v, unsigned distance)
{
    return distance < 16 ? (__m512i)((as16)v << (uint16_t)distance) : (__m512i){0};
}

EMULATED __m512i _mm512_srli_epi16(__m512i v, unsigned distance)
{
    return distance < 16 ? (__m512i)((as16)v >> (uint16_t)distance) : (__m512i){0};
}

EMULATED __m512i _mm512_mask_srli_epi16(__m512i other, __mmask32 mask, __m512i v, unsigned distance)
{
    return select16(mask, _mm512_srli_epi16(v, distance), other);
}

/* A function of three bits, for each bit: bit 4a + 2b + c of the table. */
EMULATED __m512i _mm512_ternarylogic_epi32(__m512i a, __m512i b, __m512i c, int table)
{
    __m512i result = {0};
    for (int row = 0; row < 8; row++)
        if (table >> row & 1)
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}

/* The same, but `a` in lanes that are not in the mask. */
EMULATED __m512i _mm512_mask_ternarylogic_epi32(__m512i a, __mmask16 mask, __m512i b, __m512i c, int table)
{
    return select32(mask, _mm512_ternarylogic_epi32(a, b, c, table), a);
}

/* A product of bit matrices. Each bit of a byte becomes the parity of the bits that the byte has in common with a row
 * of an 8 by 8 matrix. Each 64 bits have their own matrix, whose last byte is the row of bit 0. Then the bits of `flip`
 * are flipped. */
EMULATED __m512i _mm512_gf2p8affine_epi64_epi8(__m512i v, __m512i matrix, int flip)
{
    as8 result = (as8)_mm512_set1_epi8((char)flip);
    for (unsigned bit = 0; bit < 8; bit++) {
        as64 row = ((as64)matrix >> 8 * (7 - bit) & 0xFF) * UINT64_C(0x0101010101010101);
        as8 parity = (as8)((as64)v & row);
        parity ^= parity >> 4;
        parity ^= parity >> 2;
        parity ^= parity >> 1;
        result ^= (parity & 1) << (uint8_t)bit;
    }
    return (__m512i)result;
}

/* Each byte of `places` says from which bit on of its 64 bits of v, taken as a ring, eight bits are copied. */
EMULATED __m512i _mm512_multishift_epi64_epi8(__m512i places, __m512i v)
{
    as8 result = {0};
    for (unsigned i = 0; i < 64; i++) {
        uint64_t ring = ((as64)v)[i / 8];
        unsigned place = ((as8)places)[i] & 63;
        result[i] = (uint8_t)(ring >> place | ring << (64 - place) % 64);
    }
    return (__m512i)result;
}

/* ---- truth ------------------------------------------------------------------------------------------- */

EMULATED __mmask64 _mm512_movepi8_mask(__m512i v)
{
    return mask8((as8)v >> 7);
}

#define TRUTH(name, bits, lane_count, condition) \
    EMULATED __mmask##lane_count name(__m512i a, __m512i b) \
    { \
        return (__mmask##lane_count)mask##bits((as##bits)(condition)); \
    }
/* clang-format off */
TRUTH(_mm512_test_epi8_mask, 8, 64, (as8)(a & b) != 0)
TRUTH(_mm512_test_epi16_mask, 16, 32, (as16)(a & b) != 0)
TRUTH(_mm512_test_epi32_mask, 32, 16, (as32)(a & b) != 0)
TRUTH(_mm512_cmpneq_epi8_mask, 8, 64, (as8)a != (as8)b)
TRUTH(_mm512_cmplt_epi8_mask, 8, 64, ((as8)a ^ 0x80) < ((as8)b ^ 0x80)) /* signed */
TRUTH(_mm512_cmpge_epi8_mask, 8, 64, ((as8)a ^ 0x80) >= ((as8)b ^ 0x80)) /* signed */
TRUTH(_mm512_cmple_epu8_mask, 8, 64, (as8)a <= (as8)b)
TRUTH(_mm512_cmpge_epu8_mask, 8, 64, (as8)a >= (as8)b)
TRUTH(_mm512_cmpge_epu16_mask, 16, 32, (as16)a >= (as16)b)
TRUTH(_mm512_cmpge_epu32_mask, 32, 16, (as32)a >= (as32)b)
TRUTH(_mm512_cmpgt_epu32_mask, 32, 16, (as32)a > (as32)b)
TRUTH(_mm512_cmpeq_epi16_mask, 16, 32, (as16)a == (as16)b)
TRUTH(_mm512_cmpeq_epi32_mask, 32, 16, (as32)a == (as32)b)
/* clang-format on */
#undef TRUTH

EMULATED unsigned char _kortestz_mask64_u8(__mmask64 a, __mmask64 b)
{
    return (a | b) == 0;
}

EMULATED __mmask32 _kandn_mask32(__mmask32 a, __mmask32 b)
{
    return ~a & b;
}

/* ---- lanes from elsewhere ---------------------------------------------------------------------------- */

EMULATED __m512i _mm512_mask_blend_epi8(__mmask64 mask, __m512i no, __m512i yes)
{
    return select8(mask, yes, no);
}

EMULATED __m512i _mm512_maskz_mov_epi8(__mmask64 mask, __m512i v)
{
    return select8(mask, v, (__m512i){0});
}

EMULATED __m512i _mm512_maskz_mov_epi16(__mmask32 mask, __m512i v)
{
    return select16(mask, v, (__m512i){0});
}

EMULATED __m512i _mm512_mask_mov_epi16(__m512i other, __mmask32 mask, __m512i v)
{
    return select16(mask, v, other);
}

EMULATED __m512i _mm512_mask_mov_epi32(__m512i other, __mmask16 mask, __m512i v)
{
    return select32(mask, v, other);
}

/* The chosen bytes, one after the other, then zeros. */
EMULATED __m512i _mm512_maskz_compress_epi8(__mmask64 mask, __m512i v)
{
    as8 result = {0};
    for (unsigned i = 0, next = 0; i < 64; i++)
        if (mask >> i & 1)
            result[next++] = ((as8)v)[i];
    return (__m512i)result;
}

EMULATED __m512i _mm512_permutexvar_epi8(__m512i places, __m512i v)
{
    as8 result = {0};
    for (unsigned i = 0; i < 64; i++)
        result[i] = ((as8)v)[((as8)places)[i] & 63];
    return (__m512i)result;
}

EMULATED __m512i _mm512_maskz_permutexvar_epi8(__mmask64 mask, __m512i places, __m512i v)
{
    return select8(mask, _mm512_permutexvar_epi8(places, v), (__m512i){0});
}

EMULATED __m512i _mm512_permutex2var_epi8(__m512i v, __m512i places, __m512i w)
{
    as8 result = {0};
    for (unsigned i = 0; i < 64; i++) {
        uint8_t place = ((as8)places)[i];
        result[i] = ((as8)((place & 64) != 0 ? w : v))[place & 63];
    }
    return (__m512i)result;
}

EMULATED __m512i _mm512_maskz_permutex2var_epi8(__mmask64 mask, __m512i v, __m512i places, __m512i w)
{
    return select8(mask, _mm512_permutex2var_epi8(v, places, w), (__m512i){0});
}

/* Lanes `first` to `first` + 15 of low followed by high. */
EMULATED __m512i _mm512_alignr_epi32(__m512i high, __m512i low, int first)
{
    as32 result = {0};
    for (int i = 0; i < 16; i++)
        result[i] = i + first < 16 ? ((as32)low)[i + first] : ((as32)high)[i + first - 16];
    return (__m512i)result;
}

EMULATED __m512i _mm512_alignr_epi8(__m512i high, __m512i low, int first)
{
    as8 result = {0};
    for (int i = 0; i < 64; i++) {
        int from = i % 16 + first; /* from a quarter of low followed by the same quarter of high */
        result[i] = from < 16 ? ((as8)low)[i + first] : ((as8)high)[i + first - 16];
    }
    return (__m512i)result;
}

/* From each quarter of a and b takes four units from this one on: a unit of a, then one of b, and so on. */
EMULATED __m512i unpacked(__m512i a, __m512i b, unsigned from)
{
    as16 result = {0};
    for (unsigned i = 0; i < 32; i++)
        result[i] = ((as16)(i % 2 == 0 ? a : b))[i / 8 * 8 + from + i % 8 / 2];
    return (__m512i)result;
}

EMULATED __m512i _mm512_unpacklo_epi16(__m512i a, __m512i b)
{
    return unpacked(a, b, 0);
}

EMULATED __m512i _mm512_unpackhi_epi16(__m512i a, __m512i b)
{
    return unpacked(a, b, 4);
}

/* Alternates a quarter of a and the same quarter of b. Each signed lane becomes the nearest value that half the bits
 * can hold. */
EMULATED __m512i _mm512_packus_epi16(__m512i a, __m512i b)
{
    as8 result = {0};
    for (unsigned i = 0; i < 64; i++) {
        int16_t lane = (int16_t)((as16)(i % 16 < 8 ? a : b))[i / 16 * 8 + i % 8];
        result[i] = (uint8_t)(lane < 0 ? 0 : lane > 0xFF ? 0xFF : lane);
    }
    return (__m512i)result;
}

EMULATED __m512i _mm512_packus_epi32(__m512i a, __m512i b)
{
    as16 result = {0};
    for (unsigned i = 0; i < 32; i++) {
        int32_t lane = (int32_t)((as32)(i % 8 < 4 ? a : b))[i / 8 * 4 + i % 4];
        result[i] = (uint16_t)(lane < 0 ? 0 : lane > 0xFFFF ? 0xFFFF : lane);
    }
    return (__m512i)result;
}

/* ---- parts of a register ----------------------------------------------------------------------------- */

/* 16 bytes, at 16 times `number`. */
EMULATED __m128i _mm512_extracti32x4_epi32(__m512i v, int number)
{
    return (__m128i){v[2 * number], v[2 * number + 1]};
}

EMULATED __m128i _mm512_castsi512_si128(__m512i v)
{
    return _mm512_extracti32x4_epi32(v, 0);
}

EMULATED __m256i _mm512_extracti64x4_epi64(__m512i v, int number)
{
    return (__m256i){v[4 * number], v[4 * number + 1], v[4 * number + 2], v[4 * number + 3]};
}

EMULATED __m256i _mm512_castsi512_si256(__m512i v)
{
    return _mm512_extracti64x4_epi64(v, 0);
}

EMULATED __m512i _mm512_inserti64x4(__m512i v, __m256i half, int number)
{
    for (int i = 0; i < 4; i++)
        v[4 * number + i] = half[i];
    return v;
}

/* Quarters: two of a, then two of b; two bits of the number choose each. */
EMULATED __m512i _mm512_shuffle_i64x2(__m512i a, __m512i b, int number)
{
    __m512i result;
    for (int i = 0; i < 8; i++)
        result[i] = (i < 4 ? a : b)[2 * (number >> 2 * (i / 2) & 3) + i % 2];
    return result;
}

/* The upper half is undefined. Not zeros, because code could come to rely on them. */
EMULATED __m512i _mm512_castsi256_si512(__m256i half)
{
    return _mm512_inserti64x4(_mm512_set1_epi8(0x5A), half, 0);
}

EMULATED __m512i _mm512_broadcast_i32x4(__m128i v)
{
    return (__m512i){v[0], v[1], v[0], v[1], v[0], v[1], v[0], v[1]};
}

EMULATED __m512i _mm512_cvtepu8_epi16(__m256i v)
{
    return (__m512i) __builtin_convertvector((half_as8)v, as16);
}

EMULATED __m512i _mm512_cvtepu8_epi32(__m128i v)
{
    return (__m512i) __builtin_convertvector((quarter_as8)v, as32);
}

EMULATED __m512i _mm512_cvtepu16_epi32(__m256i v)
{
    return (__m512i) __builtin_convertvector((half_as16)v, as32);
}

/* The low bits of each lane. */
EMULATED __m256i _mm512_cvtepi32_epi16(__m512i v)
{
    return (__m256i) __builtin_convertvector((as32)v, half_as16);
}

#endif
