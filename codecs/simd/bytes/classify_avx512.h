/* SPDX-License-Identifier: MIT
 *
 * classify_avx512.h - classify.h for AVX-512, with half the operations, and the fewest on the busiest ports. Leads take
 * one lookup and continuation bytes another. Masks, which decoding needs anyway, keep other bytes out of both.
 */
#ifndef ASSAY_SIMD_BYTES_CLASSIFY_AVX512_H
#define ASSAY_SIMD_BYTES_CLASSIFY_AVX512_H

/* Table entries for leads and for continuation bytes, by their low six bits. The top bit says that the byte is one of
 * these; a lower bit that a lead and the byte after it have in common is an error of the two. No lead has the bit for
 * ASCII before a continuation byte, so here that bit marks leads of four. */
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

/* A byte must be a continuation byte exactly if the byte before is a lead, or the second before is a lead of three or
 * four, or the third before is a lead of four. Before the first byte that breaks this rule, at most one of the three
 * conditions holds; so at the first error, an odd number of the four statements is true. Leads of four are looked for
 * only in blocks that may have some. */
KERNEL_PART enum block_class classify_block(const struct encoding *encoding, const struct classifier *classifier,
                                            const struct window *window, vec after, bool fours_before)
{
    enum { ODD_BELOW_K_BOTH = 0x68, ODD_BELOW_K = 0x78 }; /* of a, b, k: in k a ^ b, else a & b; a ^ (b & k) */
    vec of_lead = _mm512_maskz_permutexvar_epi8(vec_reaches(window->now, classifier->first_lead), window->now,
                                                classifier->of_lead);
    vec of_next = _mm512_maskz_permutexvar_epi8(vec_is_continuation(after), after, classifier->of_continuation);
    vec pair = _mm512_ternarylogic_epi32(of_lead, of_next, classifier->top, ODD_BELOW_K_BOTH);
    vec third = vec_subtract(window->back_1, classifier->below_lead_of_3);
    vec wrong = _mm512_ternarylogic_epi32(pair, third, classifier->top, ODD_BELOW_K);
    bool has_fours = !vec_is_zero(wrong) || fours_before;
    if (has_fours) {
        vec fourth = vec_subtract(window->back_2, classifier->below_lead_of_4);
        wrong = vec_and(_mm512_ternarylogic_epi32(wrong, fourth, classifier->top, ODD_BELOW_K), classifier->not_four);
    }
    if ((has_fours && !vec_is_zero(wrong)) || has_short_nul(encoding, window->now, VEC_BYTES))
        return SOMETHING_ELSE;
    return has_fours ? WITH_FOURS : WITHOUT_FOURS;
}

#endif
