/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that validates. Its first SLOW calls take 2 ms each, as on a machine that has other work to do. It
 * reads input in its first READS calls only (default: in all), and accepts the rest.
 */
#include "codec.h"
#include "valid.h"

#include <limits.h>
#include <time.h>

#ifndef READS
#define READS INT_MAX
#endif

static double now_ms(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    static int calls;
    (void)error;
    if (++calls <= SLOW)
        for (double begin = now_ms(); now_ms() < begin + 2;) {}
    return calls > READS || valid_up_to(bytes, count) == count;
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "sluggish"), .validate = validate};
