/* SPDX-License-Identifier: MIT
 *
 * pool.h - memory that lives as long as the vectors: all of it is freed at once.
 */
#ifndef ASSAY_VECTORS_POOL_H
#define ASSAY_VECTORS_POOL_H

#include <stddef.h>

/* A pool is a pointer to one of these, NULL at first. */
struct pool;

/* Returns zeroed memory for any type; never NULL. */
void *pool_alloc(struct pool **pool, size_t count, size_t size);

/* Returns a copy of the text. */
char *pool_keep(struct pool **pool, const char *text);

void pool_free(struct pool **pool);

#endif
