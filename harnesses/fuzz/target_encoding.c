/* SPDX-License-Identifier: MIT
 *
 * The encoding of a target, compiled once for each: the build defines TARGET_ENCODING.
 */
#include "target.h"

const char *const target_encoding = TARGET_ENCODING;
