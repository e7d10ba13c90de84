// SPDX-License-Identifier: MIT
//
// std::codecvt<char32_t, char, mbstate_t> of the C++ library (libstdc++, libc++) as a subject: the standard's
// conversion between UTF-8 and UTF-32; and that of char16_t, between UTF-8 and UTF-16.

#include "codecvt.h"

// Made when it is first used, as a loadable codec is asked before static objects are made.
static piecewise<std::codecvt<char32_t, char, std::mbstate_t>> &converter()
{
    static piecewise<std::codecvt<char32_t, char, std::mbstate_t>> only;
    return only;
}

static piecewise<std::codecvt<char16_t, char, std::mbstate_t>> &narrow_converter()
{
    static piecewise<std::codecvt<char16_t, char, std::mbstate_t>> only;
    return only;
}

static bool begin(const char *, const char *encoding, const char *policy)
{
    converter().begin();
    narrow_converter().begin();
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

static verdict encode_utf16(const uint16_t *units, size_t count)
{
    return narrow_converter().encode(units, count);
}

static verdict decode_into(const char *units, size_t room, const unsigned char *bytes, size_t count)
{
    if (is_word(units, "utf-16"))
        return narrow_converter().decode_into(room, bytes, count);
    return is_word(units, "utf-32") ? converter().decode_into(room, bytes, count) : NOT_OFFERED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr, encode, encode_utf16, decode_into};
    return speak("std-codecvt",
                 "encodings=utf-8 policies=strict ops=validate,decode,stop,into,encode,encode-utf16 chunks=yes",
                 &adapter);
}
