/* SPDX-License-Identifier: MIT
 *
 * LEB128 as "Inventing UTF-8" has it: chunks of 7 bits, the lowest first, tagged 0 if they begin a number and 1 if they
 * go on with it. (The LEB128 of DWARF tags the other way: 1 if more is to come, 0 for the last.)
 */
#include "marks.h"

const struct scheme scheme_leb128 = {
    .first = {.tag_bits = 1, .tag = 0},
    .rest = {.tag_bits = 1, .tag = 1},
    .low_end_first = true,
    .longest = 3, /* 21 bits */
    .last = 0x10FFFF,
};
static const struct encoding leb128 = {BY_MARKS(scheme_leb128)};
#define ENCODING leb128
#define NAME "leb128"
#define LACKS CUTS
#include "../reference/codec.inc"
