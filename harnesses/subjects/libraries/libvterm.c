/* SPDX-License-Identifier: MIT
 *
 * libvterm as a subject: the text that a terminal in UTF-8 mode shows, as it is written, in pieces; the bytes of
 * a key.
 */
#include "protocol.h"

#include <vterm.h>

static VTerm *terminal;
static unsigned char before; /* the last byte of the chunk before */
static VTermPos last;        /* the place of the last glyph, its first character and how many it has */
static uint32_t last_first;
static size_t last_count;

/* A glyph to which a character is added is put again, at the same place. */
static int put(VTermGlyphInfo *info, VTermPos at, void *user)
{
    (void)user;
    size_t count = 0;
    while (info->chars[count] != 0)
        count++;
    bool is_again = at.row == last.row && at.col == last.col && count > last_count && info->chars[0] == last_first;
    for (size_t i = is_again ? last_count : 0; i < count; i++)
        emit(info->chars[i]);
    last = at;
    last_first = info->chars[0];
    last_count = count;
    return 1;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    static const VTermStateCallbacks callbacks = {.putglyph = put};
    if (terminal != NULL)
        vterm_free(terminal);
    terminal = vterm_new(25, 20000);
    vterm_set_utf8(terminal, 1);
    VTermState *state = vterm_obtain_state(terminal);
    vterm_state_set_callbacks(state, &callbacks, NULL);
    vterm_state_reset(state, 1);
    before = 0;
    last = (VTermPos){-1, -1};
    return is_word(encoding, "utf-8") && is_word(policy, is_word(operation, "encode") ? "strict" : "own");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    for (size_t i = 0; i < count; before = bytes[i++])
        if (bytes[i] < 0x20 || bytes[i] == 0x7F || (before == 0xC2 && bytes[i] < 0xA0))
            return NOT_OFFERED; /* controls are commands */
    vterm_input_write(terminal, (const char *)bytes, count);
    return WELL_FORMED;
}

/* What the terminal sends for a key. */
static enum verdict encode(const uint32_t *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char bytes[64];
        if (points[i] > INT32_MAX)
            return NOT_OFFERED; /* six bytes do not hold it */
        vterm_keyboard_unichar(terminal, points[i], VTERM_MOD_NONE);
        emit_bytes(bytes, vterm_output_read(terminal, bytes, sizeof bytes));
    }
    return WELL_FORMED;
}

int main(void)
{
    return speak("libvterm", "encodings=utf-8 policies=own,strict ops=decode,encode chunks=late",
                 &(struct adapter){begin, feed, NULL, encode});
}
