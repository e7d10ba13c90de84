/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that validates the cache line in which the text ends up to the first byte that continues nothing: it
 * reads nothing beyond a guard page, but bytes after the text that are not part of it.
 */
#include "codec.h"

extern const struct assay_codec codec_utf8_reference;

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    while ((uintptr_t)(bytes + count) % 64 != 0 && (bytes[count] & 0xC0) == 0x80)
        count++;
    return codec_utf8_reference.validate(bytes, count, error);
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "looking_ahead"), .validate = validate};
