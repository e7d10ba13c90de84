/* SPDX-License-Identifier: MIT
 *
 * load_tail.h - loads fewer than 64 bytes, for instruction sets without masked loads; AVX2, which has them for words of
 * 32 bits, loads fewer than four bytes, and up to four units, by words_of(). It works in registers: a vector loaded
 * from bytes that were just stored piece by piece would wait for the stores.
 */
#ifndef ASSAY_SIMD_ISA_LOAD_TAIL_H
#define ASSAY_SIMD_ISA_LOAD_TAIL_H

#include "vec.h"

enum { PIECE_BYTES = 16 };

/* A shuffle from here moves what was loaded so that its end is the end of the input down to its place; the top bit
 * gives zeros. */
static const uint8_t slide[2 * PIECE_BYTES] = {0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,
                                               11,   12,   13,   14,   15,   0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                               0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};

/* Piece `number` of at least 16 bytes: 16 bytes of the input, and the shuffle that puts zeros for those beyond its
 * end and brings the others to their place. */
struct piece {
    const uint8_t *bytes, *shuffle;
};

KERNEL_PART struct piece piece_of(const uint8_t *bytes, size_t count, size_t number)
{
    size_t begin = number * PIECE_BYTES, end = begin + PIECE_BYTES;
    size_t last = end < count ? end : count;
    size_t inside = (last > begin ? last : begin) - begin;
    return (struct piece){bytes + last - PIECE_BYTES, slide + PIECE_BYTES - inside};
}

/* Up to 16 bytes as two words, the first byte lowest (of what has vectors here, all is little-endian). */
struct words {
    uint64_t low, high;
};

KERNEL_PART uint64_t load_8(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

KERNEL_PART uint64_t load_4(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Two loads that overlap where they have to. */
KERNEL_PART struct words words_of(const uint8_t *bytes, size_t count)
{
    if (count >= 8)
        return (struct words){load_8(bytes), count == 8 ? 0 : load_8(bytes + count - 8) >> 8 * (PIECE_BYTES - count)};
    if (count >= 4)
        return (struct words){load_4(bytes) | load_4(bytes + count - 4) << 8 * (count - 4), 0};
    if (count == 0)
        return (struct words){0, 0};
    uint64_t first = bytes[0], middle = bytes[count / 2], last = bytes[count - 1];
    return (struct words){first | middle << 8 * (count / 2) | last << 8 * (count - 1), 0};
}

#endif
