/* SPDX-License-Identifier: MIT
 *
 * Plant: holds a byte F5..FF at the end of a piece until the next piece, as if it were a lead. No sequence begins with
 * F5..FF, so the error must be reported at once.
 */
#include "plant.h"

enum {
    KEPT = 5
}; /* the index of the word of the stream's state that holds the kept byte; the reference uses fewer words */

/* Feeds the byte kept from the previous piece. */
static struct assay_result feed_kept(struct assay_stream *stream, bool last, uint32_t *out, size_t capacity)
{
    struct assay_stream before = *stream;
    uint8_t kept = (uint8_t)stream->state[KEPT];
    stream->state[KEPT] = 0;
    struct assay_result result = codec_utf8_reference.feed_utf32(stream, &kept, 1, last, out, capacity);
    if (result.status == ASSAY_OUTPUT_FULL)
        *stream = before;
    result.read = 0;
    return result;
}

static struct assay_result feed_utf32(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                                      uint32_t *out, size_t capacity)
{
    struct assay_result first = {0};
    if (stream->state[KEPT] != 0) {
        first = feed_kept(stream, last && byte_count == 0, out, capacity);
        if (first.status != ASSAY_OK || (last && byte_count == 0))
            return first;
        out += first.written;
    }
    bool keep = !last && byte_count > 0 && bytes[byte_count - 1] >= 0xF5;
    struct assay_result rest =
        codec_utf8_reference.feed_utf32(stream, bytes, byte_count - keep, last, out, capacity - first.written);
    if (keep && rest.status == ASSAY_OK) {
        stream->state[KEPT] = bytes[byte_count - 1];
        rest.read++;
    }
    rest.written += first.written;
    return rest;
}

const struct assay_codec codec_utf8_late = {ASSAY_CODEC_HEADER("utf-8", "late"), .feed_utf32 = feed_utf32};
