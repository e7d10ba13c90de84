// SPDX-License-Identifier: MIT
//
// C++ includes the header and links the object of the C file.
#include "utf8_assay.h"

#include <cstdint>
#include <cstdio>
#include <vector>

int main()
{
    const char text[] = "caf\xC3\xA9 \xFF";
    utf8_assay_result needed =
        utf8_assay_count(UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_16, UTF8_ASSAY_WHATWG, text, sizeof text - 1);
    std::vector<std::uint16_t> units(needed.written);
    utf8_assay_result result = utf8_assay_convert(UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_16, UTF8_ASSAY_WHATWG, text,
                                                  sizeof text - 1, units.data(), units.size());
    std::printf("%d %zu %04X %04X\n", result.status, result.written, static_cast<unsigned>(units[3]),
                static_cast<unsigned>(units[5]));
}
