/* SPDX-License-Identifier: MIT */
#include "vec_avx2.h"

#define ISA avx2
#include "utf16.inc"
