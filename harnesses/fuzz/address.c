/* SPDX-License-Identifier: MIT
 *
 * What AddressSanitizer does for nothing while a fuzzer runs, left out; what it finds in codecs stays as it is.
 *
 * - The heap: codecs have no memory of their own, and each input lies at a guard page (target.c). So the engine's own copies of inputs
 *   have no need of AddressSanitizer's memory, of a stack that is remembered for each, nor of being kept from being used again.
 * - What is not instrumented (the engine, the mutator, core and claims) clears and copies unchecked: eight thousand bytes an execution
 *   are the engine's. Where these are checked, too, is the build for tests with AddressSanitizer.
 * - Copies: each structure that instrumented code copies or clears is a call, some twenty an execution, that costs more than what it
 *   moves. Here small ones are looked up in the same shadow and done in place; all that is not plainly sound is left to
 *   AddressSanitizer, to be said in its own words.
 * - The clock, which the engine reads twice an execution for what it counts in seconds: one that asks neither the processor nor
 *   AddressSanitizer.
 *
 * Linked with --wrap: calls of __asan_memcpy come to __wrap___asan_memcpy, and __real___asan_memcpy is what was meant. Shared
 * libraries, codecs that are loaded among them, go on calling what was meant.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <sanitizer/asan_interface.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* The environment's ASAN_OPTIONS have the last word. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0:malloc_context_size=0:quarantine_size_mb=0:thread_local_quarantine_size_kb=0";
}

/* The engine's new[] and delete[]: the C library's memory, by the names that AddressSanitizer leaves alone. */
void *__libc_malloc(size_t byte_count);
void __libc_free(void *bytes);
void *__wrap__Znam(size_t byte_count);
void __wrap__ZdaPv(void *bytes);

void *__wrap__Znam(size_t byte_count)
{
    void *bytes = __libc_malloc(byte_count);
    if (bytes == NULL) /* new[] would throw, which ends the engine, too */
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

/* Bytes: what a byte of shadow speaks of; the most that is done here. */
enum { GRANULE = 8, MOST = 512 };

typedef struct {
    uint64_t words[2];
} chunk; /* what is moved in one go */

static size_t shadow_offset; /* 0: not known yet, or none that this file knows */
static int (*read_clock)(clockid_t clock, struct timespec *now) = clock_gettime;

static void __attribute__((constructor)) find(void)
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
    read_clock(CLOCK_REALTIME_COARSE, &now); /* some milliseconds late */
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static bool is_small(size_t count)
{
    return count - 1 < MOST && shadow_offset != 0;
}

/* Whether all of 1 to MOST bytes may be touched: a byte of shadow is 0 if its eight may be; positive, it says how many. */
static bool is_sound(const void *bytes, size_t count)
{
    uintptr_t first = (uintptr_t)bytes, last = first + count - 1;
    const int8_t *shadow = (const int8_t *)(first / GRANULE + shadow_offset);
    const int8_t *end = (const int8_t *)(last / GRANULE + shadow_offset);
    uint64_t poison = 0, word;
    for (; end - shadow >= (ptrdiff_t)sizeof word; shadow += sizeof word) {
        __builtin_memcpy(&word, shadow, sizeof word);
        poison |= word;
    }
    __builtin_memcpy(&word, shadow, sizeof word); /* all of the shadow can be read */
    poison |= word & (((uint64_t)1 << 8 * (end - shadow)) - 1);
    return poison == 0 && (*end == 0 || (int8_t)(last % GRANULE) < *end);
}

static bool are_apart(const void *a, const void *b, size_t count)
{
    return (uintptr_t)a - (uintptr_t)b >= count && (uintptr_t)b - (uintptr_t)a >= count;
}

static bool may_copy(const void *to, const void *from, size_t count)
{
    return is_small(count) && are_apart(to, from, count) && is_sound(from, count) && is_sound(to, count);
}

/* Moves `count` bytes, at least one (is_small), in steps of a type, the last step astride the one before. */
#define IN_STEPS(type, count, move)                                           \
    do {                                                                      \
        for (size_t at = 0; at + sizeof(type) < (count); at += sizeof(type)) \
            move(type, at);                                                   \
        move(type, (count) - sizeof(type));                                   \
    } while (0)

/* The same in steps of the largest type that fits. */
#define IN_LARGEST_STEPS(count, move)         \
    do {                                      \
        if ((count) >= sizeof(chunk))         \
            IN_STEPS(chunk, count, move);     \
        else if ((count) >= sizeof(uint64_t)) \
            IN_STEPS(uint64_t, count, move);  \
        else if ((count) >= sizeof(uint32_t)) \
            IN_STEPS(uint32_t, count, move);  \
        else                                  \
            IN_STEPS(uint8_t, count, move);   \
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
    if (!is_small(count) || !is_sound(to, count))
        return __real___asan_memset(to, value, count);
    uint8_t *bytes = to;
    uint64_t word = (uint8_t)value * UINT64_C(0x0101010101010101);
    chunk words = {{word, word}};
#define SET(type, at) __builtin_memcpy(bytes + (at), &words, sizeof(type))
    IN_LARGEST_STEPS(count, SET);
#undef SET
    return to;
}

/* Calls of what is not instrumented. AddressSanitizer leaves explicit_bzero alone. */
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
