/* SPDX-License-Identifier: MIT
 *
 * CUPS as a subject: cupsUTF8ToUTF32 and cupsUTF32ToUTF8.
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

static enum verdict encode(const uint32_t *points, size_t count)
{
    cups_utf32_t *text = checked(malloc((count + 1) * sizeof *text));
    cups_utf8_t *bytes = checked(malloc(6 * count + 1));
    bool is_offered = count > 0;
    for (size_t i = 0; i < count; i++) {
        is_offered &= points[i] != 0;
        text[i] = points[i];
    }
    text[count] = 0;
    int length = is_offered ? cupsUTF32ToUTF8(bytes, text, (int)(6 * count + 1)) : 0;
    emit_bytes(bytes, length > 0 ? (size_t)length : 0);
    free(text);
    free(bytes);
    return !is_offered ? NOT_OFFERED : length >= 0 ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("cups", "encodings=utf-8 policies=strict ops=validate,decode,encode chunks=no",
                 &(struct adapter){begin, feed, NULL, encode});
}
