/* SPDX-License-Identifier: MIT
 *
 * layout.h - the bits of a scheme's bytes, with tag, counter and payload told apart.
 */
#ifndef ASSAY_LAYOUT_H
#define ASSAY_LAYOUT_H

#include "cli.h"

/* A line for each of the first `shown` bytes. */
void layout_print(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, size_t shown);

/* An object for each of them. The caller owns the array. */
json_t *layout_as_json(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, size_t shown);

#endif
