/* SPDX-License-Identifier: MIT
 *
 * The claim of a target, compiled once for each: the build defines TARGET_CLAIM, and for
 * fuzz_subjects TARGET_CODECS.
 */
#include "target.h"

extern const struct claim TARGET_CLAIM;

const struct claim *const target_claim = &TARGET_CLAIM;

#ifndef TARGET_CODECS
#define TARGET_CODECS NULL
#endif
const char *const target_codecs = TARGET_CODECS;
