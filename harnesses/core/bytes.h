/* SPDX-License-Identifier: MIT
 *
 * bytes.h - fill, copy and compare, a word at a time.
 *
 * A fuzzer asks many small questions. Calls to the C library's functions, which a sanitizer intercepts, would take a
 * fifth of its time; fuzz builds keep the compiler from replacing these functions by such calls.
 */
#ifndef ASSAY_BYTES_H
#define ASSAY_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BYTES_WORD = sizeof(uint64_t) };

static inline uint64_t bytes_word(const uint8_t *bytes)
{
    uint64_t word;
    __builtin_memcpy(&word, bytes, BYTES_WORD);
    return word;
}

static inline uint64_t bytes_word_of(uint8_t value)
{
    return value * UINT64_C(0x0101010101010101);
}

static inline void bytes_fill(uint8_t *to, uint8_t value, size_t count)
{
    uint64_t word = bytes_word_of(value);
    size_t i = 0;
    for (; count - i >= BYTES_WORD; i += BYTES_WORD)
        __builtin_memcpy(to + i, &word, BYTES_WORD);
    for (; i < count; i++)
        to[i] = value;
}

static inline void bytes_copy(void *restrict to, const void *restrict from, size_t count)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    size_t i = 0;
    for (; count - i >= BYTES_WORD; i += BYTES_WORD)
        __builtin_memcpy(out + i, in + i, BYTES_WORD);
    for (; i < count; i++)
        out[i] = in[i];
}

static inline bool bytes_equal(const void *a, const void *b, size_t count)
{
    const uint8_t *one = a, *other = b;
    uint64_t difference = 0;
    size_t i = 0;
    for (; count - i >= BYTES_WORD; i += BYTES_WORD)
        difference |= bytes_word(one + i) ^ bytes_word(other + i);
    for (; i < count; i++)
        difference |= one[i] ^ other[i];
    return difference == 0;
}

static inline bool bytes_are(const uint8_t *bytes, uint8_t value, size_t count)
{
    uint64_t word = bytes_word_of(value), difference = 0;
    size_t i = 0;
    for (; count - i >= BYTES_WORD; i += BYTES_WORD)
        difference |= bytes_word(bytes + i) ^ word;
    for (; i < count; i++)
        difference |= bytes[i] ^ value;
    return difference == 0;
}

#endif
