/* SPDX-License-Identifier: MIT
 *
 * MuJS as a subject: the input is the value of a string that C hands over; charCodeAt says what the engine reads.
 */
#include "protocol.h"

#include <mujs.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    static js_State *state;
    if (has_nul(bytes, count))
        return NOT_OFFERED;
    if (state == NULL)
        state = js_newstate(NULL, NULL, 0);
    js_pushstring(state, (const char *)bytes);
    js_setglobal(state, "text");
    if (js_dostring(state, "codes = []; for (var i = 0; i < text.length; i++) codes.push(text.charCodeAt(i));"))
        return ILL_FORMED;
    js_getglobal(state, "codes");
    for (int i = 0, length = js_getlength(state, -1); i < length; i++) {
        js_getindex(state, -1, i);
        emit((uint32_t)js_tonumber(state, -1));
        js_pop(state, 1);
    }
    js_pop(state, 1);
    return WELL_FORMED;
}

int main(void)
{
    return speak("mujs", "encodings=utf-8 policies=own ops=decode chunks=no", &(struct adapter){begin, feed, NULL});
}
