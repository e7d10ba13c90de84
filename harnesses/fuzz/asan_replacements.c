/* SPDX-License-Identifier: MIT
 *
 * Cheaper replacements for what AddressSanitizer intercepts in a fuzz target. The checks of codecs are the same as
 * without them.
 *
 * - Heap: codecs allocate nothing, and each input ends at a guard page (target.c). The engine's own copies of inputs
 *   therefore come from the C library, without AddressSanitizer's red zones, stack traces and quarantine.
 * - Code that is not instrumented (engine, mutator, core, claims) clears, and copies up to 512 bytes, unchecked:
 *   the engine alone moves 8,000 bytes an execution. The asan build checks this code, too.
 * - Instrumented copies: each copy or clear of a structure is a call, about 20 an execution, that costs more than the
 *   move. Small ones are checked against the shadow here and done in place. AddressSanitizer gets all others, and so
 *   writes every report.
 * - Clock: the engine reads it twice an execution to count seconds. A coarse clock is enough.
 *
 * Linked with --wrap: a call of __asan_memcpy goes to __wrap___asan_memcpy, and __real___asan_memcpy is
 * AddressSanitizer's. Shared libraries, loaded codecs among them, still call AddressSanitizer's.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <sanitizer/asan_interface.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* ASAN_OPTIONS in the environment overrides these. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0:malloc_context_size=0:quarantine_size_mb=0:thread_local_quarantine_size_kb=0";
}

/* The engine's new[] and delete[], over the C library's names that AddressSanitizer does not intercept. */
void *__libc_malloc(size_t byte_count);
void __libc_free(void *bytes);
void *__wrap__Znam(size_t byte_count);
void __wrap__ZdaPv(void *bytes);

void *__wrap__Znam(size_t byte_count)
{
    void *bytes = __libc_malloc(byte_count);
    if (bytes == NULL) /* new[] would throw, which also ends the engine */
        __builtin_trap();
    return bytes;
}

void __wrap__ZdaPv(void *bytes)
{
    __libc_free(bytes);
}

void *__real___asan_memcpy(void *to, const void *from, size_t count);
void *__real___asan_memmove(void *to, const void *from, size_t count);
void *__real___asan_memset(void *to, int value, size_t count);
void *__wrap___asan_memcpy(void *to, const void *from, size_t count);
void *__wrap___asan_memmove(void *to, const void *from, size_t count);
void *__wrap___asan_memset(void *to, int value, size_t count);

/* Bytes: GRANULE, described by one byte of shadow memory; SMALL_MAX, the longest copy that is done here. */
enum { GRANULE = 8, SMALL_MAX = 512 };

typedef struct {
    uint64_t words[2];
} chunk; /* the largest unit of a copy */

static size_t shadow_offset; /* 0: not looked up yet, or a shadow of another scale */
static int (*read_clock)(clockid_t clock, struct timespec *now) = clock_gettime;

static void __attribute__((constructor)) find_shadow_and_clock(void)
{
    void *unchecked = dlsym(RTLD_NEXT, "clock_gettime");
    if (unchecked != NULL)
        memcpy(&read_clock, &unchecked, sizeof read_clock);
    size_t scale, offset;
    __asan_get_shadow_mapping(&scale, &offset);
    shadow_offset = (size_t)1 << scale == GRANULE ? offset : 0;
}

/* std::chrono::system_clock::now(), as nanoseconds. */
int64_t __wrap__ZNSt6chrono3_V212system_clock3nowEv(void);

