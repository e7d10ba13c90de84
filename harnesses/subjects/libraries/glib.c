/* SPDX-License-Identifier: MIT
 *
 * GLib as a subject: g_utf8_validate_len, g_utf8_to_ucs4, g_utf8_make_valid, g_utf16_to_ucs4. A NUL ends a text for the
 * first two.
 */
#include "protocol.h"

#include <glib.h>

static bool is_validation, is_strict, is_utf16;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    is_validation = is_word(operation, "validate");
    is_strict = is_word(policy, "strict");
    is_utf16 = is_word(encoding, "utf-16le") && G_BYTE_ORDER == G_LITTLE_ENDIAN;
    return (is_word(encoding, "utf-8") && (is_strict || is_word(policy, "own"))) || (is_utf16 && is_strict);
}

static enum verdict give(gunichar *points, const glong *count)
{
    if (points == NULL)
        return ILL_FORMED;
    emit_utf32(points, (size_t)*count);
    g_free(points);
    return WELL_FORMED;
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    glong units = 0;
    const char *end;
    (void)is_last;
    if (is_utf16) {
        bool is_offered = count % 2 == 0 && count > 0;
        for (size_t i = 0; i + 1 < count; i += 2)
            is_offered &= bytes[i] != 0 || bytes[i + 1] != 0;
        return is_offered
                   ? give(g_utf16_to_ucs4((const gunichar2 *)(const void *)bytes, (glong)count / 2, NULL, &units, NULL),
                          &units)
                   : NOT_OFFERED;
    }
    if (has_nul(bytes, count))
        return NOT_OFFERED;
    if (is_validation)
        return g_utf8_validate_len((const char *)bytes, count, &end) ? WELL_FORMED
                                                                     : error_at((size_t)(end - (const char *)bytes));
    if (is_strict)
        return give(g_utf8_to_ucs4((const char *)bytes, (glong)count, NULL, &units, NULL), &units);
    char *valid = g_utf8_make_valid((const char *)bytes, (gssize)count);
    emit_utf8(valid, strlen(valid));
    g_free(valid);
    return WELL_FORMED;
}

int main(void)
{
    return speak("glib", "encodings=utf-8,utf-16le policies=strict,own ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
