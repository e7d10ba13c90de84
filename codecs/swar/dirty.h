/* SPDX-License-Identifier: MIT
 *
 * dirty.h - decodes blocks with errors, all of whose characters are below U+10000, to UTF-16 or UTF-32. The time does
 * not depend on where the errors are.
 *
 * For each of 64 bytes, loops that compilers vectorise compute the unit to write if a character, or an error, ended
 * there. Then a scalar loop writes each byte's unit to the same place, and moves on by one unit at each byte that
 * begins a character or an error. So the unit that stays is that of the last byte of a character, or U+FFFD for that of
 * a maximal subpart (Unicode 17.0, 3.9, D93b).
 */
#ifndef ASSAY_SWAR_DIRTY_H
#define ASSAY_SWAR_DIRTY_H

#include "planes.h"

enum { REACH = 3 }; /* bytes before a byte that decide what it is */

/* All bits set if the condition holds, else none. */
#define WHERE(condition) ((uint8_t)((condition) ? 0xFF : 0))

/* What the bytes of a block are. All bits or none: second[i + 2], byte i is a valid second byte; ends[i + 1], a
 * character ends at byte i. The entries before these are of the last bytes of the block before. begins[i] is 1 if a
 * character or an error begins at byte i. unit[i] is the unit to write if one ends there. has_fourth: the block has a
 * fourth byte of a character; has_error: an error ends before the block's last byte. */
struct outlook {
    uint8_t second[BLOCK_BYTES + 2], ends[BLOCK_BYTES + 1], begins[BLOCK_BYTES];
    uint16_t unit[BLOCK_BYTES];
    bool has_fourth, has_error;
};

/* True if any byte of a block is not zero. */
ALWAYS_INLINE bool has_any(const uint8_t *bytes)
{
    uint64_t any = 0;
    for (size_t i = 0; i < BLOCK_BYTES; i += WORD_BYTES)
        any |= load_word(bytes + i);
    return any != 0;
}

/* The outlook of a block that ends at a character boundary. */
ALWAYS_INLINE struct outlook outlook_between(void)
{
    struct outlook outlook;
    outlook.second[BLOCK_BYTES] = outlook.second[BLOCK_BYTES + 1] = 0;
    outlook.ends[BLOCK_BYTES] = 0xFF;
    return outlook;
}

ALWAYS_INLINE void find_seconds(const uint8_t *restrict bytes, uint8_t *restrict second)
{
    for (size_t i = 0; i < BLOCK_BYTES; i++) {
        uint8_t lead = (bytes - 1)[i], byte = bytes[i], before_90 = WHERE(byte < 0x90), before_a0 = WHERE(byte < 0xA0);
        uint8_t refused = (WHERE(lead == 0xE0) & before_a0) | (WHERE(lead == 0xED) & (uint8_t)~before_a0) |
                          (WHERE(lead == 0xF0) & before_90) | (WHERE(lead == 0xF4) & (uint8_t)~before_90);
        second[i] = WHERE((byte & 0xC0) == 0x80) & WHERE((uint8_t)(lead - 0xC2) <= 0xF4 - 0xC2) & (uint8_t)~refused;
    }
}

/* Computes the outlook of the block at `bytes`, which has REACH bytes before it. On entry, *outlook is that of the
 * block before it, or outlook_between(). */
static __attribute__((noinline)) void look_at(const uint8_t *restrict bytes, struct outlook *restrict outlook)
{
    uint8_t first[BLOCK_BYTES], middle[BLOCK_BYTES], last[BLOCK_BYTES], fourths[BLOCK_BYTES], errors[BLOCK_BYTES];
    memcpy(outlook->second, outlook->second + BLOCK_BYTES, 2);
    outlook->ends[0] = outlook->ends[BLOCK_BYTES];
    find_seconds(bytes, outlook->second + 2);
    for (size_t i = 0; i < BLOCK_BYTES; i++) {
        uint8_t byte = bytes[i], back_1 = (bytes - 1)[i], back_2 = (bytes - 2)[i], back_3 = (bytes - 3)[i];
        uint8_t ascii = WHERE(byte < 0x80), continues = WHERE((byte & 0xC0) == 0x80), second = outlook->second[i + 2];
        uint8_t third = outlook->second[i + 1] & continues & WHERE(back_2 >= 0xE0);
        uint8_t fourth = outlook->second[i] & continues & WHERE((back_1 & 0xC0) == 0x80) & WHERE(back_3 >= 0xF0);
        uint8_t of_two = second & WHERE(back_1 < 0xE0), of_three = third & WHERE(back_2 < 0xF0);
        outlook->begins[i] = (uint8_t)(1 & ~(second | third | fourth));
        outlook->ends[i + 1] = ascii | of_two | of_three | fourth;
        first[i] = back_2 & of_three;
        middle[i] = back_1 & ((of_two & 0x1F) | (of_three & 0x3F));
        last[i] = byte & (ascii | ((of_two | of_three) & 0x3F));
        fourths[i] = fourth;
    }
    for (size_t i = 0; i < BLOCK_BYTES; i++) {
        uint16_t replacement = outlook->ends[i + 1] != 0 ? 0 : 0xFFFD;
        outlook->unit[i] = (uint16_t)(first[i] << 12 | middle[i] << 6 | last[i] | replacement);
    }
    for (size_t i = 0; i < BLOCK_BYTES; i++)
        errors[i] = outlook->begins[i] & (uint8_t)~outlook->ends[i];
    outlook->has_fourth = has_any(fourths);
    outlook->has_error = has_any(errors);
}

/* The number of bytes at the end of a block that belong to a sequence which the next block may continue. */
ALWAYS_INLINE size_t count_open(const struct outlook *outlook)
{
    size_t count = 0;
    if (outlook->ends[BLOCK_BYTES] == 0)
        for (count = 1; count < REACH && outlook->begins[BLOCK_BYTES - count] == 0; count++) {}
    return count;
}

#endif
