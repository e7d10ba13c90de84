/* SPDX-License-Identifier: MIT
 *
 * A codec with correct answers and quadratic time, as a shared library: it finds each error from the beginning of the
 * text. harnesses/cost must report it.
 */
#include "../../codecs/codec.h"

extern const struct assay_codec codec_utf8_reference;

/* Reads the text again for each error. */
static size_t spans(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity)
{
    size_t count = codec_utf8_reference.spans(bytes, byte_count, NULL, 0);
    for (size_t wanted = 1; wanted <= count && wanted <= capacity; wanted++)
        codec_utf8_reference.spans(bytes, byte_count, spans, wanted);
    return count;
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    return codec_utf8_reference.validate(bytes, byte_count, error);
}

const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "quadratic"), .validate = validate, .spans = spans};
