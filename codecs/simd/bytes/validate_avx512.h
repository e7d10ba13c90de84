/* SPDX-License-Identifier: MIT
 *
 * validate_avx512.h - validates in 9 vector operations for each 64 bytes, or 8 where characters of four bytes are
 * refused; with the shifts of enum looking_back, in up to 12.
 *
 * One lookup by the low six bits describes a lead; a mask excludes all other bytes. The top bit: "byte i-1 is a lead",
 * "byte i-2 is a lead of three or four", "byte i-3 is a lead of four" and "byte i is a continuation byte" are XORed,
 * and 1 is an error (classify_avx512.h says why). The lower bits: a bit that both lookups have is an error.
 */
#ifndef ASSAY_SIMD_BYTES_VALIDATE_AVX512_H
#define ASSAY_SIMD_BYTES_VALIDATE_AVX512_H

/* Loads that cross cache lines are slow where a line is still on its way from memory. From the caches, a Zen 5 loads
 * two aligned registers a cycle, or one unaligned, and executes four other vector operations. The kernel for 4-byte
 * characters has three unaligned loads a block; a shift (vpermt2b, one operation) in place of one is faster. An Ice
 * Lake executes two vector operations a cycle, and vpermt2b is three. */
KERNEL_PART enum looking_back fastest_back(enum source source, size_t byte_count)
{
    if (source == FROM_MEMORY)
        return BY_SHIFTS;
    return byte_count < LONG || cpu_is_intel() ? BY_LOADS : BY_ONE_SHIFT;
}

struct strides {
    vec of_lead, of_lead_below_four; /* by the low six bits of leads; the second one refuses leads of four */
    vec of_second;                   /* by the high nibble */
    vec first_lead, below_lead_of_3, below_lead_of_4, top;
};

KERNEL_PART struct strides strides_of(const struct encoding *encoding)
{
    /* This bit refuses ASCII before a continuation byte; all continuation bytes have it, and no lead. */
    const uint8_t refused = encoding->first_high['a' >> 4];
    vec top = vec_constant(0x80), numbers = _mm512_load_si512(one_by_one), first_lead = vec_constant(0xC0);
    vec leads = vec_or(numbers, first_lead);
    vec of_lead = vec_or(top, vec_and(vec_lookup_high(vec_table(encoding->first_high), leads),
                                      vec_lookup_low(vec_table(encoding->first_low), leads)));
    vec fours = vec_keep(vec_at_least(leads, encoding->first_lead_of_4), vec_fill(refused));
    uint8_t of_second[sizeof encoding->second_high];
    for (size_t high = 0; high < sizeof of_second; high++)
        of_second[high] = is_continuation((uint8_t)(high << 4)) ? encoding->second_high[high] | 0x80 : 0;
    return (struct strides){vec_hold(of_lead),
                            vec_hold(vec_or(of_lead, fours)),
                            vec_table(of_second),
                            first_lead,
                            vec_constant((uint8_t)(encoding->first_lead_of_3 - 0x80)),
                            vec_constant((uint8_t)(encoding->first_lead_of_4 - 0x80)),
                            top};
}

/* A block, and the bytes before each of its bytes. Unless `back` is BY_LOADS, the last bytes of *earlier are those
 * before the block. Sets *earlier to the block. */
KERNEL_PART struct window window_of_block(enum looking_back back, const uint8_t *block, vec *earlier)
{
    vec now = vec_load(block), before = *earlier;
    *earlier = now;
    return (struct window){now, back == BY_SHIFTS ? vec_after(before, now, 1) : vec_load(block - 1),
                           back == BY_LOADS ? vec_load(block - 2) : vec_after(before, now, 2),
                           back == BY_SHIFTS ? vec_after(before, now, 3) : vec_load(block - 3)};
}

KERNEL_PART bool some_are_wrong(const struct strides *strides, bool without_fours, enum looking_back back,
                                const uint8_t *bytes, size_t byte_count)
{
    enum { A_OR_B_XOR_C = 0xF6, A_OR_B_AND_C = 0xF8, ODD = 0x96, C_CHOOSES_A_OR_B = 0xE4 };
    vec odd = vec_fill(0), both = vec_fill(0), of_lead = without_fours ? strides->of_lead_below_four : strides->of_lead;
    vec earlier = back == BY_LOADS ? vec_fill(0) : vec_load_last(bytes, without_fours ? 2 : REACH);
#pragma GCC unroll VEC_BLOCKS_AT_ONCE
    for (size_t i = 0; i < byte_count; i += VEC_BYTES) {
        struct window window = window_of_block(back, bytes + i, &earlier);
        vec second = vec_lookup_high(strides->of_second, window.now);
        vec first =
            _mm512_maskz_permutexvar_epi8(vec_reaches(window.back_1, strides->first_lead), window.back_1, of_lead);
        vec third = vec_subtract(window.back_2, strides->below_lead_of_3);
        /* `third` comes first: its register is overwritten, and the others are needed */
        vec reasons = _mm512_ternarylogic_epi32(third, first, second, ODD);
        odd = without_fours ? vec_or(odd, reasons)
                            : _mm512_ternarylogic_epi32(
                                  odd, reasons, vec_subtract(window.back_3, strides->below_lead_of_4), A_OR_B_XOR_C);
        both = _mm512_ternarylogic_epi32(both, first, second, A_OR_B_AND_C);
    }
    return !vec_is_zero(_mm512_ternarylogic_epi32(odd, both, strides->top, C_CHOOSES_A_OR_B));
}

/* As validate.h says. With without_fours, BY_ONE_SHIFT is as BY_LOADS: that kernel has two unaligned loads only. */
KERNEL_PART bool blocks_are_wrong(const struct strides *strides, bool without_fours, enum looking_back back,
                                  const uint8_t *bytes, size_t byte_count)
{
    if (back == BY_SHIFTS)
        return some_are_wrong(strides, without_fours, BY_SHIFTS, bytes, byte_count);
    if (without_fours || back == BY_LOADS)
        return some_are_wrong(strides, without_fours, BY_LOADS, bytes, byte_count);
    return some_are_wrong(strides, without_fours, BY_ONE_SHIFT, bytes, byte_count);
}

#endif
