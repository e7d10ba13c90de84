/* SPDX-License-Identifier: MIT
 *
 * arena.h - memory between two guard pages: a read or write one byte outside it crashes at once.
 *
 * An arena only grows, and is reused for the next input: mapping memory for each would cost more than the test.
 */
#ifndef ASSAY_ARENA_H
#define ASSAY_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena {
    uint8_t *begin; /* the guard page before it ends here */
    uint8_t *end;   /* the guard page after it begins here */
};

/* Which of the two guard pages memory touches. */
enum placement { AT_END, AT_BEGIN, PLACEMENT_COUNT };

static inline bool arena_has(const struct arena *arena, size_t byte_count)
{
    return arena->begin != NULL && (size_t)(arena->end - arena->begin) >= byte_count;
}

/* Makes room for at least `byte_count` bytes, which invalidates earlier pointers into the arena. Ends the program with
 * exit code 2 if there is no memory. */
void arena_reserve(struct arena *arena, size_t byte_count);

/* Reports that there is no memory for `byte_count` bytes, and ends the program with exit code 2. A codec that is being
 * asked is not blamed. */
_Noreturn void arena_fail(size_t byte_count);

/* Frees the memory. The arena is then empty, and can be used again. */
void arena_release(struct arena *arena);

/* Returns room for `byte_count` bytes that end at the guard page after the arena, or begin at the one before it. In the
 * header because a fuzzer does it for each piece of a stream. */
static inline uint8_t *arena_at_end(struct arena *arena, size_t byte_count)
{
    if (!arena_has(arena, byte_count))
        arena_reserve(arena, byte_count);
    return arena->end - byte_count;
}

static inline uint8_t *arena_at_begin(struct arena *arena, size_t byte_count)
{
    if (!arena_has(arena, byte_count))
        arena_reserve(arena, byte_count);
    return arena->begin;
}

static inline uint8_t *arena_at(struct arena *arena, size_t byte_count, enum placement placement)
{
    return placement == AT_END ? arena_at_end(arena, byte_count) : arena_at_begin(arena, byte_count);
}

/* The same, `shift` bytes from that guard page. */
static inline uint8_t *arena_near(struct arena *arena, size_t byte_count, size_t shift, enum placement placement)
{
    uint8_t *begin = arena_at(arena, byte_count + shift, placement);
    return placement == AT_END ? begin : begin + shift;
}

#endif
