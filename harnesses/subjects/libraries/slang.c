/* SPDX-License-Identifier: MIT
 *
 * S-Lang as a subject: SLutf8_decode, a call a character.
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

int main(void)
{
    return speak("slang", "encodings=utf-8 policies=strict ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
