// SPDX-License-Identifier: MIT
//
// yaml-cpp as a subject: the input is a double-quoted scalar.

#include "embed.h"

#include <string>
#include <yaml-cpp/yaml.h>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] < 0x20 || bytes[i] == 0x7F || bytes[i] == ' ')
            return NOT_OFFERED;
    document text = embed("\"", bytes, count, "\"\\", 0, "\\x%02X", "\"\n");
    try {
        std::string string = YAML::Load(std::string(text.bytes, text.count)).as<std::string>();
        free(text.bytes);
        emit_utf8(string.data(), string.size());
        return WELL_FORMED;
    } catch (const YAML::Exception &) {
        free(text.bytes);
        return ILL_FORMED;
    }
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("yaml-cpp", "encodings=utf-8 policies=own ops=decode chunks=no", &adapter);
}
