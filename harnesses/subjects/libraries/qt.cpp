// SPDX-License-Identifier: MIT
//
// Qt as a subject: QString::fromUtf8.

#include "protocol.h"

#include <QString>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    QString text = QString::fromUtf8(reinterpret_cast<const char *>(bytes), int(count));
    emit_utf16(reinterpret_cast<const uint16_t *>(text.utf16()), size_t(text.size()));
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("qt", "encodings=utf-8 policies=own ops=decode chunks=no", &adapter);
}
