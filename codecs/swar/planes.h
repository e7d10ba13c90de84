/* SPDX-License-Identifier: MIT
 *
 * planes.h - 64 bytes as eight words, one for each bit of a byte: each bit of plane k is bit k of one of the bytes. One
 * and, or, not of words then tests 64 bytes at once (Cameron 2008, "A Case Study in SIMD Text Processing with Parallel
 * Bit Streams"). The verbs of codecs/simd/isa/vec.h do not fit here: they all need a 16-byte table lookup, which words
 * do not have.
 *
 * The bits of a plane are in the order that is cheapest to make: byte 8i + j of the block is bit 8j + i, on machines of
 * either byte order.
 */
#ifndef ASSAY_SWAR_PLANES_H
#define ASSAY_SWAR_PLANES_H

#include "../assume.h"
#include "../inline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WORD_BYTES = 8, BLOCK_BYTES = 64 };

#define IN_EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

struct block {
    uint64_t word[WORD_BYTES];
};

/* Loads the first byte as the lowest. */
ALWAYS_INLINE uint64_t load_word(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

ALWAYS_INLINE struct block load_block(const uint8_t *bytes)
{
    struct block block;
#pragma GCC unroll 8
    for (size_t i = 0; i < WORD_BYTES; i++)
        block.word[i] = load_word(bytes + WORD_BYTES * i);
    return block;
}

/* A function of its own, without the block's other work, so that compilers can vectorise it. */
ALWAYS_INLINE bool is_ascii_block(const uint8_t *bytes)
{
    uint64_t any = 0;
#pragma GCC unroll 8
    for (size_t i = 0; i < WORD_BYTES; i++)
        any |= load_word(bytes + WORD_BYTES * i);
    return (any & IN_EACH_BYTE(0x80)) == 0;
}

/* Exchanges bits between two words: of each two groups of `distance` bits, the upper one of the first word for the
 * lower one of the second. */
ALWAYS_INLINE void exchange(uint64_t *first, uint64_t *second, unsigned distance, uint64_t lower)
{
    uint64_t differ = (*first >> distance ^ *second) & lower;
    *first ^= differ << distance;
    *second ^= differ;
}

/* Words to planes: for each j, bytes j of the eight words are a square of 8 by 8 bits, which is transposed. */
ALWAYS_INLINE void make_planes(struct block *block)
{
    uint64_t *word = block->word;
#pragma GCC unroll 4
    for (size_t i = 0; i < WORD_BYTES; i += 2)
        exchange(&word[i], &word[i + 1], 1, IN_EACH_BYTE(0x55));
#pragma GCC unroll 4
    for (size_t i = 0; i < WORD_BYTES / 2; i++)
        exchange(&word[i + (i & 2)], &word[i + (i & 2) + 2], 2, IN_EACH_BYTE(0x33));
#pragma GCC unroll 4
    for (size_t i = 0; i < WORD_BYTES / 2; i++)
        exchange(&word[i], &word[i + 4], 4, IN_EACH_BYTE(0x0F));
}

/* Moves each bit of a plane to the byte `distance` (1 to 3) later. The first bytes get the bits of the block before. */
ALWAYS_INLINE uint64_t later(uint64_t plane, uint64_t before, unsigned distance)
{
    ASSUME(distance >= 1 && distance <= 3);
    uint64_t from_word_before = (plane >> (64 - 8 * distance) & IN_EACH_BYTE(0x7F)) << 1;
    uint64_t from_block_before = before >> (71 - 8 * distance) & IN_EACH_BYTE(1);
    return plane << 8 * distance | from_word_before | from_block_before;
}

ALWAYS_INLINE size_t count_bits(uint64_t bits)
{
    bits -= bits >> 1 & IN_EACH_BYTE(0x55);
    bits = (bits & IN_EACH_BYTE(0x33)) + (bits >> 2 & IN_EACH_BYTE(0x33));
    return (size_t)(((bits + (bits >> 4)) & IN_EACH_BYTE(0x0F)) * IN_EACH_BYTE(1) >> 56);
}

/* Leads, as planes. Of the block before, only leads of incomplete characters matter. */
struct leads {
    uint64_t all, of_3, of_4; /* C0..FF, E0..FF, F0..FF */
    uint64_t e0, ed, f0, f4;  /* leads that refuse some continuation bytes (Unicode 17.0, Table 3-7); f4: F4..F7 */
};

/* Continuation bytes, leads, and bytes that are wrong after those before them, as planes. */
struct structure {
    uint64_t continuations, wrong;
    struct leads leads;
};

ALWAYS_INLINE struct structure structure_of(struct block block, const struct leads *before)
{
    make_planes(&block);
    const uint64_t *bit = block.word;
    struct structure found = {.continuations = bit[7] & ~bit[6]};
    struct leads *leads = &found.leads;
    leads->all = bit[7] & bit[6];
    leads->of_3 = leads->all & bit[5];
    leads->of_4 = leads->of_3 & bit[4];
    uint64_t any_low = bit[3] | bit[2] | bit[1] | bit[0];
    leads->e0 = leads->of_3 & ~bit[4] & ~any_low;
    leads->ed = leads->of_3 & ~bit[4] & bit[3] & bit[2] & ~bit[1] & bit[0];
    leads->f0 = leads->of_4 & ~any_low;
    leads->f4 = leads->of_4 & bit[2];
    uint64_t c0_c1 = leads->all & ~(bit[5] | bit[4] | bit[3] | bit[2] | bit[1]);
    uint64_t f5_ff = leads->of_4 & (bit[3] | (bit[2] & (bit[1] | bit[0])));

    uint64_t wanted =
        later(leads->all, before->all, 1) | later(leads->of_3, before->of_3, 2) | later(leads->of_4, before->of_4, 3);
    uint64_t from_90 = bit[5] | bit[4];
    uint64_t refused = (later(leads->e0, before->e0, 1) & ~bit[5]) | (later(leads->ed, before->ed, 1) & bit[5]) |
                       (later(leads->f0, before->f0, 1) & ~from_90) | (later(leads->f4, before->f4, 1) & from_90);
    found.wrong = (wanted ^ found.continuations) | refused | c0_c1 | f5_ff;
    return found;
}

#endif
