// SPDX-License-Identifier: MIT
//
// RE2 as a subject: a pattern must be UTF-8, "invalid UTF-8" is an error of its own.

#include "protocol.h"

#include <re2/re2.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    return is_word(operation, "validate") && is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == '\\' || bytes[i] == 'E')
            return NOT_OFFERED;
    RE2 pattern("\\Q" + std::string(bytes, bytes + count) + "\\E", RE2::Quiet);
    return pattern.error_code() == RE2::ErrorBadUTF8 ? ILL_FORMED : WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("re2", "encodings=utf-8 policies=strict ops=validate chunks=no", &adapter);
}
