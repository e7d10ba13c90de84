/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that records at which offset each operation was asked about an error that only spaces precede. When
 * it is unloaded, it names the pairs that were not asked.
 */
#include "codec.h"

#include <stdio.h>

extern const struct assay_codec codec_utf8_reference;
#define THE codec_utf8_reference

enum { SPANS, COUNT, UTF32, UTF16, WELL_FORMED, OPERATIONS, OFFSETS = 160 };
static bool seen[OFFSETS][OPERATIONS];

static void note(int operation, const uint8_t *bytes, size_t count)
{
    struct assay_span error;
    size_t at = 0;
    if (THE.validate(bytes, count, &error))
        return;
    while (at < error.offset && bytes[at] == ' ')
        at++;
    if (at == error.offset && at < OFFSETS)
        seen[at][operation] = true;
}

static size_t spans(const uint8_t *bytes, size_t count, struct assay_span *out, size_t capacity)
{
    return note(SPANS, bytes, count), THE.spans(bytes, count, out, capacity);
}

static struct assay_count count_units(enum assay_policy policy, const uint8_t *bytes, size_t count)
{
    return note(COUNT, bytes, count), THE.count(policy, bytes, count);
}

#define DECODE(operation, member, unit) \
    static struct assay_result member(enum assay_policy policy, const uint8_t *bytes, size_t count, unit *out, \
                                      size_t capacity) \
    { \
        return note(operation, bytes, count), THE.member(policy, bytes, count, out, capacity); \
    }
DECODE(UTF32, decode_utf32, uint32_t)
DECODE(UTF16, decode_utf16, uint16_t)
DECODE(WELL_FORMED, to_well_formed, uint8_t)

__attribute__((destructor)) static void tell(void)
{
    for (int at = 0; at < OFFSETS; at++)
        for (int operation = 0; operation < OPERATIONS; operation++)
            if (!seen[at][operation])
                fprintf(stderr, "operation %d was not asked at %d\n", operation, at);
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "seeing"),
                                        .spans = spans,
                                        .count = count_units,
                                        .decode_utf32 = decode_utf32,
                                        .decode_utf16 = decode_utf16,
                                        .to_well_formed = to_well_formed};
