/* SPDX-License-Identifier: MIT
 *
 * libbson as a subject: bson_utf8_validate, bson_utf8_get_char for what it takes, and bson_utf8_from_unichar.
 */
#include "protocol.h"

#include <bson/bson.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    if (!bson_utf8_validate((const char *)bytes, count, true))
        return ILL_FORMED;
    if (has_nul(bytes, count))
        return NOT_OFFERED;
    for (const char *at = (const char *)bytes, *end = at + count; at < end; at = bson_utf8_next_char(at))
        emit(bson_utf8_get_char(at));
    return WELL_FORMED;
}

static size_t encode_one(uint32_t point, unsigned char *bytes)
{
    uint32_t length = 0;
    bson_utf8_from_unichar(point, (char *)bytes, &length);
    return length;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    return encode_each(points, count, encode_one);
}

int main(void)
{
    return speak("libbson", "encodings=utf-8 policies=strict ops=validate,decode,encode chunks=no",
                 &(struct adapter){begin, feed, NULL, encode});
}
