/* SPDX-License-Identifier: MIT
 *
 * Wrong UTF-16: it gives a lead surrogate nine bits instead of ten, so that U+90000 and what follows goes wrong.
 */
#include "plant.h"

static struct assay_result decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t byte_count, uint16_t *out,
                                        size_t capacity)
{
    struct assay_result result = codec_utf8_reference.decode_utf16(policy, bytes, byte_count, out, capacity);
    for (size_t i = 0; i < result.written; i++)
        if ((out[i] & 0xFC00) == 0xD800)
            out[i] &= 0xFDFF;
    return result;
}

const struct assay_codec codec_utf8_units = {ASSAY_CODEC_HEADER("utf-8", "units"), .decode_utf16 = decode_utf16};
