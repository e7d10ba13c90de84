/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that decodes as the reference does, but under the same policy whatever policy it is asked for.
 *
 *   NAME     a string: its name
 *   POLICY   the policy
 */
#include "codec.h"

extern const struct assay_codec codec_utf8_reference;

static struct assay_result decode(enum assay_policy policy, const uint8_t *bytes, size_t count, uint32_t *out,
                                  size_t capacity)
{
    return (void)policy, codec_utf8_reference.decode_utf32(POLICY, bytes, count, out, capacity);
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", NAME), .decode_utf32 = decode};
