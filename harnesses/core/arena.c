/* SPDX-License-Identifier: MIT */
#include "arena.h"
#include "question.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

void arena_fail(size_t byte_count)
{
    asking_ends();
    fprintf(stderr, "assay: no memory for a buffer of %zu bytes\n", byte_count);
    _exit(2);
}

void arena_release(struct arena *arena)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (arena->begin != NULL)
        munmap(arena->begin - page, (size_t)(arena->end - arena->begin) + 2 * page);
    *arena = (struct arena){NULL, NULL};
}

void arena_reserve(struct arena *arena, size_t byte_count)
{
    if (arena_has(arena, byte_count))
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t size = (byte_count / page + 1) * page;
    arena_release(arena);
    uint8_t *base = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + page, size, PROT_READ | PROT_WRITE) != 0)
        arena_fail(size);
    arena->begin = base + page;
    arena->end = arena->begin + size;
}
