/* SPDX-License-Identifier: MIT
 *
 * decode_clean_bmp_avx512.h - put_bmp_blocks() of decode_clean_bmp.h for AVX-512. Errors are found as in
 * validate_avx512.h. A unit ends where the next byte is no continuation byte; that mask stays in a mask register. One
 * block of ASCII does not end the loop, two in a row do: leaving the loop for one block takes longer than decoding it
 * here.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_CLEAN_BMP_AVX512_H
#define ASSAY_SIMD_BYTES_DECODE_CLEAN_BMP_AVX512_H

#include "units.h"
#include "validate.h"

/* Blocks without 4-byte characters after which the loops for such characters end. put_bmp_blocks() is faster, but to
 * enter and leave it takes as long as some ten blocks. */
enum { LONG_AGO = 16 };

/* Blocks since the last 4-byte character; hold_bits: gcc 12 makes a branch on data of `has_fours ? 0 : ago + 1`. */
KERNEL_PART size_t one_later(size_t ago, bool has_fours)
{
    return (ago + 1) & hold_bits((uint64_t)has_fours - 1);
}

/* True if a byte of `after` (the window one byte later) is wrong, or the window has a lead of four. */
KERNEL_PART bool bmp_is_wrong(const struct strides *strides, const struct window *window, vec after)
{
    vec first = _mm512_maskz_permutexvar_epi8(vec_reaches(window->now, strides->first_lead), window->now,
                                              strides->of_lead_below_four);
    vec second = vec_lookup_high(strides->of_second, after);
    vec third = vec_subtract(window->back_1, strides->below_lead_of_3);
    vec pair = _mm512_ternarylogic_epi32(first, second, strides->top, C_CHOOSES_XOR_OR_AND);
    return !vec_is_zero(_mm512_ternarylogic_epi32(pair, third, strides->top, A_XOR_B_AND_C));
}

/* As bmp_is_wrong(), where leads of four are right; `fourth` has the top bit two bytes after each lead of four. */
KERNEL_PART bool block_is_wrong(const struct strides *strides, const struct window *window, vec after, vec fourth)
{
    vec first =
        _mm512_maskz_permutexvar_epi8(vec_reaches(window->now, strides->first_lead), window->now, strides->of_lead);
    vec second = vec_lookup_high(strides->of_second, after);
    vec third = vec_subtract(window->back_1, strides->below_lead_of_3);
    vec pair = _mm512_ternarylogic_epi32(first, second, strides->top, C_CHOOSES_XOR_OR_AND);
    vec wrong = _mm512_ternarylogic_epi32(pair, third, strides->top, A_XOR_B_AND_C);
    return !vec_is_zero(_mm512_ternarylogic_epi32(wrong, fourth, strides->top, A_XOR_B_AND_C));
}

/* As planes_of(), for a window without errors: two bytes before the end of a 3-byte character is its lead, and the lead
 * minus E0 is its payload. */
KERNEL_PART struct planes planes_of_bmp(const struct window *window, vec lead_of_3)
{
    truth high = vec_high(window->now);
    vec low = vec_xor(window->now, vec_keep(high, vec_shift(window->back_1, 6, 0xC0, 0x80)));
    vec from_1 = vec_keep(high, vec_shift(window->back_1, -2, 0x0F, 0));
    vec from_2 = vec_shift(vec_subtract(window->back_2, lead_of_3), 4, 0xF0, 0);
    return (struct planes){low, vec_or(from_1, from_2), vec_fill(0)};
}

/* Constants, loaded once for many blocks. */
struct bmp_decoder {
    struct strides strides;
    vec lead_of_3;
};

KERNEL_PART struct bmp_decoder bmp_decoder_of(const struct encoding *encoding)
{
    return (struct bmp_decoder){strides_of(encoding), vec_constant(0xE0)};
}

KERNEL_PART bool put_bmp_blocks(enum form form, const struct encoding *encoding, const struct bmp_decoder *decoder,
                                const uint8_t *bytes, size_t byte_count, size_t *at, struct output *out)
{
    bool is_refused = false;
    const bool refuses_00 = encoding->refuses_00;
    size_t left = byte_count - *at - 1, room = out->capacity - out->written;
    const uint8_t *block = bytes + *at, *end = block + (left < room ? left : room) / VEC_BYTES * VEC_BYTES;
    uint8_t *to = unit_at(form, out->units, out->written), *begin = to;
    /* hold_bits: without it gcc 12 peels the first iteration, and loses 6 % */
    uint64_t ends_before = hold_bits(~(uint64_t)0);
    for (; block != end; block += VEC_BYTES) {
        struct window window = window_at(block);
        vec after = vec_load(block + 1);
        /* signed comparison: all but 80..BF */
        truth chosen = _mm512_cmpge_epi8_mask(after, decoder->strides.first_lead);
        uint64_t ends = vec_bits(chosen);
        if ((ends & ends_before) == ~(uint64_t)0)
            break;
        if (bmp_is_wrong(&decoder->strides, &window, after) ||
            (refuses_00 && vec_bits(vec_between(window.now, 0, 0)) != 0)) {
            is_refused = true;
            break;
        }
        ends_before = ends;
        struct planes planes = planes_of_bmp(&window, decoder->lead_of_3);
        if (form == UTF16)
            put16_where(to, planes.low, planes.high, chosen);
        else
            put32_where(to, planes.low, planes.high, planes.top, false, chosen);
        to = unit_at(form, to, count_bits(ends));
    }
    out->written += (size_t)(to - begin) / (form == UTF16 ? sizeof(uint16_t) : sizeof(uint32_t));
    *at = (size_t)(block - bytes);
    return is_refused;
}

#endif
