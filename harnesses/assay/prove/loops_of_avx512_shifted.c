/* SPDX-License-Identifier: MIT
 *
 * The loops of validation of AVX-512, as on a processor of another vendor.
 */
#include "../../../codecs/cpu_vendor.h"

#define VEC_VALIDATE_FILE "validate_avx512.h"
#define cpu_is_intel() false
#define LOOPS_OF loops_of_avx512_shifted
#include "loops.inc"
