/* SPDX-License-Identifier: MIT */
#include "isa/vec_avx512.h"

#define ISA avx512
#include "family.inc"
