/* SPDX-License-Identifier: MIT
 *
 * mbrtowc() of the C library as a subject, in its locale C.UTF-8: a byte sequence is consumed into the mbstate_t, so
 * that any piece will do; with limited room mbsnrtowcs(). wcrtomb() and c16rtomb() encode.
 */
#include "protocol.h"

#include <locale.h>
#include <uchar.h>
#include <wchar.h>

static mbstate_t state;
static size_t character, at; /* where the current character began, and how much of the stream is read */

static void reset(void)
{
    memset(&state, 0, sizeof state);
    character = at = 0;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    reset();
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    for (size_t i = 0; i < count;) {
        wchar_t point;
        size_t length = mbrtowc(&point, (const char *)bytes + i, count - i, &state);
        if (length == (size_t)-1)
            return error_at(character);
        if (length == (size_t)-2) {
            at += count - i;
            break;
        }
        length += length == 0; /* a NUL */
        emit((uint32_t)point);
        i += length;
        character = at += length;
    }
    return is_last && !mbsinit(&state) ? error_at(character) : WELL_FORMED;
}

static size_t encode_one(uint32_t point, unsigned char *bytes)
{
    mbstate_t initial = {0};
    size_t length = wcrtomb((char *)bytes, (wchar_t)point, &initial);
    return length != (size_t)-1 ? length : 0;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    return encode_each(points, count, encode_one);
}

static enum verdict encode_utf16(const uint16_t *units, size_t count)
{
    mbstate_t initial = {0};
    for (size_t i = 0; i < count; i++) {
        char bytes[16];
        size_t length = c16rtomb(bytes, units[i], &initial);
        if (length == (size_t)-1)
            return ILL_FORMED;
        emit_bytes(bytes, length);
    }
    return mbsinit(&initial) ? WELL_FORMED : ILL_FORMED;
}

/* A NUL ends the text for mbsnrtowcs. */
static enum verdict decode_into(const char *units, size_t room, const unsigned char *bytes, size_t count)
{
    if (!is_word(units, "utf-32") || has_nul(bytes, count))
        return NOT_OFFERED;
    const char *at = (const char *)bytes;
    mbstate_t initial = {0};
    wchar_t *points = checked(malloc((room + 1) * sizeof *points));
    for (size_t i = 0; i < room; i++)
        points[i] = 0;
    size_t length = mbsnrtowcs(points, &at, count, room, &initial);
    size_t written = length == (size_t)-1 ? wcsnlen(points, room) : length;
    for (size_t i = 0; i < written; i++)
        emit((uint32_t)points[i]);
    free(points);
    output.read_count = (size_t)(at - (const char *)bytes);
    if (length == (size_t)-1)
        return error_at(output.read_count);
    if (!mbsinit(&initial))
        return ILL_FORMED;
    return output.read_count == count ? WELL_FORMED : NO_ROOM;
}

int main(void)
{
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        return 2;
    return speak("libc-mbrtowc",
                 "encodings=utf-8 policies=strict ops=validate,decode,stop,reuse,into,encode,encode-utf16 chunks=late",
                 &(struct adapter){begin, feed, reset, encode, encode_utf16, decode_into});
}
