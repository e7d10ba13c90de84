/* SPDX-License-Identifier: MIT
 *
 * GLib as a subject: g_utf8_validate_len, g_utf8_to_ucs4, g_utf8_make_valid, g_utf16_to_ucs4; in pieces a GIOChannel,
 * which reads from a pipe. A NUL ends a text for the first two. g_ucs4_to_utf8, g_utf16_to_utf8,
 * g_utf8_find_prev_char.
 */
#include "protocol.h"

#include <glib.h>

static bool is_validation, is_strict, is_utf16;
static GIOChannel *channel;
static int writer;

static void close_channel(void)
{
    if (channel == NULL)
        return;
    g_io_channel_unref(channel);
    channel = NULL;
    if (writer >= 0)
        close(writer);
}

static void open_channel(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        exit(2);
    channel = g_io_channel_unix_new(ends[0]);
    g_io_channel_set_close_on_unref(channel, TRUE);
    g_io_channel_set_flags(channel, G_IO_FLAG_NONBLOCK, NULL);
    writer = ends[1];
}

static enum verdict feed_channel(const unsigned char *bytes, size_t count, bool is_last)
{
    char text[4096];
    gsize read_count;
    GIOStatus status;
    if (channel == NULL)
        open_channel();
    if (write(writer, bytes, count) != (ssize_t)count)
        exit(2);
    if (is_last) {
        close(writer);
        writer = -1;
    }
    do {
        status = g_io_channel_read_chars(channel, text, sizeof text, &read_count, NULL);
        emit_utf8(text, read_count);
    } while (status == G_IO_STATUS_NORMAL);
    return status == G_IO_STATUS_ERROR ? ILL_FORMED : WELL_FORMED;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    close_channel();
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
    if (channel != NULL || !is_last)
        return is_strict && !is_utf16 ? feed_channel(bytes, count, is_last) : NOT_OFFERED;
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

static enum verdict encode(const uint32_t *points, size_t count)
{
    glong read_count, byte_count;
    for (size_t i = 0; i < count; i++)
        if (points[i] == 0)
            return NOT_OFFERED;
    char *bytes = is_utf16 ? NULL : g_ucs4_to_utf8(points, (glong)count, &read_count, &byte_count, NULL);
    if (bytes == NULL)
        return is_utf16 ? NOT_OFFERED : error_at((size_t)read_count);
    emit_bytes(bytes, (size_t)byte_count);
    g_free(bytes);
    return WELL_FORMED;
}

static enum verdict encode_utf16(const uint16_t *units, size_t count)
{
    glong read_count, byte_count;
    for (size_t i = 0; i < count; i++)
        if (units[i] == 0)
            return NOT_OFFERED;
    if (is_utf16)
        return NOT_OFFERED;
    char *bytes = g_utf16_to_utf8(units, (glong)count, &read_count, &byte_count, NULL);
    if (bytes != NULL)
        emit_bytes(bytes, (size_t)byte_count);
    g_free(bytes);
    return bytes != NULL && (size_t)read_count == count ? WELL_FORMED : error_at((size_t)read_count);
}

/* Of valid text. */
static enum verdict boundaries(const unsigned char *bytes, size_t count)
{
    const char *text = (const char *)bytes;
    if (is_utf16 || !g_utf8_validate_len(text, count, NULL))
        return NOT_OFFERED;
    for (size_t i = 0; i < count; i++)
        emit((uint32_t)(g_utf8_find_prev_char(text, text + i + 1) - text));
    emit((uint32_t)count);
    return WELL_FORMED;
}

static enum verdict to_well_formed(const unsigned char *bytes, size_t count)
{
    if (is_utf16 || is_strict || has_nul(bytes, count))
        return NOT_OFFERED;
    char *valid = g_utf8_make_valid((const char *)bytes, (gssize)count);
    emit_bytes(valid, strlen(valid));
    g_free(valid);
    return WELL_FORMED;
}

int main(void)
{
    return speak(
        "glib",
        "encodings=utf-8,utf-16le policies=strict,own "
        "ops=validate,decode,stop,encode,encode-utf16,boundaries,to-well-formed chunks=late",
        &(struct adapter){begin, feed, NULL, encode, encode_utf16, NULL, boundaries, .to_well_formed = to_well_formed});
}
