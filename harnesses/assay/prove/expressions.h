/* SPDX-License-Identifier: MIT
 *
 * expressions.h - a lane of a vector as an expression of the bytes of the input. Two lanes that are the same function
 * of their bytes, by the same operations, are the same expression after a shift; each expression is kept once, so equal
 * expressions have equal numbers.
 */
#ifndef ASSAY_PROVE_EXPRESSIONS_H
#define ASSAY_PROVE_EXPRESSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The operations on lanes: identifier, how many operands are expressions. */
/* clang-format off */
#define EXPRESSION_OPERATIONS(X) \
    X(BYTE, 0)        /* of the input, at a position */ \
    X(CONSTANT, 0) \
    X(AND, 2) X(OR, 2) X(XOR, 2) X(SUBTRACT, 2) /* saturating */ X(MAX, 2) \
    X(LOOKUP_HIGH, 1) X(LOOKUP_LOW, 1) X(LOOKUP_SIX, 1) /* by bits of a byte, in a table */ \
    X(AT_LEAST, 2) X(HIGH, 1) /* FF where true, else 00 */ \
    X(SELECT, 3)

enum expression_operation {
#define X(id, operands) EXPRESSION_##id,
    EXPRESSION_OPERATIONS(X)
#undef X
};
/* clang-format on */

typedef uint32_t expression;

/* Each thread has its own expressions. Call these before the first one of a proof and after the last. */
void expressions_begin(void);
void expressions_end(void);

expression expression_byte(int position);
expression expression_constant(uint8_t value);
expression expression_of(enum expression_operation operation, expression a, expression b, expression c);
expression expression_lookup(enum expression_operation operation, const uint8_t *table, size_t entry_count,
                             expression index);

/* Returns the value of a constant. Ends the program if it is not one: the kernel has done something with a lane that is
 * not an operation on lanes. */
uint8_t expression_value(expression e);

/* Returns the same expression of the bytes that are `distance` later. */
expression expression_shift(expression e, int distance);

/* Sets the positions of the first and the last byte that it depends on. Position 0 is the first byte of the first
 * block; positions may be negative. Returns false, with both 0, if it depends on none. */
bool expression_reach(expression e, int *first, int *last);

/* Splits an OR into its terms; AND with a constant is distributed over them. Returns their number; writes `capacity` at
 * most. */
size_t expression_terms(expression e, expression *terms, size_t capacity);

/* Returns the number of its operations. */
size_t expression_size(expression e);

#endif
