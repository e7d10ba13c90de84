/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that takes any input. Its first SLOW calls take milliseconds, as on a machine that has other work to do.
 */
#include "codec.h"

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    static int calls;
    (void)bytes, (void)count, (void)error;
    if (++calls <= SLOW)
        for (volatile int i = 0; i < 1000000; i++) {}
    return true;
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "sluggish"), .validate = validate};
