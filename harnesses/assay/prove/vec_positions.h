/* SPDX-License-Identifier: MIT
 *
 * vec_positions.h - the verbs of codecs/simd/isa/vec.h that validation uses, on vectors that know only which bytes of
 * the input they depend on. Each load is checked to be inside the input.
 */
#ifndef ASSAY_PROVE_VEC_POSITIONS_H
#define ASSAY_PROVE_VEC_POSITIONS_H

#include "../../../codecs/simd/isa/vec.h"
#include "../cli.h"
#include "loops.h"

#include <limits.h>

/* From the lowest to the highest position; a constant has none. */
typedef struct {
    long first, end;
    bool before_zeros;  /* it includes zeros that replace bytes after the input */
    bool refuses_fours; /* computed with the table that refuses leads of four */
} vec;
typedef vec truth;

enum { VEC_BLOCKS_AT_ONCE = 1 };

#include "../../../codecs/simd/isa/window.h"

/* Addresses in this array stand for positions; positions_begin stands for 0. The bytes are zeros, and no verdict
 * depends on them. */
static _Alignas(LOOP_LINE) const uint8_t positions_input[LOOP_BYTES_MAX + LOOP_LINE];
static _Thread_local const uint8_t *positions_begin;
static _Thread_local size_t positions_count;
static _Thread_local const struct encoding *positions_encoding;

static const vec positions_none = {LONG_MAX, LONG_MIN, false, false};

/* What is made of both. They must overlap or be next to each other, or one of them be of no bytes. */
ALWAYS_INLINE vec positions_join(vec a, vec b)
{
    if (a.first < a.end && b.first < b.end && (a.end < b.first || b.end < a.first))
        loops_join_apart(a.end < b.first ? a.end : b.end, a.end < b.first ? b.first : a.first);
    return (vec){a.first < b.first ? a.first : b.first, a.end > b.end ? a.end : b.end, a.before_zeros || b.before_zeros,
                 a.refuses_fours || b.refuses_fours};
}

ALWAYS_INLINE vec vec_load_part(const uint8_t *bytes, size_t count)
{
    long first = (long)(bytes - positions_begin), end = first + (long)count, last = (long)positions_count;
    if (first < 0 || end > last || count > VEC_BYTES || (count < VEC_BYTES && end != last))
        loops_load_outside(first, count);
    return (vec){first, end, count < VEC_BYTES, false};
}

ALWAYS_INLINE vec vec_load(const uint8_t *bytes)
{
    return vec_load_part(bytes, VEC_BYTES);
}

ALWAYS_INLINE vec vec_load_last(const uint8_t *end, size_t count)
{
    long last = (long)(end - positions_begin), first = last - (long)count;
    if (first < 0 || last > (long)positions_count)
        loops_load_outside(first, count);
    return (vec){first, last, false, false};
}

ALWAYS_INLINE vec vec_after(vec earlier, vec v, size_t distance)
{
    (void)distance;
    return positions_join(earlier, v);
}

/* With zeros before it, which is right only at the start of the input. */
ALWAYS_INLINE struct window vec_window(vec v, const uint8_t *bytes, size_t count)
{
    if (bytes != positions_begin)
        loops_load_outside((long)(bytes - positions_begin), count);
    return (struct window){v, v, v, v};
}

ALWAYS_INLINE vec vec_fill(uint8_t byte)
{
    (void)byte;
    return positions_none;
}

ALWAYS_INLINE vec vec_constant(uint8_t byte)
{
    return vec_fill(byte);
}

/* The table that refuses leads of four has another entry for F0 to FF. */
ALWAYS_INLINE vec vec_table(const uint8_t entries[16])
{
    vec table = positions_none;
    table.refuses_fours =
        memcmp(entries, positions_encoding->first_high, 15) == 0 && entries[15] != positions_encoding->first_high[15];
    return table;
}

ALWAYS_INLINE vec vec_hold(vec v)
{
    return v;
}

#define OF_ONE(result, name) \
    ALWAYS_INLINE result name(vec v) \
    { \
        return v; \
    }
#define OF_TWO(result, name, type) \
    ALWAYS_INLINE result name(type a, vec b) \
    { \
        return positions_join(a, b); \
    }
OF_TWO(vec, vec_lookup_high, vec)
OF_TWO(vec, vec_lookup_low, vec)
OF_TWO(vec, vec_and, vec)
OF_TWO(vec, vec_or, vec)
OF_TWO(vec, vec_xor, vec)
OF_TWO(vec, vec_subtract, vec)
OF_TWO(vec, vec_max, vec)
OF_TWO(truth, vec_reaches, vec)
OF_TWO(vec, vec_keep, truth)
OF_ONE(truth, vec_high)
#undef OF_TWO
#undef OF_ONE

ALWAYS_INLINE vec vec_select(truth t, vec a, vec b)
{
    return positions_join(t, positions_join(a, b));
}

/* With AVX-512, comparing the table of all leads with the first lead of four makes the other table. */
ALWAYS_INLINE truth vec_at_least(vec v, uint8_t byte)
{
    v.refuses_fours |= v.first == LONG_MAX && byte == positions_encoding->first_lead_of_4;
    return v;
}

/* Validation only asks for the bits of bytes that are leads of four. */
ALWAYS_INLINE uint64_t vec_bits(truth t)
{
    return loops_ask(&(struct looked){(position)t.first, (position)t.end, LOOP_FOURS_AMONG, false});
}

/* ---- the intrinsics that validate_avx512.h uses beside the verbs
 * ---------------------------------------------------- */

static const uint8_t one_by_one[VEC_BYTES] = {0};

ALWAYS_INLINE vec _mm512_load_si512(const uint8_t *numbers)
{
    return vec_fill(numbers[0]);
}

ALWAYS_INLINE vec _mm512_maskz_permutexvar_epi8(truth kept, vec index, vec table)
{
    return vec_select(kept, index, table);
}

ALWAYS_INLINE vec _mm512_ternarylogic_epi32(vec a, vec b, vec c, int table)
{
    (void)table;
    return vec_select(a, b, c);
}

/* ---- verbs that no verdict may depend on
 * --------------------------------------------------------------------------- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define IS_NOT_ASKED(result, name, ...) \
    ALWAYS_INLINE result name(__VA_ARGS__) \
    { \
        cli_fail("a verdict is made of " #name " by validation"); \
    }
IS_NOT_ASKED(truth, vec_between, vec v, uint8_t first, uint8_t last)
IS_NOT_ASKED(truth, vec_any, vec v, uint8_t bits)
IS_NOT_ASKED(truth, vec_both, truth t, truth u)
#undef IS_NOT_ASKED
#pragma GCC diagnostic pop

/* The verdict of a kernel. It looks back three bytes; two if it refuses leads of four; or at the zeros before the
 * input. */
ALWAYS_INLINE bool vec_is_zero(vec v)
{
    long back = v.first == 0 ? 0 : v.refuses_fours ? 2 : 3;
    return loops_ask(&(struct looked){(position)(v.first + back), (position)v.end,
                                      v.refuses_fours ? LOOP_KERNEL_WITHOUT_FOURS : LOOP_KERNEL, v.before_zeros});
}

ALWAYS_INLINE bool vec_is_ascii(vec v)
{
    return loops_ask(&(struct looked){(position)v.first, (position)v.end, LOOP_ASCII, v.before_zeros});
}

#endif
