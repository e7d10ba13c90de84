/* SPDX-License-Identifier: MIT
 *
 * utf8proc as a process: utf8proc_iterate and utf8proc_encode_char, a call for each character.
 */
#include "protocol.h"

#include <utf8proc.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    for (size_t at = 0; at < count;) {
        utf8proc_int32_t point;
        utf8proc_ssize_t length = utf8proc_iterate(bytes + at, (utf8proc_ssize_t)(count - at), &point);
        if (length <= 0)
            return error_at(at);
        emit((uint32_t)point);
        at += (size_t)length;
    }
    return WELL_FORMED;
}

static size_t encode_one(uint32_t point, unsigned char *bytes)
{
    utf8proc_ssize_t length = utf8proc_encode_char((utf8proc_int32_t)point, bytes);
    return length > 0 ? (size_t)length : 0;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    return encode_each(points, count, encode_one);
}

int main(void)
{
    return speak("utf8proc", "encodings=utf-8 policies=strict ops=validate,decode,encode chunks=no",
                 &(struct adapter){begin, feed, NULL, encode});
}
