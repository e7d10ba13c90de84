/* SPDX-License-Identifier: MIT
 *
 * LEB128 as in "Inventing UTF-8": chunks of 7 bits, lowest first, tagged 0 if they begin a number and 1 if they
 * continue it. (The LEB128 of DWARF has other tags: 1 if more chunks follow, 0 for the last.)
 */
#include "step.h"

const struct scheme scheme_leb128 = {
    .first = {.tag_bits = 1, .tag = 0},
    .rest = {.tag_bits = 1, .tag = 1},
    .low_end_first = true,
    .longest = 3, /* 21 bits */
    .last = 0x10FFFF,
};
static const struct encoding leb128 = {OF_SCHEME(scheme_leb128)};
#define ENCODING leb128
#define NAME "leb128"
#define LACKS CUTS
#include "../reference/codec.inc"
