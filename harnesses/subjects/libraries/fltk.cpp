// SPDX-License-Identifier: MIT
//
// FLTK as a subject: fl_utf8decode, a call a character; what is ill-formed is taken as bytes of CP1252, as its document
// says.

#include "protocol.h"

#include <FL/fl_utf8.h>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    const char *at = reinterpret_cast<const char *>(bytes), *end = at + count;
    while (at < end) {
        int length;
        emit(fl_utf8decode(at, end, &length));
        at += length > 0 ? length : 1;
    }
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("fltk", "encodings=utf-8 policies=own ops=decode chunks=no", &adapter);
}
