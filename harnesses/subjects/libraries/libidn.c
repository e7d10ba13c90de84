/* SPDX-License-Identifier: MIT
 *
 * GNU libidn as a subject: stringprep_utf8_to_ucs4.
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

int main(void)
{
    return speak("libidn", "encodings=utf-8 policies=strict ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
