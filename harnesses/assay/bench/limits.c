/* SPDX-License-Identifier: MIT
 *
 * What this machine can do at best: how fast bytes are loaded, copied and widened, and how long a cycle is.
 */
#include "bench.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

static const char *const names[] = {
#define X(id, name, sentence) name,
    LIMITS(X)
#undef X
};

const char *limit_name(enum limit limit)
{
    return names[limit];
}

/* The compiler must take a value for used, or for changed by somebody. */
#define IS_USED(value) __asm__ volatile("" : : "m"(value))
#define IS_CHANGED(value) __asm__ volatile("" : "+r"(value))

double clock_chain(void)
{
    unsigned long value = 1;
    double begin = cli_now_ns();
    for (int i = 0; i < CLOCK_STEPS / 16; i++) {
#define STEP value += value; IS_CHANGED(value);
#define STEPS4 STEP STEP STEP STEP
        STEPS4 STEPS4 STEPS4 STEPS4
    }
    return cli_now_ns() - begin;
}

double clock_readings(void)
{
    double begin = cli_now_ns(), end = begin;
    for (int i = 0; i < CLOCK_READINGS; i++)
        end = cli_now_ns();
    return end - begin;
}

AT_A_LINE static void call_nothing(const uint8_t *bytes, size_t byte_count, uint8_t *out)
{
    IS_CHANGED(bytes);
    IS_CHANGED(byte_count);
    IS_CHANGED(out);
}

static void copy(const uint8_t *bytes, size_t byte_count, uint8_t *out)
{
    memcpy(out, bytes, byte_count);
    IS_USED(*out);
}

/* Load and widen for vectors of `width` bytes; widen16 and widen32 make one vector of the bytes at a place. What is left
 * after the last whole vector is loaded with one that overlaps it, or, in shorter inputs, byte by byte. */
#define KERNELS(isa, width, widen16, widen32, target)                                                                 \
    typedef uint8_t isa##_bytes __attribute__((vector_size(width), aligned(1), may_alias));                            \
                                                                                                                      \
    AT_A_LINE target static void load_##isa(const uint8_t *bytes, size_t byte_count, uint8_t *out)                     \
    {                                                                                                                  \
        isa##_bytes a = {0}, b = {0}, c = {0}, d = {0};                                                                \
        uint8_t rest = 0;                                                                                              \
        size_t at = 0;                                                                                                 \
        (void)out;                                                                                                     \
        for (; byte_count - at >= 4 * width; at += 4 * width) {                                                        \
            a |= *(const isa##_bytes *)(bytes + at);                                                                   \
            b |= *(const isa##_bytes *)(bytes + at + width);                                                           \
            c |= *(const isa##_bytes *)(bytes + at + 2 * width);                                                       \
            d |= *(const isa##_bytes *)(bytes + at + 3 * width);                                                       \
        }                                                                                                              \
        for (; byte_count - at >= width; at += width)                                                                  \
            a |= *(const isa##_bytes *)(bytes + at);                                                                   \
        if (byte_count >= width)                                                                                       \
            b |= *(const isa##_bytes *)(bytes + byte_count - width);                                                   \
        else                                                                                                           \
            for (; at < byte_count; at++)                                                                              \
                rest |= bytes[at];                                                                                     \
        a |= b | c | d;                                                                                                \
        IS_USED(a);                                                                                                    \
        IS_USED(rest);                                                                                                 \
    }                                                                                                                  \
    AT_A_LINE target static void widen16_##isa(const uint8_t *bytes, size_t byte_count, uint8_t *out)                  \
    {                                                                                                                  \
        size_t at = 0;                                                                                                 \
        for (; byte_count - at >= width / 2; at += width / 2)                                                          \
            *(isa##_bytes *)(out + 2 * at) = (isa##_bytes)widen16(bytes + at);                                         \
        for (; at < byte_count; at++)                                                                                  \
            memcpy(out + 2 * at, &(uint16_t){bytes[at]}, 2);                                                           \
    }                                                                                                                  \
    AT_A_LINE target static void widen32_##isa(const uint8_t *bytes, size_t byte_count, uint8_t *out)                  \
    {                                                                                                                  \
        size_t at = 0;                                                                                                 \
        for (; byte_count - at >= width / 4; at += width / 4)                                                          \
            *(isa##_bytes *)(out + 4 * at) = (isa##_bytes)widen32(bytes + at);                                         \
        for (; at < byte_count; at++)                                                                                  \
            memcpy(out + 4 * at, &(uint32_t){bytes[at]}, 4);                                                           \
    }                                                                                                                  \
    static limit_function *const limits_##isa[] = {call_nothing, load_##isa, copy, widen16_##isa, widen32_##isa};

typedef uint8_t bytes8 __attribute__((vector_size(8), aligned(1), may_alias));
typedef uint8_t bytes4 __attribute__((vector_size(4), aligned(1), may_alias));
typedef uint16_t units16 __attribute__((vector_size(16)));
typedef uint32_t units32 __attribute__((vector_size(16)));
#define ANY_WIDEN16(at) __builtin_convertvector(*(const bytes8 *)(at), units16)
#define ANY_WIDEN32(at) __builtin_convertvector(*(const bytes4 *)(at), units32)
KERNELS(any, 16, ANY_WIDEN16, ANY_WIDEN32, )

#ifdef __x86_64__ /* by name: compilers take detours for vectors as wide as these */
#define AVX2_WIDEN16(at) _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(at)))
#define AVX2_WIDEN32(at) _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(at)))
KERNELS(avx2, 32, AVX2_WIDEN16, AVX2_WIDEN32, __attribute__((target("avx2"))))

#define AVX512_WIDEN16(at) _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(at)))
#define AVX512_WIDEN32(at) _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(at)))
KERNELS(avx512, 64, AVX512_WIDEN16, AVX512_WIDEN32, __attribute__((target("avx512f,avx512bw,avx512vl"))))
#endif

limit_function *limit_best(enum limit limit)
{
#ifdef __x86_64__
    if (cpu_has(CPU_avx512) && !cpu_emulates(CPU_avx512))
        return limits_avx512[limit];
    if (cpu_has(CPU_avx2))
        return limits_avx2[limit];
#endif
    return limits_any[limit];
}
