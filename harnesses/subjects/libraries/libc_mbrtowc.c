/* SPDX-License-Identifier: MIT
 *
 * mbrtowc() of the C library as a subject, in its locale C.UTF-8: a byte sequence is consumed into the mbstate_t, so
 * that any piece will do.
 */
#include "protocol.h"

#include <locale.h>
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

static enum verdict encode(const uint32_t *points, size_t count)
{
    mbstate_t initial = {0};
    for (size_t i = 0; i < count; i++) {
        char bytes[16];
        size_t length = wcrtomb(bytes, (wchar_t)points[i], &initial);
        if (length == (size_t)-1)
            return error_at(i);
        emit_bytes(bytes, length);
    }
    return WELL_FORMED;
}

int main(void)
{
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        return 2;
    return speak("libc-mbrtowc", "encodings=utf-8 policies=strict ops=validate,decode,stop,reuse,encode chunks=late",
                 &(struct adapter){begin, feed, reset, encode});
}
