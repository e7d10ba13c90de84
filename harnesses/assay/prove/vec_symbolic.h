/* SPDX-License-Identifier: MIT
 *
 * vec_symbolic.h - the verbs of codecs/simd/isa/vec.h that kernels of validation use, on lanes that are expressions,
 * not bytes. Each does in each lane what vec.h says; harnesses/verbs/ tests that those of the instruction sets do the
 * same. A verb that mixes lanes ends the program.
 */
#ifndef ASSAY_PROVE_VEC_SYMBOLIC_H
#define ASSAY_PROVE_VEC_SYMBOLIC_H

#include "../../../codecs/simd/isa/vec.h"
#include "../cli.h"
#include "expressions.h"

typedef struct {
    expression lane[VEC_BYTES];
} vec;
typedef vec truth;

enum { VEC_BLOCKS_AT_ONCE = 1, BYTES_BEFORE = 64, BYTES_AFTER = 1024 };

#include "../../../codecs/simd/isa/window.h"

/* Addresses in this array stand for positions of the input; BYTES_BEFORE stands for 0. Nothing is read. */
static const uint8_t symbolic_input[BYTES_BEFORE + BYTES_AFTER];

#define EACH_LANE(value) \
    do { \
        vec result; \
        for (size_t i = 0; i < VEC_BYTES; i++) \
            result.lane[i] = (value); \
        return result; \
    } while (0)
#define IN_EACH_LANE(id, a, b, c) EACH_LANE(expression_of(EXPRESSION_##id, (a).lane[i], (b).lane[i], (c).lane[i]))

ALWAYS_INLINE vec vec_load(const uint8_t *bytes)
{
    EACH_LANE(expression_byte((int)(bytes - symbolic_input) - BYTES_BEFORE + (int)i));
}

ALWAYS_INLINE vec vec_load_last(const uint8_t *end, size_t count)
{
    const uint8_t *bytes = end - VEC_BYTES;
    EACH_LANE(i + count < VEC_BYTES ? expression_constant(0)
                                    : expression_byte((int)(bytes - symbolic_input) - BYTES_BEFORE + (int)i));
}

ALWAYS_INLINE vec vec_after(vec earlier, vec v, size_t distance)
{
    EACH_LANE(i < distance ? earlier.lane[VEC_BYTES - distance + i] : v.lane[i - distance]);
}

ALWAYS_INLINE vec vec_fill(uint8_t byte)
{
    EACH_LANE(expression_constant(byte));
}

ALWAYS_INLINE vec vec_constant(uint8_t byte)
{
    return vec_fill(byte);
}

ALWAYS_INLINE vec vec_table(const uint8_t entries[16])
{
    EACH_LANE(expression_constant(entries[i % 16]));
}

ALWAYS_INLINE vec vec_hold(vec v)
{
    return v;
}

/* The table is in the lanes; kernels make no table from their input. */
static vec look_up(enum expression_operation operation, size_t entry_count, const vec *table, const vec *v)
{
    uint8_t entries[VEC_BYTES];
    for (size_t i = 0; i < VEC_BYTES; i++)
        entries[i] = expression_value(table->lane[i]);
    EACH_LANE(expression_lookup(operation, entries, entry_count, v->lane[i]));
}

ALWAYS_INLINE vec vec_lookup_high(vec table, vec v)
{
    return look_up(EXPRESSION_LOOKUP_HIGH, 16, &table, &v);
}

ALWAYS_INLINE vec vec_lookup_low(vec table, vec v)
{
    return look_up(EXPRESSION_LOOKUP_LOW, 16, &table, &v);
}

ALWAYS_INLINE vec vec_and(vec a, vec b)
{
    IN_EACH_LANE(AND, a, b, b);
}

ALWAYS_INLINE vec vec_or(vec a, vec b)
{
    IN_EACH_LANE(OR, a, b, b);
}

ALWAYS_INLINE vec vec_xor(vec a, vec b)
{
    IN_EACH_LANE(XOR, a, b, b);
}

/* With CANARY, one lane uses a byte of its neighbour. */
ALWAYS_INLINE vec vec_subtract(vec a, vec b)
{
#ifdef CANARY
    a.lane[37] = a.lane[36];
#endif
    IN_EACH_LANE(SUBTRACT, a, b, b);
}

ALWAYS_INLINE vec vec_max(vec a, vec b)
{
    IN_EACH_LANE(MAX, a, b, b);
}

ALWAYS_INLINE truth vec_high(vec v)
{
    IN_EACH_LANE(HIGH, v, v, v);
}

ALWAYS_INLINE truth vec_reaches(vec v, vec bound)
{
    IN_EACH_LANE(AT_LEAST, v, bound, bound);
}

ALWAYS_INLINE truth vec_at_least(vec v, uint8_t byte)
{
    return vec_reaches(v, vec_fill(byte));
}

ALWAYS_INLINE vec vec_select(truth t, vec a, vec b)
{
    IN_EACH_LANE(SELECT, t, a, b);
}

ALWAYS_INLINE vec vec_keep(truth t, vec v)
{
    return vec_select(t, v, vec_fill(0));
}

/* ---- the intrinsics that validate_avx512.h uses beside the verbs
 * ---------------------------------------------------- */

static const uint8_t one_by_one[VEC_BYTES] = {0};

ALWAYS_INLINE vec _mm512_load_si512(const uint8_t *numbers)
{
    if (numbers != one_by_one)
        cli_fail("a kernel loads a constant that the prover does not know");
    EACH_LANE(expression_constant((uint8_t)i));
}

ALWAYS_INLINE vec _mm512_maskz_permutexvar_epi8(truth kept, vec index, vec table)
{
    return vec_keep(kept, look_up(EXPRESSION_LOOKUP_SIX, VEC_BYTES, &table, &index));
}

/* The truth tables that are used: bit 4 * a + 2 * b + c. */
ALWAYS_INLINE vec _mm512_ternarylogic_epi32(vec a, vec b, vec c, int table)
{
    vec not_c = vec_xor(c, vec_fill(0xFF));
    switch (table) {
    case 0x96: return vec_xor(vec_xor(a, b), c);
    case 0xF6: return vec_or(a, vec_xor(b, c));
    case 0xF8: return vec_or(a, vec_and(b, c));
    case 0xE4: return vec_or(vec_and(a, c), vec_and(b, not_c));
    default: cli_fail("a kernel has a truth table that the prover does not know: %02X", (unsigned)table);
    }
}

/* ---- verbs that a validation kernel must not use
 * -------------------------------------------------------------------- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define MIXES_LANES(result, name, ...) \
    ALWAYS_INLINE result name(__VA_ARGS__) \
    { \
        cli_fail("a kernel of validation uses " #name ", which mixes lanes"); \
    }
MIXES_LANES(vec, vec_load_part, const uint8_t *bytes, size_t count)
MIXES_LANES(struct window, vec_window, vec v, const uint8_t *bytes, size_t count)
MIXES_LANES(truth, vec_between, vec v, uint8_t first, uint8_t last)
MIXES_LANES(truth, vec_any, vec v, uint8_t bits)
MIXES_LANES(truth, vec_both, truth t, truth u)
MIXES_LANES(uint64_t, vec_bits, truth t)
#undef MIXES_LANES
#pragma GCC diagnostic pop

/* The vector that a kernel tests last. It is kept here, and the test is answered as if no lane were wrong. */
static _Thread_local vec symbolic_asked;

ALWAYS_INLINE bool vec_is_zero(vec v)
{
    symbolic_asked = v;
    return true;
}

ALWAYS_INLINE bool vec_is_ascii(vec v)
{
    return vec_is_zero(v);
}

#endif
