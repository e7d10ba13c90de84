/* SPDX-License-Identifier: MIT
 *
 * What this machine can do at best: how fast bytes are loaded and moved.
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

bool limit_is_called(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Makes the compiler assume that a value is used, or that it was changed. */
#define IS_USED(value) __asm__ volatile("" : : "m"(value))
#define IS_CHANGED(value) __asm__ volatile("" : "+r"(value))

double clock_readings(void)
{
    double begin = cli_now_ns(), end = begin;
    for (int i = 0; i < CLOCK_READINGS; i++)
        end = cli_now_ns();
    return end - begin;
}

AT_A_LINE static void call_nothing(const uint8_t *bytes, size_t byte_count, uint8_t *out, size_t out_count)
{
    IS_CHANGED(bytes);
    IS_CHANGED(byte_count);
    IS_CHANGED(out);
    IS_CHANGED(out_count);
}

/* The distance from an address to the next multiple of `width`, at most `left`. */
static size_t to_boundary(const void *address, size_t width, size_t most)
{
    size_t count = (0 - (uintptr_t)address) % width;
    return count < most ? count : most;
}

static uint8_t load_singly(const uint8_t *bytes, size_t byte_count)
{
    uint8_t all = 0;
    for (size_t i = 0; i < byte_count; i++)
        all |= bytes[i];
    return all;
}

enum {
    AHEAD = 4096,
    PART = 4096 /* for loops that move: a part is read, then its share of the output is written */
};

/* Defines a loop that loads: `name`, with vectors of `width` bytes, `in_turn` of them (four or two) at once. They begin
 * at multiples of `width`: a vector across two cache lines costs two loads. */
