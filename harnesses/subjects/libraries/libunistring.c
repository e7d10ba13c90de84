/* SPDX-License-Identifier: MIT
 *
 * GNU libunistring as a subject: u8_check, u16_check, and u8_mbtouc, u16_mbtouc, which give U+FFFD for what is
 * ill-formed; its conversions between UTF-8, UTF-16 and UTF-32.
 */
#include "protocol.h"

#include <unistr.h>

static bool is_strict, is_utf16;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    is_strict = is_word(policy, "strict");
    is_utf16 = is_word(encoding, "utf-16le");
    return (is_word(encoding, "utf-8") || is_utf16) && (is_strict || is_word(policy, "own"));
}

static enum verdict feed_utf16(const uint16_t *units, size_t count)
{
    const uint16_t *bad = is_strict ? u16_check(units, count) : NULL;
    for (size_t i = 0; i < count && bad == NULL;) {
        ucs4_t point;
        i += (size_t)u16_mbtouc(&point, units + i, count - i);
        emit(point);
    }
    return bad == NULL ? WELL_FORMED : error_at(2 * (size_t)(bad - units));
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    if (is_utf16)
        return count % 2 == 0 ? feed_utf16((const uint16_t *)(const void *)bytes, count / 2) : NOT_OFFERED;
    const uint8_t *bad = is_strict ? u8_check(bytes, count) : NULL;
    for (size_t i = 0; i < count && bad == NULL;) {
        ucs4_t point;
        i += (size_t)u8_mbtouc(&point, bytes + i, count - i);
        emit(point);
    }
    return bad == NULL ? WELL_FORMED : error_at((size_t)(bad - bytes));
}

/* A text that another function has encoded, and its length in bytes. */
static enum verdict give(void *text, size_t byte_count)
{
    if (text == NULL)
        return ILL_FORMED;
    emit_bytes(text, byte_count);
    free(text);
    return WELL_FORMED;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    size_t size = 0;
    if (!is_utf16) {
        uint8_t *bytes = u32_to_u8(points, count, NULL, &size);
        return give(bytes, size);
    }
    uint16_t *units = u32_to_u16(points, count, NULL, &size);
    return give(units, 2 * size);
}

static enum verdict encode_utf16(const uint16_t *units, size_t count)
{
    size_t size = 0;
    if (is_utf16)
        return NOT_OFFERED;
    uint8_t *bytes = u16_to_u8(units, count, NULL, &size);
    return give(bytes, size);
}

static enum verdict transcode(const char *from, const char *to, const char *policy, const unsigned char *bytes,
                              size_t count)
{
    size_t size = 0;
    bool from_utf16 = is_word(from, "utf-16le"), to_utf16 = is_word(to, "utf-16le");
    if (!is_word(policy, "strict") || from_utf16 == to_utf16 || (from_utf16 && count % 2 != 0) ||
        !is_word(from_utf16 ? to : from, "utf-8"))
        return NOT_OFFERED;
    if (from_utf16) {
        uint8_t *text = u16_to_u8((const uint16_t *)(const void *)bytes, count / 2, NULL, &size);
        return give(text, size);
    }
    uint16_t *text = u8_to_u16(bytes, count, NULL, &size);
    return give(text, 2 * size);
}

int main(void)
{
    return speak(
        "libunistring",
        "encodings=utf-8,utf-16le policies=strict,own ops=validate,decode,encode,encode-utf16,transcode chunks=no",
        &(struct adapter){begin, feed, NULL, encode, encode_utf16, .transcode = transcode});
}
