/* SPDX-License-Identifier: MIT
 *
 * classify_avx512.h - classify.h for AVX-512, with half the operations, and the fewest on the busiest ports. Leads take
 * one lookup and continuation bytes another. Masks, which decoding needs anyway, keep other bytes out of both.
 */
#ifndef ASSAY_SIMD_BYTES_CLASSIFY_AVX512_H
#define ASSAY_SIMD_BYTES_CLASSIFY_AVX512_H

/* Table entries for leads and for continuation bytes, by their low six bits. The top bit: the byte is one of these. A
 * lower bit that a lead and the byte after it have in common: the two are an error. One of these bits refuses ASCII
 * before a continuation byte; no lead has it there, so it marks leads of four here. */
struct classifier {
    vec of_lead, of_continuation, first_lead;
    vec below_lead_of_3, below_lead_of_4; /* subtracted from a byte, leaves the top bit for such a lead only */
    vec top, not_four;                    /* the top bit; all bits but the one that marks leads of four */
};

KERNEL_PART struct classifier classifier_of(const struct encoding *encoding)
{
    const uint8_t four = encoding->first_high['a' >> 4];
    vec top = vec_constant(0x80), numbers = _mm512_load_si512(one_by_one);
    vec leads = vec_or(numbers, vec_fill(0xC0)), continuations = vec_or(numbers, top);
    vec of_lead = vec_and(vec_lookup_high(vec_table(encoding->first_high), leads),
                          vec_lookup_low(vec_table(encoding->first_low), leads));
    vec fours = vec_keep(vec_at_least(leads, encoding->first_lead_of_4), vec_fill(four));
    vec of_continuation = vec_lookup_high(vec_table(encoding->second_high), continuations);
    return (struct classifier){vec_hold(vec_or(vec_or(of_lead, fours), top)),
                               vec_hold(vec_or(of_continuation, top)),
                               vec_constant(0xC0),
                               vec_constant((uint8_t)(encoding->first_lead_of_3 - 0x80)),
                               vec_constant((uint8_t)(encoding->first_lead_of_4 - 0x80)),
                               top,
                               vec_constant((uint8_t)~four)};
}

/* Byte i must be a continuation byte if and only if byte i-1 is a lead, or byte i-2 is a lead of three or four, or byte
 * i-3 is a lead of four. Up to the first byte that breaks this rule, at most one of the three conditions holds. So the
 * XOR of the three and of "byte i is a continuation byte" is 0 up to there, and 1 at that byte. Leads of four are
 * looked for only in blocks that may have some. */
KERNEL_PART enum block_class classify_block(const struct encoding *encoding, const struct classifier *classifier,
                                            const struct window *window, vec after, bool fours_before)
{
    vec of_lead = _mm512_maskz_permutexvar_epi8(vec_reaches(window->now, classifier->first_lead), window->now,
                                                classifier->of_lead);
    vec of_next = _mm512_maskz_permutexvar_epi8(vec_is_continuation(after), after, classifier->of_continuation);
    vec pair = _mm512_ternarylogic_epi32(of_lead, of_next, classifier->top, C_CHOOSES_XOR_OR_AND);
    vec third = vec_subtract(window->back_1, classifier->below_lead_of_3);
    vec wrong = _mm512_ternarylogic_epi32(pair, third, classifier->top, A_XOR_B_AND_C);
    bool may_have_fours = !vec_is_zero(wrong) || fours_before;
    if (may_have_fours) {
        vec fourth = vec_subtract(window->back_2, classifier->below_lead_of_4);
        wrong = vec_and(_mm512_ternarylogic_epi32(wrong, fourth, classifier->top, A_XOR_B_AND_C), classifier->not_four);
    }
    if ((may_have_fours && !vec_is_zero(wrong)) || has_short_nul(encoding, window->now, VEC_BYTES))
        return SOMETHING_ELSE;
    return may_have_fours ? WITH_FOURS : WITHOUT_FOURS;
}

#endif
