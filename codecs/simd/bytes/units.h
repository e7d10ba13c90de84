/* SPDX-License-Identifier: MIT
 *
 * units.h - from bytes and marks to units. For each byte of a block, computes the unit that a character ending there
 * would have, as planes of bytes; the marks choose the units that exist, which are then packed. The output pointer
 * moves by a bit count, so no branch depends on what the bytes are.
 */
#ifndef ASSAY_SIMD_BYTES_UNITS_H
#define ASSAY_SIMD_BYTES_UNITS_H

#include "../common/planes.h"
#include "policy.h"

/* What a block writes: the bytes that have a unit, and those of them whose unit replaces an error. */
struct selection {
    uint64_t chosen;
    struct replacements replacements;
};

KERNEL_PART size_t units_of(const struct selection *selection)
{
    return count_bits(selection->chosen) + selection->replacements.before;
}

/* The third and fourth bytes of 4-byte characters. */
struct fours {
    uint64_t high_halves, fourths;
};

/* The low 16 bits of the character that ends at each byte. Each continuation byte has six bits: the last byte has bits
 * 0 to 5, the one before it bits 6 to 11, the one before that bits 12 to 15. A lead of two bytes has bits 6 to 10 at
 * the same position as a continuation byte, and zeros above (Unicode 17.0, Table 3-6). The operation that inserts the
 * upper bits also removes the top bit of the continuation byte. */
ALWAYS_INLINE struct planes planes_of(const struct window *window)
{
    vec now = window->now, back_1 = window->back_1;
    truth high = vec_high(now), third = vec_both(high, vec_is_continuation(back_1));
    vec low = vec_xor(now, vec_keep(high, vec_shift(back_1, 6, 0xC0, 0x80)));
    vec from_1 = vec_keep(high, vec_shift(back_1, -2, 0x0F, 0));
    vec from_2 = vec_keep(third, vec_shift(window->back_2, 4, 0xF0, 0));
    return (struct planes){low, vec_or(from_1, from_2), vec_fill(0)};
}

/* As planes_of(), for a window without errors and without 4-byte characters: two bytes before the end of a 3-byte
 * character is its lead, and the lead minus E0 is its payload. lead_of_3: E0, which a loop loads once. */
ALWAYS_INLINE struct planes planes_without_fours(const struct window *window, vec lead_of_3)
{
    truth high = vec_high(window->now);
    vec low = vec_xor(window->now, vec_keep(high, vec_shift(window->back_1, 6, 0xC0, 0x80)));
    vec from_1 = vec_keep(high, vec_shift(window->back_1, -2, 0x0F, 0));
    vec from_2 = vec_shift(vec_subtract(window->back_2, lead_of_3), 4, 0xF0, 0);
    return (struct planes){low, vec_or(from_1, from_2), vec_fill(0)};
}

/* The surrogates of characters of four bytes: the high one at the third byte, where all of its bits are known, the low
 * one at the fourth. */
ALWAYS_INLINE void put_surrogates(struct planes *planes, const struct window *window, const struct fours *fours)
{
    vec now = window->now, back_1 = window->back_1;
    vec low_half = vec_or(vec_shift(back_1, -2, 0x03, 0), vec_fill(0xDC));
    planes->high = vec_select(vec_truth(fours->fourths), low_half, planes->high);
    vec middle = vec_or(vec_shift(back_1, 2, 0xFC, 0), vec_shift(now, -4, 0x03, 0));
    put_leads(planes, vec_truth(fours->high_halves), middle, vec_and(window->back_2, vec_fill(0x07)));
}

/* Bits 16 to 20 of characters of four bytes. */
ALWAYS_INLINE void put_tops(struct planes *planes, const struct window *window, uint64_t fourths)
{
    vec top = vec_or(vec_shift(window->back_2, -4, 0x03, 0), vec_shift(window->back_3, 2, 0x1C, 0));
    planes->top = vec_select(vec_truth(fourths), top, planes->top);
}

ALWAYS_INLINE void put_supplementary(enum form form, struct planes *planes, const struct window *window,
                                     const struct fours *fours)
{
    if (form == UTF16)
        put_surrogates(planes, window, fours);
    else
        put_tops(planes, window, fours->fourths);
}

/* Writes the chosen units. If there is room for 64 units, it may write 64. */
ALWAYS_INLINE void put_units(enum form form, enum assay_policy policy, const struct window *window,
                             const struct fours *fours, const struct selection *selection, void *out, size_t room)
{
    struct planes planes = planes_of(window);
    if (selection->replacements.at != 0)
        put_replacements(&planes, window->now, policy, vec_truth(selection->replacements.at));
    if ((fours->high_halves | fours->fourths) != 0)
        put_supplementary(form, &planes, window, fours);
    put_planes(form, &planes, form == UTF32 && fours->fourths != 0, selection->chosen, out, room);
}

KERNEL_PART void put_one(enum form form, struct output *out, uint32_t unit)
{
    if (form == UTF16)
        ((uint16_t *)out->units)[out->written++] = (uint16_t)unit;
    else
        ((uint32_t *)out->units)[out->written++] = unit;
}

