/* SPDX-License-Identifier: MIT
 *
 * top_bit.h - the verbs about truths, wherever a truth is the top bit of each byte. The other bits of the byte may have
 * any value. A template: needs vec, fill_part(), EACH_OF_2 and EACH_WITH, vec_fill(), vec_constant(), each_register.h,
 * and
 *
 *   shift_left_units(part, n), shift_right_units(part, n)   each unit of 16 bits
 *   plain_subtract_parts(a, b)           each byte, modulo 256
 *   add_up_to_ff(a, b)                   each byte, but not more than FF
 *   min_parts(a, b)                      each byte; unsigned
 *   equal_parts(a, b)                    FF where the bytes are equal, else 00
 *   greater_parts(a, b)                  FF where the byte of `a` is greater, else 00; signed
 *   bits_of_part(part)                   the top bit of each byte, as an integer
 *   any_part(v)                          the bits that any part of `v` has
 */
#ifndef ASSAY_SIMD_ISA_TOP_BIT_H
#define ASSAY_SIMD_ISA_TOP_BIT_H

ALWAYS_INLINE vec vec_shift_units(vec v, int distance)
{
    return distance > 0 ? EACH_WITH(shift_left_units, v, distance) : EACH_WITH(shift_right_units, v, -distance);
}

/* There are no shifts of bytes. A shift of units moves bits of the other byte in, and the mask removes these. */
ALWAYS_INLINE vec vec_shift(vec v, int distance, uint8_t mask, uint8_t flip)
{
    vec kept = vec_and(vec_shift_units(v, distance), vec_fill(mask));
    return flip == 0 ? kept : vec_xor(kept, vec_fill(flip));
}

ALWAYS_INLINE truth vec_high(vec v)
{
    return v;
}

ALWAYS_INLINE truth vec_at_least(vec v, uint8_t least)
{
    vec greater = EACH_WITH(max_parts, v, fill_part(least));
    return EACH_OF_2(equal_parts, greater, v);
}

ALWAYS_INLINE vec vec_bound(uint8_t least)
{
    return vec_constant((uint8_t)(least - 0x80));
}

/* The difference has the top bit exactly where the byte reaches the bound. */
ALWAYS_INLINE truth vec_reaches(vec v, vec bound)
{
    return vec_subtract(v, bound);
}

/* Adding what is missing to 80 carries into the top bit. */
ALWAYS_INLINE truth vec_attains(vec v, uint8_t least)
{
    return EACH_WITH(add_up_to_ff, v, fill_part((uint8_t)(0x80 - least)));
}

ALWAYS_INLINE truth vec_between(vec v, uint8_t first, uint8_t last)
{
    vec distance = EACH_WITH(plain_subtract_parts, v, fill_part(first));
    vec lesser = EACH_WITH(min_parts, distance, fill_part((uint8_t)(last - first)));
    return EACH_OF_2(equal_parts, lesser, distance);
}

ALWAYS_INLINE truth vec_is_continuation(vec v)
{
    return EACH_OF_2(greater_parts, vec_fill(0xC0), v); /* signed: -128 to -65 */
}

/* Adding 7F to any bit that is set carries into the top bit. */
ALWAYS_INLINE truth vec_any(vec v, uint8_t bits)
{
    return EACH_WITH(add_up_to_ff, vec_and(v, vec_fill(bits)), fill_part(0x7F));
}

ALWAYS_INLINE vec vec_keep(truth t, vec v)
{
    return vec_select(t, v, vec_fill(0));
}

ALWAYS_INLINE bool vec_is_ascii(vec v)
{
    return bits_of_part(any_part(v)) == 0;
}

#endif
