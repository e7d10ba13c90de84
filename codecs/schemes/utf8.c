/* SPDX-License-Identifier: MIT
 *
 * Schemes that have the marks of UTF-8, and differ in what they make of the values. UTF-8 itself, with the bounds checks
 * of "Removing nonsense", is the family's: reference/utf8.c.
 */
#include "marks.h"

#define UTF8_MARKS .first = {0, 0, UNARY_FREED}, .rest = {2, 2, NO_COUNTER}

/* The "quick and dirty decoding pass" of "Inventing UTF-8": it looks at marks alone, and trusts a separate validation for
 * the rest: redundant forms, surrogates, all of the 21 bits. */
const struct scheme scheme_unchecked = {
    UTF8_MARKS,
    .longest = 4,
    .last = 0x1FFFFF,
    .holds_redundant = true,
    .holds_surrogates = true,
};
static const struct encoding unchecked = {BY_MARKS(scheme_unchecked)};
#define ENCODING unchecked
#define NAME "utf-8-unchecked"
#define LACKS (CUTS | DECODED_AS_UTF16)
#include "../reference/codec.inc"

/* The biasing that "Inventing UTF-8" calls complicated: each length counts on where the one before ended, and the numbers
 * leave the surrogates out, so that every scalar value has one form, and only what lies beyond U+10FFFF is ill-formed. */
const struct scheme scheme_biased = {
    UTF8_MARKS,
    .longest = 4,
    .last = 0x10FFFF,
    .biased = true,
};
static const struct encoding biased = {BY_MARKS(scheme_biased)};
#define ENCODING biased
#define NAME "utf-8-biased"
#define LACKS CUTS
#include "../reference/codec.inc"

/* FSS-UTF (X/Open, 1993) and RFC 2279: up to six bytes, 31 bits, and only the shortest form. The values are those of
 * UCS-4; its code positions D800..DFFF are for UTF-16 alone (RFC 2279, 2), and ill-formed here. */
const struct scheme scheme_rfc2279 = {
    UTF8_MARKS,
    .longest = 6,
    .last = 0x7FFFFFFF,
};
static const struct encoding rfc2279 = {BY_MARKS(scheme_rfc2279)};
#define ENCODING rfc2279
#define NAME "utf-8-rfc2279"
#define LACKS (CUTS | DECODED_AS_UTF16)
#include "../reference/codec.inc"
