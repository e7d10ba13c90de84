/* SPDX-License-Identifier: MIT
 *
 * A loadable codec with one operation of the reference, which reads or writes one unit past the end of a buffer first.
 *
 *   OPERATION   the member that it offers
 */
#include "codec.h"

extern const struct assay_codec codec_utf8_reference;
#define THE codec_utf8_reference

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    (void)*(volatile const uint8_t *)(bytes + count);
    return THE.validate(bytes, count, error);
}

static struct assay_result decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t count, uint32_t *out,
                                        size_t capacity)
{
    *(volatile uint32_t *)(out + capacity) = 0;
    return THE.decode_utf32(policy, bytes, count, out, capacity);
}

static struct assay_result feed_utf32(struct assay_stream *stream, const uint8_t *bytes, size_t count, bool last,
                                      uint32_t *out, size_t capacity)
{
    (void)*(volatile const uint8_t *)(bytes + count);
    return THE.feed_utf32(stream, bytes, count, last, out, capacity);
}

static struct assay_result encode_utf32(enum assay_policy policy, const uint32_t *scalars, size_t count, uint8_t *out,
                                        size_t capacity)
{
    (void)*(volatile const uint32_t *)(scalars + count);
    return THE.encode_utf32(policy, scalars, count, out, capacity);
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "reaching"), .OPERATION = OPERATION};
