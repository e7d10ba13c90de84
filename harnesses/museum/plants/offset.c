/* SPDX-License-Identifier: MIT
 *
 * Plant: reports the error's offset modulo 256, because it counts in 8 bits.
 */
#include "plant.h"

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    struct assay_span span = {0};
    bool good = codec_utf8_reference.validate(bytes, byte_count, &span);
    span.offset = (uint8_t)span.offset;
    if (error != NULL)
        *error = span;
    return good;
}

const struct assay_codec codec_utf8_offset = {ASSAY_CODEC_HEADER("utf-8", "offset"), .validate = validate};
