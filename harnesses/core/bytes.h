/* SPDX-License-Identifier: MIT
 *
 * bytes.h - fill, copy and compare, as loops that a compiler turns into vector instructions.
 *
 * A fuzzer asks so many small questions that calls to the C library's functions, which a sanitizer
 * intercepts, would be a fifth of its time; fuzz builds keep the compiler from making such calls of these.
 */
#ifndef ASSAY_BYTES_H
#define ASSAY_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline void bytes_fill(uint8_t *to, uint8_t value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = value;
}

static inline void bytes_copy(void *restrict to, const void *restrict from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
}

static inline bool bytes_equal(const void *a, const void *b, size_t count)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < count; i++)
        difference |= ((const uint8_t *)a)[i] ^ ((const uint8_t *)b)[i];
    return difference == 0;
}

static inline bool bytes_are(const uint8_t *bytes, uint8_t value, size_t count)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < count; i++)
        difference |= bytes[i] ^ value;
    return difference == 0;
}

#endif
