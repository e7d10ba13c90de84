// SPDX-License-Identifier: MIT
//
// pugixml as a subject: as_wide and as_utf8.

#include "protocol.h"

#include <pugixml.hpp>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, is_word(operation, "encode") ? "strict" : "own");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    std::basic_string<wchar_t> text = pugi::as_wide(std::string(bytes, bytes + count));
    for (wchar_t point : text)
        emit(uint32_t(point));
    return WELL_FORMED;
}

static verdict encode(const uint32_t *points, size_t count)
{
    std::string text = pugi::as_utf8(std::basic_string<wchar_t>(points, points + count));
    emit_bytes(text.data(), text.size());
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr, encode};
    return speak("pugixml", "encodings=utf-8 policies=own,strict ops=decode,encode chunks=no", &adapter);
}
