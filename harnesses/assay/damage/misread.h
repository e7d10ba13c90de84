/* SPDX-License-Identifier: MIT
 *
 * misread.h - `assay damage --misread`: text written in one encoding and read as another.
 */
#ifndef ASSAY_MISREAD_H
#define ASSAY_MISREAD_H

#include "damage.h"

/* Writes each text in each encoding, reads it as each, and prints what comes of it, as text or as JSON. */
void misread_all(const struct assay_codec *const *codecs, size_t codec_count, const struct text *texts, size_t text_count, bool as_json);

#endif
