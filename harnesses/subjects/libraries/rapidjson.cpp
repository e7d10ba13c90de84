// SPDX-License-Identifier: MIT
//
// RapidJSON as a subject: the input is a string of JSON, with kParseValidateEncodingFlag.

#include "embed.h"

#include <rapidjson/document.h>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    struct document text = embed_json(bytes, count, true, true);
    rapidjson::Document array;
    array.Parse<rapidjson::kParseValidateEncodingFlag>(text.bytes, text.count);
    free(text.bytes);
    if (array.HasParseError())
        return ILL_FORMED;
    emit_utf8(array[0].GetString(), array[0].GetStringLength());
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("rapidjson", "encodings=utf-8 policies=strict ops=validate,decode chunks=no", &adapter);
}
