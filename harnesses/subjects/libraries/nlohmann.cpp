// SPDX-License-Identifier: MIT
//
// nlohmann/json as a subject: the input is a string of JSON; under `own`, it is a string that dump() writes with
// error_handler_t::replace.

#include "embed.h"

#include <nlohmann/json.hpp>

static bool is_strict;

static bool begin(const char *, const char *encoding, const char *policy)
{
    is_strict = is_word(policy, "strict");
    return is_word(encoding, "utf-8") && (is_strict || is_word(policy, "own"));
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    if (!is_strict) {
        std::string written = nlohmann::json(std::string(bytes, bytes + count))
                                  .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        std::string text = nlohmann::json::parse(written).get<std::string>();
        emit_utf8(text.data(), text.size());
        return WELL_FORMED;
    }
    document text = embed_json(bytes, count, true, true);
    nlohmann::json array = nlohmann::json::parse(text.bytes, text.bytes + text.count, nullptr, false);
    free(text.bytes);
    if (array.is_discarded())
        return ILL_FORMED;
    const std::string &string = array[0].get_ref<const std::string &>();
    emit_utf8(string.data(), string.size());
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("nlohmann", "encodings=utf-8 policies=strict,own ops=validate,decode chunks=no", &adapter);
}
