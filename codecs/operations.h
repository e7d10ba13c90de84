/* SPDX-License-Identifier: MIT
 *
 * operations.h - the rows of operations.def as an enumeration, and the signature of each shape.
 */
#ifndef ASSAY_OPERATIONS_H
#define ASSAY_OPERATIONS_H

#include "codec.h"

enum operation {
#define OPERATION(id, ...) OP_##id,
#include "operations.def"
    OPERATION_COUNT
};

/* A set of operations has a bit for each. */
#define OPERATION_BIT(id) (1u << OP_##id)
_Static_assert(OPERATION_COUNT < 32, "a set of operations fits an unsigned");

/* Shapes: identifier, whether the function has a policy. */
#define OPERATION_SHAPES(X) \
    X(VERDICT, false) X(SPANS, false) X(COUNT, true) X(CONVERT, true) X(FEED, true) X(BOUNDARY, false) X(CONCAT, false)

enum operation_shape {
#define X(id, has_policy) SHAPE_##id,
    OPERATION_SHAPES(X)
#undef X
};

/* clang-format off */
/* SIGNATURE_shape(USE, member, input, output) is USE(member, result, (parameters), arguments...): the function that a
 * member of this shape points to, for units of these types. */
#define SIGNATURE_VERDICT(USE, member, input, output) \
    USE(member, bool, (const input *bytes, size_t byte_count, struct assay_span *error), bytes, byte_count, error)
#define SIGNATURE_SPANS(USE, member, input, output) \
    USE(member, size_t, (const input *bytes, size_t byte_count, output *spans, size_t capacity), \
        bytes, byte_count, spans, capacity)
#define SIGNATURE_COUNT(USE, member, input, output) \
    USE(member, struct assay_count, (enum assay_policy policy, const input *bytes, size_t byte_count), \
        policy, bytes, byte_count)
#define SIGNATURE_CONVERT(USE, member, input, output) \
    USE(member, struct assay_result, \
        (enum assay_policy policy, const input *units, size_t unit_count, output *out, size_t capacity), \
        policy, units, unit_count, out, capacity)
#define SIGNATURE_FEED(USE, member, input, output) \
    USE(member, struct assay_result, \
        (struct assay_stream *stream, const input *bytes, size_t byte_count, bool last, output *out, size_t capacity), \
        stream, bytes, byte_count, last, out, capacity)
#define SIGNATURE_BOUNDARY(USE, member, input, output) \
    USE(member, output, (const input *bytes, size_t byte_count, size_t at), bytes, byte_count, at)
#define SIGNATURE_CONCAT(USE, member, input, output) \
    USE(member, struct assay_result, \
        (const input *left, size_t left_count, const input *right, size_t right_count, output *out, size_t capacity), \
        left, left_count, right, right_count, out, capacity)
/* clang-format on */

#endif
