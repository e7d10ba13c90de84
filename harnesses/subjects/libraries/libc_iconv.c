/* SPDX-License-Identifier: MIT
 *
 * iconv() of the C library (glibc, musl) as a subject, to and from UTF-32, in pieces: what EINVAL leaves unread comes
 * again before the next piece. At the end of input what is left is an error. POSIX: "input conversion shall stop at
 * [...] EILSEQ".
 */
#include "protocol.h"

#include <errno.h>
#include <iconv.h>

static iconv_t converter, encoder;
static unsigned char held[8];
static size_t held_count, before;

static void reset(void)
{
    iconv(converter, NULL, NULL, NULL, NULL);
    held_count = before = 0;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    static char current[16];
    if (!is_word(policy, "strict"))
        return false;
    if (is_word(operation, "encode")) {
        if (encoder != NULL)
            iconv_close(encoder);
        encoder = iconv_open(encoding, "UTF-32LE");
        return encoder != (iconv_t)-1;
    }
    if (strcmp(current, encoding) != 0) {
        snprintf(current, sizeof current, "%s", encoding);
        converter = iconv_open("UTF-32LE", encoding);
    }
    reset();
    return converter != (iconv_t)-1;
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    char *text = (char *)checked(malloc(held_count + count + 1)), *from = text;
    size_t left = held_count + count;
    memcpy(text, held, held_count);
    memcpy(text + held_count, bytes, count);
    int error = 0;
    do {
        uint32_t points[64];
        char *to = (char *)points;
        size_t room = sizeof points;
        error = iconv(converter, &from, &left, &to, &room) == (size_t)-1 ? errno : 0;
        emit_utf32(points, (size_t)(to - (char *)points) / sizeof *points);
    } while (error == E2BIG);
    before += (size_t)(from - text);
    held_count = left <= sizeof held ? left : 0;
    memcpy(held, from, held_count);
    free(text);
    return error == EILSEQ || (is_last && left > 0) ? error_at(before) : WELL_FORMED;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    char *from = (char *)(uintptr_t)points, *bytes = (char *)checked(malloc(4 * count + 1)), *to = bytes;
    size_t left = count * sizeof *points, room = 4 * count;
    bool is_done = iconv(encoder, &from, &left, &to, &room) != (size_t)-1;
    emit_bytes(bytes, (size_t)(to - bytes));
    free(bytes);
    return is_done ? WELL_FORMED : error_at(count - left / sizeof *points);
}

int main(void)
{
    return speak("libc-iconv",
                 "encodings=utf-8,utf-16le,utf-16be policies=strict ops=validate,decode,stop,reuse,encode chunks=late",
                 &(struct adapter){begin, feed, reset, encode});
}
