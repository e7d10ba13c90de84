/* SPDX-License-Identifier: MIT
 *
 * Compares the answers of a codec for one string with those of the rules.
 */
#include "prove.h"
#include "../../core/utf16.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD };

/* The answers that follow from the events. */
struct expected {
    struct assay_span errors[ASKED_MAX];
    uint32_t utf32[ASKED_MAX + ASSAY_HELD_MAX];
    uint16_t utf16[2 * ASKED_MAX];
    size_t error_count, utf32_count, utf16_count;
};

static void expect_character(struct expected *expected, uint32_t code_point)
{
    expected->utf32[expected->utf32_count++] = code_point;
    expected->utf16_count += utf16_write(code_point, expected->utf16 + expected->utf16_count);
}

static void expect(struct expected *expected, const struct rule_event *events, size_t count)
{
    expected->error_count = expected->utf32_count = expected->utf16_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct rule_event *event = &events[i];
        if (event->fault != ASSAY_FAULT_NONE)
            expected->errors[expected->error_count++] =
                (struct assay_span){event->offset, event->length, event->fault, event->fault == ASSAY_FAULT_TRUNCATED};
        expect_character(expected, event->fault == ASSAY_FAULT_NONE ? event->code_point : REPLACEMENT);
    }
}

bool span_agrees(const struct assay_span *own, const struct assay_span *expected)
{
    if (own->offset != ASSAY_UNKNOWN && own->offset != expected->offset)
        return false;
    return own->length == ASSAY_UNKNOWN || (own->length == expected->length && own->fault == expected->fault &&
                                            own->incomplete == expected->incomplete);
}

static const char *unlike_in_errors(struct proof *proof, const uint8_t *bytes, size_t byte_count,
                                    const struct expected *expected)
{
    static const struct assay_span none;
    const struct assay_codec *codec = proof->codec;
    struct assay_span first = none, errors[ASKED_MAX];
    note_asked(proof, "validate", bytes, byte_count);
    if (codec->validate != NULL) {
        if (codec->validate(bytes, byte_count, NULL) != (expected->error_count == 0))
            return "the verdict";
        if (codec->validate(bytes, byte_count, &first) != (expected->error_count == 0))
            return "the verdict, where the first error is asked for";
        if (!span_agrees(&first, expected->error_count > 0 ? &expected->errors[0] : &none))
            return "the first error";
    }
    note_asked(proof, "spans", bytes, byte_count);
    if (codec->spans != NULL) {
        if (codec->spans(bytes, byte_count, errors, ASKED_MAX) != expected->error_count)
            return "the number of errors";
        for (size_t i = 0; i < expected->error_count; i++)
            if (!span_agrees(&errors[i], &expected->errors[i]))
                return "an error";
    }
    return NULL;
}

static const char *unlike_in_output(struct proof *proof, const uint8_t *bytes, size_t byte_count,
                                    const struct expected *expected)
{
    const struct assay_codec *codec = proof->codec;
    uint32_t utf32[ASKED_MAX + ASSAY_HELD_MAX];
    uint16_t utf16[ASKED_MAX + ASSAY_HELD_MAX];
    note_asked(proof, "decode-utf32", bytes, byte_count);
    if (codec->decode_utf32 != NULL) {
        struct assay_result result =
            codec->decode_utf32(ASSAY_POLICY_WHATWG, bytes, byte_count, utf32, ASSAY_DECODED_MAX(byte_count));
        if (result.status != ASSAY_UNSUPPORTED &&
            (result.status != ASSAY_OK || result.read != byte_count || result.written != expected->utf32_count ||
             memcmp(utf32, expected->utf32, result.written * sizeof *utf32) != 0))
            return "the output in UTF-32";
    }
    note_asked(proof, "decode-utf16", bytes, byte_count);
    if (codec->decode_utf16 != NULL) {
        struct assay_result result =
            codec->decode_utf16(ASSAY_POLICY_WHATWG, bytes, byte_count, utf16, ASSAY_DECODED_MAX(byte_count));
        if (result.status != ASSAY_UNSUPPORTED &&
            (result.status != ASSAY_OK || result.read != byte_count || result.written != expected->utf16_count ||
             memcmp(utf16, expected->utf16, result.written * sizeof *utf16) != 0))
            return "the output in UTF-16";
    }
    return NULL;
}

/* Compares the answers of a stream after these bytes, which do not end it. Returns what differs; NULL if nothing
 * does. */
static const char *unlike_in_stream(struct proof *proof, const uint8_t *bytes, size_t byte_count,
                                    const struct expected *expected)
{
    const struct assay_codec *codec = proof->codec;
    uint32_t utf32[ASKED_MAX + ASSAY_HELD_MAX];
    struct assay_stream stream;
    if (codec->feed_utf32 == NULL)
        return NULL;
    note_asked(proof, "feed-utf32", bytes, byte_count);
    assay_stream_start(&stream, ASSAY_POLICY_WHATWG);
    struct assay_result result =
        codec->feed_utf32(&stream, bytes, byte_count, false, utf32, ASSAY_DECODED_MAX(byte_count));
    if (result.status == ASSAY_UNSUPPORTED)
        return NULL;
    bool is_same = result.status == ASSAY_OK && result.read == byte_count && result.written == expected->utf32_count &&
                   memcmp(utf32, expected->utf32, result.written * sizeof *utf32) == 0;
    return is_same ? NULL : "the output of a stream that goes on";
}

bool agrees_on(struct proof *proof, const uint8_t *bytes, size_t byte_count)
{
    struct rule_event events[ASKED_MAX + 1];
    static _Thread_local struct expected expected;
    const char *what;
    proof->cases++;
    expect(&expected, events, rules_run(proof->rules, bytes, byte_count, true, events));
    what = unlike_in_errors(proof, bytes, byte_count, &expected);
    if (what == NULL)
        what = unlike_in_output(proof, bytes, byte_count, &expected);
    if (what == NULL) {
        expect(&expected, events, rules_run(proof->rules, bytes, byte_count, false, events));
        what = unlike_in_stream(proof, bytes, byte_count, &expected);
    }
    return what == NULL || refute_on(proof, bytes, byte_count, what);
}
