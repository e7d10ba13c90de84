/* SPDX-License-Identifier: MIT
 *
 * "An unary counter" of "Inventing UTF-8", before and after the pattern 10xxxxxx is freed for continuation bytes. The
 * document forbids redundant forms and surrogates only later ("Removing nonsense"), so these schemes accept them, and
 * values of up to 32 bits. The document does not say what continuation bytes look like before the pattern is freed; no
 * pattern is left for them, so they are 8 bits of payload. Nor does it say that the highest bits now come first, as
 * they do in UTF-8.
 */
#include "step.h"

/* 0 to 7 bytes follow. */
const struct scheme scheme_unary = {
    .first = {0, 0, UNARY},
    .rest = {0, 0, NO_COUNTER},
    .longest = 8,
    .last = UINT32_MAX,
    .holds_redundant = true,
    .holds_surrogates = true,
};
static const struct encoding unary = {OF_SCHEME(scheme_unary)};
#define ENCODING unary
#define NAME "unary"
#define LACKS (CUTS | DECODED_AS_UTF16)
#include "../reference/codec.inc"

/* 0 to 6 bytes follow. */
const struct scheme scheme_freed = {
    .first = {0, 0, UNARY_FREED},
    .rest = {2, 2, NO_COUNTER}, /* 10 */
    .longest = 7,
    .last = UINT32_MAX,
    .holds_redundant = true,
    .holds_surrogates = true,
};
static const struct encoding freed = {OF_SCHEME(scheme_freed)};
#define ENCODING freed
#define NAME "unary-freed"
#define LACKS (CUTS | DECODED_AS_UTF16)
#include "../reference/codec.inc"
