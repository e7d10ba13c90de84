/* SPDX-License-Identifier: MIT
 *
 * ICU: u_strFromUTF8, u_strFromUTF8WithSub and u_strToUTF8 for whole strings; the macros of <unicode/utf8.h>, a
 * character at a time, for what has no such function. Lengths are 32-bit: longer strings are not asked.
 */
#include "subject.h"

#include <unicode/ustring.h>
#include <unicode/utf8.h>

enum { REPLACEMENT = 0xFFFD };

/* The offset of the first error; byte_count if there is none. */
static size_t good_bytes(const uint8_t *bytes, size_t byte_count)
{
    size_t at = 0, begin = 0;
    UChar32 value = 0;
    while (at < byte_count) {
        begin = at;
        U8_NEXT(bytes, at, byte_count, value);
        if (value < 0)
            return begin;
    }
    return byte_count;
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    return subject_verdict(good_bytes(bytes, byte_count), byte_count, error);
}

static struct assay_result decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint16_t *out, size_t capacity)
{
    UErrorCode status = U_ZERO_ERROR;
    int32_t written = 0;
    size_t good = byte_count;
    if ((policy != ASSAY_POLICY_STRICT && policy != ASSAY_POLICY_WHATWG) || capacity > INT32_MAX ||
        capacity < byte_count)
        return SUBJECT_UNSUPPORTED;
    if (policy == ASSAY_POLICY_WHATWG)
        u_strFromUTF8WithSub(out, (int32_t)capacity, &written, (const char *)bytes, (int32_t)byte_count, REPLACEMENT,
                             NULL, &status);
    else
        u_strFromUTF8(out, (int32_t)capacity, &written, (const char *)bytes, (int32_t)byte_count, &status);
    if (U_FAILURE(status)) {
        good = good_bytes(bytes, byte_count);
        status = U_ZERO_ERROR;
        u_strFromUTF8(out, (int32_t)capacity, &written, (const char *)bytes, (int32_t)good, &status);
    }
    return subject_converted(good, byte_count, (size_t)written);
}

static struct assay_result decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint32_t *out, size_t capacity)
{
    size_t at = 0, begin = 0, written = 0;
    UChar32 value = 0;
    if ((policy != ASSAY_POLICY_STRICT && policy != ASSAY_POLICY_WHATWG) || capacity < byte_count)
        return SUBJECT_UNSUPPORTED;
    while (at < byte_count) {
        begin = at;
        U8_NEXT(bytes, at, byte_count, value);
        if (value < 0 && policy == ASSAY_POLICY_STRICT)
            return subject_converted(begin, byte_count, written);
        out[written++] = value < 0 ? REPLACEMENT : (uint32_t)value;
    }
    return subject_converted(byte_count, byte_count, written);
}

static struct assay_result encode_utf16(enum assay_policy policy, const uint16_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity)
{
    UErrorCode status = U_ZERO_ERROR;
    int32_t written = 0;
    if (policy != ASSAY_POLICY_STRICT || capacity > INT32_MAX || capacity < ASSAY_ENCODED_MAX(unit_count))
        return SUBJECT_UNSUPPORTED;
    u_strToUTF8((char *)out, (int32_t)capacity, &written, units, (int32_t)unit_count, &status);
    if (U_FAILURE(status)) /* the library does not say where */
        return subject_result(ASSAY_ILL_FORMED, 0, 0);
    return subject_converted(unit_count, unit_count, (size_t)written);
}

static struct assay_result encode_utf32(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity)
{
    size_t at = 0, written = 0;
    UBool failed = false;
    if (policy != ASSAY_POLICY_STRICT || capacity < ASSAY_ENCODED_MAX(unit_count))
        return SUBJECT_UNSUPPORTED;
    for (; at < unit_count; at++) {
        U8_APPEND(out, written, capacity, units[at], failed);
        if (failed)
            break;
    }
    return subject_converted(at, unit_count, written);
}

SUBJECT("icu"), .validate = validate, .decode_utf32 = decode_utf32, .decode_utf16 = decode_utf16,
                .encode_utf32 = encode_utf32, .encode_utf16 = encode_utf16
}
;
