/* SPDX-License-Identifier: MIT
 *
 * decode_clean_bmp.h - blocks without errors, and without characters of four bytes, one after another: most of what most languages
 * write. Where registers are few, it matters that nothing else is asked in between.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_CLEAN_BMP_H
#define ASSAY_SIMD_BYTES_DECODE_CLEAN_BMP_H

#include "units.h"

/* Made once for many blocks. */
struct bmp_decoder {
    struct tables tables; /* without fours */
    vec low_7, low_4, high_2, lead_of_3, nothing;
};

KERNEL_PART struct bmp_decoder bmp_decoder_of(const struct encoding *encoding)
{
    return (struct bmp_decoder){tables_without_fours(encoding, tables_of(encoding)),
                          vec_constant(0x7F), vec_constant(0x0F), vec_constant(0xC0), vec_constant(0xE0), vec_constant(0)};
}

/* Not zero where something is wrong with a byte of `after`, those one later than the window, given the low seven bits of
 * the bytes before these. Two continuations in a row are right exactly where a lead of three stands before them. */
KERNEL_PART vec wrong_bmp(const struct bmp_decoder *decoder, const struct window *window, vec low_7, vec after)
{
    const struct tables *tables = &decoder->tables;
    vec first = vec_and(vec_lookup_high(tables->first_high, window->now), vec_lookup_ascii(tables->first_low, low_7));
    vec wrong = vec_and(first, vec_lookup_high(tables->second_high, after));
    vec third = vec_subtract(window->back_1, tables->below_lead_of_3);
    return vec_xor(wrong, vec_and(third, tables->two_continuations));
}

/* As planes_of, where all is well: a lead of three is then two bytes before the end of its character, and its low bits
 * are what it is above E0. */
KERNEL_PART struct planes planes_of_bmp(const struct bmp_decoder *decoder, const struct window *window, vec low_7)
{
    vec more = vec_select(vec_high(window->now), window->back_1, decoder->nothing);
    vec low = vec_or(low_7, vec_and(vec_shift_units(more, 6), decoder->high_2));
    vec from_1 = vec_and(vec_shift_units(more, -2), decoder->low_4);
    vec from_2 = vec_shift_units(vec_subtract(window->back_2, decoder->lead_of_3), 4);
    return (struct planes){low, vec_or(from_1, from_2), decoder->nothing};
}

/* Decodes from *at on, with at least REACH bytes before, none of them a lead of four, where the first byte is known to be
 * right after these; as long as blocks are plain, not ASCII only, and have a byte after them, and there is room. */
KERNEL_PART void put_bmp_blocks(enum form form, const struct encoding *encoding, const uint8_t *bytes, size_t byte_count,
                           size_t *at, struct output *out)
{
    struct bmp_decoder decoder = bmp_decoder_of(encoding);
    size_t left = byte_count - *at - 1, room = out->capacity - out->written;
    const uint8_t *block = bytes + *at, *end = block + (left < room ? left : room) / VEC_BYTES * VEC_BYTES;
    uint8_t *to = unit_at(form, out->units, out->written);
    for (; block != end; block += VEC_BYTES) {
        struct window window = window_at(block);
        vec after = vec_load(block + 1), low_7 = vec_and(window.now, decoder.low_7);
        uint64_t ends = ~vec_bits(vec_is_continuation(after));
        if (ends == ~(uint64_t)0 || !vec_is_zero(wrong_bmp(&decoder, &window, low_7, after)) ||
            has_short_nul(encoding, window.now, VEC_BYTES))
            break;
        struct planes planes = planes_of_bmp(&decoder, &window, low_7);
        put_planes(form, &planes, false, ends, to, VEC_BYTES);
        size_t count = count_bits(ends);
        to = unit_at(form, to, count);
        out->written += count;
    }
    *at = (size_t)(block - bytes);
}

#endif
