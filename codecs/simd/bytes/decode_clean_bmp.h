/* SPDX-License-Identifier: MIT
 *
 * decode_clean_bmp.h - loops over blocks without errors and without 4-byte characters: most text of most languages.
 * With few registers, a loop that does nothing else is faster. Where no character has three bytes, errors are found
 * without tables, and a block takes two thirds of the vector operations.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_CLEAN_BMP_H
#define ASSAY_SIMD_BYTES_DECODE_CLEAN_BMP_H

#include "units.h"

/* Constants, loaded once for many blocks. */
struct bmp_decoder {
    struct tables tables; /* without fours */
    vec low_7, low_4, high_2, lead_of_3, nothing;
};

KERNEL_PART struct bmp_decoder bmp_decoder_of(const struct encoding *encoding)
{
    return (struct bmp_decoder){tables_without_fours(encoding, tables_of(encoding)),
                                vec_constant(0x7F),
                                vec_constant(0x0F),
                                vec_constant(0xC0),
                                vec_constant(0xE0),
                                vec_constant(0)};
}

/* Not zero where a byte of `after` (the window one byte later) is wrong. low_7: the low seven bits of the window. Two
 * continuation bytes in a row are right exactly after a lead of three. */
KERNEL_PART vec wrong_bmp(const struct bmp_decoder *decoder, const struct window *window, vec low_7, vec after)
{
    const struct tables *tables = &decoder->tables;
    vec first = vec_and(vec_lookup_high(tables->first_high, window->now), vec_lookup_ascii(tables->first_low, low_7));
    vec wrong = vec_and(first, vec_lookup_high(tables->second_high, after));
    vec third = vec_subtract(window->back_1, tables->below_lead_of_3);
    return vec_xor(wrong, vec_and(third, tables->two_continuations));
}

/* Of ASCII and 2-byte characters. low_7: the low seven bits of each byte; more: the byte before it, 00 for ASCII. */
KERNEL_PART struct planes planes_of_twos(const struct bmp_decoder *decoder, vec low_7, vec more)
{
    return (struct planes){vec_or(low_7, vec_and(vec_shift_units(more, 6), decoder->high_2)),
                           vec_and(vec_shift_units(more, -2), decoder->low_4), decoder->nothing};
}

/* As planes_without_fours(), with the low seven bits at hand. */
KERNEL_PART struct planes planes_of_bmp(const struct bmp_decoder *decoder, const struct window *window, vec low_7)
{
    vec more = vec_select(vec_high(window->now), window->back_1, decoder->nothing);
    struct planes planes = planes_of_twos(decoder, low_7, more);
    vec from_2 = vec_shift_units(vec_subtract(window->back_2, decoder->lead_of_3), 4);
    planes.high = vec_or(planes.high, from_2);
    return planes;
}

/* The block that a loop reads next, and where its units go. */
struct cursor {
    const uint8_t *block;
    uint8_t *to;
};

/* Decodes blocks while each has a lead of two bytes, nothing but ASCII and 2-byte characters, and no error, also with
 * the byte after it. It needs no tables: each continuation byte must follow a lead, and each lead must have one. C0 and
 * C1, which some encodings take, are left to put_threes(). As put_bmp_blocks() requires; `end` is a whole number of
 * blocks on, with a byte after it, and there is room for a unit for each byte. */
KERNEL_PART struct cursor put_twos(enum form form, const struct encoding *encoding, const struct bmp_decoder *decoder,
                                   struct cursor next, const uint8_t *end)
{
    enum { FIRST = 0xC2, LAST = 0xDF };
    uint64_t is_after_lead = (uint8_t)(next.block[-1] - FIRST) <= LAST - FIRST;
    for (; next.block != end; next.block += VEC_BYTES) {
        vec now = vec_load(next.block);
        truth continued = vec_is_continuation(now);
        uint64_t continuations = vec_bits(continued), leads = vec_bits(vec_between(now, FIRST, LAST));
        if (leads == 0 || vec_bits(vec_high(now)) != (leads | continuations) ||
            continuations != (leads << 1 | is_after_lead) || is_continuation(next.block[VEC_BYTES]) != leads >> 63 ||
            has_short_nul(encoding, now, VEC_BYTES))
            break;
        vec more = vec_keep(continued, vec_load(next.block - 1));
        struct planes planes = planes_of_twos(decoder, vec_and(now, decoder->low_7), more);
        put_planes(form, &planes, false, ~leads, next.to, VEC_BYTES);
        next.to = unit_at(form, next.to, count_bits(~leads));
        is_after_lead = leads >> 63;
    }
    return next;
}

/* The same while they have no errors, no 4-byte characters, and something that is not ASCII. */
KERNEL_PART struct cursor put_threes(enum form form, const struct encoding *encoding, const struct bmp_decoder *decoder,
                                     struct cursor next, const uint8_t *end)
{
    for (; next.block != end; next.block += VEC_BYTES) {
        struct window window = window_at(next.block);
        vec after = vec_load(next.block + 1), low_7 = vec_and(window.now, decoder->low_7);
        uint64_t ends = ~vec_bits(vec_is_continuation(after));
        if (ends == ~(uint64_t)0 || !vec_is_zero(wrong_bmp(decoder, &window, low_7, after)) ||
            has_short_nul(encoding, window.now, VEC_BYTES))
            break;
        struct planes planes = planes_of_bmp(decoder, &window, low_7);
        put_planes(form, &planes, false, ends, next.to, VEC_BYTES);
        next.to = unit_at(form, next.to, count_bits(ends));
    }
    return next;
}

/* Decodes blocks from *at, while they have no errors, no 4-byte characters, something that is not ASCII, a byte after
 * them, and room. Before *at there must be REACH bytes without a lead of four, and the byte at *at must be right after
 * them. */
KERNEL_PART void put_bmp_blocks(enum form form, const struct encoding *encoding, const uint8_t *bytes,
                                size_t byte_count, size_t *at, struct output *out)
{
    enum { BETWEEN_TRIES = 16 * VEC_BYTES }; /* of put_twos(): one that fails costs something */
    ASSUME(*at >= REACH && *at < byte_count);
    struct bmp_decoder decoder = bmp_decoder_of(encoding);
    size_t left = byte_count - *at - 1, room = out->capacity - out->written;
    const uint8_t *end = bytes + *at + (left < room ? left : room) / VEC_BYTES * VEC_BYTES, *stop;
    uint8_t *begin = unit_at(form, out->units, out->written);
    struct cursor next = {bytes + *at, begin};
    do {
        next = put_twos(form, encoding, &decoder, next, end);
        stop = end - next.block > BETWEEN_TRIES ? next.block + BETWEEN_TRIES : end;
        next = put_threes(form, encoding, &decoder, next, stop);
    } while (next.block == stop && stop != end);
    out->written += (size_t)(next.to - begin) / (form == UTF16 ? sizeof(uint16_t) : sizeof(uint32_t));
    *at = (size_t)(next.block - bytes);
}

#endif
