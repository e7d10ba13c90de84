// SPDX-License-Identifier: MIT
//
// TagLib as a subject: String(ByteVector, String::UTF8), and String::UTF16BE, UTF16LE; String::data.

#include "protocol.h"

#include <tstring.h>

static TagLib::String::Type type;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    type = is_word(encoding, "utf-16le")   ? TagLib::String::UTF16LE
           : is_word(encoding, "utf-16be") ? TagLib::String::UTF16BE
                                           : TagLib::String::UTF8;
    return is_word(policy, is_word(operation, "decode") ? "own" : "strict") &&
           (is_word(encoding, "utf-8") || type != TagLib::String::UTF8);
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    if (has_nul(bytes, count) && type == TagLib::String::UTF8)
        return NOT_OFFERED;
    TagLib::String text(TagLib::ByteVector(reinterpret_cast<const char *>(bytes), unsigned(count)), type);
    for (unsigned i = 0; i < text.size(); i++) {
        uint32_t unit = uint32_t(text[int(i)]), next = i + 1 < text.size() ? uint32_t(text[int(i) + 1]) : 0;
        bool is_pair = (unit & 0xFC00) == 0xD800 && (next & 0xFC00) == 0xDC00;
        emit(is_pair ? 0x10000 + ((unit & 0x3FF) << 10) + (next & 0x3FF) : unit);
        i += is_pair;
    }
    return WELL_FORMED;
}

static verdict encode_utf16(const uint16_t *units, size_t count)
{
    TagLib::ByteVector bytes = TagLib::String(std::wstring(units, units + count)).data(type);
    emit_bytes(bytes.data(), bytes.size());
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr, nullptr, encode_utf16};
    return speak("taglib", "encodings=utf-8 policies=own,strict ops=decode,encode-utf16 chunks=no", &adapter);
}
