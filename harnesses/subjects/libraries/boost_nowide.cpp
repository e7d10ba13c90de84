// SPDX-License-Identifier: MIT
//
// Boost.Nowide as a subject: utf::convert_string to UTF-32, which replaces what is ill-formed.

#include "protocol.h"

#include <boost/nowide/utf/convert.hpp>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    const char *text = reinterpret_cast<const char *>(bytes);
    std::u32string points = boost::nowide::utf::convert_string<char32_t>(text, text + count);
    emit_utf32(reinterpret_cast<const uint32_t *>(points.data()), points.size());
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("boost-nowide", "encodings=utf-8 policies=own ops=decode chunks=no", &adapter);
}
