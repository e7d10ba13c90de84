/* SPDX-License-Identifier: MIT
 *
 * utf8proc as a loadable codec: utf8proc_iterate and utf8proc_encode_char, one call for each character, as users of the
 * library write the loop. With less room for output than the worst case needs, nothing is offered.
 */
#include "subject.h"

#include <utf8proc.h>

/* The length of the character at `at`, or 0 if it is ill-formed. */
static size_t step(const uint8_t *bytes, size_t byte_count, size_t at, utf8proc_int32_t *value)
{
    utf8proc_ssize_t length = utf8proc_iterate(bytes + at, (utf8proc_ssize_t)(byte_count - at), value);
    return length > 0 ? (size_t)length : 0;
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    utf8proc_int32_t value;
    size_t at = 0, length;
    while (at < byte_count && (length = step(bytes, byte_count, at, &value)) > 0)
        at += length;
    return subject_verdict(at, byte_count, error);
}

static struct assay_result decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint32_t *out, size_t capacity)
{
    utf8proc_int32_t value;
    size_t at = 0, length, written = 0;
    if (policy != ASSAY_POLICY_STRICT || capacity < byte_count)
        return SUBJECT_UNSUPPORTED;
    for (; at < byte_count && (length = step(bytes, byte_count, at, &value)) > 0; at += length)
        out[written++] = (uint32_t)value;
    return subject_converted(at, byte_count, written);
}

static struct assay_result encode_utf32(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity)
{
    size_t at = 0, written = 0;
    if (policy != ASSAY_POLICY_STRICT || capacity < ASSAY_ENCODED_MAX(unit_count))
        return SUBJECT_UNSUPPORTED;
    for (; at < unit_count && utf8proc_codepoint_valid((utf8proc_int32_t)units[at]); at++)
        written += (size_t)utf8proc_encode_char((utf8proc_int32_t)units[at], out + written);
    return subject_converted(at, unit_count, written);
}

SUBJECT("utf8proc"), .validate = validate, .decode_utf32 = decode_utf32, .encode_utf32 = encode_utf32
}
;
