/* SPDX-License-Identifier: MIT
 *
 * The loops of validation that AVX-512 has instead, as they go if text comes from memory.
 */
#define VEC_VALIDATE_FILE "validate_avx512.h"
#define FAR_BYTES 1
#define LOOPS_OF loops_of_avx512_far
#include "loops.inc"
