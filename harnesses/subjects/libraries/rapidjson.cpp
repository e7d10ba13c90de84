// SPDX-License-Identifier: MIT
//
// RapidJSON as a subject: the input is a string of JSON, with kParseValidateEncodingFlag; in pieces a std::istream.

#include "piece_buffer.h"

#include <istream>
#include <rapidjson/document.h>
#include <rapidjson/istreamwrapper.h>

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

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("rapidjson", "encodings=utf-8 policies=strict ops=validate,decode chunks=late", &adapter);
}
