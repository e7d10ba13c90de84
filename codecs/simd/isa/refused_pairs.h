/* SPDX-License-Identifier: MIT
 *
 * refused_pairs.h - vec_refused() by two lookups of 16 entries: one by two bits of the lead and two of the continuation
 * byte, one by the low nibble of the lead. A template: needs vec, truth, and the verbs before it in vec.h.
 */
#ifndef ASSAY_SIMD_ISA_REFUSED_PAIRS_H
#define ASSAY_SIMD_ISA_REFUSED_PAIRS_H

/* Of a lead (C0..FF) and a continuation byte bits 4 and 5 are what differs in the high nibbles: four bits in all. */
struct refusal {
    vec by_bits, by_low_nibble, bits_of_first, bits_of_second;
};

KERNEL_PART struct refusal vec_refusal(const struct encoding *encoding)
{
    uint8_t by_bits[16], by_low_nibble[16];
    for (size_t i = 0; i < 16; i++) {
        by_bits[i] = encoding->first_high[0xC | i >> 2] & encoding->second_high[0x8 | (i & 3)];
        by_low_nibble[i] = encoding->first_low[i] & encoding->not_second;
    }
    return (struct refusal){vec_table(by_bits), vec_table(by_low_nibble), vec_constant(0x0C), vec_constant(0x03)};
}

KERNEL_PART truth vec_refused(const struct refusal *refusal, vec first, vec second)
{
    vec bits = vec_or(vec_and(vec_shift_units(first, -2), refusal->bits_of_first),
                      vec_and(vec_shift_units(second, -4), refusal->bits_of_second));
    vec wrong = vec_and(vec_lookup_ascii(refusal->by_bits, bits), vec_lookup_low(refusal->by_low_nibble, first));
    return vec_any(wrong, 0xFF);
}

#endif
