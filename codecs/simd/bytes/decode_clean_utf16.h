/* SPDX-License-Identifier: MIT
 *
 * decode_clean_utf16.h - a loop over blocks without errors that have some 4-byte characters, to UTF-16: as
 * decode_clean_bmp.h, with surrogates. Comparisons of vectors place these, not masks: making a truth from bits takes as
 * long as three comparisons.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_CLEAN_UTF16_H
#define ASSAY_SIMD_BYTES_DECODE_CLEAN_UTF16_H

#include "decode_clean_bmp.h"

/* Constants, loaded once for many blocks. */
struct utf16_decoder {
    struct tables tables;
    vec low_7, low_4, low_2, high_2, high_6, lead_of_3, nothing, trail, lead_low, lead_high;
};

/* A lead surrogate is D7C0 + (code point >> 10) (Unicode 17.0, Table 3-5). Its low byte is ((second & 3F) << 2) +
 * (third >> 4 & 3) + C0. `third >> 4 & 0F` still has the third byte's top bit, as 08; lead_low subtracts it. The sum
 * overflows if the second byte is 90 or more. lead_high, by the high nibble of the second byte, is D7 + that carry -
 * F0; the first byte added to it is the high byte. */
KERNEL_PART struct utf16_decoder utf16_decoder_of(const struct encoding *encoding)
{
    static const uint8_t lead_high[16] = {[0x8] = 0xE7, [0x9] = 0xE8, [0xA] = 0xE8, [0xB] = 0xE8};
    return (struct utf16_decoder){tables_of(encoding),       vec_constant(0x7F),  vec_constant(0x0F),
                                  vec_constant(0x03),        vec_constant(0xC0),  vec_constant(0xFC),
                                  vec_constant(0xE0),        vec_constant(0),     vec_constant(0xDC),
                                  vec_constant(0xC0 - 0x08), vec_table(lead_high)};
}

/* As planes_of(), for a window without errors: a lead surrogate at the third byte of four, a trail at the fourth. What
 * a lead of four leaves in from_2 is only at these places. */
KERNEL_PART struct planes planes_with_surrogates(const struct utf16_decoder *decoder, const struct window *window,
                                                 truth thirds, truth fourths)
{
    vec now = window->now, back_1 = window->back_1, more = vec_select(vec_high(now), back_1, decoder->nothing);
    vec low = vec_or(vec_and(now, decoder->low_7), vec_and(vec_shift_units(more, 6), decoder->high_2));
    vec from_1 = vec_and(vec_shift_units(more, -2), vec_select(fourths, decoder->low_2, decoder->low_4));
    vec from_2 = vec_shift_units(vec_subtract(window->back_2, decoder->lead_of_3), 4);
    vec high = vec_or(from_1, vec_select(fourths, decoder->trail, from_2));
    vec second = vec_and(vec_shift_units(back_1, 2), decoder->high_6);
    vec third = vec_and(vec_shift_units(now, -4), decoder->low_4);
    vec lead_low = vec_add(vec_add(second, third), decoder->lead_low);
    vec lead_high = vec_add(window->back_2, vec_lookup_high(decoder->lead_high, back_1));
    return (struct planes){vec_select(thirds, lead_low, low), vec_select(thirds, lead_high, high), decoder->nothing};
}

/* Decodes blocks from *at, while they have no errors, something that is not ASCII, a byte after them, and room, and the
 * last 4-byte character is not LONG_AGO. Before *at there must be REACH bytes, and the byte at *at must be right after
 * them. If the last block ends with a third byte of four, it has 62 units at most, so its trail has room, too. */
KERNEL_PART void put_utf16_blocks(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count, size_t *at,
                                  struct output *out)
{
    ASSUME(*at >= REACH && *at < byte_count && out->written <= out->capacity);
    enum { LONG_AGO = 4 }; /* blocks */
    struct utf16_decoder decoder = utf16_decoder_of(encoding);
    size_t left = byte_count - *at - 1, room = out->capacity - out->written;
    const uint8_t *block = bytes + *at, *end = block + (left < room ? left : room) / VEC_BYTES * VEC_BYTES;
    uint16_t *begin = (uint16_t *)out->units + out->written, *to = begin;
    for (size_t ago = 0; block != end && ago < LONG_AGO; block += VEC_BYTES) {
        struct window ahead = window_at(block + 1);
        uint64_t ends = ~vec_bits(vec_is_continuation(ahead.now));
        if (ends == ~(uint64_t)0 || !is_clean_before(encoding, &decoder.tables, &ahead))
            break;
        struct window window = {ahead.back_1, ahead.back_2, ahead.back_3, vec_load(block - 3)};
        truth thirds = vec_high(vec_subtract(window.back_2, decoder.tables.below_lead_of_4));
        truth fourths = vec_high(vec_subtract(window.back_3, decoder.tables.below_lead_of_4));
        struct planes planes = planes_with_surrogates(&decoder, &window, thirds, fourths);
        uint64_t leads = vec_bits(thirds);
        vec_put16(to, planes.low, planes.high, ends | leads);
        to += count_bits(ends | leads);
        ago = leads == 0 ? ago + 1 : 0;
    }
    out->written += (size_t)(to - begin);
    *at = (size_t)(block - bytes);
}

#endif
