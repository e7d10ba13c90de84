/* SPDX-License-Identifier: MIT
 *
 * Schemes with the tags and counters of UTF-8 and other rules for values. UTF-8 itself, with the bounds checks of
 * "Removing nonsense", is in reference/utf8.c.
 */
#include "step.h"

#define UTF8_MARKS .first = {0, 0, UNARY_FREED}, .rest = {2, 2, NO_COUNTER}

/* The "quick and dirty decoding pass" of "Inventing UTF-8": it checks tags and counters alone, and leaves redundant
 * forms, surrogates and values up to 21 bits to a separate validation. */
const struct scheme scheme_unchecked = {
    UTF8_MARKS, .longest = 4, .last = 0x1FFFFF, .holds_redundant = true, .holds_surrogates = true,
};
static const struct encoding unchecked = {OF_SCHEME(scheme_unchecked)};
#define ENCODING unchecked
#define NAME "utf-8-unchecked"
#define LACKS (CUTS | DECODED_AS_UTF16)
#include "../reference/codec.inc"

/* The biasing that "Inventing UTF-8" calls complicated: the values of each length begin where those of the length
 * before end, and surrogates are not numbered. So every scalar value has exactly one form, and only values above
 * U+10FFFF are ill-formed. */
const struct scheme scheme_biased = {
    UTF8_MARKS,
    .longest = 4,
    .last = 0x10FFFF,
    .biased = true,
};
static const struct encoding biased = {OF_SCHEME(scheme_biased)};
#define ENCODING biased
#define NAME "utf-8-biased"
#define LACKS CUTS
#include "../reference/codec.inc"

/* FSS-UTF (X/Open, 1993) and RFC 2279: up to six bytes, 31 bits, and only the shortest form. Its values are those of
 * UCS-4, whose code positions D800..DFFF are reserved for UTF-16 (RFC 2279, 2), and ill-formed here. */
const struct scheme scheme_rfc2279 = {
    UTF8_MARKS,
    .longest = 6,
    .last = 0x7FFFFFFF,
};
static const struct encoding rfc2279 = {OF_SCHEME(scheme_rfc2279)};
#define ENCODING rfc2279
#define NAME "utf-8-rfc2279"
#define LACKS (CUTS | DECODED_AS_UTF16)
#include "../reference/codec.inc"
