/* SPDX-License-Identifier: MIT
 *
 * Plant: reads 1 byte past the end of an input that ends in F0 9F, the first half of an emoji.
 */
#include "plant.h"

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    if (byte_count >= 2 && bytes[byte_count - 2] == 0xF0 && bytes[byte_count - 1] == 0x9F)
        (void)*(const volatile uint8_t *)(bytes + byte_count);
    return codec_utf8_reference.validate(bytes, byte_count, error);
}

const struct assay_codec codec_utf8_overread = {ASSAY_CODEC_HEADER("utf-8", "overread"), .validate = validate};
