/* SPDX-License-Identifier: MIT
 *
 * ICU's string functions as a subject: u_strFromUTF8, u_strFromUTF8WithSub and the macro U8_NEXT; u_strToUTF8,
 * u_strToUTF8WithSub with U+FFFD, U8_APPEND and U8_SET_CP_START.
 */
#include "protocol.h"

#include <unicode/ustring.h>
#include <unicode/utf8.h>

static bool is_strict, is_validation;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    is_strict = is_word(policy, "strict");
    is_validation = is_word(operation, "validate");
    bool is_encoding = is_word(operation, "encode-utf16");
    return is_word(encoding, "utf-8") && (is_strict || is_word(policy, is_encoding ? "whatwg" : "own"));
}

static enum verdict validate(const unsigned char *bytes, size_t count)
{
    for (size_t at = 0, start = 0; at < count; start = at) {
        UChar32 point;
        U8_NEXT(bytes, at, count, point);
        if (point < 0)
            return error_of(start, at - start);
    }
    return WELL_FORMED;
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    if (is_validation)
        return validate(bytes, count);
    uint16_t *units = checked(malloc((count + 1) * sizeof *units));
    int32_t length = 0;
    UErrorCode status = U_ZERO_ERROR;
    if (is_strict)
        u_strFromUTF8(units, (int32_t)count + 1, &length, (const char *)bytes, (int32_t)count, &status);
    else
        u_strFromUTF8WithSub(units, (int32_t)count + 1, &length, (const char *)bytes, (int32_t)count, 0xFFFD, NULL,
                             &status);
    if (U_SUCCESS(status))
        emit_utf16(units, (size_t)length);
    free(units);
    return U_SUCCESS(status) ? WELL_FORMED : ILL_FORMED;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    uint8_t *bytes = checked(malloc(4 * count + 1));
    size_t length = 0, room = 4 * count;
    UBool is_error = false;
    for (size_t i = 0; i < count && !is_error; i++) {
        U8_APPEND(bytes, length, room, points[i], is_error);
        if (is_error)
            error_at(i);
    }
    emit_bytes(bytes, length);
    free(bytes);
    return is_error ? ILL_FORMED : WELL_FORMED;
}

static enum verdict encode_utf16(const uint16_t *units, size_t count)
{
    char *bytes = checked(malloc(3 * count + 1));
    int32_t room = (int32_t)(3 * count + 1), length = 0;
    UErrorCode status = U_ZERO_ERROR;
    if (is_strict)
        u_strToUTF8(bytes, room, &length, units, (int32_t)count, &status);
    else
        u_strToUTF8WithSub(bytes, room, &length, units, (int32_t)count, 0xFFFD, NULL, &status);
    if (U_SUCCESS(status))
        emit_bytes(bytes, (size_t)length);
    free(bytes);
    return U_SUCCESS(status) ? WELL_FORMED : ILL_FORMED;
}

static enum verdict boundaries(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        U8_SET_CP_START(bytes, 0, at);
        emit((uint32_t)at);
    }
    emit((uint32_t)count);
    return WELL_FORMED;
}

int main(void)
{
    return speak(
        "icu-string",
        "encodings=utf-8 policies=strict,own,whatwg ops=validate,decode,encode,encode-utf16,boundaries chunks=no",
        &(struct adapter){begin, feed, NULL, encode, encode_utf16, NULL, boundaries});
}
