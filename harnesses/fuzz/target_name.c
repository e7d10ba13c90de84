/* SPDX-License-Identifier: MIT
 *
 * The claim and the encoding of a target, compiled for each: the build defines TARGET_CLAIM and TARGET_ENCODING.
 */
#include "target.h"

extern const struct claim TARGET_CLAIM;

const struct claim *const target_claim = &TARGET_CLAIM;
const char *const target_encoding = TARGET_ENCODING;
