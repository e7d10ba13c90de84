/* SPDX-License-Identifier: MIT
 *
 * libxml2's xmlCheckUTF8 and xmlGetUTF8Char as a subject.
 */
#include "protocol.h"

#include <libxml/xmlstring.h>

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

int main(void)
{
    return speak("libxml2-check", "encodings=utf-8 policies=strict ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
