/* SPDX-License-Identifier: MIT
 *
 * A loadable codec with impossible answers: counts that are too large, a status that does not exist, output that it
 * never wrote.
 */
#include "codec.h"

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    if (error != NULL)
        *error = (struct assay_span){.offset = (size_t)-5, .length = 3};
    return false;
}

static size_t spans(const uint8_t *bytes, size_t count, struct assay_span *out, size_t capacity)
{
    return (size_t)-9;
}
static struct assay_count count_units(enum assay_policy policy, const uint8_t *bytes, size_t count)
{
    return (struct assay_count){ASSAY_OK, (size_t)-3, (size_t)-2};
}

static struct assay_result decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t count, uint32_t *out,
                                        size_t capacity)
{
    return (struct assay_result){
        .status = policy == ASSAY_POLICY_STRICT ? (enum assay_status)77 : ASSAY_OK, .read = (size_t)-4, .written = 1};
}

static struct assay_result decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t count, uint16_t *out,
                                        size_t capacity)
{
    return (struct assay_result){.written = (size_t)-6};
}

static size_t boundary(const uint8_t *bytes, size_t count, size_t at)
{
    return (size_t)-7;
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "nonsense"),
                                        .validate = validate,
                                        .spans = spans,
                                        .count = count_units,
                                        .decode_utf32 = decode_utf32,
                                        .decode_utf16 = decode_utf16,
                                        .boundary = boundary};
