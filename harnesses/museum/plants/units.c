/* SPDX-License-Identifier: MIT
 *
 * Plant: decodes U+90000..U+10FFFF to wrong UTF-16, because it keeps 9 bits of a lead surrogate instead of 10.
 */
#include "plant.h"

static struct assay_result decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint16_t *out, size_t capacity)
{
    struct assay_result result = codec_utf8_reference.decode_utf16(policy, bytes, byte_count, out, capacity);
    for (size_t i = 0; i < result.written; i++)
        if ((out[i] & 0xFC00) == 0xD800)
            out[i] &= 0xFDFF;
    return result;
}

const struct assay_codec codec_utf8_units = {ASSAY_CODEC_HEADER("utf-8", "units"), .decode_utf16 = decode_utf16};
