// SPDX-License-Identifier: MIT
//
// Xapian as a subject: Utf8Iterator; what is ill-formed is taken as bytes of ISO-8859-1, as its document says.

#include "protocol.h"

#include <xapian.h>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    for (Xapian::Utf8Iterator at(reinterpret_cast<const char *>(bytes), count), end; at != end; ++at)
        emit(*at);
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("xapian", "encodings=utf-8 policies=own ops=decode chunks=no", &adapter);
}
