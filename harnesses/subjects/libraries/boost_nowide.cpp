// SPDX-License-Identifier: MIT
//
// Boost.Nowide as a subject: utf::convert_string to UTF-32, which replaces what is ill-formed; in pieces its facet
// utf8_codecvt, which does so, too, and leaves what is incomplete at the end. convert_string, from UTF-32 and UTF-16,
// puts one U+FFFD for what is illegal.

#include "codecvt.h"

#include <boost/nowide/utf/convert.hpp>
#include <boost/nowide/utf8_codecvt.hpp>

// Made when it is first used, as a loadable codec is asked before static objects are made.
static piecewise<boost::nowide::utf8_codecvt<wchar_t>> &converter()
{
    static piecewise<boost::nowide::utf8_codecvt<wchar_t>> only;
    return only;
}

static bool may_be_whole; // and will be, if the first piece is the last

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    converter().begin();
    may_be_whole = true;
    return is_word(encoding, "utf-8") && is_word(policy, is_word(operation, "decode") ? "own" : "whatwg");
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    if (may_be_whole && is_last) {
        const char *text = reinterpret_cast<const char *>(bytes);
        std::u32string points = boost::nowide::utf::convert_string<char32_t>(text, text + count);
        emit_utf32(reinterpret_cast<const uint32_t *>(points.data()), points.size());
    } else {
        converter().feed(bytes, count, is_last);
    }
    may_be_whole = false;
    return WELL_FORMED;
}

template <typename Unit> static verdict encode_text(const Unit *text, size_t count)
{
    std::string bytes = boost::nowide::utf::convert_string<char>(text, text + count);
    emit_bytes(bytes.data(), bytes.size());
    return WELL_FORMED;
}

static verdict encode(const uint32_t *points, size_t count)
{
    return encode_text(reinterpret_cast<const char32_t *>(points), count);
}

static verdict encode_utf16(const uint16_t *units, size_t count)
{
    return encode_text(reinterpret_cast<const char16_t *>(units), count);
}

int main()
{
    adapter adapter = {begin, feed, nullptr, encode, encode_utf16};
    return speak("boost-nowide", "encodings=utf-8 policies=own,whatwg ops=decode,encode,encode-utf16 chunks=late",
                 &adapter);
}
