/* SPDX-License-Identifier: MIT
 *
 * Plant: loops endlessly if the input ends after two bytes of a 3-byte sequence.
 */
#include "plant.h"

static struct assay_count count(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    const volatile uint8_t *now = bytes;
    while (byte_count >= 2 && (now[byte_count - 2] & 0xF0) == 0xE0 && (now[byte_count - 1] & 0xC0) == 0x80) {}
    return codec_utf8_reference.count(policy, bytes, byte_count);
}

const struct assay_codec codec_utf8_endless = {ASSAY_CODEC_HEADER("utf-8", "endless"), .count = count};
