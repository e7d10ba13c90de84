/* SPDX-License-Identifier: MIT
 *
 * Plant: decodes U+100000..U+10FFFF as plane 0, because it keeps 2 bits of a 4-byte lead instead of 3.
 */
#include "plant.h"

static struct assay_result decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint32_t *out, size_t capacity)
{
    struct assay_result result = codec_utf8_reference.decode_utf32(policy, bytes, byte_count, out, capacity);
    for (size_t i = 0; i < result.written; i++)
        out[i] &= 0xFFFFF;
    return result;
}

const struct assay_codec codec_utf8_codepoint = {ASSAY_CODEC_HEADER("utf-8", "codepoint"),
                                                 .decode_utf32 = decode_utf32};
