/* SPDX-License-Identifier: MIT
 *
 * encode_units.h - encoding as far as there are no surrogates, for instruction sets that shuffle 16 bytes and have nothing
 * better. The bytes of a unit are made in a lane, as many as it may have, and a shuffle takes those that it has; which
 * shuffle, the bits of the comparisons say. Included by those sets, after their
 *
 *   units, half                          a vector of 8 or 16 units of 16 bits; 8 of them, which can be shuffled
 *   units_constant(unit)                 the same unit everywhere, nothing that the compiler could make anew in a loop
 *   units_half(v, number)                one of its halves, or all of it
 *   units_shuffle(half, shuffle)         its bytes by a row of a table
 *   units_low(a, b), units_high(a, b)    of each half, the first four units of both by turns, the last four
 *   byte_truths(a)                       a bit for each byte of a truth
 *   unit_truths(a)                       a bit for each unit: for those of a half, the first eight of its sixteen
 *   vec_narrow16, vec_narrow32           16 units as bytes, if they are ASCII
 */
#ifndef ASSAY_SIMD_ENCODE_UNITS_H
#define ASSAY_SIMD_ENCODE_UNITS_H

#include "encode_shuffles.h"

enum { HALF_UNITS = 8, UNITS = sizeof(units) / sizeof(uint16_t), UNITS_MOST = 64 }; /* bytes that 16 may overwrite */

/* Kept in registers, where compilers would make them anew for every group. */
struct unit_masks {
    units below_80, below_800, last, middle, of_two, marks, lead;
};

ALWAYS_INLINE struct unit_masks unit_masks(void)
{
    return (struct unit_masks){units_constant(0x7F),   units_constant(0x7FF),  units_constant(0x3F), units_constant(0x3F00),
                               units_constant(0x4000), units_constant(0x8080), units_constant(0xE0)};
}

/* Units, and for each of them whether it is below 80, and below 800. */
struct unit_group {
    units now, ascii, narrow;
};

ALWAYS_INLINE struct unit_group unit_group_at(const struct unit_masks *masks, const uint16_t *from)
{
    units now;
    memcpy(&now, from, sizeof now);
    return (struct unit_group){now, (units)(now <= masks->below_80), (units)(now <= masks->below_800)};
}

/* The last byte of each unit and the one before it; of ASCII, only the last. */
ALWAYS_INLINE units last_bytes(const struct unit_masks *masks, const struct unit_group *group)
{
    units bits = (group->now & masks->last) | (group->now << 2 & masks->middle);
    units marks = (group->narrow & masks->of_two) | masks->marks;
    return (group->ascii & group->now) | (~group->ascii & (bits | marks));
}

ALWAYS_INLINE void put_half(uint8_t *out, half bytes)
{
    memcpy(out, &bytes, sizeof bytes);
}

/* Units below 800. */
ALWAYS_INLINE void put_narrow(uint8_t *out, size_t *at, const struct unit_masks *masks, const struct unit_group *group)
{
    units last = last_bytes(masks, group);
    uint32_t truths = unit_truths(group->ascii);
#pragma GCC unroll 2
    for (unsigned i = 0; i < UNITS / HALF_UNITS; i++) {
        uint32_t ascii = truths >> 2 * HALF_UNITS * i & 0xFF;
        put_half(out + *at, units_shuffle(units_half(last, i), encode_eights[ascii]));
        *at += 2 * HALF_UNITS - count_bits(ascii);
    }
}

ALWAYS_INLINE void put_four(uint8_t *out, size_t *at, half lanes, uint32_t index)
{
    const uint8_t *shuffle = encode_fours[index & 0xFF];
    put_half(out + *at, units_shuffle(lanes, shuffle));
    *at += shuffle[15];
}

/* Any units but surrogates. */
ALWAYS_INLINE void put_wide(uint8_t *out, size_t *at, const struct unit_masks *masks, const struct unit_group *group)
{
    units last = last_bytes(masks, group), lead = group->now >> 12 | masks->lead;
    units low = units_low(last, lead), high = units_high(last, lead);
    uint32_t index = byte_truths((group->ascii & 0x00FF) | (group->narrow & 0xFF00));
#pragma GCC unroll 2
    for (unsigned i = 0; i < UNITS / HALF_UNITS; i++) {
        put_four(out, at, units_half(low, i), index >> 2 * HALF_UNITS * i);
        put_four(out, at, units_half(high, i), index >> 2 * HALF_UNITS * i >> HALF_UNITS);
    }
}

/* Encodes units; false, and nothing is done, if there are surrogates. */
ALWAYS_INLINE bool put_group(uint8_t *out, size_t *written, const struct unit_masks *masks, const uint16_t *from)
{
    struct unit_group group = unit_group_at(masks, from);
    if (byte_truths(~group.narrow) == 0)
        put_narrow(out, written, masks, &group);
    else if (byte_truths((units)((group.now & 0xF800) == 0xD800)) == 0)
        put_wide(out, written, masks, &group);
    else
        return false;
    return true;
}

KERNEL_PART struct progress vec_encode16(const uint16_t *from, size_t unit_count, uint8_t *out, size_t capacity)
{
    struct unit_masks masks = unit_masks();
    size_t read = 0, written = 0;
    bool goes_on = true;
    while (goes_on) {
        size_t left = unit_count - read, room = capacity - written, most = left < room ? left : room, ascii = 0;
        while (most - ascii >= NARROW_UNITS && vec_narrow16(out + written + ascii, from + read + ascii))
            ascii += NARROW_UNITS;
        read += ascii;
        written += ascii;
        goes_on = unit_count - read >= UNITS && capacity - written >= UNITS_MOST &&
                  put_group(out, &written, &masks, from + read);
        read += goes_on ? UNITS : 0;
    }
    return (struct progress){read, written};
}

/* Code points that are units, by way of these. */
KERNEL_PART struct progress vec_encode32(const uint32_t *from, size_t unit_count, uint8_t *out, size_t capacity)
{
    enum { AT_ONCE = VEC_BYTES / sizeof(uint16_t) };
    struct progress done = {0, 0};
    bool goes_on = true;
    while (goes_on && unit_count - done.read >= NARROW_UNITS && capacity - done.written >= NARROW_UNITS) {
        vec narrow;
        if (vec_narrow32(out + done.written, from + done.read)) {
            done.written += NARROW_UNITS;
            done.read += NARROW_UNITS;
        } else if (unit_count - done.read >= AT_ONCE && vec_narrow_units(&narrow, from + done.read)) {
            uint16_t narrowed[AT_ONCE];
            vec_store(narrowed, narrow);
            struct progress more = vec_encode16(narrowed, AT_ONCE, out + done.written, capacity - done.written);
            done.read += more.read;
            done.written += more.written;
            goes_on = more.read == AT_ONCE;
        } else {
            goes_on = false;
        }
    }
    return done;
}

#endif
