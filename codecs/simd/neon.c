/* SPDX-License-Identifier: MIT
 *
 * UTF-8 is an object of its own, so that the data of the encoding are constants in it.
 */
#include "isa/vec_neon.h"

#include "tables/utf8.h"
#define ONLY_ENCODING utf8
#include "bytes/operations.h"

#define ISA neon

#define ENCODING utf8
#define NAME "utf-8"
#include "codec.inc"
