/* SPDX-License-Identifier: MIT
 *
 * Plant: accepts a 3-byte sequence without its third byte if its first two bytes end at a multiple of 64 bytes.
 */
#include "plant.h"

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    struct assay_span span = {0};
    bool good = codec_utf8_reference.validate(bytes, byte_count, &span);
    bool overlooked = !good && span.fault == ASSAY_FAULT_MISSING_CONTINUATION && span.length == 2 &&
                      span.offset % 64 == 62 && (bytes[span.offset] & 0xF0) == 0xE0;
    if (overlooked)
        return plant_overlooks(bytes, byte_count, span.offset, span.length, error);
    if (error != NULL)
        *error = span;
    return good;
}

const struct assay_codec codec_utf8_edge = {ASSAY_CODEC_HEADER("utf-8", "edge"), .validate = validate};
