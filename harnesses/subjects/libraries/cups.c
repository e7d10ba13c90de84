/* SPDX-License-Identifier: MIT
 *
 * CUPS as a subject: cupsUTF8ToUTF32.
 */
#include "protocol.h"

#include <cups/cups.h>
#include <cups/language.h>
#include <cups/transcode.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    if (has_nul(bytes, count) || count == 0)
        return NOT_OFFERED;
    cups_utf32_t *points = checked(malloc((count + 1) * sizeof *points));
    int length = cupsUTF8ToUTF32(points, bytes, (int)count + 1);
    for (int i = 0; i < length; i++)
        emit((uint32_t)points[i]);
    free(points);
    return length >= 0 ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("cups", "encodings=utf-8 policies=strict ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
