/* SPDX-License-Identifier: MIT
 *
 * UTF8-CPP: find_invalid and the checked conversions, which throw at an error.
 */
#include "subject.h"

#include <utf8.h>

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    return subject_verdict(size_t(utf8::find_invalid(bytes, bytes + byte_count) - bytes), byte_count, error);
}

/* Decodes all, or, if that throws, what is before the error. */
template <typename Unit, typename Convert>
static assay_result decode(assay_policy policy, const uint8_t *bytes, size_t byte_count, Unit *out, size_t capacity,
                           Convert convert)
{
    if (policy != ASSAY_POLICY_STRICT || capacity < byte_count)
        return SUBJECT_UNSUPPORTED;
    try {
        return subject_converted(byte_count, byte_count, size_t(convert(bytes, bytes + byte_count, out) - out));
    } catch (const utf8::exception &) {
        const uint8_t *bad = utf8::find_invalid(bytes, bytes + byte_count);
        return subject_converted(size_t(bad - bytes), byte_count, size_t(convert(bytes, bad, out) - out));
    }
}

static assay_result decode_utf16(assay_policy policy, const uint8_t *bytes, size_t byte_count, uint16_t *out,
                                 size_t capacity)
{
    return decode(policy, bytes, byte_count, out, capacity, utf8::utf8to16<uint16_t *, const uint8_t *>);
}

static assay_result decode_utf32(assay_policy policy, const uint8_t *bytes, size_t byte_count, uint32_t *out,
                                 size_t capacity)
{
    return decode(policy, bytes, byte_count, out, capacity, utf8::utf8to32<const uint8_t *, uint32_t *>);
}

/* Of UTF-16 and UTF-32 it does not say where an error is. */
template <typename Unit, typename Convert>
static assay_result encode(assay_policy policy, const Unit *units, size_t unit_count, uint8_t *out, size_t capacity,
                           Convert convert)
{
    if (policy != ASSAY_POLICY_STRICT || capacity < ASSAY_ENCODED_MAX(unit_count))
        return SUBJECT_UNSUPPORTED;
    try {
        return subject_converted(unit_count, unit_count, size_t(convert(units, units + unit_count, out) - out));
    } catch (const utf8::exception &) {
        return subject_result(ASSAY_ILL_FORMED, 0, 0);
    }
}

static assay_result encode_utf16(assay_policy policy, const uint16_t *units, size_t unit_count, uint8_t *out,
                                 size_t capacity)
{
    return encode(policy, units, unit_count, out, capacity, utf8::utf16to8<const uint16_t *, uint8_t *>);
}

static assay_result encode_utf32(assay_policy policy, const uint32_t *units, size_t unit_count, uint8_t *out,
                                 size_t capacity)
{
    return encode(policy, units, unit_count, out, capacity, utf8::utf32to8<uint8_t *, const uint32_t *>);
}

SUBJECT("utfcpp"), .validate = validate, .decode_utf32 = decode_utf32, .decode_utf16 = decode_utf16,
                   .encode_utf32 = encode_utf32, .encode_utf16 = encode_utf16
}
;
