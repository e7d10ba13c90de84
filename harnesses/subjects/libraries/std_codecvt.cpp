// SPDX-License-Identifier: MIT
//
// std::codecvt<char32_t, char, mbstate_t> of the C++ library (libstdc++, libc++) as a subject: the standard's
// conversion between UTF-8 and UTF-32.

#include "protocol.h"

#include <cwchar>
#include <locale>

struct facet : std::codecvt<char32_t, char, std::mbstate_t> {
    ~facet() override = default;
};

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    static facet converter;
    std::mbstate_t state{};
    const char *from = reinterpret_cast<const char *>(bytes), *next;
    std::u32string points(count + 1, U'\0');
    char32_t *to;
    auto result = converter.in(state, from, from + count, next, points.data(), points.data() + points.size(), to);
    emit_utf32(reinterpret_cast<const uint32_t *>(points.data()), size_t(to - points.data()));
    return result == std::codecvt_base::ok || count == 0 ? WELL_FORMED : error_at(size_t(next - from));
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("std-codecvt", "encodings=utf-8 policies=strict ops=validate,decode chunks=no", &adapter);
}
