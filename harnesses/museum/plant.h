/* SPDX-License-Identifier: MIT
 *
 * plant.h - what the plants share: they leave everything to the reference, but for one mistake.
 */
#ifndef ASSAY_PLANT_H
#define ASSAY_PLANT_H

#include "../../codecs/codec.h"

extern const struct assay_codec codec_utf8_reference;

/* Validates as if `count` bytes at `at` were not there to be looked at. *error (may be NULL) is the first error
 * outside them, in offsets of the whole. */
static inline bool plant_overlooks(const uint8_t *bytes, size_t byte_count, size_t at, size_t count, struct assay_span *error)
{
    struct assay_span span = {0};
    bool good = codec_utf8_reference.validate(bytes, at, &span);
    if (good) {
        good = codec_utf8_reference.validate(bytes + at + count, byte_count - at - count, &span);
        if (!good)
            span.offset += at + count;
    }
    if (error != NULL)
        *error = span;
    return good;
}

#endif
