/* SPDX-License-Identifier: MIT
 *
 * arena.h - memory between two guard pages. What reads or writes one byte outside it dies on the spot.
 *
 * An arena only grows, and is reused from one input to the next: mapping memory each time would cost more
 * than what is tested.
 */
#ifndef ASSAY_ARENA_H
#define ASSAY_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena {
    uint8_t *begin; /* the guard page before it ends here */
    uint8_t *end;   /* the guard page after it begins here */
};

/* Makes room for at least `byte_count` bytes; pointers into the arena from before are then invalid. Ends the
 * program with exit code 2 if the system has no memory. */
void arena_reserve(struct arena *arena, size_t byte_count);

/* Says that the system has not so many bytes, and ends the program with exit code 2, on the spot: what is said of a codec that
 * calls exit() is not for this. */
_Noreturn void arena_fail(size_t byte_count);

/* Gives the memory back; the arena is then as at the start. */
void arena_release(struct arena *arena);

/* Where `byte_count` bytes lie that end at the guard page behind, or begin at the one before. */
uint8_t *arena_at_end(struct arena *arena, size_t byte_count);
uint8_t *arena_at_begin(struct arena *arena, size_t byte_count);

#endif
