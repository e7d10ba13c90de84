/* SPDX-License-Identifier: MIT
 *
 * decode_clean_utf32_avx512.h - decode_clean_utf32.h for AVX-512: as decode_clean_bmp_avx512.h, with 4-byte characters.
 * Their unit is at the fourth byte, and has a third plane.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_CLEAN_UTF32_AVX512_H
#define ASSAY_SIMD_BYTES_DECODE_CLEAN_UTF32_AVX512_H

#include "decode_clean_bmp_avx512.h"

/* As planes_of_bmp(), with bits 16 to 20 of the characters whose fourth bytes are given: three of the lead, two of the
 * second byte, whose other four bits are where a 3-byte character has those of its lead. */
KERNEL_PART struct planes planes_with_top(const struct bmp_decoder *bmp, const struct window *window, truth fourths)
{
    truth high = vec_high(window->now);
    vec low = vec_xor(window->now, vec_keep(high, vec_shift(window->back_1, 6, 0xC0, 0x80)));
    vec from_1 = vec_keep(high, vec_shift(window->back_1, -2, 0x0F, 0));
    vec from_2 = vec_select(fourths, window->back_2, vec_subtract(window->back_2, bmp->lead_of_3));
    vec of_second = vec_keep(fourths, vec_shift(window->back_2, -4, 0x03, 0));
    return (struct planes){low, vec_or(from_1, vec_shift(from_2, 4, 0xF0, 0)),
                           vec_or(vec_keep(fourths, vec_shift(window->back_3, 2, 0x1C, 0)), of_second)};
}

KERNEL_PART void put_utf32_blocks(const struct encoding *encoding, const struct bmp_decoder *bmp, const uint8_t *bytes,
                                  size_t byte_count, size_t *at, struct output *out)
{
    size_t left = byte_count - *at - 1, room = out->capacity - out->written, ago = 0;
    const uint8_t *block = bytes + *at, *end = block + (left < room ? left : room) / VEC_BYTES * VEC_BYTES;
    uint32_t *begin = (uint32_t *)out->units + out->written, *to = begin;
    uint64_t ends_before = ~(uint64_t)0;
    for (; block != end && ago < LONG_AGO; block += VEC_BYTES) {
        struct window window = window_at(block);
        vec after = vec_load(block + 1), fourth = vec_subtract(window.back_2, bmp->strides.below_lead_of_4);
        truth chosen = _mm512_cmpge_epi8_mask(after, bmp->strides.first_lead); /* signed comparison: all but 80..BF */
        truth fourths = vec_high(vec_subtract(window.back_3, bmp->strides.below_lead_of_4));
        uint64_t ends = vec_bits(chosen);
        if ((ends & ends_before) == ~(uint64_t)0 || block_is_wrong(&bmp->strides, &window, after, fourth) ||
            has_short_nul(encoding, window.now, VEC_BYTES))
            break;
        ends_before = ends;
        struct planes planes = planes_with_top(bmp, &window, fourths);
        put32_where(to, planes.low, planes.high, planes.top, true, chosen);
        to += count_bits(ends);
        ago = one_later(ago, fourths != 0);
    }
    out->written += (size_t)(to - begin);
    *at = (size_t)(block - bytes);
}

#endif
