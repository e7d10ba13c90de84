// SPDX-License-Identifier: MIT
//
// websocketpp as a subject: utf8_validator, which validates text messages (RFC 6455, 8.1).

#include "protocol.h"

#include <websocketpp/utf8_validator.hpp>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    return websocketpp::utf8_validator::validate(std::string(bytes, bytes + count)) ? WELL_FORMED : ILL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("websocketpp", "encodings=utf-8 policies=strict ops=validate chunks=no", &adapter);
}
