// SPDX-License-Identifier: MIT
//
// RapidJSON as a subject: the input is a string of JSON, with kParseValidateEncodingFlag; in pieces a std::istream. Its
// encodings UTF8 and UTF16, and Transcoder.

#include "piece_buffer.h"

#include <algorithm>
#include <istream>
#include <rapidjson/document.h>
#include <rapidjson/istreamwrapper.h>
#include <rapidjson/stringbuffer.h>
#include <vector>

static bool begin(const char *, const char *encoding, const char *policy)
{
    forget_pieces();
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    keep_piece(embed_json(bytes, count, pieces.count == 0, is_last));
    if (!is_last)
        return WELL_FORMED;
    rapidjson::Document array;
    if (pieces.count == 1) {
        array.Parse<rapidjson::kParseValidateEncodingFlag>(pieces.all[0].bytes, pieces.all[0].count);
    } else {
        piece_buffer buffer;
        std::istream in(&buffer);
        rapidjson::IStreamWrapper wrapper(in);
        array.ParseStream<rapidjson::kParseValidateEncodingFlag>(wrapper);
    }
    if (array.HasParseError())
        return ILL_FORMED;
    emit_utf8(array[0].GetString(), array[0].GetStringLength());
    return WELL_FORMED;
}

typedef rapidjson::UTF8<> utf8;
typedef rapidjson::UTF16<char16_t> utf16;

// The encoder of one code point asserts that there is such a one.
static verdict encode(const uint32_t *points, size_t count)
{
    if (std::any_of(points, points + count, [](uint32_t point) { return point > 0x10FFFF; }))
        return NOT_OFFERED;
    rapidjson::StringBuffer out;
    for (size_t i = 0; i < count; i++)
        utf8::Encode(out, points[i]);
    emit_bytes(out.GetString(), out.GetSize());
    return WELL_FORMED;
}

// The decoder reads as many units as a lead asks for, also after the end.
template <typename From, typename To> static verdict convert(std::vector<typename From::Ch> text)
{
    size_t count = text.size();
    text.resize(count + 4);
    rapidjson::GenericStringStream<From> in(text.data());
    rapidjson::GenericStringBuffer<To> out;
    while (in.Tell() < count)
        if (!rapidjson::Transcoder<From, To>::Validate(in, out))
            return ILL_FORMED;
    if (in.Tell() > count)
        return ILL_FORMED;
    emit_bytes(out.GetString(), out.GetSize());
    return WELL_FORMED;
}

static verdict encode_utf16(const uint16_t *units, size_t count)
{
    return convert<utf16, utf8>(std::vector<char16_t>(units, units + count));
}

static verdict to_well_formed(const unsigned char *bytes, size_t count)
{
    return convert<utf8, utf8>(std::vector<char>(bytes, bytes + count));
}

// UTF-16 is units of the platform's byte order.
static verdict transcode(const char *from, const char *to, const char *policy, const unsigned char *bytes, size_t count)
{
    bool is_strict = is_word(policy, "strict");
    if (is_strict && is_word(from, "utf-8") && is_word(to, "utf-16le"))
        return convert<utf8, utf16>(std::vector<char>(bytes, bytes + count));
    if (!is_strict || !is_word(from, "utf-16le") || !is_word(to, "utf-8") || count % 2 != 0)
        return NOT_OFFERED;
    std::vector<char16_t> units(count / 2);
    if (count > 0)
        memcpy(units.data(), bytes, count);
    return convert<utf16, utf8>(units);
}

int main()
{
    adapter adapter = {begin, feed, nullptr, encode, encode_utf16};
    adapter.transcode = transcode;
    adapter.to_well_formed = to_well_formed;
    return speak("rapidjson",
                 "encodings=utf-8,utf-16le policies=strict "
                 "ops=validate,decode,encode,encode-utf16,to-well-formed,transcode chunks=late",
                 &adapter);
}
