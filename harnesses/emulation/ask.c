/* SPDX-License-Identifier: MIT
 *
 * Template: defines the function ASK, which makes every call of ask.h. Compiled once with the instructions, once with
 * the emulation and once with a wrong emulation (CANARY). An emulated intrinsic that is not called here is an unused
 * function, which is a compile error.
 */
#include "ask.h"

#ifdef ASSAY_EMULATES_AVX512
#define EMULATED static
#include "../../codecs/simd/isa/emulated_avx512.h"
#else
#include <immintrin.h>
#endif

#include <stdlib.h>
#include <string.h>

#ifdef CANARY
#define _mm512_subs_epu8 _mm512_sub_epi8
#endif

struct registers {
    __m512i a, b, c;
    __mmask64 mask64;
    __mmask32 mask32;
    __mmask16 mask16;
};

static void add_answer(struct answers *answers, const char *call, const void *bytes, size_t byte_count)
{
    if (answers->count == ANSWERS_MAX)
        abort();
    struct answer *answer = &answers->list[answers->count++];
    answer->call = call;
    answer->byte_count = byte_count;
    memcpy(answer->bytes, bytes, byte_count);
}

#define CALL(...) \
    do { \
        __typeof__(__VA_ARGS__) answer = __VA_ARGS__; \
        add_answer(to, #__VA_ARGS__, &answer, sizeof answer); \
    } while (0)

/* A call that writes to `out`, which is initialised as a copy of `with`. */
#define CALL_TO_WRITE(with, ...) \
    do { \
        uint8_t out[REGISTER_BYTES]; \
        memcpy(out, with, sizeof out); \
        __VA_ARGS__; \
        add_answer(to, #__VA_ARGS__, out, sizeof out); \
    } while (0)

static void ask_memory(const struct operands *from, const struct registers *r, struct answers *to)
{
    const uint8_t *any = (const uint8_t *)from;
    CALL(_mm512_load_si512(from->a));
    CALL(_mm512_loadu_si512(any + 1));
    CALL(_mm_loadu_si128((const __m128i *)(const void *)(any + 1)));
    CALL(_mm512_maskz_loadu_epi8(r->mask64, any + 1));
    CALL(_mm512_maskz_loadu_epi16(r->mask32, any + 1));
    CALL(_mm512_maskz_loadu_epi32(r->mask16, any + 1));
    CALL_TO_WRITE(from->b, _mm512_storeu_si512(out, r->a));
    CALL_TO_WRITE(from->b, _mm_storeu_si128((__m128i *)(void *)(out + 1), _mm512_castsi512_si128(r->a)));
    CALL_TO_WRITE(from->b, _mm512_mask_storeu_epi8(out, r->mask64, r->a));
    CALL_TO_WRITE(from->b, _mm512_mask_storeu_epi16(out, r->mask32, r->a));
    CALL_TO_WRITE(from->b, _mm512_mask_storeu_epi32(out, r->mask16, r->a));
}

static void ask_lanes(const struct operands *from, const struct registers *r, struct answers *to)
{
    CALL(_mm512_setzero_si512());
    CALL(_mm512_set1_epi8((char)from->a[0]));
    CALL(_mm512_set1_epi16((short)r->mask32));
    CALL(_mm512_set1_epi32((int)r->mask32));
    CALL(_mm512_set1_epi64((long long)r->mask64));
    CALL(_mm512_and_si512(r->a, r->b));
    CALL(_mm512_or_si512(r->a, r->b));
    CALL(_mm512_xor_si512(r->a, r->b));
    CALL(_mm512_maskz_or_epi32(r->mask16, r->a, r->b));
    CALL(_mm512_add_epi8(r->a, r->b));
    CALL(_mm512_add_epi16(r->a, r->b));
    CALL(_mm512_maskz_add_epi16(r->mask32, r->a, r->b));
    CALL(_mm512_mask_sub_epi16(r->c, r->mask32, r->a, r->b));
    CALL(_mm512_sub_epi8(r->a, r->b));
    CALL(_mm512_subs_epu8(r->a, r->b));
}

static void ask_bits(const struct registers *r, struct answers *to)
{
    CALL(_mm512_slli_epi16(r->a, 0));
    CALL(_mm512_slli_epi16(r->a, 8));
    CALL(_mm512_slli_epi16(r->a, 16));
    CALL(_mm512_srli_epi16(r->a, 4));
    CALL(_mm512_srli_epi16(r->a, 17));
    CALL(_mm512_mask_srli_epi16(r->c, r->mask32, r->a, 2));
    CALL(_mm512_ternarylogic_epi32(r->a, r->b, r->c, 0x68));
    CALL(_mm512_ternarylogic_epi32(r->a, r->b, r->c, 0x78));
    CALL(_mm512_ternarylogic_epi32(r->a, r->b, r->c, 0x97));
    CALL(_mm512_mask_ternarylogic_epi32(r->a, r->mask16, r->b, r->c, 0xEA));
    CALL(_mm512_gf2p8affine_epi64_epi8(r->a, r->b, 0));
    CALL(_mm512_gf2p8affine_epi64_epi8(r->a, r->b, 0x85));
    CALL(_mm512_multishift_epi64_epi8(r->a, r->b));
}

static void ask_truth(const struct registers *r, struct answers *to)
{
    CALL(_mm512_movepi8_mask(r->a));
    CALL(_mm512_test_epi8_mask(r->a, r->b));
    CALL(_mm512_test_epi16_mask(r->a, r->b));
    CALL(_mm512_test_epi32_mask(r->a, r->b));
    CALL(_mm512_cmplt_epi8_mask(r->a, r->b));
    CALL(_mm512_cmpge_epi8_mask(r->a, r->b));
    CALL(_mm512_cmpneq_epi8_mask(r->a, r->b));
    CALL(_mm512_cmple_epu8_mask(r->a, r->b));
    CALL(_mm512_cmpge_epu8_mask(r->a, r->b));
    CALL(_mm512_cmpge_epu16_mask(r->a, r->b));
    CALL(_mm512_cmpge_epu32_mask(r->a, r->b));
    CALL(_mm512_cmpgt_epu32_mask(r->a, r->b));
    CALL(_mm512_cmpeq_epi16_mask(r->a, r->b));
    CALL(_mm512_cmpeq_epi32_mask(r->a, r->b));
    CALL(_kortestz_mask64_u8(r->mask64, r->mask16));
    CALL(_kandn_mask32(r->mask32, r->mask16));
}

static void ask_moves(const struct registers *r, struct answers *to)
{
    CALL(_mm512_mask_blend_epi8(r->mask64, r->a, r->b));
    CALL(_mm512_maskz_mov_epi8(r->mask64, r->a));
    CALL(_mm512_maskz_mov_epi16(r->mask32, r->a));
    CALL(_mm512_mask_mov_epi16(r->a, r->mask32, r->b));
    CALL(_mm512_mask_mov_epi32(r->a, r->mask16, r->b));
    CALL(_mm512_maskz_compress_epi8(r->mask64, r->a));
    CALL(_mm512_permutexvar_epi8(r->a, r->b));
    CALL(_mm512_maskz_permutexvar_epi8(r->mask64, r->a, r->b));
    CALL(_mm512_permutex2var_epi8(r->a, r->b, r->c));
    CALL(_mm512_maskz_permutex2var_epi8(r->mask64, r->a, r->b, r->c));
    CALL(_mm512_unpacklo_epi16(r->a, r->b));
    CALL(_mm512_unpackhi_epi16(r->a, r->b));
    CALL(_mm512_packus_epi16(r->a, r->b));
    CALL(_mm512_packus_epi32(r->a, r->b));
    CALL(_mm512_alignr_epi8(r->a, r->b, 13));
    CALL(_mm512_alignr_epi8(r->a, r->b, 14));
    CALL(_mm512_alignr_epi8(r->a, r->b, 15));
    CALL(_mm512_alignr_epi32(r->a, r->b, 0));
    CALL(_mm512_alignr_epi32(r->a, r->b, 1));
    CALL(_mm512_alignr_epi32(r->a, r->b, 15));
}

static void ask_parts(const struct registers *r, struct answers *to)
{
    CALL(_mm512_extracti32x4_epi32(r->a, 1));
    CALL(_mm512_extracti32x4_epi32(r->a, 3));
    CALL(_mm512_castsi512_si128(r->a));
    CALL(_mm512_extracti64x4_epi64(r->a, 1));
    CALL(_mm512_castsi512_si256(r->a));
    CALL(_mm512_inserti64x4(r->a, _mm512_castsi512_si256(r->b), 0));
    CALL(_mm512_inserti64x4(r->a, _mm512_castsi512_si256(r->b), 1));
    CALL(_mm512_shuffle_i64x2(r->a, r->b, 0xEE));
    CALL(_mm512_shuffle_i64x2(r->a, r->b, 0x1B));
    /* all other lanes are undefined */
    CALL(_mm512_castsi512_si256(_mm512_castsi256_si512(_mm512_castsi512_si256(r->a))));
    CALL(_mm512_broadcast_i32x4(_mm512_castsi512_si128(r->a)));
    CALL(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(r->a)));
    CALL(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(r->a)));
    CALL(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(r->a)));
    CALL(_mm512_cvtepi32_epi16(r->a));
}

void ASK(const struct operands *operands, struct answers *answers)
{
    struct registers registers;
    memcpy(&registers.a, operands->a, sizeof registers.a);
    memcpy(&registers.b, operands->b, sizeof registers.b);
    memcpy(&registers.c, operands->c, sizeof registers.c);
    registers.mask64 = operands->mask;
    registers.mask32 = (__mmask32)operands->mask;
    registers.mask16 = (__mmask16)operands->mask;
    answers->count = 0;
    ask_memory(operands, &registers, answers);
    ask_lanes(operands, &registers, answers);
    ask_bits(&registers, answers);
    ask_truth(&registers, answers);
    ask_moves(&registers, answers);
    ask_parts(&registers, answers);
}
