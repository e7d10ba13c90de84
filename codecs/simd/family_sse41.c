/* SPDX-License-Identifier: MIT */
#include "isa/vec_sse41.h"

#define ISA sse41
#include "family.inc"
