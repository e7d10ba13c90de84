/* SPDX-License-Identifier: MIT
 *
 * refusal.h - which continuation bytes a lead refuses, by three lookups of nibbles. Included by sets of verbs that look
 * up no more than those.
 */
#ifndef ASSAY_SIMD_REFUSAL_H
#define ASSAY_SIMD_REFUSAL_H

struct refusal {
    vec first_high, first_low, second_high;
    uint8_t not_second;
};

KERNEL_PART struct refusal vec_refusal(const struct encoding *encoding)
{
    return (struct refusal){vec_table(encoding->first_high), vec_table(encoding->first_low),
                            vec_table(encoding->second_high), encoding->not_second};
}

KERNEL_PART truth vec_refused(const struct refusal *refusal, vec first, vec second)
{
    vec wrong = vec_and(vec_lookup_high(refusal->first_high, first), vec_lookup_low(refusal->first_low, first));
    return vec_any(vec_and(wrong, vec_lookup_high(refusal->second_high, second)), refusal->not_second);
}

#endif
