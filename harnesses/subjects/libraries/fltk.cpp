// SPDX-License-Identifier: MIT
//
// FLTK as a subject: fl_utf8decode, a call a character; what is ill-formed is taken as bytes of CP1252, as its document
// says. fl_utf8encode puts U+FFFD for what is beyond Unicode; fl_utf8back; fl_utf8test.

#include "protocol.h"

#include <FL/fl_utf8.h>

static bool is_validation;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    is_validation = is_word(operation, "validate");
    const char *offered = is_validation || is_word(operation, "boundaries") ? "strict"
                          : is_word(operation, "encode")                    ? "whatwg"
                                                                            : "own";
    return is_word(encoding, "utf-8") && is_word(policy, offered);
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    const char *at = reinterpret_cast<const char *>(bytes), *end = at + count;
    if (is_validation)
        return fl_utf8test(at, unsigned(count)) != 0 ? WELL_FORMED : ILL_FORMED;
    while (at < end) {
        int length;
        emit(fl_utf8decode(at, end, &length));
        at += length > 0 ? length : 1;
    }
    return WELL_FORMED;
}

static size_t encode_one(uint32_t point, unsigned char *bytes)
{
    return size_t(fl_utf8encode(point, reinterpret_cast<char *>(bytes)));
}

static verdict encode(const uint32_t *points, size_t count)
{
    return encode_each(points, count, encode_one);
}

static verdict boundaries(const unsigned char *bytes, size_t count)
{
    const char *text = reinterpret_cast<const char *>(bytes);
    for (size_t i = 0; i < count; i++)
        emit(uint32_t(fl_utf8back(text + i, text, text + count) - text));
    emit(uint32_t(count));
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr, encode, nullptr, nullptr, boundaries};
    return speak("fltk", "encodings=utf-8 policies=own,whatwg ops=validate,decode,encode,boundaries chunks=no",
                 &adapter);
}
