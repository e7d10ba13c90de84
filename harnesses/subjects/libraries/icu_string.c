/* SPDX-License-Identifier: MIT
 *
 * ICU's string functions as a subject: u_strFromUTF8, u_strFromUTF8WithSub and the macro U8_NEXT.
 */
#include "protocol.h"

#include <unicode/ustring.h>
#include <unicode/utf8.h>

static bool is_strict, is_validation;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    is_strict = is_word(policy, "strict");
    is_validation = is_word(operation, "validate");
    return is_word(encoding, "utf-8") && (is_strict || is_word(policy, "own"));
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

int main(void)
{
    return speak("icu-string", "encodings=utf-8 policies=strict,own ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
