// SPDX-License-Identifier: MIT
//
// JsonCpp as a subject: the input is a string of JSON.

#include "embed.h"

#include <memory>
#include <json/json.h>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    struct document text = embed_json(bytes, count, true, true);
    Json::Value array;
    Json::CharReaderBuilder builder;
    std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    bool is_read = reader->parse(text.bytes, text.bytes + text.count, &array, nullptr);
    free(text.bytes);
    if (!is_read)
        return ILL_FORMED;
    std::string string = array[0].asString();
    emit_utf8(string.data(), string.size());
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("jsoncpp", "encodings=utf-8 policies=own ops=decode chunks=no", &adapter);
}
