/* SPDX-License-Identifier: MIT */
#include "isa/vec_avx2.h"

#define ISA avx2
#include "family.inc"
