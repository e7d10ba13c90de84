/* SPDX-License-Identifier: MIT
 *
 * The binary counters of "Inventing UTF-8": each byte says how many more follow. The lowest bits of a value come first.
 */
#include "step.h"

/* "We need a counter!": 1, counter, 4 bits; 24 bits in the six bytes of the document. */
const struct scheme scheme_naive = {
    .first = {1, 1, COUNT_DOWN},
    .rest = {1, 1, COUNT_DOWN},
    .low_end_first = true,
    .longest = 6,
    .last = 0x10FFFF,
};
static const struct encoding naive = {OF_SCHEME(scheme_naive)};
#define ENCODING naive
#define NAME "counter-naive"
#define LACKS CUTS
#include "../reference/codec.inc"

/* "We need a start bit!": 1, start (0) or rest (1), counter, 3 bits; 21 bits in seven bytes. */
const struct scheme scheme_terrible = {
    .first = {2, 2, COUNT_DOWN}, /* 10 */
    .rest = {2, 3, COUNT_DOWN},  /* 11 */
    .low_end_first = true,
    .longest = 7,
    .last = 0x10FFFF,
};
static const struct encoding terrible = {OF_SCHEME(scheme_terrible)};
#define ENCODING terrible
#define NAME "counter-terrible"
#define LACKS CUTS
#include "../reference/codec.inc"

/* "We need one counter!": only the first byte has it, with 3 bits of payload; the others have 6 bits; 21 bits in four
 * bytes. */
const struct scheme scheme_decent = {
    .first = {2, 2, COUNT_DOWN}, /* 10 */
    .rest = {2, 3, NO_COUNTER},  /* 11 */
    .low_end_first = true,
    .longest = 4,
    .last = 0x10FFFF,
};
static const struct encoding decent = {OF_SCHEME(scheme_decent)};
#define ENCODING decent
#define NAME "counter-decent"
#define LACKS CUTS
#include "../reference/codec.inc"
