// SPDX-License-Identifier: MIT
//
// Xapian as a subject: Utf8Iterator; what is ill-formed is taken as bytes of ISO-8859-1, as its document says;
// Unicode::append_utf8.

#include "protocol.h"

#include <xapian.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, is_word(operation, "encode") ? "strict" : "own");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    for (Xapian::Utf8Iterator at(reinterpret_cast<const char *>(bytes), count), end; at != end; ++at)
        emit(*at);
    return WELL_FORMED;
}

static verdict encode(const uint32_t *points, size_t count)
{
    std::string text;
    for (size_t i = 0; i < count; i++)
        Xapian::Unicode::append_utf8(text, points[i]);
    emit_bytes(text.data(), text.size());
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr, encode};
    return speak("xapian", "encodings=utf-8 policies=own,strict ops=decode,encode chunks=no", &adapter);
}
