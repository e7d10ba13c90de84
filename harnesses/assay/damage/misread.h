/* SPDX-License-Identifier: MIT
 *
 * misread.h - `assay damage --misread`: text written in one encoding and read as another.
 */
#ifndef ASSAY_MISREAD_H
#define ASSAY_MISREAD_H

#include "damage.h"

/* Encodes each text in each encoding, decodes it as each other one, and prints the outcomes, as text or as JSON. */
void misread_all(const struct assay_codec *const *codecs, size_t codec_count, const struct text *texts,
                 size_t text_count, bool as_json);

#endif
