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
 *   units_any(a, b)                      whether any bit is set in both
 *   units_select(truth, a, b)            byte by byte, a where true, else b
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
    units last_ascii, not_ascii, not_narrow, surrogates, nothing, last, middle, of_two, of_three, lead, low_bytes;
};

ALWAYS_INLINE struct unit_masks unit_masks(void)
{
    return (struct unit_masks){units_constant(0x7F), units_constant(0xFF80), units_constant(0xF800),
                               units_constant(0xD800), units_constant(0), units_constant(0x3F), units_constant(0x3F00),
                               units_constant(0xC080), units_constant(0x8080), units_constant(0xE0),
                               units_constant(0xFF)};
}

/* Bits 0 to 5 of each unit in the one byte, 6 to 11 in the other. */
ALWAYS_INLINE units six_by_six(const struct unit_masks *masks, units now)
{
    return (now & masks->last) | (now << 2 & masks->middle);
}

ALWAYS_INLINE void put_half(uint8_t *out, half bytes)
{
    memcpy(out, &bytes, sizeof bytes);
}

ALWAYS_INLINE const uint8_t *row_at(const uint8_t shuffles[256][16], size_t row)
{
    return (const uint8_t *)shuffles + row;
}

/* Writes units below 800, and returns where the next go. */
ALWAYS_INLINE uint8_t *put_narrow(uint8_t *out, const struct unit_masks *masks, units now)
{
    typedef int16_t signed_units __attribute__((vector_size(sizeof(units)))); /* compared in one instruction */
    units of_two = (units)((signed_units)now > (signed_units)masks->last_ascii);
    units bytes = units_select(of_two, six_by_six(masks, now) | masks->of_two, now);
    uint64_t truths = unit_truths(of_two);
#pragma GCC unroll 2
    for (unsigned i = 0; i < UNITS / HALF_UNITS; i++) {
        size_t row = row_of(truths, 2 * i);
        put_half(out, units_shuffle(units_half(bytes, i), row_at(encode_eights, row)));
        out += HALF_UNITS + count_bits(row);
    }
    return out;
}

ALWAYS_INLINE uint8_t *put_four(uint8_t *out, half lanes, const uint8_t *shuffle)
{
    put_half(out, units_shuffle(lanes, shuffle));
    return out + shuffle[15];
}

/* The same for any units but surrogates. */
ALWAYS_INLINE uint8_t *put_wide(uint8_t *out, const struct unit_masks *masks, units now)
{
    units ascii = (units)((now & masks->not_ascii) == masks->nothing);
    units narrow = (units)((now & masks->not_narrow) == masks->nothing);
    units bytes = six_by_six(masks, now) | units_select(narrow, masks->of_two, masks->of_three);
    units last = units_select(ascii, now, bytes), lead = now >> 12 | masks->lead;
    units low = units_low(last, lead), high = units_high(last, lead);
    uint64_t index = byte_truths(units_select(masks->low_bytes, ascii, narrow));
#pragma GCC unroll 2
    for (unsigned i = 0; i < UNITS / HALF_UNITS; i++) {
        out = put_four(out, units_half(low, i), row_at(encode_fours, row_of(index, 2 * i)));
        out = put_four(out, units_half(high, i), row_at(encode_fours, row_of(index, 2 * i + 1)));
    }
    return out;
}

ALWAYS_INLINE units units_at(const uint16_t *from)
{
    units now;
    memcpy(&now, from, sizeof now);
    return now;
}

/* Encodes ASCII by sixteens, up to so many units; returns how many there were. */
ALWAYS_INLINE size_t put_ascii_units(uint8_t *out, const uint16_t *from, size_t most)
{
    size_t done = 0;
    while (most - done >= NARROW_UNITS && vec_narrow16(out + done, from + done))
        done += NARROW_UNITS;
    return done;
}

/* Encodes groups of units, up to one that has surrogates. Returns how many units those have, and brings *written to where
 * the next go. */
ALWAYS_INLINE size_t put_groups(uint8_t *out, size_t *written, const struct unit_masks *masks, const uint16_t *from,
                                size_t groups)
{
    uint8_t *to = out + *written;
    const uint16_t *begin = from, *end = from + groups * UNITS;
    while (from != end) {
        units now = units_at(from);
        if (units_any(now, masks->not_narrow)) {
            units surrogates = (units)((now & masks->not_narrow) == masks->surrogates);
            if (units_any(surrogates, surrogates))
                break;
            to = put_wide(to, masks, now);
            from += UNITS;
        } else if (end - from >= NARROW_UNITS && vec_narrow16(to, from)) {
            size_t ascii = NARROW_UNITS;
            ascii += put_ascii_units(to + ascii, from + ascii, (size_t)(end - from) - ascii);
            to += ascii;
            from += ascii;
        } else {
            to = put_narrow(to, masks, now);
            from += UNITS;
        }
    }
    *written = (size_t)(to - out);
    return (size_t)(from - begin);
}

KERNEL_PART struct progress vec_encode16(const uint16_t *from, size_t unit_count, uint8_t *out, size_t capacity)
{
    if (unit_count < UNITS || capacity < UNITS) /* and where there is nothing, there may be no address */
        return (struct progress){0, 0};
    struct unit_masks masks = unit_masks();
    size_t read = 0, written = 0, more = 1;
    while (more > 0) {
        size_t left = unit_count - read, room = capacity - written, most = left < room ? left : room;
        size_t ascii = put_ascii_units(out + written, from + read, most);
        read += ascii;
        written += ascii;
        left = (left - ascii) / UNITS;
        room = (room - ascii) / UNITS_MOST;
        more = put_groups(out, &written, &masks, from + read, left < room ? left : room);
        read += more;
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
