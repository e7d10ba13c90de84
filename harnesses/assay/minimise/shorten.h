/* SPDX-License-Identifier: MIT
 *
 * shorten.h - a short input that still shows something: delta debugging (Zeller and Hildebrandt 2002) over code units,
 * and plain letters in place of units that do not matter. A local minimum: no chunk of it can be removed.
 */
#ifndef ASSAY_MINIMISE_SHORTEN_H
#define ASSAY_MINIMISE_SHORTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shortening {
    uint8_t *bytes; /* the input; after shorten(), the shortest one found */
    size_t byte_count;
    size_t unit;      /* bytes of a code unit; the input may end in the middle of one */
    uint8_t plain[4]; /* the letter that replaces units: one unit */
    bool (*shows)(void *context, const uint8_t *bytes, size_t byte_count);
    void *context;
};

/* Shortens until no chunk can be removed and no unit can be replaced by the letter, or until cli_interruption is
 * set. */
void shorten(struct shortening *shortening);

#endif
