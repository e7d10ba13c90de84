/* SPDX-License-Identifier: MIT
 *
 * each_register.h - the verbs that are one operation on each register of a vec. A template: needs vec, truth,
 * EACH_OF_2, EACH_OF_3, and
 *
 *   and_parts or_parts xor_parts (a, b)   bit by bit
 *   add_parts max_parts (a, b)            each byte; unsigned
 *   subtract_parts(a, b)                  each byte, but not less than 00
 *   select_part(truth, a, b)              each byte of `a` where true, else of `b`
 */
#ifndef ASSAY_SIMD_ISA_EACH_REGISTER_H
#define ASSAY_SIMD_ISA_EACH_REGISTER_H

ALWAYS_INLINE vec vec_and(vec a, vec b)
{
    return EACH_OF_2(and_parts, a, b);
}

ALWAYS_INLINE vec vec_or(vec a, vec b)
{
    return EACH_OF_2(or_parts, a, b);
}

ALWAYS_INLINE vec vec_xor(vec a, vec b)
{
    return EACH_OF_2(xor_parts, a, b);
}

ALWAYS_INLINE bool vec_is_zero(vec v);

ALWAYS_INLINE bool vec_are_equal(vec a, vec b)
{
    return vec_is_zero(vec_xor(a, b));
}

ALWAYS_INLINE vec vec_add(vec a, vec b)
{
    return EACH_OF_2(add_parts, a, b);
}

ALWAYS_INLINE vec vec_subtract(vec a, vec b)
{
    return EACH_OF_2(subtract_parts, a, b);
}

ALWAYS_INLINE vec vec_max(vec a, vec b)
{
    return EACH_OF_2(max_parts, a, b);
}

ALWAYS_INLINE vec vec_select(truth t, vec a, vec b)
{
    return EACH_OF_3(select_part, t, a, b);
}

ALWAYS_INLINE truth vec_both(truth a, truth b)
{
    return vec_and(a, b);
}

#endif
