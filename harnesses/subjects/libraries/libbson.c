/* SPDX-License-Identifier: MIT
 *
 * libbson as a subject: bson_utf8_validate, and bson_utf8_get_char for what it takes.
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

int main(void)
{
    return speak("libbson", "encodings=utf-8 policies=strict ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
