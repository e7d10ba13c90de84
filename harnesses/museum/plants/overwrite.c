/* SPDX-License-Identifier: MIT
 *
 * Plant: stores 1 unit past its output, whatever the capacity, if the input ends in 16 ASCII bytes.
 */
#include "plant.h"

static bool ends_in_ascii(const uint8_t *bytes, size_t byte_count)
{
    uint8_t any = 0;
    for (size_t i = 1; i <= 16 && byte_count >= 16; i++)
        any |= bytes[byte_count - i];
    return byte_count >= 16 && any < 0x80;
}

static struct assay_result decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint32_t *out, size_t capacity)
{
    struct assay_result result = codec_utf8_reference.decode_utf32(policy, bytes, byte_count, out, capacity);
    if (result.status == ASSAY_OK && ends_in_ascii(bytes, byte_count))
        *(volatile uint32_t *)(out + result.written) = 0;
    return result;
}

const struct assay_codec codec_utf8_overwrite = {ASSAY_CODEC_HEADER("utf-8", "overwrite"),
                                                 .decode_utf32 = decode_utf32};
