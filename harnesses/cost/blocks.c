/* SPDX-License-Identifier: MIT
 *
 * blocks.c - counts blocks: defines the function that the compiler calls in each block, and the memory functions that
 * the linker wraps.
 */
#include "blocks.h"

#include <stddef.h>
#include <string.h>

uint64_t blocks_of_code, blocks_of_copies;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    blocks_of_code++;
}

/* The linker gets --wrap for each of these (cost.cmake): counted code calls __wrap_NAME; __real_NAME is the C
 * library's. */
enum { BYTES_OF_BLOCK = 16 };

#define COUNT_COPIES(name) \
    void *__real_##name(void *to, const void *from, size_t count); \
    void *__wrap_##name(void *to, const void *from, size_t count); \
    void *__wrap_##name(void *to, const void *from, size_t count) \
    { \
        blocks_of_copies += 1 + count / BYTES_OF_BLOCK; \
        return __real_##name(to, from, count); \
    }
COUNT_COPIES(memcpy)
COUNT_COPIES(memmove)

void *__real_memset(void *to, int value, size_t count);
void *__wrap_memset(void *to, int value, size_t count);
void *__wrap_memset(void *to, int value, size_t count)
{
    blocks_of_copies += 1 + count / BYTES_OF_BLOCK;
    return __real_memset(to, value, count);
}

int __real_memcmp(const void *left, const void *right, size_t count);
int __wrap_memcmp(const void *left, const void *right, size_t count);
int __wrap_memcmp(const void *left, const void *right, size_t count)
{
    blocks_of_copies += 1 + count / BYTES_OF_BLOCK;
    return __real_memcmp(left, right, count);
}
