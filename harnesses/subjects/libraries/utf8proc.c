/* SPDX-License-Identifier: MIT
 *
 * utf8proc as a process: utf8proc_iterate, one call for each character.
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

int main(void)
{
    return speak("utf8proc", "encodings=utf-8 policies=strict ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
