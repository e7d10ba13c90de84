/* SPDX-License-Identifier: MIT
 *
 * The canary: validates as the reference does, but accepts the overlong `C0 80`, as Java's Modified UTF-8 does. A
 * program that does not catch it finds nothing at all.
 */
#include "../../../codecs/codec.h"

extern const struct assay_codec codec_utf8_reference;

static size_t find_c0_80(const uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; i + 1 < byte_count; i++)
        if (bytes[i] == 0xC0 && bytes[i + 1] == 0x80)
            return i;
    return byte_count;
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    if (codec_utf8_reference.validate(bytes, byte_count, error))
        return true;
    for (size_t begin = 0; begin <= byte_count;) {
        size_t length = find_c0_80(bytes + begin, byte_count - begin);
        if (!codec_utf8_reference.validate(bytes + begin, length, NULL))
            return false;
        begin += length + 2;
    }
    if (error != NULL)
        *error = (struct assay_span){0};
    return true;
}

const struct assay_codec codec_utf8_canary = {ASSAY_CODEC_HEADER("utf-8", "canary"), .validate = validate};
