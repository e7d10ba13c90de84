/* SPDX-License-Identifier: MIT
 *
 * libxml2's xmlCheckUTF8, xmlGetUTF8Char and xmlCopyCharMultiByte as a subject; from and to UTF-16 xmlCharEncInFunc
 * and xmlCharEncOutFunc, which leave an incomplete character.
 */
#include "protocol.h"

#include <libxml/parserInternals.h>
#include <limits.h>

static bool is_validation;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    is_validation = is_word(operation, "validate");
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    if (has_nul(bytes, count))
        return NOT_OFFERED;
    if (is_validation)
        return xmlCheckUTF8(bytes) ? WELL_FORMED : ILL_FORMED;
    for (size_t at = 0; at < count;) {
        int length = (int)(count - at), point = xmlGetUTF8Char(bytes + at, &length);
        if (point < 0)
            return error_at(at);
        emit((uint32_t)point);
        at += (size_t)length;
    }
    return WELL_FORMED;
}

static size_t encode_one(uint32_t point, unsigned char *bytes)
{
    int length = xmlCopyCharMultiByte(bytes, (int)point);
    return length > 0 ? (size_t)length : 0;
}

/* A code point is an int. */
static enum verdict encode(const uint32_t *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (points[i] > INT_MAX)
            return NOT_OFFERED;
    return encode_each(points, count, encode_one);
}

static enum verdict transcode(const char *from, const char *to, const char *policy, const unsigned char *bytes,
                              size_t count)
{
    bool is_in = is_word(to, "utf-8");
    const char *other = is_in ? from : to;
    if (!is_word(policy, "strict") || (!is_in && !is_word(from, "utf-8")) || strncmp(other, "utf-16", 6) != 0)
        return NOT_OFFERED;
    xmlCharEncodingHandlerPtr handler = xmlFindCharEncodingHandler(other);
    xmlBufferPtr in = xmlBufferCreate(), out = xmlBufferCreate();
    xmlBufferAdd(in, bytes, (int)count);
    int written = is_in ? xmlCharEncInFunc(handler, out, in) : xmlCharEncOutFunc(handler, out, in);
    bool is_done = written >= 0 && xmlBufferLength(in) == 0;
    emit_bytes(xmlBufferContent(out), (size_t)xmlBufferLength(out));
    xmlBufferFree(in);
    xmlBufferFree(out);
    return is_done ? WELL_FORMED : ILL_FORMED;
}

/* Units of the platform's byte order. */
static enum verdict encode_utf16(const uint16_t *units, size_t count)
{
    return transcode("utf-16le", "utf-8", "strict", (const unsigned char *)units, 2 * count);
}

static void ignore(void *context, const char *message, ...)
{
    (void)context;
    (void)message;
}

int main(void)
{
    xmlSetGenericErrorFunc(NULL, ignore);
    return speak("libxml2-check",
                 "encodings=utf-8,utf-16le,utf-16be policies=strict "
                 "ops=validate,decode,encode,encode-utf16,transcode chunks=no",
                 &(struct adapter){begin, feed, NULL, encode, encode_utf16, .transcode = transcode});
}
