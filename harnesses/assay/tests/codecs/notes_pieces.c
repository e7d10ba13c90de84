/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that records under which policies it was fed an empty piece, and three single bytes in a row. When
 * it is unloaded, it names what did not occur.
 */
#include "codec.h"

#include <stdio.h>

extern const struct assay_codec codec_utf8_reference;
#define THE codec_utf8_reference

enum { EMPTY, BYTES, SORTS };
static bool heard[2][ASSAY_POLICY_COUNT][SORTS];

static void note(int form, enum assay_policy policy, size_t count, bool last, bool again)
{
    static size_t single;
    single = count == 1 && !again ? single + 1 : 0;
    heard[form][policy][EMPTY] |= count == 0 && !last && !again;
    heard[form][policy][BYTES] |= single == 3;
}

#define FEED(form, member, unit) \
    static struct assay_result member(struct assay_stream *stream, const uint8_t *bytes, size_t count, bool last, \
                                      unit *out, size_t capacity) \
    { \
        static bool again; \
        note(form, stream->policy, count, last, again); \
        struct assay_result result = THE.member(stream, bytes, count, last, out, capacity); \
        again = result.status == ASSAY_OUTPUT_FULL; \
        return result; \
    }
FEED(0, feed_utf32, uint32_t)
FEED(1, feed_utf16, uint16_t)

__attribute__((destructor)) static void tell(void)
{
    for (int i = 0; i < 2 * ASSAY_POLICY_COUNT * SORTS; i++)
        if (!heard[0][0][i])
            fprintf(stderr, "form %d, policy %d: no %s\n", i / SORTS / ASSAY_POLICY_COUNT,
                    i / SORTS % ASSAY_POLICY_COUNT, i % SORTS == EMPTY ? "empty piece" : "single bytes");
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "hearing"), .feed_utf32 = feed_utf32,
                                        .feed_utf16 = feed_utf16};
