/* SPDX-License-Identifier: MIT
 *
 * A loadable codec of WTF-8 that offers decoding to UTF-16, but supports no policy for it.
 */
#include "codec.h"

static struct assay_result decode(enum assay_policy policy, const uint8_t *bytes, size_t count, uint16_t *out,
                                  size_t capacity)
{
    return (void)policy, (void)bytes, (void)count, (void)out, (void)capacity,
           (struct assay_result){.status = ASSAY_UNSUPPORTED};
}

static struct assay_result encode(enum assay_policy policy, const uint16_t *units, size_t count, uint8_t *out,
                                  size_t capacity)
{
    return (void)policy, (void)units, (void)count, (void)out, (void)capacity,
           (struct assay_result){.status = ASSAY_UNSUPPORTED};
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("wtf-8", "unsupporting"), .decode_utf16 = decode,
                                        .encode_utf16 = encode};
