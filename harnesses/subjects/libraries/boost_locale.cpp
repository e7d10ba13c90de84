// SPDX-License-Identifier: MIT
//
// Boost.Locale as a subject: conv::utf_to_utf to UTF-32, with its methods stop (strict) and skip.

#include "protocol.h"

#include <boost/locale/encoding_utf.hpp>

static bool is_strict;

static bool begin(const char *, const char *encoding, const char *policy)
{
    is_strict = is_word(policy, "strict");
    return is_word(encoding, "utf-8") && (is_strict || is_word(policy, "own"));
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    namespace conv = boost::locale::conv;
    const char *text = reinterpret_cast<const char *>(bytes);
    try {
        std::u32string points = conv::utf_to_utf<char32_t>(text, text + count, is_strict ? conv::stop : conv::skip);
        emit_utf32(reinterpret_cast<const uint32_t *>(points.data()), points.size());
        return WELL_FORMED;
    } catch (const conv::conversion_error &) {
        return ILL_FORMED;
    }
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("boost-locale", "encodings=utf-8 policies=strict,own ops=validate,decode chunks=no", &adapter);
}
