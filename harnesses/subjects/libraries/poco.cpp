// SPDX-License-Identifier: MIT
//
// POCO as a subject: TextConverter, which replaces, for the text, and the number of errors that it returns for the
// verdict, but UTF8Encoding::isLegal for that of UTF-8; in pieces InputStreamConverter, which replaces, too. convert of
// the encodings; from UTF-16 TextConverter.

#include "piece_buffer.h"

#include <Poco/StreamConverter.h>
#include <Poco/TextConverter.h>
#include <Poco/UTF16Encoding.h>
#include <Poco/UTF32Encoding.h>
#include <Poco/UTF8Encoding.h>
#include <algorithm>
#include <climits>
#include <istream>
#include <iterator>
#include <string>

static bool is_strict;
static Poco::TextEncoding *current; // the encoding that is asked

static Poco::TextEncoding *encoding_of(const char *name)
{
    static Poco::UTF8Encoding utf8;
    static Poco::UTF16Encoding utf16le(Poco::UTF16Encoding::LITTLE_ENDIAN_BYTE_ORDER);
    static Poco::UTF16Encoding utf16be(Poco::UTF16Encoding::BIG_ENDIAN_BYTE_ORDER);
    return is_word(name, "utf-8")      ? static_cast<Poco::TextEncoding *>(&utf8)
           : is_word(name, "utf-16le") ? &utf16le
           : is_word(name, "utf-16be") ? &utf16be
                                       : nullptr;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    is_strict = is_word(policy, "strict");
    current = encoding_of(encoding);
    forget_pieces();
    return current != nullptr && (is_strict ? !is_word(operation, "decode") : is_word(policy, "own"));
}

static verdict validate_utf8(const unsigned char *bytes, size_t count)
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

// Converts the text to UTF-32LE, and counts the errors of a text in one piece.
static std::string converted(int *errors)
{
    static Poco::UTF32Encoding utf32(Poco::UTF32Encoding::LITTLE_ENDIAN_BYTE_ORDER);
    std::string out;
    if (pieces.count == 1) {
        *errors =
            Poco::TextConverter(*current, utf32, 0xFFFD).convert(pieces.all[0].bytes, int(pieces.all[0].count), out);
        return out;
    }
    piece_buffer buffer;
    std::istream in(&buffer);
    Poco::InputStreamConverter converter(in, *current, utf32, 0xFFFD);
    return std::string(std::istreambuf_iterator<char>(converter), std::istreambuf_iterator<char>());
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    if (is_strict && current == encoding_of("utf-8"))
        return validate_utf8(bytes, count);
    keep_piece(embed("", bytes, count, "", 0, "", ""));
    if (!is_last)
        return WELL_FORMED;
    int errors = 0;
    std::string out = converted(&errors);
    for (size_t i = 0; i + 3 < out.size(); i += 4) {
        uint32_t point = 0;
        for (size_t j = 0; j < 4; j++)
            point |= uint32_t((unsigned char)out[i + j]) << (8 * j);
        emit(point);
    }
    return is_strict && errors > 0 ? ILL_FORMED : WELL_FORMED;
}

// To the encoding itself.
static verdict to_well_formed(const unsigned char *bytes, size_t count)
{
    std::string text;
    int errors = Poco::TextConverter(*current, *current, 0xFFFD).convert(bytes, int(count), text);
    emit_bytes(text.data(), text.size());
    return is_strict && errors > 0 ? ILL_FORMED : WELL_FORMED;
}

static size_t encode_one(uint32_t point, unsigned char *bytes)
{
    int length = current->convert(int(point), bytes, 16);
    return length > 0 ? size_t(length) : 0;
}

// A code point is an int.
static verdict encode(const uint32_t *points, size_t count)
{
    bool is_offered = std::all_of(points, points + count, [](uint32_t point) { return point <= INT_MAX; });
    return is_offered ? encode_each(points, count, encode_one) : NOT_OFFERED;
}

static verdict encode_utf16(const uint16_t *units, size_t count)
{
    std::string bytes;
    int errors = Poco::TextConverter(*encoding_of("utf-16le"), *current, 0xFFFD).convert(units, int(2 * count), bytes);
    emit_bytes(bytes.data(), bytes.size());
    return errors == 0 ? WELL_FORMED : ILL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr, encode, encode_utf16};
    adapter.to_well_formed = to_well_formed;
    return speak("poco",
                 "encodings=utf-8,utf-16le,utf-16be policies=strict,own "
                 "ops=validate,decode,encode,encode-utf16,to-well-formed chunks=late",
                 &adapter);
}
