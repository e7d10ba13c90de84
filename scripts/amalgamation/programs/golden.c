/* SPDX-License-Identifier: MIT
 *
 * A loadable codec over the interface for applications, so that `assay check` can ask it the golden vectors.
 *
 *   ENCODING      its name: "utf-8"
 *   ENCODING_ID   its number: UTF8_ASSAY_UTF_8
 *
 * Spans, boundaries and concatenation are not in that interface, so they are not offered; nor is generalized UTF-8 to
 * UTF-16, where the interface refuses pairs of surrogate code points (WTF-8, section 4.1), which a codec writes as two
 * units. From UTF-32 to WTF-16, output that is full between a lead and a trail surrogate makes the interface leave both
 * for the next call, which must see that the trail is an error; a codec writes the lead. Here a second call writes it.
 */
#include "codec.h"
#include "utf8_assay.h"

#include <string.h>

static struct assay_result codec_result(struct utf8_assay_result result)
{
    return (struct assay_result){
        (enum assay_status)result.status,
        result.read,
        result.written,
        {result.error.offset, result.error.length, (enum assay_fault)result.error.fault, result.error.incomplete != 0}};
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    struct utf8_assay_error found;
    bool is_valid = utf8_assay_validate(ENCODING_ID, bytes, byte_count, &found) == UTF8_ASSAY_OK;
    if (error != NULL)
        *error = (struct assay_span){found.offset, found.length, (enum assay_fault)found.fault, found.incomplete != 0};
    return is_valid;
}

static struct assay_count count(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    enum utf8_assay_policy as = (enum utf8_assay_policy)policy;
    struct utf8_assay_result utf32 = utf8_assay_count(ENCODING_ID, UTF8_ASSAY_UTF_32, as, bytes, byte_count);
    struct utf8_assay_result utf16 = utf8_assay_count(ENCODING_ID, UTF8_ASSAY_UTF_16, as, bytes, byte_count);
    return (struct assay_count){(enum assay_status)utf32.status, utf32.written, utf16.written};
}

#define CONVERT(name, from, to, input, output) \
    static struct assay_result name(enum assay_policy policy, const input *units, size_t unit_count, output *out, \
                                    size_t capacity) \
    { \
        return codec_result( \
            utf8_assay_convert(from, to, (enum utf8_assay_policy)policy, units, unit_count, out, capacity)); \
    }
CONVERT(decode_utf32, ENCODING_ID, UTF8_ASSAY_UTF_32, uint8_t, uint32_t)
CONVERT(decode_utf16, ENCODING_ID, UTF8_ASSAY_UTF_16, uint8_t, uint16_t)
CONVERT(encode_whole, UTF8_ASSAY_UTF_32, ENCODING_ID, uint32_t, uint8_t)
CONVERT(encode_utf16, UTF8_ASSAY_UTF_16, ENCODING_ID, uint16_t, uint8_t)

static bool is_wtf_16(void)
{
    return ENCODING_ID == UTF8_ASSAY_WTF_16LE || ENCODING_ID == UTF8_ASSAY_WTF_16BE;
}

static struct assay_result encode_utf32(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity)
{
    struct assay_result result = encode_whole(policy, units, unit_count, out, capacity);
    const uint32_t *rest = result.read > 0 ? units + result.read : units;
    if (is_wtf_16() && result.status == ASSAY_OUTPUT_FULL && unit_count - result.read > 1 &&
        rest[0] >> 10 == 0xD800 >> 10 && rest[1] >> 10 == 0xDC00 >> 10) {
        uint8_t *to = result.written > 0 ? out + result.written : out;
        struct assay_result lead = encode_whole(policy, rest, 1, to, capacity - result.written);
        result.read += lead.read;
        result.written += lead.written;
    }
    return result;
}

static struct assay_result to_well_formed(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                          uint8_t *out, size_t capacity)
{
    return codec_result(
        utf8_assay_to_well_formed(ENCODING_ID, (enum utf8_assay_policy)policy, bytes, byte_count, out, capacity));
}

/* A stream of codec.h has room for six words, that of the interface has twelve. What changes in a stream that decodes
 * are words 2 to 7 of the latter; this test may know that. */
static struct assay_result feed(struct assay_stream *stream, enum utf8_assay_encoding to, const uint8_t *bytes,
                                size_t byte_count, bool last, void *out, size_t capacity)
{
    struct utf8_assay_stream whole;
    utf8_assay_stream_start(&whole, ENCODING_ID, to, (enum utf8_assay_policy)stream->policy);
    memcpy(whole.state + 2, stream->state, sizeof stream->state);
    struct utf8_assay_result result = utf8_assay_stream_feed(&whole, bytes, byte_count, last, out, capacity);
    memcpy(stream->state, whole.state + 2, sizeof stream->state);
    return codec_result(result);
}

static struct assay_result feed_utf32(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                                      uint32_t *out, size_t capacity)
{
    return feed(stream, UTF8_ASSAY_UTF_32, bytes, byte_count, last, out, capacity);
}

static struct assay_result feed_utf16(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                                      uint16_t *out, size_t capacity)
{
    return feed(stream, UTF8_ASSAY_UTF_16, bytes, byte_count, last, out, capacity);
}

#define UNLESS_PAIRS(operation) (ENCODING_ID == UTF8_ASSAY_GENERALIZED_UTF_8 ? NULL : (operation))

const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER(ENCODING, "amalgamation"),
                                        .validate = validate,
                                        .count = UNLESS_PAIRS(count),
                                        .decode_utf32 = decode_utf32,
                                        .decode_utf16 = UNLESS_PAIRS(decode_utf16),
                                        .feed_utf32 = feed_utf32,
                                        .feed_utf16 = UNLESS_PAIRS(feed_utf16),
                                        .encode_utf32 = encode_utf32,
                                        .encode_utf16 = encode_utf16,
                                        .to_well_formed = to_well_formed};
