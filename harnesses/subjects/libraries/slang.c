/* SPDX-License-Identifier: MIT
 *
 * S-Lang as a subject: SLutf8_decode and SLutf8_encode, a call a character.
 */
#include "protocol.h"

#include <slang.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    for (unsigned char *at = (unsigned char *)(uintptr_t)bytes, *end = at + count; at < end;) {
        SLwchar_Type point;
        unsigned char *next = SLutf8_decode(at, end, &point, NULL);
        if (next == NULL)
            return error_at((size_t)(at - bytes));
        emit(point);
        at = next;
    }
    return WELL_FORMED;
}

static size_t encode_one(uint32_t point, unsigned char *bytes)
{
    unsigned char *end = SLutf8_encode(point, bytes, 16);
    return end != NULL ? (size_t)(end - bytes) : 0;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    return encode_each(points, count, encode_one);
}

int main(void)
{
    return speak("slang", "encodings=utf-8 policies=strict ops=validate,decode,encode chunks=no",
                 &(struct adapter){begin, feed, NULL, encode});
}
