/* SPDX-License-Identifier: MIT
 *
 * pieces.h - a document in pieces, for parsers that ask for their input: each call is given bytes of one piece.
 */
#ifndef ASSAY_PIECES_H
#define ASSAY_PIECES_H

#include "embed.h"

static struct {
    struct document *all;
    size_t count, capacity;
    size_t next, at; /* the piece that is read next, and how many bytes of it were read */
} pieces;

static inline void forget_pieces(void)
{
    while (pieces.count > 0)
        free(pieces.all[--pieces.count].bytes);
    pieces.next = pieces.at = 0;
}

/* Takes over the bytes, and frees them in forget_pieces(). */
static inline void keep_piece(struct document piece)
{
    if (pieces.count == pieces.capacity) {
        pieces.capacity = 2 * pieces.capacity + 64;
        pieces.all = (struct document *)checked(realloc(pieces.all, pieces.capacity * sizeof *pieces.all));
    }
    pieces.all[pieces.count++] = piece;
}

/* Copies the next bytes, and returns their number, which is at most `room`; 0 is the end. An empty piece is left
 * out. */
static inline size_t read_piece(void *to, size_t room)
{
    while (pieces.next < pieces.count && pieces.at == pieces.all[pieces.next].count) {
        pieces.next++;
        pieces.at = 0;
    }
    if (pieces.next == pieces.count)
        return 0;
    size_t left = pieces.all[pieces.next].count - pieces.at, count = left < room ? left : room;
    memcpy(to, pieces.all[pieces.next].bytes + pieces.at, count);
    pieces.at += count;
    return count;
}

#endif
