// SPDX-License-Identifier: MIT
//
// pugixml as a subject: as_wide.

#include "protocol.h"

#include <pugixml.hpp>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    std::basic_string<wchar_t> text = pugi::as_wide(std::string(bytes, bytes + count));
    for (wchar_t point : text)
        emit(uint32_t(point));
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("pugixml", "encodings=utf-8 policies=own ops=decode chunks=no", &adapter);
}