#define LOAD(name, isa, width, target, in_turn, prefetched) \
    AT_A_LINE target static void name(const uint8_t *bytes, size_t byte_count, uint8_t *out, size_t out_count) \
    { \
        isa##_bytes a = {0}, b = {0}, c = {0}, d = {0}; \
        size_t at = to_boundary(bytes, width, byte_count); \
        uint8_t rest = load_singly(bytes, at); \
        bool prefetches = byte_count >= prefetched; \
        (void)out, (void)out_count; \
        for (; byte_count - at >= in_turn * width; at += in_turn * width) { \
            a |= *(const isa##_bytes *)(bytes + at); \
            b |= *(const isa##_bytes *)(bytes + at + width); \
            if (in_turn == 4) \
                c |= *(const isa##_bytes *)(bytes + at + 2 * width); \
            if (in_turn == 4) \
                d |= *(const isa##_bytes *)(bytes + at + 3 * width); \
            for (size_t i = 0; prefetches && i < in_turn * width; i += 64) \
                __builtin_prefetch((const void *)((uintptr_t)bytes + at + AHEAD + i)); \
        } \
        for (; byte_count - at >= width; at += width) \
            a |= *(const isa##_bytes *)(bytes + at); \
        rest |= load_singly(bytes + at, byte_count - at); \
        a |= b | c | d; \
        IS_USED(a); \
        IS_USED(rest); \
    }

/* Defines a loop that loads and stores, also at multiples of `width`. For each PART, vectors are stored as they are
 * loaded; if the output is longer, the rest is stored after that. `put` stores a vector. */
#define MOVE(name, isa, width, target, put) \
    AT_A_LINE target static void name(const uint8_t *bytes, size_t byte_count, uint8_t *out, size_t out_count) \
    { \
        isa##_bytes now = {0}; \
        size_t skipped = to_boundary(bytes, width, byte_count), unwritten = to_boundary(out, width, out_count); \
        uint8_t first = load_singly(bytes, skipped); \
        bytes += skipped, byte_count -= skipped, out += unwritten, out_count -= unwritten; \
        double share = (double)out_count / (double)(byte_count + (byte_count == 0)); \
        for (size_t at = 0, written = 0; at < byte_count; at += PART) { \
            size_t end = byte_count - at < PART ? byte_count : at + PART, i = at, to = written; \
            size_t until = end == byte_count ? out_count : (size_t)((double)end * share); \
            for (; end - i >= width && until - to >= width; i += width, to += width) \
                put(isa, out + to, now = *(const isa##_bytes *)(bytes + i)); \
            for (; end - i >= width; i += width) \
                now |= *(const isa##_bytes *)(bytes + i); \
            for (; until - to >= width; to += width) \
                put(isa, out + to, now); \
            first |= load_singly(bytes + i, end - i); \
            written = to; \
        } \
        IS_USED(now); \
        IS_USED(first); \
    }

/* The same with stores spread evenly: if the output is n times as long as the input, n stores follow each load. On a
 * Zen 5 this is up to a third faster for n = 4. */
#define MOVE_EVENLY(name, isa, width, target) \
    AT_A_LINE target static void name(const uint8_t *bytes, size_t byte_count, uint8_t *out, size_t out_count) \
    { \
        isa##_bytes now = {0}; \
        size_t at = to_boundary(bytes, width, byte_count), to = to_boundary(out, width, out_count); \
        size_t each = (out_count + byte_count / 2) / (byte_count + (byte_count == 0)); \
        uint8_t rest = load_singly(bytes, at); \
        for (; each > 0 && byte_count - at >= width && out_count - to >= each * width; at += width) { \
            now = *(const isa##_bytes *)(bytes + at); \
            for (size_t i = 0; i < each; i++, to += width) \
                *(isa##_bytes *)(out + to) = now; \
        } \
        for (; byte_count - at >= width; at += width) \
            now |= *(const isa##_bytes *)(bytes + at); \
        for (; out_count - to >= width; to += width) \
            *(isa##_bytes *)(out + to) = now; \
        rest |= load_singly(bytes + at, byte_count - at); \
        IS_USED(now); \
        IS_USED(rest); \
    }

/* A store that bypasses the caches: the cache line is not read before it is written. */
#define PUT(isa, to, value) (*(isa##_bytes *)(to) = (value))
#define PUT_PAST(isa, to, value) put_past_##isa(to, value)

/* The functions of one width, for each limit. The last one is only for data beyond the caches. */
enum { OF_WIDTH = 3 };
#define KERNELS(isa, width, target, put_past) \
    LOAD(load_##isa, isa, width, target, 4, BEYOND_CACHES) \
    LOAD(load_in_twos_##isa, isa, width, target, 2, BEYOND_CACHES) \
    LOAD(load_alone_##isa, isa, width, target, 4, SIZE_MAX) \
    MOVE(move_##isa, isa, width, target, PUT) \
    MOVE(move_past_##isa, isa, width, target, put_past) \
    MOVE_EVENLY(move_evenly_##isa, isa, width, target) \
    static limit_function *const limits_##isa[][OF_WIDTH] = {{call_nothing, call_nothing, call_nothing}, \
                                                             {load_##isa, load_in_twos_##isa, load_alone_##isa}, \
                                                             {move_##isa, move_evenly_##isa, move_past_##isa}};

#define VECTOR(isa, width) typedef uint8_t isa##_bytes __attribute__((vector_size(width), aligned(1), may_alias))

VECTOR(any, 16);
KERNELS(any, 16, , PUT)
#ifdef __x86_64__
#define FOR_AVX2 __attribute__((target("avx2")))
#define FOR_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl")))
VECTOR(avx2, 32);
VECTOR(avx512, 64);
FOR_AVX2 static inline void put_past_avx2(uint8_t *to, avx2_bytes value)
{
    _mm256_stream_si256((__m256i *)(void *)to, (__m256i)value);
}

FOR_AVX512 static inline void put_past_avx512(uint8_t *to, avx512_bytes value)
{
    _mm512_stream_si512((__m512i *)(void *)to, (__m512i)value);
}

KERNELS(avx2, 32, FOR_AVX2, PUT_PAST)
KERNELS(avx512, 64, FOR_AVX512, PUT_PAST)
#endif

/* Appends the functions of one width to a list; returns its new length. */
static size_t add_variants(limit_function *const of_width[OF_WIDTH], size_t byte_count, limit_function **functions,
                           size_t count)
{
    size_t usable = byte_count >= BEYOND_CACHES ? OF_WIDTH : OF_WIDTH - 1;
    for (size_t i = 0; i < usable; i++)
        functions[count++] = of_width[i];
    return count;
}

size_t limit_variants(enum limit limit, size_t byte_count, limit_function *functions[LIMIT_VARIANTS])
{
    size_t count = 0;
#ifdef __x86_64__
    if (cpu_has(CPU_avx512) && !cpu_emulates(CPU_avx512))
        count = add_variants(limits_avx512[limit], byte_count, functions, count);
    if (cpu_has(CPU_avx2))
        count = add_variants(limits_avx2[limit], byte_count, functions, count);
#endif
    if (count == 0)
        count = add_variants(limits_any[limit], byte_count, functions, count);
    return limit == LIMIT_CALL ? 1 : count;
}