/* Writes a block, for which there is room. */
KERNEL_PART void put_block(enum form form, enum assay_policy policy, const struct block *block,
                           const struct fours *fours, const struct selection *selection, struct output *out)
{
    for (size_t back = selection->replacements.before; back > 0; back--)
        put_one(form, out, policy == ASSAY_POLICY_SURROGATEESCAPE ? ESCAPE + *(block->bytes - back) : REPLACEMENT);
    size_t count = count_bits(selection->chosen);
    if (count > 0) /* without units, `units` may be NULL */
        put_units(form, policy, &block->window, fours, selection, unit_at(form, out->units, out->written),
                  out->capacity - out->written);
    out->written += count;
}

/* Overwrites the unit of each trail with the supplementary character of its pair. `units[first]` is the unit of the
 * block's first chosen byte. */
KERNEL_PART void join_pairs(const struct block *block, uint64_t trails, uint64_t chosen, uint32_t *units, size_t first)
{
    for (uint64_t left = trails & chosen; left != 0; left &= left - 1) {
        size_t at = lowest(left);
        units[first + count_bits(chosen & first_bits(at))] = code_point_of_pair(block->bytes + at);
    }
}

/* Blocks in which every byte is one unit: all ASCII; or ASCII and 1-byte errors. */
enum singles { ASCII, ASCII_AND_ERRORS };

/* Writes 64 units and returns true if the 64 bytes are ASCII (and have no 00 if the encoding refuses it); else writes
 * nothing. */
KERNEL_PART bool widen_ascii(enum form form, const struct encoding *encoding, const uint8_t *bytes, void *out)
{
    vec now = vec_load(bytes);
    if (!is_plain_ascii(encoding, now))
        return false;
    if (form == UTF16)
        vec_widen16(out, now);
    else
        vec_widen32(out, now);
    return true;
}

/* Widens 64 bytes, none of which continues a character that began before them. If a lead among them has a continuation
 * byte after it, returns false; else every byte that is not ASCII is a 1-byte error. Reads one byte more. */
KERNEL_PART bool widen_lone_errors(enum form form, const struct encoding *encoding, const uint8_t *bytes, void *out)
{
    vec now = vec_load(bytes), after = vec_load(bytes + 1);
    truth begun = vec_both(vec_at_least(now, FIRST_BEYOND_CONTINUATIONS), vec_is_continuation(after));
    if (!vec_neither(begun, begun) || has_short_nul(encoding, now, VEC_BYTES))
        return false;
    struct planes planes = {now, vec_fill(0), vec_fill(0)};
    put_replacements(&planes, now, ASSAY_POLICY_WHATWG, vec_high(now));
    put_all(form, &planes, out);
    return true;
}

enum { LINE_BYTES = 64 };

/* The number of blocks after which stores begin at a cache line: one or two. */
#ifdef VEC_MANY_REGISTERS
enum { IS_ALIGNED_FROM_SECOND = 1 };
#else
enum { IS_ALIGNED_FROM_SECOND = 0 };
#endif

/* Decodes blocks of 64 bytes while all bytes are singles and there is room. Returns false if the first block is not
 * such. With errors, one byte of input must follow the block. Stores take most of the time, and twice as much if they
 * cross a cache line: so one step is shorter, and the units after it are written twice. */
KERNEL_PART bool put_singles(enum form form, const struct encoding *encoding, enum singles singles,
                             const uint8_t *bytes, size_t byte_count, size_t *at, struct output *out)
{
    const size_t unit_size = form == UTF16 ? sizeof(uint16_t) : sizeof(uint32_t);
    size_t left = byte_count - *at - (singles == ASCII ? 0 : 1), room = out->capacity - out->written, done = 0;
    left = left < room ? left : room;
    if (left < VEC_BYTES) /* also because without room the output may be NULL */
        return false;
    const uint8_t *from = bytes + *at;
    uint8_t *to = unit_at(form, out->units, out->written);
    size_t to_line = VEC_BYTES - (uintptr_t)to % LINE_BYTES / unit_size,
           step = IS_ALIGNED_FROM_SECOND ? to_line : VEC_BYTES;
    for (; left - done >= VEC_BYTES;
         done += step, step = !IS_ALIGNED_FROM_SECOND && done == VEC_BYTES ? to_line : VEC_BYTES)
        if (singles == ASCII ? !widen_ascii(form, encoding, from + done, to + done * unit_size)
                             : !widen_lone_errors(form, encoding, from + done, to + done * unit_size))
            break;
    *at += done;
    out->written += done;
    return done > 0;
}

KERNEL_PART bool put_ascii(enum form form, const struct encoding *encoding, const uint8_t *bytes, size_t byte_count,
                           size_t *at, struct output *out)
{
    return put_singles(form, encoding, ASCII, bytes, byte_count, at, out);
}

/* Decodes the ASCII at the start of a text, by blocks of 64 bytes. The text must have at least 64 bytes, and the output
 * room for one unit for each byte. Returns the number of decoded bytes. If parts of a vector cannot be stored at once,
 * the last block ends with the text, and may have bytes of the one before it. In a short text, stores at cache lines
 * would take longer. */
KERNEL_PART size_t put_leading_ascii(enum form form, const struct encoding *encoding, const uint8_t *bytes,
                                     size_t byte_count, void *units)
{
    const size_t last = byte_count - VEC_BYTES;
    size_t done = 0;
    while (done <= last && widen_ascii(form, encoding, bytes + done, unit_at(form, units, done)))
        done += VEC_BYTES;
#ifndef VEC_STORES_PARTS
    if (last < done && done < byte_count && widen_ascii(form, encoding, bytes + last, unit_at(form, units, last)))
        done = byte_count;
#endif
    return done;
}

#endif
