/* SPDX-License-Identifier: MIT
 *
 * build.h - one character in each step from LEB128 to UTF-8, as "Inventing UTF-8" (Evyl Blue) takes them.
 */
#ifndef ASSAY_EXPLAIN_BUILD_H
#define ASSAY_EXPLAIN_BUILD_H

#include <stdbool.h>
#include <stdint.h>

/* Prints the steps for a scalar value, as text or as JSON. */
void build_print(uint32_t scalar, bool as_json);

#endif
