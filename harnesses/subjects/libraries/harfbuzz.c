/* SPDX-License-Identifier: MIT
 *
 * HarfBuzz as a subject: hb_buffer_add_utf8, which puts its replacement code point where text is ill-formed.
 */
#include "protocol.h"

#include <hb.h>

static bool is_utf16;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return begin_own(encoding, policy, &is_utf16);
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    if (is_utf16 && count % 2 != 0)
        return NOT_OFFERED;
    hb_buffer_t *buffer = hb_buffer_create();
    if (is_utf16)
        hb_buffer_add_utf16(buffer, (const uint16_t *)(const void *)bytes, (int)count / 2, 0, -1);
    else
        hb_buffer_add_utf8(buffer, (const char *)bytes, (int)count, 0, -1);
    unsigned length;
    const hb_glyph_info_t *points = hb_buffer_get_glyph_infos(buffer, &length);
    for (unsigned i = 0; i < length; i++)
        emit(points[i].codepoint);
    hb_buffer_destroy(buffer);
    return WELL_FORMED;
}

int main(void)
{
    return speak("harfbuzz", "encodings=utf-8,utf-16le policies=own ops=decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
