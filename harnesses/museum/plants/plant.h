/* SPDX-License-Identifier: MIT
 *
 * plant.h - shared code of the plants. A plant is the reference with one mistake.
 */
#ifndef ASSAY_PLANT_H
#define ASSAY_PLANT_H

#include "../../../codecs/codec.h"

extern const struct assay_codec codec_utf8_reference;

/* Validates all bytes but the `count` bytes at `at`. Sets *error (may be NULL) to the first error, with its offset in
 * the whole input. */
static inline bool plant_overlooks(const uint8_t *bytes, size_t byte_count, size_t at, size_t count,
                                   struct assay_span *error)
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
