/* SPDX-License-Identifier: MIT
 *
 * lanes.h - each lane of a kernel as an expression: for all instruction sets but AVX-512, and for AVX-512.
 */
#ifndef ASSAY_PROVE_LANES_H
#define ASSAY_PROVE_LANES_H

#include "expressions.h"
#include "kernels.h"

void lanes_of_each(bool of_utf8, enum kernel_form form, expression *lanes);
void lanes_of_avx512(bool of_utf8, enum kernel_form form, expression *lanes);

#endif
