// SPDX-License-Identifier: MIT
//
// Xerces-C++ as a subject: its transcoder for UTF-8 (or UTF-16), to the UTF-16 that it has inside.

#include "protocol.h"

#include <memory>
#include <vector>
#include <xercesc/util/PlatformUtils.hpp>
#include <xercesc/util/TransService.hpp>
#include <xercesc/util/XMLException.hpp>

static std::unique_ptr<xercesc::XMLTranscoder> transcoder;

static bool begin(const char *, const char *encoding, const char *policy)
{
    xercesc::XMLTransService::Codes status;
    if (!is_word(policy, "strict") ||
        (!is_word(encoding, "utf-8") && !is_word(encoding, "utf-16le") && !is_word(encoding, "utf-16be")))
        return false;
    const char *name = is_word(encoding, "utf-8") ? "UTF-8" : is_word(encoding, "utf-16le") ? "UTF-16LE" : "UTF-16BE";
    transcoder.reset(xercesc::XMLPlatformUtils::fgTransService->makeNewTranscoderFor(name, status, 4096));
    return transcoder != nullptr;
}

static verdict feed(const unsigned char *bytes, size_t count, bool)
{
    std::vector<XMLCh> out(count);
    std::vector<unsigned char> sizes(count);
    size_t written = 0;
    for (size_t at = 0; at < count;) {
        XMLSize_t eaten = 0;
        try {
            written += transcoder->transcodeFrom(bytes + at, count - at, out.data() + written, count - written, eaten,
                                                 sizes.data());
        } catch (const xercesc::XMLException &) {
            return ILL_FORMED;
        }
        if (eaten == 0) // what is left is no whole character
            return error_at(at);
        at += eaten;
    }
    const std::vector<uint16_t> units(out.begin(), out.begin() + written);
    emit_utf16(units.data(), units.size());
    return WELL_FORMED;
}

int main()
{
    xercesc::XMLPlatformUtils::Initialize();
    adapter adapter = {begin, feed, nullptr};
    return speak("xerces", "encodings=utf-8,utf-16le,utf-16be policies=strict ops=validate,decode chunks=no", &adapter);
}
