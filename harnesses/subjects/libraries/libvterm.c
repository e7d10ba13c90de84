/* SPDX-License-Identifier: MIT
 *
 * libvterm as a subject: the text that a terminal in UTF-8 mode shows.
 */
#include "protocol.h"

#include <vterm.h>

static int put(VTermGlyphInfo *info, VTermPos at, void *user)
{
    (void)at;
    (void)user;
    for (size_t i = 0; info->chars[i] != 0; i++)
        emit(info->chars[i]);
    return 1;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    static const VTermStateCallbacks callbacks = {.putglyph = put};
    for (size_t i = 0; i < count; i++)
        if (bytes[i] < 0x20 || bytes[i] == 0x7F || (bytes[i] == 0xC2 && i + 1 < count && bytes[i + 1] < 0xA0))
            return NOT_OFFERED; /* controls are commands */
    VTerm *terminal = vterm_new(25, 20000);
    vterm_set_utf8(terminal, 1);
    VTermState *state = vterm_obtain_state(terminal);
    vterm_state_set_callbacks(state, &callbacks, NULL);
    vterm_state_reset(state, 1);
    vterm_input_write(terminal, (const char *)bytes, count);
    vterm_free(terminal);
    return WELL_FORMED;
}

int main(void)
{
    return speak("libvterm", "encodings=utf-8 policies=own ops=decode chunks=no", &(struct adapter){begin, feed, NULL});
}
