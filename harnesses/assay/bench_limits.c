/* SPDX-License-Identifier: MIT
 *
 * What this machine can do at best: how fast bytes are loaded, copied and widened, and how long a cycle is.
 */
#include "bench.h"

#include <string.h>
#include <time.h>

static const char *const names[] = {
#define X(id, name, sentence) name,
    LIMITS(X)
#undef X
};

const char *limit_name(enum limit limit)
{
    return names[limit];
}

double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The compiler must take a value for used, or for changed by somebody. */
#define IS_USED(value) __asm__ volatile("" : : "m"(value))
#define IS_CHANGED(value) __asm__ volatile("" : "+r"(value))

double clock_chain(void)
{
    unsigned long value = 1;
    double begin = now_ns();
    for (int i = 0; i < CLOCK_STEPS / 16; i++) {
#define STEP value += value; IS_CHANGED(value);
#define STEPS4 STEP STEP STEP STEP
        STEPS4 STEPS4 STEPS4 STEPS4
    }
    return now_ns() - begin;
}

static void call_nothing(const uint8_t *bytes, size_t byte_count, uint8_t *out)
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

/* Load and widen for vectors of WIDTH bytes. What is left behind the last whole vector is done by one that overlaps
 * it, or, in inputs shorter than a vector, byte by byte. */
#define KERNELS(isa, WIDTH, target)                                                                                   \
    typedef uint8_t isa##_bytes __attribute__((vector_size(WIDTH), aligned(1), may_alias));                            \
    typedef uint8_t isa##_half __attribute__((vector_size(WIDTH / 2), aligned(1), may_alias));                         \
    typedef uint8_t isa##_quarter __attribute__((vector_size(WIDTH / 4), aligned(1), may_alias));                      \
    typedef uint16_t isa##_units16 __attribute__((vector_size(WIDTH), aligned(1), may_alias));                         \
    typedef uint32_t isa##_units32 __attribute__((vector_size(WIDTH), aligned(1), may_alias));                         \
                                                                                                                      \
    target static void load_##isa(const uint8_t *bytes, size_t byte_count, uint8_t *out)                               \
    {                                                                                                                  \
        isa##_bytes a = {0}, b = {0}, c = {0}, d = {0};                                                                \
        uint8_t rest = 0;                                                                                              \
        size_t at = 0;                                                                                                 \
        (void)out;                                                                                                     \
        for (; byte_count - at >= 4 * WIDTH; at += 4 * WIDTH) {                                                        \
            a |= *(const isa##_bytes *)(bytes + at);                                                                   \
            b |= *(const isa##_bytes *)(bytes + at + WIDTH);                                                           \
            c |= *(const isa##_bytes *)(bytes + at + 2 * WIDTH);                                                       \
            d |= *(const isa##_bytes *)(bytes + at + 3 * WIDTH);                                                       \
        }                                                                                                              \
        for (; byte_count - at >= WIDTH; at += WIDTH)                                                                  \
            a |= *(const isa##_bytes *)(bytes + at);                                                                   \
        if (byte_count >= WIDTH)                                                                                       \
            b |= *(const isa##_bytes *)(bytes + byte_count - WIDTH);                                                   \
        else                                                                                                           \
            for (; at < byte_count; at++)                                                                              \
                rest |= bytes[at];                                                                                     \
        a |= b | c | d;                                                                                                \
        IS_USED(a);                                                                                                    \
        IS_USED(rest);                                                                                                 \
    }                                                                                                                  \
    target static void widen16_##isa(const uint8_t *bytes, size_t byte_count, uint8_t *out)                            \
    {                                                                                                                  \
        size_t at = 0;                                                                                                 \
        for (; byte_count - at >= WIDTH / 2; at += WIDTH / 2)                                                          \
            *(isa##_units16 *)(out + 2 * at) =                                                                         \
                __builtin_convertvector(*(const isa##_half *)(bytes + at), isa##_units16);                             \
        for (; at < byte_count; at++)                                                                                  \
            memcpy(out + 2 * at, &(uint16_t){bytes[at]}, 2);                                                           \
    }                                                                                                                  \
    target static void widen32_##isa(const uint8_t *bytes, size_t byte_count, uint8_t *out)                            \
    {                                                                                                                  \
        size_t at = 0;                                                                                                 \
        for (; byte_count - at >= WIDTH / 4; at += WIDTH / 4)                                                          \
            *(isa##_units32 *)(out + 4 * at) =                                                                         \
                __builtin_convertvector(*(const isa##_quarter *)(bytes + at), isa##_units32);                          \
        for (; at < byte_count; at++)                                                                                  \
            memcpy(out + 4 * at, &(uint32_t){bytes[at]}, 4);                                                           \
    }                                                                                                                  \
    static limit_function *const limits_##isa[] = {call_nothing, load_##isa, copy, widen16_##isa, widen32_##isa};

KERNELS(any, 16, )
#ifdef __x86_64__
KERNELS(avx2, 32, __attribute__((target("avx2"))))
KERNELS(avx512, 64, __attribute__((target("avx512f,avx512bw,avx512vl"))))
#endif

limit_function *limit_best(enum limit limit)
{
#ifdef __x86_64__
    if (cpu_has(CPU_avx512))
        return limits_avx512[limit];
    if (cpu_has(CPU_avx2))
        return limits_avx2[limit];
#endif
    return limits_any[limit];
}
