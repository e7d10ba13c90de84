// SPDX-License-Identifier: MIT
//
// Boost.Locale as a subject: conv::utf_to_utf to UTF-32, to UTF-8 and from UTF-16, with its methods stop (strict) and
// skip; in pieces, and into limited room, its facet utf8_codecvt.

#include "codecvt.h"

#include <boost/locale/encoding_utf.hpp>
#include <boost/locale/utf8_codecvt.hpp>

// Made when it is first used, as a loadable codec is asked before static objects are made.
static piecewise<boost::locale::utf8_codecvt<char32_t>> &converter()
{
    static piecewise<boost::locale::utf8_codecvt<char32_t>> only;
    return only;
}

static bool is_strict, may_be_whole; // and will be, if the first piece is the last

static bool begin(const char *, const char *encoding, const char *policy)
{
    converter().begin();
    is_strict = is_word(policy, "strict");
    may_be_whole = true;
    return is_word(encoding, "utf-8") && (is_strict || is_word(policy, "own"));
}

static verdict convert(const char *text, size_t count)
{
    namespace conv = boost::locale::conv;
    try {
        std::u32string points = conv::utf_to_utf<char32_t>(text, text + count, is_strict ? conv::stop : conv::skip);
        emit_utf32(reinterpret_cast<const uint32_t *>(points.data()), points.size());
        return WELL_FORMED;
    } catch (const conv::conversion_error &) {
        return ILL_FORMED;
    }
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    if (may_be_whole && is_last)
        return convert(reinterpret_cast<const char *>(bytes), count);
    may_be_whole = false;
    return is_strict ? converter().feed(bytes, count, is_last) : NOT_OFFERED;
}

static verdict encode(const uint32_t *points, size_t count)
{
    return is_strict ? converter().encode(points, count) : NOT_OFFERED;
}

static verdict encode_utf16(const uint16_t *units, size_t count)
{
    namespace conv = boost::locale::conv;
    const char16_t *text = reinterpret_cast<const char16_t *>(units);
    try {
        std::string bytes = conv::utf_to_utf<char>(text, text + count, conv::stop);
        emit_bytes(bytes.data(), bytes.size());
        return WELL_FORMED;
    } catch (const conv::conversion_error &) {
        return ILL_FORMED;
    }
}

static verdict to_well_formed(const unsigned char *bytes, size_t count)
{
    namespace conv = boost::locale::conv;
    const char *text = reinterpret_cast<const char *>(bytes);
    try {
        std::string out = conv::utf_to_utf<char>(text, text + count, is_strict ? conv::stop : conv::skip);
        emit_bytes(out.data(), out.size());
        return WELL_FORMED;
    } catch (const conv::conversion_error &) {
        return ILL_FORMED;
    }
}

static verdict decode_into(const char *units, size_t room, const unsigned char *bytes, size_t count)
{
    return is_strict && is_word(units, "utf-32") ? converter().decode_into(room, bytes, count) : NOT_OFFERED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr, encode, encode_utf16, decode_into};
    adapter.to_well_formed = to_well_formed;
    return speak("boost-locale",
                 "encodings=utf-8 policies=strict,own "
                 "ops=validate,decode,stop,into,encode,encode-utf16,to-well-formed chunks=late",
                 &adapter);
}
