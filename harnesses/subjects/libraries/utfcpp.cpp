// SPDX-License-Identifier: MIT
//
// UTF8-CPP as a subject: find_invalid, replace_invalid, append, utf16to8, unchecked::prior.

#include "protocol.h"

#include <iterator>
#include <string>
#include <utf8.h>
#include <utf8/unchecked.h>
#include <vector>

static bool is_strict;

static bool begin(const char *, const char *encoding, const char *policy)
{
    is_strict = is_word(policy, "strict");
    return is_word(encoding, "utf-8") && (is_strict || is_word(policy, "own"));
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    std::string text(bytes, bytes + count);
    auto bad = utf8::find_invalid(text.begin(), text.end());
    if (is_strict && bad != text.end())
        return error_at(size_t(bad - text.begin()));
    std::string valid = is_strict ? text : std::string();
    if (!is_strict) {
        try {
            utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(valid), 0xFFFD);
        } catch (const utf8::exception &) { // a text that ends within a character
            return ILL_FORMED;
        }
    }
    emit_utf8(valid.data(), valid.size());
    return WELL_FORMED;
}

static verdict encode(const uint32_t *points, size_t count)
{
    std::string text;
    for (size_t i = 0; i < count; i++) {
        try {
            utf8::append(points[i], std::back_inserter(text));
        } catch (const utf8::invalid_code_point &) {
            return error_at(i);
        }
    }
    emit_bytes(text.data(), text.size());
    return WELL_FORMED;
}

static verdict encode_utf16(const uint16_t *units, size_t count)
{
    std::string text;
    try {
        utf8::utf16to8(units, units + count, std::back_inserter(text));
    } catch (const utf8::invalid_utf16 &) {
        return ILL_FORMED;
    }
    emit_bytes(text.data(), text.size());
    return WELL_FORMED;
}

// What is unchecked must be well-formed.
static verdict boundaries(const unsigned char *bytes, size_t count)
{
    if (!utf8::is_valid(bytes, bytes + count))
        return NOT_OFFERED;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *at = bytes + i + 1;
        utf8::unchecked::prior(at);
        emit(uint32_t(at - bytes));
    }
    emit(uint32_t(count));
    return WELL_FORMED;
}

static verdict to_well_formed(const unsigned char *bytes, size_t count)
{
    std::string text;
    if (is_strict)
        return NOT_OFFERED;
    try {
        utf8::replace_invalid(bytes, bytes + count, std::back_inserter(text), 0xFFFD);
    } catch (const utf8::exception &) { // a text that ends within a character
        return ILL_FORMED;
    }
    emit_bytes(text.data(), text.size());
    return WELL_FORMED;
}

int main()
{
    adapter adapter = {begin, feed, nullptr, encode, encode_utf16};
    adapter.boundaries = boundaries;
    adapter.to_well_formed = to_well_formed;
    return speak(
        "utfcpp",
        "encodings=utf-8 policies=strict,own ops=validate,decode,encode,encode-utf16,boundaries,to-well-formed chunks=no",
        &adapter);
}
