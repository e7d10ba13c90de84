// SPDX-License-Identifier: MIT
//
// std::codecvt<char32_t, char, mbstate_t> of the C++ library (libstdc++, libc++) as a subject: the standard's
// conversion between UTF-8 and UTF-32.

#include "codecvt.h"

// Made when it is first used, as a loadable codec is asked before static objects are made.
static piecewise<std::codecvt<char32_t, char, std::mbstate_t>> &converter()
{
    static piecewise<std::codecvt<char32_t, char, std::mbstate_t>> only;
    return only;
}

static bool begin(const char *, const char *encoding, const char *policy)
{
    converter().begin();
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    return converter().feed(bytes, count, is_last);
}

static verdict encode(const uint32_t *points, size_t count)
{
    return converter().encode(points, count);
}

int main()
{
    adapter adapter = {begin, feed, nullptr, encode};
    return speak("std-codecvt", "encodings=utf-8 policies=strict ops=validate,decode,encode chunks=yes", &adapter);
}
