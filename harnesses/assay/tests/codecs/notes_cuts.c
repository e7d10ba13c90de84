/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that records where eight bytes were cut into pieces. When it is unloaded, it names the pairs of cuts
 * that did not occur.
 */
#include "codec.h"

#include <stdio.h>

extern const struct assay_codec codec_utf8_reference;
#define THE codec_utf8_reference

enum { ALL = 8 };
static bool heard[2][ASSAY_POLICY_COUNT][1 << ALL];

#define FEED(form, member, unit) \
    static struct assay_result member(struct assay_stream *stream, const uint8_t *bytes, size_t count, bool last, \
                                      unit *out, size_t capacity) \
    { \
        static size_t at, cuts; \
        at += count; \
        cuts |= (size_t)1 << at % ALL; \
        if (last && at == ALL) \
            heard[form][stream->policy][cuts - 1] = true; /* the end is not a cut */ \
        struct assay_result result = THE.member(stream, bytes, count, last, out, capacity); \
        if (last || result.status != ASSAY_OK) \
            at = cuts = 0; \
        return result; \
    }
FEED(0, feed_utf32, uint32_t)
FEED(1, feed_utf16, uint16_t)

__attribute__((destructor)) static void tell(void)
{
    for (size_t i = 0; i < 2 * ASSAY_POLICY_COUNT; i++)
        for (size_t first = 1; first < ALL; first++)
            for (size_t second = first; second < ALL; second++)
                if (!heard[0][i][1u << first | 1u << second] || !heard[0][i][(1 << ALL) - 2])
                    fprintf(stderr, "form and policy %zu: not at %zu and %zu, or not byte by byte\n", i, first, second);
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "cut"), .feed_utf32 = feed_utf32,
                                        .feed_utf16 = feed_utf16};
