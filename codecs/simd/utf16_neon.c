/* SPDX-License-Identifier: MIT */
#include "vec_neon.h"

#define ISA neon
#include "utf16.inc"
