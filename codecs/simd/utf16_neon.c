/* SPDX-License-Identifier: MIT */
#include "isa/vec_neon.h"

#define ISA neon
#include "utf16.inc"
