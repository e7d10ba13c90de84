/* SPDX-License-Identifier: MIT
 *
 * decode_clean_utf16_avx512.h - put_utf16_blocks() of decode_clean_utf16.h for AVX-512: as decode_clean_bmp_avx512.h,
 * with surrogates. Masks of the third and fourth bytes of four place them.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_CLEAN_UTF16_AVX512_H
#define ASSAY_SIMD_BYTES_DECODE_CLEAN_UTF16_AVX512_H

#include "decode_clean_bmp_avx512.h"

/* Constants, loaded once for many blocks. */
struct utf16_decoder {
    vec lead_low, trail_high; /* matrices */
    vec lead_high;
};

/* A lead surrogate is D7C0 and what is above the low ten bits (Unicode 17.0, Table 3-5): six bits of the second byte,
 * then two of the third. In its low byte these have C0 added: bit 6 flips, and bit 7 flips where bit 6 was zero. That
 * is a product of bits and a constant. lead_high, by the low six bits of the second byte, is D7 and the carry, less the
 * F0 of the first byte. */
KERNEL_PART struct utf16_decoder utf16_decoder_of(void)
{
    vec second = _mm512_load_si512(one_by_one);
    vec carry = vec_keep(vec_at_least(second, 0x10), vec_fill(1));
    uint64_t bit_6_to_7 = shift_row(7, 3, 0x80), lead_low = bit_6_to_7, trail_high = 0;
    for (int bit = 0; bit < 8; bit++) {
        lead_low |= shift_row(bit, 2, 0xFC);
        trail_high |= shift_row(bit, -2, 0x03);
    }
    return (struct utf16_decoder){vec_hold(_mm512_set1_epi64((long long)lead_low)),
                                  vec_hold(_mm512_set1_epi64((long long)trail_high)),
                                  vec_hold(vec_add(vec_fill((uint8_t)(0xD7 - 0xF0)), carry))};
}

/* As planes_of_bmp(), with a lead surrogate at the third byte of four, and a trail at the fourth. */
KERNEL_PART struct planes planes_with_surrogates(const struct bmp_decoder *bmp, const struct utf16_decoder *decoder,
                                                 const struct window *window, truth thirds, truth fourths)
{
    enum { LEAD_LOW = 0xC0, TRAIL_HIGH = 0xDC };
    vec now = window->now, back_1 = window->back_1;
    truth high = vec_high(now);
    vec low = vec_xor(now, vec_keep(high, vec_shift(back_1, 6, 0xC0, 0x80)));
    vec lead_low = _mm512_gf2p8affine_epi64_epi8(back_1, decoder->lead_low, LEAD_LOW);
    vec from_1 = vec_keep(high, vec_shift(back_1, -2, 0x0F, 0));
    from_1 = vec_select(fourths, _mm512_gf2p8affine_epi64_epi8(back_1, decoder->trail_high, TRAIL_HIGH), from_1);
    vec from_2 = vec_shift(vec_subtract(window->back_2, bmp->lead_of_3), 4, 0xF0, 0);
    vec lead_high = vec_add(window->back_2, _mm512_permutexvar_epi8(back_1, decoder->lead_high));
    return (struct planes){vec_select(thirds, vec_xor(lead_low, vec_shift(now, -4, 0x03, 0)), low),
                           vec_select(thirds, lead_high, vec_or(from_1, from_2)), vec_fill(0)};
}

KERNEL_PART void put_utf16_blocks(const struct encoding *encoding, const struct bmp_decoder *bmp, const uint8_t *bytes,
                                  size_t byte_count, size_t *at, struct output *out)
{
    struct utf16_decoder decoder = utf16_decoder_of();
    size_t left = byte_count - *at - 1, room = out->capacity - out->written;
    const uint8_t *block = bytes + *at, *end = block + (left < room ? left : room) / VEC_BYTES * VEC_BYTES;
    uint16_t *begin = (uint16_t *)out->units + out->written, *to = begin;
    uint64_t ends_before = ~(uint64_t)0;
    for (size_t ago = 0; block != end && ago < LONG_AGO; block += VEC_BYTES) {
        struct window window = window_at(block);
        vec after = vec_load(block + 1), fourth = vec_subtract(window.back_2, bmp->strides.below_lead_of_4);
        truth chosen = _mm512_cmpge_epi8_mask(after, bmp->strides.first_lead); /* signed comparison: all but 80..BF */
        uint64_t ends = vec_bits(chosen);
        if ((ends & ends_before) == ~(uint64_t)0 || block_is_wrong(&bmp->strides, &window, after, fourth) ||
            has_short_nul(encoding, window.now, VEC_BYTES))
            break;
        ends_before = ends;
        truth thirds = vec_high(fourth), fourths = vec_high(vec_subtract(window.back_3, bmp->strides.below_lead_of_4));
        struct planes planes = planes_with_surrogates(bmp, &decoder, &window, thirds, fourths);
        put16_where(to, planes.low, planes.high, chosen | thirds);
        uint64_t leads = vec_bits(thirds);
        to += count_bits(ends | leads);
        ago = one_later(ago, leads != 0);
    }
    out->written += (size_t)(to - begin);
    *at = (size_t)(block - bytes);
}

#endif
