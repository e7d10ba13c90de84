// SPDX-License-Identifier: MIT
//
// nlohmann/json as a subject: the input is a string of JSON, in pieces a std::istream; under `own`, it is a whole
// string that dump() writes with error_handler_t::replace.

#include "piece_buffer.h"

#include <istream>
#include <nlohmann/json.hpp>

static bool is_strict;

static bool begin(const char *, const char *encoding, const char *policy)
{
    is_strict = is_word(policy, "strict");
    forget_pieces();
    return is_word(encoding, "utf-8") && (is_strict || is_word(policy, "own"));
}

static nlohmann::json parsed()
{
    if (pieces.count == 1)
        return nlohmann::json::parse(pieces.all[0].bytes, pieces.all[0].bytes + pieces.all[0].count, nullptr, false);
    piece_buffer buffer;
    std::istream in(&buffer);
    return nlohmann::json::parse(in, nullptr, false);
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    if (!is_strict && (!is_last || pieces.count > 0))
        return NOT_OFFERED;
    if (!is_strict) {
        std::string written = nlohmann::json(std::string(bytes, bytes + count))
                                  .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        std::string text = nlohmann::json::parse(written).get<std::string>();
        emit_utf8(text.data(), text.size());
        return WELL_FORMED;
    }
    keep_piece(embed_json(bytes, count, pieces.count == 0, is_last));
    if (!is_last)
        return WELL_FORMED;
    nlohmann::json array = parsed();
    if (array.is_discarded())
        return ILL_FORMED;
    const std::string &string = array[0].get_ref<const std::string &>();
    emit_utf8(string.data(), string.size());
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("nlohmann", "encodings=utf-8 policies=strict,own ops=validate,decode chunks=late", &adapter);
}
