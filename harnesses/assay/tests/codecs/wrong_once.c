/* SPDX-License-Identifier: MIT
 *
 * A loadable codec whose verdict is ill-formed at its first call and well-formed at every later one, whatever the
 * input.
 */
#include "codec.h"

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    static int calls;
    (void)bytes, (void)count, (void)error;
    return ++calls > 1;
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "wrong"), .validate = validate};
