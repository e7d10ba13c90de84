// SPDX-License-Identifier: MIT
//
// simdjson as a subject: validate_utf8, and a string of JSON.

#include "embed.h"

#include <simdjson.h>

static bool is_validation;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    is_validation = is_word(operation, "validate");
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    static simdjson::dom::parser parser;
    if (is_validation)
        return simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), count) ? WELL_FORMED : ILL_FORMED;
    document text = embed_json(bytes, count, true, true);
    std::string_view string;
    auto error = parser.parse(text.bytes, text.count).at(0).get(string);
    free(text.bytes);
    emit_utf8(string.data(), error ? 0 : string.size());
    return error ? ILL_FORMED : WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("simdjson", "encodings=utf-8 policies=strict ops=validate,decode chunks=no", &adapter);
}