int64_t __wrap__ZNSt6chrono3_V212system_clock3nowEv(void)
{
    struct timespec now;
    read_clock(CLOCK_REALTIME_COARSE, &now); /* up to some milliseconds late */
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static bool is_small(size_t count)
{
    return count - 1 < SMALL_MAX && shadow_offset != 0;
}

/* The shadow of 1 to SMALL_MAX bytes, without that of the last byte: not 0 if one of them is poisoned. */
static uint64_t poison_before(const int8_t *shadow, const int8_t *end)
{
    uint64_t poison = 0, word;
    for (; end - shadow >= (ptrdiff_t)sizeof word; shadow += sizeof word) {
        __builtin_memcpy(&word, shadow, sizeof word);
        poison |= word;
    }
    __builtin_memcpy(&word, shadow, sizeof word); /* the whole shadow is readable */
    return poison | (word & (((uint64_t)1 << 8 * (end - shadow)) - 1));
}

/* True if all of 1 to SMALL_MAX bytes are addressable. A byte of shadow is 0 if its 8 bytes are; if positive, it is how
 * many of them are. Most copies are of whole structures of up to 64 bytes: one word of shadow that is 0. */
static inline __attribute__((always_inline)) bool is_addressable(const void *bytes, size_t count)
{
    uintptr_t first = (uintptr_t)bytes, last = first + count - 1;
    const int8_t *shadow = (const int8_t *)(first / GRANULE + shadow_offset);
    const int8_t *end = (const int8_t *)(last / GRANULE + shadow_offset);
    uint64_t word;
    __builtin_memcpy(&word, shadow, sizeof word);
    if (end - shadow < (ptrdiff_t)sizeof word && word << 8 * (shadow + sizeof word - 1 - end) == 0)
        return true;
    return poison_before(shadow, end) == 0 && (*end == 0 || (int8_t)(last % GRANULE) < *end);
}

/* True if the two ranges have no byte in common. The subtractions wrap around: one is the distance, the other 2^N minus
 * the distance. */
static bool do_not_overlap(const void *a, const void *b, size_t count)
{
    return (uintptr_t)a - (uintptr_t)b >= count && (uintptr_t)b - (uintptr_t)a >= count;
}

static inline __attribute__((always_inline)) bool may_copy(const void *to, const void *from, size_t count)
{
    return is_small(count) && do_not_overlap(to, from, count) && is_addressable(from, count) &&
           is_addressable(to, count);
}

/* Moves `count` bytes, at least 1 (is_small), in steps of a type. The last step may overlap the one before it. */
#define IN_STEPS(type, count, move) \
    do { \
        for (size_t at = 0; at + sizeof(type) < (count); at += sizeof(type)) \
            move(type, at); \
        move(type, (count) - sizeof(type)); \
    } while (0)

/* IN_STEPS with the largest type that fits. */
#define IN_LARGEST_STEPS(count, move) \
    do { \
        if ((count) >= sizeof(chunk)) \
            IN_STEPS(chunk, count, move); \
        else if ((count) >= sizeof(uint64_t)) \
            IN_STEPS(uint64_t, count, move); \
        else if ((count) >= sizeof(uint32_t)) \
            IN_STEPS(uint32_t, count, move); \
        else \
            IN_STEPS(uint8_t, count, move); \
    } while (0)

static void *copy(uint8_t *to, const uint8_t *from, size_t count)
{
#define COPY(type, at) __builtin_memcpy(to + (at), from + (at), sizeof(type))
    IN_LARGEST_STEPS(count, COPY);
#undef COPY
    return to;
}

void *__wrap___asan_memcpy(void *to, const void *from, size_t count)
{
    return may_copy(to, from, count) ? copy(to, from, count) : __real___asan_memcpy(to, from, count);
}

void *__wrap___asan_memmove(void *to, const void *from, size_t count)
{
    return may_copy(to, from, count) ? copy(to, from, count) : __real___asan_memmove(to, from, count);
}

void *__wrap___asan_memset(void *to, int value, size_t count)
{
    if (!is_small(count) || !is_addressable(to, count))
        return __real___asan_memset(to, value, count);
    uint8_t *bytes = to;
    uint64_t word = (uint8_t)value * UINT64_C(0x0101010101010101);
    chunk words = {{word, word}};
#define SET(type, at) __builtin_memcpy(bytes + (at), &words, sizeof(type))
    IN_LARGEST_STEPS(count, SET);
#undef SET
    return to;
}

/* Calls from code that is not instrumented. AddressSanitizer does not intercept explicit_bzero. */
void *__real_memset(void *to, int value, size_t count);
void *__real_memcpy(void *to, const void *from, size_t count);
void *__wrap_memset(void *to, int value, size_t count);
void *__wrap_memcpy(void *to, const void *from, size_t count);

void *__wrap_memset(void *to, int value, size_t count)
{
    if (value != 0)
        return __real_memset(to, value, count);
    explicit_bzero(to, count);
    return to;
}

void *__wrap_memcpy(void *to, const void *from, size_t count)
{
    return is_small(count) ? copy(to, from, count) : __real_memcpy(to, from, count);
}
