// SPDX-License-Identifier: MIT
//
// {fmt} as a subject: detail::utf8_to_utf16, which fmt::print has for the Windows console; an error is an exception.

#include "protocol.h"

#define FMT_HEADER_ONLY
#include <fmt/format.h>

static bool begin(const char *, const char *encoding, const char *policy)
{
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    try {
        fmt::detail::utf8_to_utf16 text(fmt::string_view(reinterpret_cast<const char *>(bytes), count));
        std::wstring units = text.str();
        for (wchar_t unit : units)
            emit(uint32_t(unit));
        uint32_t *begins = output.points;
        size_t kept = 0;
        for (size_t i = 0; i < output.count; i++) {
            bool is_pair =
                (begins[i] & 0xFFFFFC00) == 0xD800 && i + 1 < output.count && (begins[i + 1] & 0xFFFFFC00) == 0xDC00;
            begins[kept++] = is_pair ? 0x10000 + ((begins[i] & 0x3FF) << 10) + (begins[i + 1] & 0x3FF) : begins[i];
            i += is_pair;
        }
        output.count = kept;
        return WELL_FORMED;
    } catch (const std::runtime_error &) {
        return ILL_FORMED;
    }
}

int main()
{
    adapter adapter = {begin, feed, nullptr};
    return speak("fmt", "encodings=utf-8 policies=strict ops=validate,decode chunks=no", &adapter);
}
