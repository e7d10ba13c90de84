// SPDX-License-Identifier: MIT
//
// toml++ as a subject: the input is a whole string of TOML, as a std::istream must seek for it. TOML 1.0: "A TOML file
// must be a valid UTF-8 encoded Unicode document".

#include "embed.h"

#include <toml++/toml.h>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == 0x7F)
            return NOT_OFFERED;
    document text = embed("a = \"", bytes, count, "\"\\", 0x20, "\\u%04X", "\"\n");
    try {
        std::string string = toml::parse(std::string_view(text.bytes, text.count))["a"].value_or(std::string());
        free(text.bytes);
        emit_utf8(string.data(), string.size());
        return WELL_FORMED;
    } catch (const toml::parse_error &) {
        free(text.bytes);
        return ILL_FORMED;
    }
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("tomlplusplus", "encodings=utf-8 policies=strict ops=validate,decode chunks=no", &adapter);
}
