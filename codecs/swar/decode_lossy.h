/* SPDX-License-Identifier: MIT
 *
 * decode_lossy.h - the units of blocks of 64 bytes that have errors, and no character of four bytes. The time does not
 * depend on where the errors are.
 *
 * For each of 64 bytes, loops that compilers vectorise compute the unit to write if a character, or an error, ended
 * there. Then a scalar loop, decode_lossy() in utf8.c, writes each byte's unit to the same place, and moves on by one
 * unit at each byte that begins a character or an error. So the unit that stays is that of the last byte of a
 * character, or U+FFFD for that of a maximal subpart (Unicode 17.0, 3.9, D93b).
 */
#ifndef ASSAY_SWAR_DECODE_LOSSY_H
#define ASSAY_SWAR_DECODE_LOSSY_H

#include "planes.h"

enum { REACH = 3 }; /* bytes before a byte that decide what it is */

/* All bits set if the condition holds, else none. */
#define WHERE(condition) ((uint8_t)((condition) ? 0xFF : 0))

/* What each byte of a block is. The first entries of `second` and `ends` are about the last bytes of the block
 * before. */
struct roles {
    uint8_t second[BLOCK_BYTES + 2]; /* [i + 2]: 0xFF if byte i is a valid second byte, else 0 */
    uint8_t ends[BLOCK_BYTES + 1];   /* [i + 1]: 0xFF if a character ends at byte i, else 0 */
    uint8_t begins[BLOCK_BYTES];     /* [i]: 1 if a character or an error begins at byte i, else 0 */
    uint16_t unit[BLOCK_BYTES];      /* [i]: the unit to write if a character or an error ends at byte i */
    bool has_fourth;                 /* the block has a fourth byte of a character */
    bool has_error;                  /* an error ends before the block's last byte */
};

/* True if any byte of a block is not zero. */
ALWAYS_INLINE bool has_any(const uint8_t *bytes)
{
    uint64_t any = 0;
    for (size_t i = 0; i < BLOCK_BYTES; i += WORD_BYTES)
        any |= load_word(bytes + i);
    return any != 0;
}

/* Stands for a block before the first one: only its end, a character boundary, is defined. */
ALWAYS_INLINE struct roles roles_at_boundary(void)
{
    struct roles roles;
    roles.second[BLOCK_BYTES] = roles.second[BLOCK_BYTES + 1] = 0;
    roles.ends[BLOCK_BYTES] = 0xFF;
    return roles;
}

/* Sets second[i] to 0xFF if byte i is a valid second byte, else to 0. Reads the byte before the block. */
ALWAYS_INLINE void find_seconds(const uint8_t *restrict bytes, uint8_t *restrict second)
{
    for (size_t i = 0; i < BLOCK_BYTES; i++) {
        uint8_t lead = (bytes - 1)[i], byte = bytes[i], before_90 = WHERE(byte < 0x90), before_a0 = WHERE(byte < 0xA0);
        uint8_t refused = (WHERE(lead == 0xE0) & before_a0) | (WHERE(lead == 0xED) & (uint8_t)~before_a0) |
                          (WHERE(lead == 0xF0) & before_90) | (WHERE(lead == 0xF4) & (uint8_t)~before_90);
        second[i] = WHERE((byte & 0xC0) == 0x80) & WHERE((uint8_t)(lead - 0xC2) <= 0xF4 - 0xC2) & (uint8_t)~refused;
    }
}

/* Computes the roles of the block at `bytes`, which has REACH bytes before it. On entry, *roles is that of the
 * block before it, or roles_at_boundary(). */
static __attribute__((noinline)) void find_roles(const uint8_t *restrict bytes, struct roles *restrict roles)
{
    uint8_t first[BLOCK_BYTES], middle[BLOCK_BYTES], last[BLOCK_BYTES], fourths[BLOCK_BYTES], errors[BLOCK_BYTES];
    memcpy(roles->second, roles->second + BLOCK_BYTES, 2);
    roles->ends[0] = roles->ends[BLOCK_BYTES];
    find_seconds(bytes, roles->second + 2);
    for (size_t i = 0; i < BLOCK_BYTES; i++) {
        uint8_t byte = bytes[i], back_1 = (bytes - 1)[i], back_2 = (bytes - 2)[i], back_3 = (bytes - 3)[i];
        uint8_t ascii = WHERE(byte < 0x80), continues = WHERE((byte & 0xC0) == 0x80), second = roles->second[i + 2];
        uint8_t third = roles->second[i + 1] & continues & WHERE(back_2 >= 0xE0);
        uint8_t fourth = roles->second[i] & continues & WHERE((back_1 & 0xC0) == 0x80) & WHERE(back_3 >= 0xF0);
        uint8_t of_two = second & WHERE(back_1 < 0xE0), of_three = third & WHERE(back_2 < 0xF0);
        roles->begins[i] = (uint8_t)(1 & ~(second | third | fourth));
        roles->ends[i + 1] = ascii | of_two | of_three | fourth;
        first[i] = back_2 & of_three;
        middle[i] = back_1 & ((of_two & 0x1F) | (of_three & 0x3F));
        last[i] = byte & (ascii | ((of_two | of_three) & 0x3F));
        fourths[i] = fourth;
    }
    for (size_t i = 0; i < BLOCK_BYTES; i++) {
        uint16_t replacement = roles->ends[i + 1] != 0 ? 0 : 0xFFFD;
        roles->unit[i] = (uint16_t)(first[i] << 12 | middle[i] << 6 | last[i] | replacement);
    }
    for (size_t i = 0; i < BLOCK_BYTES; i++)
        errors[i] = roles->begins[i] & (uint8_t)~roles->ends[i];
    roles->has_fourth = has_any(fourths);
    roles->has_error = has_any(errors);
}

/* The number of bytes at the end of a block that belong to a sequence which the next block may continue. */
ALWAYS_INLINE size_t count_open(const struct roles *roles)
{
    size_t count = 0;
    if (roles->ends[BLOCK_BYTES] == 0)
        for (count = 1; count < REACH && roles->begins[BLOCK_BYTES - count] == 0; count++) {}
    return count;
}

#endif
