/* SPDX-License-Identifier: MIT
 *
 * GNU libidn as a subject: stringprep_utf8_to_ucs4 and stringprep_ucs4_to_utf8.
 */
#include "protocol.h"

#include <stringprep.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    if (has_nul(bytes, count))
        return NOT_OFFERED;
    size_t length = 0;
    uint32_t *points = stringprep_utf8_to_ucs4((const char *)bytes, (ssize_t)count, &length);
    if (points == NULL)
        return ILL_FORMED;
    emit_utf32(points, length);
    free(points);
    return WELL_FORMED;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    size_t read_count = 0, byte_count = 0;
    for (size_t i = 0; i < count; i++)
        if (points[i] == 0)
            return NOT_OFFERED;
    char *bytes = stringprep_ucs4_to_utf8(points, (ssize_t)count, &read_count, &byte_count);
    if (bytes == NULL)
        return ILL_FORMED;
    emit_bytes(bytes, byte_count);
    free(bytes);
    return WELL_FORMED;
}

int main(void)
{
    return speak("libidn", "encodings=utf-8 policies=strict ops=validate,decode,encode chunks=no",
                 &(struct adapter){begin, feed, NULL, encode});
}
