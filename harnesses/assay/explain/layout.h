/* SPDX-License-Identifier: MIT
 *
 * layout.h - the bits of a scheme's bytes, with tag, counter and payload distinguished.
 */
#ifndef ASSAY_LAYOUT_H
#define ASSAY_LAYOUT_H

#include "../cli.h"

/* Prints the table: its header, and one line for each byte from `begin` to `end`. */
void layout_print_head(const struct scheme *scheme);
void layout_print(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, size_t begin, size_t end);

/* Prints the bytes on one line, in the form [tag] <counter> payload. */
void layout_print_inline(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count);

/* Returns an array with one object for each byte from `begin` on, where a character or an error begins. The caller owns
 * it. */
json_t *layout_as_json(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, size_t begin);

#endif
