// SPDX-License-Identifier: MIT
//
// std::codecvt<char32_t, char, mbstate_t> of the C++ library (libstdc++, libc++) as a subject: the standard's
// conversion between UTF-8 and UTF-32.

#include "protocol.h"

#include <cwchar>
#include <locale>
#include <string>

struct facet : std::codecvt<char32_t, char, std::mbstate_t> {
    ~facet() override = default;
};

static std::mbstate_t state;
static std::string held; // bytes that `in` left, and wants again with more
static size_t before;    // bytes of earlier chunks that it has read

static bool begin(const char *, const char *encoding, const char *policy)
{
    state = {};
    held.clear();
    before = 0;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    static facet converter;
    held.append(reinterpret_cast<const char *>(bytes), count);
    const char *from = held.data(), *next;
    std::u32string points(held.size() + 1, U'\0');
    char32_t *to;
    auto result = converter.in(state, from, from + held.size(), next, points.data(), points.data() + points.size(), to);
    emit_utf32(reinterpret_cast<const uint32_t *>(points.data()), size_t(to - points.data()));
    before += size_t(next - from);
    held.erase(0, size_t(next - from));
    return held.empty() || (result == std::codecvt_base::partial && !is_last) ? WELL_FORMED : error_at(before);
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("std-codecvt", "encodings=utf-8 policies=strict ops=validate,decode chunks=yes", &adapter);
}
