/* SPDX-License-Identifier: MIT
 *
 * The loops of validation that AVX-512 has instead.
 */
#define VEC_VALIDATE_FILE "validate_avx512.h"
#define LOOPS_OF loops_of_avx512
#include "loops.inc"
