/* SPDX-License-Identifier: MIT
 *
 * ICU's converters as a subject: ucnv_toUnicode in pieces, with its callbacks STOP (strict) and SUBSTITUTE (its
 * default); ucnv_fromUnicode and ucnv_convertEx, with STOP.
 */
#include "protocol.h"

#include <unicode/ucnv.h>

static UConverter *converter;
static char current[16]; /* its encoding */
static size_t before;    /* bytes of earlier chunks */

static void reset(void)
{
    ucnv_resetToUnicode(converter);
    before = 0;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    UErrorCode status = U_ZERO_ERROR;
    (void)operation;
    if (!is_word(policy, "strict") && !is_word(policy, "own"))
        return false;
    if (!is_word(current, encoding)) {
        ucnv_close(converter);
        converter = ucnv_open(encoding, &status);
        snprintf(current, sizeof current, "%s", converter != NULL ? encoding : "");
    }
    if (converter == NULL)
        return false;
    ucnv_setToUCallBack(converter, is_word(policy, "strict") ? UCNV_TO_U_CALLBACK_STOP : UCNV_TO_U_CALLBACK_SUBSTITUTE,
                        NULL, NULL, NULL, &status);
    reset();
    return U_SUCCESS(status);
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    const char *from = (const char *)bytes, *end = from + count;
    uint16_t *units = checked(malloc((2 * count + 16) * sizeof *units)), *to = units;
    UErrorCode status = U_ZERO_ERROR;
    ucnv_toUnicode(converter, &to, units + 2 * count + 16, &from, end, NULL, is_last, &status);
    emit_utf16(units, (size_t)(to - units));
    free(units);
    if (U_FAILURE(status)) {
        char invalid[32];
        int8_t length = sizeof invalid;
        UErrorCode ignored = U_ZERO_ERROR;
        ucnv_getInvalidChars(converter, invalid, &length, &ignored);
        if (before > 0) /* bytes of an earlier chunk that it reads again are not counted in `from` */
            return ILL_FORMED;
        return error_of((size_t)(from - (const char *)bytes) - (size_t)length, (size_t)length);
    }
    before += count;
    return WELL_FORMED;
}

static enum verdict encode_utf16(const uint16_t *units, size_t count)
{
    UErrorCode status = U_ZERO_ERROR;
    const uint16_t *from = units;
    char *bytes = checked(malloc(6 * count + 1)), *to = bytes;
    ucnv_setFromUCallBack(converter, UCNV_FROM_U_CALLBACK_STOP, NULL, NULL, NULL, &status);
    ucnv_resetFromUnicode(converter);
    ucnv_fromUnicode(converter, &to, bytes + 6 * count + 1, &from, units + count, NULL, true, &status);
    emit_bytes(bytes, (size_t)(to - bytes));
    free(bytes);
    return U_SUCCESS(status) ? WELL_FORMED : ILL_FORMED;
}

/* UTF-16 is what ICU encodes. */
static enum verdict encode(const uint32_t *points, size_t count)
{
    size_t unit_count;
    uint16_t *units = utf16_of(points, count, &unit_count);
    enum verdict verdict = units != NULL ? encode_utf16(units, unit_count) : NOT_OFFERED;
    free(units);
    return verdict;
}

/* What the converter has read, it may not have written: it keeps what has no room. */
static enum verdict decode_into(const char *units, size_t room, const unsigned char *bytes, size_t count)
{
    if (!is_word(units, "utf-16"))
        return NOT_OFFERED;
    const char *from = (const char *)bytes;
    uint16_t *out = checked(malloc((room + 1) * sizeof *out)), *to = out;
    UErrorCode status = U_ZERO_ERROR;
    ucnv_toUnicode(converter, &to, out + room, &from, from + count, NULL, true, &status);
    emit_units(out, (size_t)(to - out));
    free(out);
    output.read_count = (size_t)(from - (const char *)bytes);
    return U_SUCCESS(status) ? WELL_FORMED : status == U_BUFFER_OVERFLOW_ERROR ? NO_ROOM : ILL_FORMED;
}

/* Converts what `reader` reads to another encoding, or to its own. */
static enum verdict convert(UConverter *reader, const char *to, const unsigned char *bytes, size_t count)
{
    UErrorCode status = U_ZERO_ERROR;
    UConverter *writer = ucnv_open(to, &status);
    if (U_FAILURE(status))
        return NOT_OFFERED;
    char *out = checked(malloc(8 * count + 1)), *end = out;
    const char *at = (const char *)bytes;
    ucnv_setFromUCallBack(writer, UCNV_FROM_U_CALLBACK_STOP, NULL, NULL, NULL, &status);
    ucnv_convertEx(writer, reader, &end, out + 8 * count + 1, &at, at + count, NULL, NULL, NULL, NULL, true, true,
                   &status);
    emit_bytes(out, (size_t)(end - out));
    free(out);
    ucnv_close(writer);
    return U_SUCCESS(status) ? WELL_FORMED : ILL_FORMED;
}

static enum verdict transcode(const char *from, const char *to, const char *policy, const unsigned char *bytes,
                              size_t count)
{
    return is_word(policy, "strict") && begin("transcode", from, policy) ? convert(converter, to, bytes, count)
                                                                         : NOT_OFFERED;
}

static enum verdict to_well_formed(const unsigned char *bytes, size_t count)
{
    return convert(converter, current, bytes, count);
}

int main(void)
{
    return speak(
        "icu-converter",
        "encodings=utf-8,utf-16le,utf-16be,cesu-8 policies=strict,own "
        "ops=validate,decode,stop,reuse,into,encode,encode-utf16,to-well-formed,transcode chunks=late",
        &(struct adapter){begin, feed, reset, encode, encode_utf16, decode_into, NULL, transcode, to_well_formed});
}
