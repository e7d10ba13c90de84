/* SPDX-License-Identifier: MIT
 *
 * The claim of a target, compiled once for each: the build defines TARGET_CLAIM.
 */
#include "target.h"

extern const struct claim TARGET_CLAIM;

const struct claim *const target_claim = &TARGET_CLAIM;
