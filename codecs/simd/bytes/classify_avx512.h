/* SPDX-License-Identifier: MIT
 *
 * classify_avx512.h - classify.h for AVX-512, with half the operations, and the fewest on the busiest ports. Leads take
 * one lookup and continuation bytes another, as in validate_avx512.h. A mask keeps other bytes out of the first.
 */
#ifndef ASSAY_SIMD_BYTES_CLASSIFY_AVX512_H
#define ASSAY_SIMD_BYTES_CLASSIFY_AVX512_H

#include "validate.h"

struct classifier {
    struct strides strides;
};

KERNEL_PART struct classifier classifier_of(const struct encoding *encoding)
{
    return (struct classifier){strides_of(encoding)};
}

/* For each byte of `after` (the window one byte later), the top bit if it is a continuation byte and should not be, or
 * the other way round, as if no character had a fourth byte; and lower bits if it is wrong after its lead. */
KERNEL_PART vec wrong_in_block(const struct strides *strides, vec of_lead, const struct window *window, vec after)
{
    vec first = _mm512_maskz_permutexvar_epi8(vec_reaches(window->now, strides->first_lead), window->now, of_lead);
    vec second = vec_lookup_high(strides->of_second, after);
    vec third = vec_subtract(window->back_1, strides->below_lead_of_3);
    vec pair = _mm512_ternarylogic_epi32(first, second, strides->top, C_CHOOSES_XOR_OR_AND);
    return _mm512_ternarylogic_epi32(pair, third, strides->top, A_XOR_B_AND_C);
}

/* True if a byte of `after` is wrong, or the block has a lead of four. None of the three bytes before it may be one. */
KERNEL_PART bool bmp_is_wrong(const struct strides *strides, const struct window *window, vec after)
{
    return !vec_is_zero(wrong_in_block(strides, strides->of_lead_below_four, window, after));
}

/* As bmp_is_wrong(), where leads of four are right; `fourth` has the top bit two bytes after each lead of four. */
KERNEL_PART bool block_is_wrong(const struct strides *strides, const struct window *window, vec after, vec fourth)
{
    vec wrong = wrong_in_block(strides, strides->of_lead, window, after);
    return !vec_is_zero(_mm512_ternarylogic_epi32(wrong, fourth, strides->top, A_XOR_B_AND_C));
}

/* Byte i must be a continuation byte if and only if byte i-1 is a lead, or byte i-2 is a lead of three or four, or byte
 * i-3 is a lead of four. Up to the first byte that breaks this rule, at most one of the three conditions holds. So the
 * XOR of the three and of "byte i is a continuation byte" is 0 up to there, and 1 at that byte. Leads of four are
 * looked for only in blocks that may have some. */
KERNEL_PART enum block_class classify_block(const struct encoding *encoding, const struct classifier *classifier,
                                            const struct window *window, vec after, bool fours_before)
{
    const struct strides *strides = &classifier->strides;
    if (has_short_nul(encoding, window->now, VEC_BYTES))
        return SOMETHING_ELSE;
    if (!fours_before && !bmp_is_wrong(strides, window, after))
        return WITHOUT_FOURS;
    vec fourth = vec_subtract(window->back_2, strides->below_lead_of_4);
    return block_is_wrong(strides, window, after, fourth) ? SOMETHING_ELSE : WITH_FOURS;
}

#endif
