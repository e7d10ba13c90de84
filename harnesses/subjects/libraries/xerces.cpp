// SPDX-License-Identifier: MIT
//
// Xerces-C++ as a subject: its transcoder for UTF-8 (or UTF-16), to the UTF-16 that it has inside and back. What it
// does not eat of a piece comes again before the next one.

#include "protocol.h"

#include <memory>
#include <vector>
#include <xercesc/util/PlatformUtils.hpp>
#include <xercesc/util/TransService.hpp>
#include <xercesc/util/XMLException.hpp>

static std::unique_ptr<xercesc::XMLTranscoder> transcoder;
static std::vector<unsigned char> held;
static std::vector<uint16_t> lead; // a lead surrogate at the end of a piece, which the next may have the trail of
static size_t before;              // bytes of earlier chunks that it has eaten

static bool begin(const char *, const char *encoding, const char *policy)
{
    xercesc::XMLTransService::Codes status;
    held.clear();
    lead.clear();
    before = 0;
    if (!is_word(policy, "strict") ||
        (!is_word(encoding, "utf-8") && !is_word(encoding, "utf-16le") && !is_word(encoding, "utf-16be")))
        return false;
    const char *name = is_word(encoding, "utf-8") ? "UTF-8" : is_word(encoding, "utf-16le") ? "UTF-16LE" : "UTF-16BE";
    transcoder.reset(xercesc::XMLPlatformUtils::fgTransService->makeNewTranscoderFor(name, status, 4096));
    return transcoder != nullptr;
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    held.insert(held.end(), bytes, bytes + count);
    std::vector<XMLCh> out(held.size());
    std::vector<unsigned char> sizes(held.size());
    size_t written = 0, at = 0;
    XMLSize_t eaten = 1;
    for (; at < held.size() && eaten > 0; at += eaten) {
        try {
            written += transcoder->transcodeFrom(held.data() + at, held.size() - at, out.data() + written,
                                                 out.size() - written, eaten, sizes.data());
        } catch (const xercesc::XMLException &) {
            return ILL_FORMED;
        }
    }
    std::vector<uint16_t> units(std::move(lead));
    units.insert(units.end(), out.begin(), out.begin() + written);
    if (!is_last && !units.empty() && (units.back() & 0xFC00) == 0xD800)
        lead.assign(1, units.back());
    emit_utf16(units.data(), units.size() - lead.size());
    held.erase(held.begin(), held.begin() + at);
    before += at;
    return is_last && !held.empty() ? error_at(before) : WELL_FORMED; // what is left is no whole character
}

static verdict encode_utf16(const uint16_t *units, size_t count)
{
    std::vector<XMLByte> bytes(4 * count + 16);
    const XMLCh *text = reinterpret_cast<const XMLCh *>(units);
    size_t written = 0, at = 0;
    XMLSize_t eaten = 1;
    for (; at < count && eaten > 0; at += eaten) {
        try {
            written += transcoder->transcodeTo(text + at, count - at, bytes.data() + written, bytes.size() - written,
                                               eaten, xercesc::XMLTranscoder::UnRep_Throw);
        } catch (const xercesc::XMLException &) {
            return ILL_FORMED;
        }
    }
    emit_bytes(bytes.data(), written);
    return at == count ? WELL_FORMED : error_at(at);
}

static verdict decode_into(const char *units, size_t room, const unsigned char *bytes, size_t count)
{
    if (!is_word(units, "utf-16"))
        return NOT_OFFERED;
    std::vector<XMLCh> out(room + 1);
    std::vector<unsigned char> sizes(room + 1);
    XMLSize_t eaten = 0;
    try {
        XMLSize_t written = transcoder->transcodeFrom(bytes, count, out.data(), room, eaten, sizes.data());
        emit_units(reinterpret_cast<const uint16_t *>(out.data()), written);
        output.read_count = eaten;
        return eaten == count ? WELL_FORMED : NO_ROOM;
    } catch (const xercesc::XMLException &) {
        return NOT_OFFERED; // an exception says nothing of the text before the error
    }
}

int main()
{
    xercesc::XMLPlatformUtils::Initialize();
    adapter adapter = {begin, feed, nullptr, nullptr, encode_utf16, decode_into};
    return speak("xerces",
                 "encodings=utf-8,utf-16le,utf-16be policies=strict ops=validate,decode,into,encode-utf16 chunks=late",
                 &adapter);
}
