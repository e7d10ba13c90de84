// SPDX-License-Identifier: MIT
//
// yaml-cpp as a subject: the input is a double-quoted scalar; in pieces a std::istream.

#include "piece_buffer.h"

#include <istream>
#include <string>
#include <yaml-cpp/yaml.h>

static bool begin(const char *, const char *encoding, const char *policy)
{
    forget_pieces();
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static YAML::Node loaded()
{
    if (pieces.count == 1)
        return YAML::Load(std::string(pieces.all[0].bytes, pieces.all[0].count));
    piece_buffer buffer;
    std::istream in(&buffer);
    return YAML::Load(in);
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] < 0x20 || bytes[i] == 0x7F || bytes[i] == ' ')
            return NOT_OFFERED;
    keep_piece(embed(pieces.count == 0 ? "\"" : "", bytes, count, "\"\\", 0, "\\x%02X", is_last ? "\"\n" : ""));
    if (!is_last)
        return WELL_FORMED;
    try {
        std::string string = loaded().as<std::string>();
        emit_utf8(string.data(), string.size());
        return WELL_FORMED;
    } catch (const YAML::Exception &) {
        return ILL_FORMED;
    }
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("yaml-cpp", "encodings=utf-8 policies=own ops=decode chunks=late", &adapter);
}
