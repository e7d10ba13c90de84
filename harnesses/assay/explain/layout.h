/* SPDX-License-Identifier: MIT
 *
 * layout.h - the bits of a scheme's bytes, with tag, counter and payload distinguished.
 */
#ifndef ASSAY_LAYOUT_H
#define ASSAY_LAYOUT_H

#include "../cli.h"

/* A line for each of the bytes from `begin` to `end`, under the head of its columns. */
void layout_print_head(const struct scheme *scheme);
void layout_print(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, size_t begin, size_t end);

/* The bytes on one line: [tag] <counter> payload. */
void layout_print_marks(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count);

/* An object for each byte. The caller owns the array. */
json_t *layout_as_json(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count);

#endif
