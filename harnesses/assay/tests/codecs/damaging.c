/* SPDX-License-Identifier: MIT
 *
 * A loadable codec with one operation of the reference, changed so that exclamation marks in the output are damaged.
 *
 *   OPERATION   the member that it offers
 *   DAMAGE      what it does to an output unit `out[i]`, or to `result`, where the unit is an exclamation mark
 */
#include "codec.h"

#include <string.h>

extern const struct assay_codec codec_utf8_reference;
#define THE codec_utf8_reference
static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    (void)error;
    return THE.validate(bytes, count, NULL);
}

static struct assay_result decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t count, uint16_t *out,
                                        size_t capacity)
{
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    for (size_t i = 0; i < result.written; i++)
        if (out[i] == '!')
            DAMAGE;
    return result;
}

static struct assay_result encode_utf16(enum assay_policy policy, const uint16_t *units, size_t count, uint8_t *out,
                                        size_t capacity)
{
    struct assay_result result = THE.encode_utf16(policy, units, count, out, capacity);
    for (size_t i = 0; i < result.written; i++)
        if (out[i] == '!')
            DAMAGE;
    return result;
}

static struct assay_count count(enum assay_policy policy, const uint8_t *bytes, size_t count)
{
    struct assay_count result = THE.count(policy, bytes, count);
    result.utf16_units += memchr(bytes, '!', count) != NULL;
    return result;
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "broken"), .OPERATION = OPERATION};
