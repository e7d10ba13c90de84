/* SPDX-License-Identifier: MIT
 *
 * iconv() of the C library (glibc, musl) as a subject, to and from UTF-32 and UTF-16, and from an encoding to itself;
 * in pieces: what EINVAL leaves unread comes again before the next piece. At the end of input what is left is an error.
 * POSIX: "input conversion shall stop at [...] EILSEQ".
 */
#include "protocol.h"

#include <errno.h>
#include <iconv.h>

static iconv_t converter, encoder;
static unsigned char held[8];
static size_t held_count, before;
static char current_encoding[16];

static void reset(void)
{
    iconv(converter, NULL, NULL, NULL, NULL);
    held_count = before = 0;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    static char current[16];
    snprintf(current_encoding, sizeof current_encoding, "%s", encoding);
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

/* Converts with a converter that is opened for it, into room for `room` bytes. */
static enum verdict convert(const char *to, const char *from, const void *text, size_t count, char *out, size_t room,
                            size_t *read_count, size_t *written)
{
    iconv_t one = iconv_open(to, from);
    *read_count = *written = 0;
    if (one == (iconv_t)-1)
        return NOT_OFFERED;
    char *in = (char *)(uintptr_t)text, *end = out;
    size_t left = count;
    int error = iconv(one, &in, &left, &end, &room) == (size_t)-1 ? errno : 0;
    iconv_close(one);
    *read_count = count - left;
    *written = (size_t)(end - out);
    return error == 0 ? WELL_FORMED : error == E2BIG ? NO_ROOM : ILL_FORMED;
}

static enum verdict encode_utf16(const uint16_t *units, size_t count)
{
    size_t read_count, written;
    char *bytes = (char *)checked(malloc(4 * count + 1));
    enum verdict verdict =
        convert(current_encoding, "UTF-16LE", units, 2 * count, bytes, 4 * count, &read_count, &written);
    emit_bytes(bytes, written);
    free(bytes);
    return verdict == ILL_FORMED ? error_at(read_count / 2) : verdict;
}

static enum verdict decode_into(const char *units, size_t room, const unsigned char *bytes, size_t count)
{
    bool is_narrow = is_word(units, "utf-16");
    size_t written, size = is_narrow ? 2 : 4;
    char *out = (char *)checked(malloc(size * room + 1));
    if (!is_narrow && !is_word(units, "utf-32"))
        return NOT_OFFERED;
    enum verdict verdict = convert(is_narrow ? "UTF-16LE" : "UTF-32LE", current_encoding, bytes, count, out,
                                   size * room, &output.read_count, &written);
    for (size_t i = 0; i < written; i += size) {
        uint32_t unit = 0;
        memcpy(&unit, out + i, size);
        emit(unit);
    }
    free(out);
    return verdict == ILL_FORMED ? error_at(output.read_count) : verdict;
}

static enum verdict transcode(const char *from, const char *to, const char *policy, const unsigned char *bytes,
                              size_t count)
{
    size_t read_count, written;
    char *out = (char *)checked(malloc(4 * count + 1));
    if (!is_word(policy, "strict"))
        return NOT_OFFERED;
    enum verdict verdict = convert(to, from, bytes, count, out, 4 * count, &read_count, &written);
    emit_bytes(out, written);
    free(out);
    return verdict == ILL_FORMED ? error_at(read_count) : verdict;
}

static enum verdict to_well_formed(const unsigned char *bytes, size_t count)
{
    return transcode(current_encoding, current_encoding, "strict", bytes, count);
}

int main(void)
{
    return speak(
        "libc-iconv",
        "encodings=utf-8,utf-16le,utf-16be policies=strict "
        "ops=validate,decode,stop,reuse,into,encode,encode-utf16,to-well-formed,transcode chunks=late",
        &(struct adapter){begin, feed, reset, encode, encode_utf16, decode_into, NULL, transcode, to_well_formed});
}
