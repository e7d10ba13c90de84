/* SPDX-License-Identifier: MIT
 *
 * The loops of validation that AVX-512 has instead, as on an Intel processor.
 */
#include "../../../codecs/cpu_vendor.h"

#define VEC_VALIDATE_FILE "validate_avx512.h"
#define cpu_is_intel() true
#define LOOPS_OF loops_of_avx512
#include "loops.inc"
