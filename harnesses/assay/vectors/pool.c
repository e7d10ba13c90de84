/* SPDX-License-Identifier: MIT
 *
 * Memory in blocks, freed at once.
 */
#include "pool.h"

#include "../cli.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };

struct pool {
    struct pool *before; /* an older block, which is full */
    size_t used, size;
    _Alignas(max_align_t) uint8_t bytes[];
};

void *pool_alloc(struct pool **pool, size_t count, size_t size)
{
    size_t wanted = (count * size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    if (*pool == NULL || (*pool)->size - (*pool)->used < wanted) {
        size_t block_bytes = wanted > BLOCK_BYTES ? wanted : BLOCK_BYTES;
        struct pool *block = cli_alloc(1, sizeof *block + block_bytes);
        block->before = *pool;
        block->size = block_bytes;
        *pool = block;
    }
    void *memory = (*pool)->bytes + (*pool)->used;
    (*pool)->used += wanted;
    return memory;
}

char *pool_keep(struct pool **pool, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(pool_alloc(pool, size, 1), text, size);
}

void pool_free(struct pool **pool)
{
    while (*pool != NULL) {
        struct pool *before = (*pool)->before;
        free(*pool);
        *pool = before;
    }
}
