/* SPDX-License-Identifier: MIT
 *
 * utf8.h - the codec for UTF-8 over the verbs of one instruction set, which is included first.
 */
#ifndef ASSAY_SIMD_UTF8_H
#define ASSAY_SIMD_UTF8_H

#include "count.h"
#include "decode.h"
#include "encode.h"
#include "utf8_tables.h"
#include "validate.h"

static bool utf8_validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    return validate_in(&utf8, bytes, byte_count, error);
}

static size_t utf8_spans(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity)
{
    return find_errors(&utf8, bytes, byte_count, 0, false, spans, capacity);
}

static struct assay_count utf8_count(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    return count_in(&utf8, policy, bytes, byte_count);
}

static struct assay_result utf8_decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                             uint32_t *out, size_t capacity)
{
    return decode_whole(UTF32, &utf8, policy, bytes, byte_count, out, capacity);
}

static struct assay_result utf8_decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                             uint16_t *out, size_t capacity)
{
    return decode_whole(UTF16, &utf8, policy, bytes, byte_count, out, capacity);
}

static struct assay_result utf8_feed_utf32(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,
                                           bool last, uint32_t *out, size_t capacity)
{
    return decode_piece(UTF32, &utf8, stream, bytes, byte_count, last, out, capacity);
}

static struct assay_result utf8_feed_utf16(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,
                                           bool last, uint16_t *out, size_t capacity)
{
    return decode_piece(UTF16, &utf8, stream, bytes, byte_count, last, out, capacity);
}

static struct assay_result utf8_encode_utf32(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                             uint8_t *out, size_t capacity)
{
    return encode(UTF32, policy, units, unit_count, out, capacity);
}

static struct assay_result utf8_encode_utf16(enum assay_policy policy, const uint16_t *units, size_t unit_count,
                                             uint8_t *out, size_t capacity)
{
    return encode(UTF16, policy, units, unit_count, out, capacity);
}

#define UTF8_CODEC(name)                                                                           \
    {                                                                                              \
        ASSAY_CODEC_HEADER("utf-8", name),                                                         \
        .validate = utf8_validate,                                                                 \
        .spans = utf8_spans,                                                                       \
        .count = utf8_count,                                                                       \
        .decode_utf32 = utf8_decode_utf32,                                                         \
        .decode_utf16 = utf8_decode_utf16,                                                         \
        .feed_utf32 = utf8_feed_utf32,                                                             \
        .feed_utf16 = utf8_feed_utf16,                                                             \
        .encode_utf32 = utf8_encode_utf32,                                                         \
        .encode_utf16 = utf8_encode_utf16,                                                         \
    }

#endif
