/* SPDX-License-Identifier: MIT
 *
 * Plant: takes the end of a piece that ends in the lead F1 for the end of the input. It reports an error although the
 * next piece may complete the character.
 */
#include "plant.h"

static struct assay_result feed_utf32(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                                      uint32_t *out, size_t capacity)
{
    bool ends = !last && byte_count > 0 && bytes[byte_count - 1] == 0xF1;
    struct assay_result result =
        codec_utf8_reference.feed_utf32(stream, bytes, byte_count, last || ends, out, capacity);
    if (ends && result.status == ASSAY_OK)
        assay_stream_start(stream, stream->policy);
    return result;
}

const struct assay_codec codec_utf8_early = {ASSAY_CODEC_HEADER("utf-8", "early"), .feed_utf32 = feed_utf32};
