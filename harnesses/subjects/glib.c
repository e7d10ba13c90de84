/* SPDX-License-Identifier: MIT
 *
 * GLib: g_utf8_validate_len and the whole-string conversions. They return memory that the caller frees, so every call
 * allocates, and its output is copied here. A NUL ends a string for them, even if a length is given,
 * and there is no NULL for an empty one.
 */
#include "subject.h"

#include <glib.h>
#include <string.h>

static const gchar *text_of(const uint8_t *bytes)
{
    return bytes != NULL ? (const gchar *)bytes : "";
}

static size_t good_bytes(const uint8_t *bytes, size_t byte_count)
{
    const gchar *end;
    g_utf8_validate_len(text_of(bytes), byte_count, &end);
    return (size_t)(end - text_of(bytes));
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    return subject_verdict(good_bytes(bytes, byte_count), byte_count, error);
}

/* Copies the result and frees it. NULL is the library's answer to ill-formed input. */
static struct assay_result hand_over(void *converted, glong units, size_t unit_size, size_t read, size_t count,
                                     void *out)
{
    if (converted == NULL)
        return subject_result(ASSAY_ILL_FORMED, 0, 0);
    memcpy(out, converted, (size_t)units * unit_size);
    g_free(converted);
    return subject_converted(read, count, (size_t)units);
}

static struct assay_result decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint16_t *out, size_t capacity)
{
    glong read = 0, written = 0;
    if (policy != ASSAY_POLICY_STRICT || capacity < byte_count)
        return SUBJECT_UNSUPPORTED;
    gunichar2 *units = g_utf8_to_utf16(text_of(bytes), (glong)byte_count, &read, &written, NULL);
    if (units == NULL) {
        byte_count = good_bytes(bytes, byte_count);
        units = g_utf8_to_utf16(text_of(bytes), (glong)byte_count, NULL, &written, NULL);
        return hand_over(units, written, sizeof *out, byte_count, byte_count + 1, out);
    }
    return hand_over(units, written, sizeof *out, (size_t)read, byte_count, out);
}

static struct assay_result decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint32_t *out, size_t capacity)
{
    glong read = 0, written = 0;
    if (policy != ASSAY_POLICY_STRICT || capacity < byte_count)
        return SUBJECT_UNSUPPORTED;
    gunichar *values = g_utf8_to_ucs4(text_of(bytes), (glong)byte_count, &read, &written, NULL);
    if (values == NULL) {
        byte_count = good_bytes(bytes, byte_count);
        values = g_utf8_to_ucs4(text_of(bytes), (glong)byte_count, NULL, &written, NULL);
        return hand_over(values, written, sizeof *out, byte_count, byte_count + 1, out);
    }
    return hand_over(values, written, sizeof *out, (size_t)read, byte_count, out);
}

static struct assay_result encode_utf16(enum assay_policy policy, const uint16_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity)
{
    glong read = 0, written = 0;
    if (policy != ASSAY_POLICY_STRICT || capacity < ASSAY_ENCODED_MAX(unit_count))
        return SUBJECT_UNSUPPORTED;
    static const gunichar2 nothing = 0;
    units = units != NULL ? units : &nothing;
    gchar *bytes = g_utf16_to_utf8(units, (glong)unit_count, &read, &written, NULL);
    if (bytes == NULL) /* `read` is then the length of the well-formed part */
        return hand_over(g_utf16_to_utf8(units, read, NULL, &written, NULL), written, 1, (size_t)read, unit_count, out);
    return hand_over(bytes, written, 1, (size_t)read, unit_count, out);
}

static struct assay_result encode_utf32(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity)
{
    glong read = 0, written = 0;
    if (policy != ASSAY_POLICY_STRICT || capacity < ASSAY_ENCODED_MAX(unit_count))
        return SUBJECT_UNSUPPORTED;
    static const gunichar nothing = 0;
    units = units != NULL ? units : &nothing;
    gchar *bytes = g_ucs4_to_utf8(units, (glong)unit_count, &read, &written, NULL);
    if (bytes == NULL)
        return hand_over(g_ucs4_to_utf8(units, read, NULL, &written, NULL), written, 1, (size_t)read, unit_count, out);
    return hand_over(bytes, written, 1, (size_t)read, unit_count, out);
}

SUBJECT("glib"), .validate = validate, .decode_utf32 = decode_utf32, .decode_utf16 = decode_utf16,
                 .encode_utf32 = encode_utf32, .encode_utf16 = encode_utf16
}
;
