/* SPDX-License-Identifier: MIT
 *
 * Plant: does not check the last byte of an input longer than 4,200 bytes.
 */
#include "plant.h"

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    if (byte_count <= 4200 || bytes[byte_count - 1] < 0x80)
        return codec_utf8_reference.validate(bytes, byte_count, error);
    return plant_overlooks(bytes, byte_count, byte_count - 1, 1, error);
}

const struct assay_codec codec_utf8_large = {ASSAY_CODEC_HEADER("utf-8", "large"), .validate = validate};
