/* SPDX-License-Identifier: MIT
 *
 * lanes.h - each lane of a kernel as an expression: for all instruction sets but AVX-512, and for AVX-512.
 */
#ifndef ASSAY_PROVE_LANES_H
#define ASSAY_PROVE_LANES_H

#include "expressions.h"
#include "kernels.h"

enum { STEP_BYTES = 8 * STRIDE_BYTES }; /* the most that a kernel is asked at once */

/* Sets the 64 lanes of the result for `byte_count` bytes. */
void lanes_of_each(bool of_utf8, enum kernel_form form, size_t byte_count, expression *lanes);
void lanes_of_avx512(bool of_utf8, enum kernel_form form, size_t byte_count, expression *lanes);

#endif
