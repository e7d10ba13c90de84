/* SPDX-License-Identifier: MIT
 *
 * units.h - from bytes and marks to units. For each byte of a block the bytes of the unit that a character ending
 * there would have are computed, as planes; the marks say which of them are real, and those are brought together.
 * Only a count of bits moves the output pointer, and nothing depends on what the bytes are.
 */
#ifndef ASSAY_SIMD_BYTES_UNITS_H
#define ASSAY_SIMD_BYTES_UNITS_H

#include "../shared/planes.h"
#include "policy.h"

/* A block on its way out: the bytes whose unit goes out, and those whose unit is for an error. */
struct selection {
    uint64_t chosen;
    struct replacements replacements;
};

KERNEL_PART size_t units_of(const struct selection *selection)
{
    return count_bits(selection->chosen) + selection->replacements.before;
}

/* Characters of four bytes: where their third and their fourth bytes are. */
struct fours {
    uint64_t high_halves, fourths;
};

/* The low 16 bits of the character that ends at each byte. Each continuation byte has six bits: now, those are 0 to 5;
 * of the byte before 6 to 11; of the one before that 12 to 15. A lead of two has its bits 6 to 10 in the place
 * where a continuation byte has them, and zeros above (Unicode 17.0, Table 3-6). The top bit of a continuation byte
 * is taken out together with what comes into its place. */
ALWAYS_INLINE struct planes planes_of(const struct window *window)
{
    vec now = window->now, back_1 = window->back_1;
    truth high = vec_high(now), third = vec_both(high, vec_is_continuation(back_1));
    vec low = vec_xor(now, vec_keep(high, vec_shift(back_1, 6, 0xC0, 0x80)));
    vec from_1 = vec_keep(high, vec_shift(back_1, -2, 0x0F, 0));
    vec from_2 = vec_keep(third, vec_shift(window->back_2, 4, 0xF0, 0));
    return (struct planes){low, vec_or(from_1, from_2), vec_fill(0)};
}

/* Surrogates of characters of four bytes: the high one at the third byte, by when its bits are known, the low one at
 * the fourth. */
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
    if (form == UTF16 && (fours->high_halves | fours->fourths) != 0)
        put_surrogates(planes, window, fours);
    if (form == UTF32 && fours->fourths != 0)
        put_tops(planes, window, fours->fourths);
}

/* Writes the chosen units; with room for 64, up to so many in all. */
ALWAYS_INLINE void put_units(enum form form, enum assay_policy policy, const struct window *window,
                             const struct fours *fours, const struct selection *selection, void *out, size_t room)
{
    struct planes planes = planes_of(window);
    if (selection->replacements.at != 0)
        put_replacements(&planes, window->now, policy, vec_truth(selection->replacements.at));
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

/* Writes a block for which there is room. */
KERNEL_PART void put_block(enum form form, enum assay_policy policy, const struct block *block,
                           const struct fours *fours, const struct selection *selection, struct output *out)
{
    for (size_t back = selection->replacements.before; back > 0; back--)
        put_one(form, out, policy == ASSAY_POLICY_SURROGATEESCAPE ? ESCAPE + *(block->bytes - back) : REPLACEMENT);
    size_t count = count_bits(selection->chosen);
    if (count > 0) /* else there may be no address */
        put_units(form, policy, &block->window, fours, selection, unit_at(form, out->units, out->written),
                  out->capacity - out->written);
    out->written += count;
}

/* Supplementary characters of two surrogates, in the places where these put the second. Of the chosen bytes of a block
 * the first put unit `first` of `units`. */
KERNEL_PART void join_pairs(const struct block *block, uint64_t trails, uint64_t chosen, uint32_t *units, size_t first)
{
    for (uint64_t left = trails & chosen; left != 0; left &= left - 1) {
        size_t at = lowest(left);
        units[first + count_bits(chosen & first_bits(at))] = code_point_of_pair(block->bytes + at);
    }
}

/* What every byte of a block is a unit for: ASCII; or ASCII and errors of one byte each. */
enum singles { ASCII, ASCII_AND_ERRORS };

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

/* Of 64 bytes, none of which is taken by what is before them, and the one after: no lead has a continuation byte after
 * it, so whatever is not ASCII is an error of one byte. */
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

/* Decodes by 64 bytes as far as there is nothing but singles, and room; false if that is nowhere. ASCII needs no byte
 * after it. Stores take most of the time, and those across two cache lines twice as much: so from the third block on they
 * begin where a line does. */
KERNEL_PART bool put_singles(enum form form, const struct encoding *encoding, enum singles singles,
                             const uint8_t *bytes, size_t byte_count, size_t *at, struct output *out)
{
    const size_t unit_size = form == UTF16 ? sizeof(uint16_t) : sizeof(uint32_t);
    size_t left = byte_count - *at - (singles == ASCII ? 0 : 1), room = out->capacity - out->written, done = 0;
    left = left < room ? left : room;
    if (left < VEC_BYTES) /* and where there is no room, there may be no address */
        return false;
    const uint8_t *from = bytes + *at;
    uint8_t *to = unit_at(form, out->units, out->written);
    size_t to_line = VEC_BYTES - (uintptr_t)to % LINE_BYTES / unit_size, step = VEC_BYTES;
    for (; left - done >= VEC_BYTES; done += step, step = done == VEC_BYTES ? to_line : VEC_BYTES)
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

#endif
