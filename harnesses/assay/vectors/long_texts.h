/* SPDX-License-Identifier: MIT
 *
 * long_texts.h - long texts in random pieces, made of the cases of an encoding: they follow from the vectors, and are
 * too long to be stored there.
 */
#ifndef ASSAY_VECTORS_LONG_TEXTS_H
#define ASSAY_VECTORS_LONG_TEXTS_H

#include "pool.h"
#include "vectors.h"

/* Returns the category ENCODING/long-texts, which is the same each time. `categories` are those of the encoding. Its
 * case_count is 0 if they have nothing of which a long text could be made. */
struct category long_texts_make(struct pool **pool, const char *name, const struct category *categories,
                                size_t category_count);

#endif
