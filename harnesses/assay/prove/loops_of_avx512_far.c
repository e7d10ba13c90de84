/* SPDX-License-Identifier: MIT
 *
 * The loops of validation of AVX-512, as if all text came from memory.
 */
#define VEC_VALIDATE_FILE "validate_avx512.h"
#define FAR_BYTES 1
#define LOOPS_OF loops_of_avx512_far
#include "loops.inc"
