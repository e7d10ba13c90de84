/* SPDX-License-Identifier: MIT
 *
 * The lanes of the kernels that AVX-512 has instead.
 */
#define VEC_VALIDATE_FILE "validate_avx512.h"
#define LANES_OF lanes_of_avx512
#include "lanes.inc"
