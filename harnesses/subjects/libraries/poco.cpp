// SPDX-License-Identifier: MIT
//
// POCO as a subject: UTF8Encoding::isLegal for the verdict, TextConverter, which replaces, for the text; in pieces
// InputStreamConverter, which does so, too.

#include "piece_buffer.h"

#include <Poco/StreamConverter.h>
#include <Poco/TextConverter.h>
#include <Poco/UTF32Encoding.h>
#include <Poco/UTF8Encoding.h>
#include <istream>
#include <iterator>
#include <string>

static bool is_strict;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    is_strict = is_word(policy, "strict");
    forget_pieces();
    return is_word(encoding, "utf-8") && (is_strict ? is_word(operation, "validate") : is_word(policy, "own"));
}

static verdict validate(const unsigned char *bytes, size_t count)
{
    static Poco::UTF8Encoding utf8;
    for (size_t at = 0; at < count;) {
        int length = utf8.sequenceLength(bytes + at, 1);
        if (length <= 0 || size_t(length) > count - at || !Poco::UTF8Encoding::isLegal(bytes + at, length))
            return error_at(at);
        at += size_t(length);
    }
    return WELL_FORMED;
}

static std::string converted()
{
    static Poco::UTF8Encoding utf8;
    static Poco::UTF32Encoding utf32(Poco::UTF32Encoding::LITTLE_ENDIAN_BYTE_ORDER);
    std::string out;
    if (pieces.count == 1) {
        Poco::TextConverter(utf8, utf32, 0xFFFD).convert(pieces.all[0].bytes, int(pieces.all[0].count), out);
        return out;
    }
    piece_buffer buffer;
    std::istream in(&buffer);
    Poco::InputStreamConverter converter(in, utf8, utf32, 0xFFFD);
    return std::string(std::istreambuf_iterator<char>(converter), std::istreambuf_iterator<char>());
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    if (is_strict)
        return validate(bytes, count);
    keep_piece(embed("", bytes, count, "", 0, "", ""));
    if (!is_last)
        return WELL_FORMED;
    std::string out = converted();
    for (size_t i = 0; i + 3 < out.size(); i += 4) {
        uint32_t point = 0;
        for (size_t j = 0; j < 4; j++)
            point |= uint32_t((unsigned char)out[i + j]) << (8 * j);
        emit(point);
    }
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("poco", "encodings=utf-8 policies=strict,own ops=validate,decode chunks=late", &adapter);
}
