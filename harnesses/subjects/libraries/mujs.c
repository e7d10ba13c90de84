/* SPDX-License-Identifier: MIT
 *
 * MuJS as a subject: the input is the value of a string that C hands over; charCodeAt says what the engine reads,
 * fromCharCode what it writes.
 */
#include "protocol.h"

#include <limits.h>
#include <mujs.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, is_word(operation, "encode") ? "strict" : "own");
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

/* The engine takes a code point where ECMAScript takes a UTF-16 unit. */
static enum verdict encode(const uint32_t *points, size_t count)
{
    js_State *state = js_newstate(NULL, NULL, 0);
    bool is_offered = true;
    for (size_t i = 0; i < count && is_offered; i++) {
        is_offered = points[i] != 0 && points[i] <= INT_MAX; /* a Rune of the engine is an int */
        js_getglobal(state, "String");
        js_getproperty(state, -1, "fromCharCode");
        js_pushundefined(state);
        js_pushnumber(state, points[i]);
        if (js_pcall(state, 1) != 0)
            break;
        const char *text = js_tostring(state, -1);
        emit_bytes(text, strlen(text));
        js_pop(state, 2);
    }
    js_freestate(state);
    return is_offered ? WELL_FORMED : NOT_OFFERED;
}

int main(void)
{
    return speak("mujs", "encodings=utf-8 policies=own,strict ops=decode,encode chunks=no",
                 &(struct adapter){begin, feed, NULL, encode});
}
