/* SPDX-License-Identifier: MIT
 *
 * embed.h - the input as a string of JSON or as text of XML, for decoders that are parsers. What the grammar gives a
 * meaning of its own is escaped; what it excludes for reasons that are none of an encoding is not asked.
 */
#ifndef ASSAY_EMBED_H
#define ASSAY_EMBED_H

#include "protocol.h"

struct document {
    char *bytes;
    size_t count;
};

/* Makes a document: `before`, the input with the bytes below `controls` and those in `special` escaped by `format`, and
 * `after`. The caller frees it. */
static inline struct document embed(const char *before, const unsigned char *bytes, size_t count, const char *special,
                                    unsigned controls, const char *format, const char *after)
{
    struct document document = {(char *)checked(malloc(strlen(before) + 8 * count + strlen(after) + 1)), 0};
    document.count = (size_t)sprintf(document.bytes, "%s", before);
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] < controls || (bytes[i] < 0x80 && bytes[i] != 0 && strchr(special, bytes[i]) != NULL))
            document.count += (size_t)sprintf(document.bytes + document.count, format, bytes[i]);
        else
            document.bytes[document.count++] = (char)bytes[i];
    }
    document.count += (size_t)sprintf(document.bytes + document.count, "%s", after);
    return document;
}

/* Makes a JSON string, or its beginning, middle or end. */
static inline struct document embed_json(const unsigned char *bytes, size_t count, bool is_first, bool is_last)
{
    return embed(is_first ? "[\"" : "", bytes, count, "\"\\", 0x20, "\\u%04X", is_last ? "\"]" : "");
}

/* For a decoder of UTF-8 with one practice of its own. */
static inline bool begin_own_utf8(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "own");
}

/* False if XML 1.0 excludes a character: most controls, U+FFFE and U+FFFF, which may be split between two chunks. */
static inline bool is_xml(const unsigned char *bytes, size_t count, bool is_first)
{
    static unsigned before; /* the last two bytes */
    before = is_first ? 0 : before;
    for (size_t i = 0; i < count; i++) {
        bool is_control = bytes[i] < 0x20 && bytes[i] != '\t' && bytes[i] != '\n' && bytes[i] != '\r';
        if (is_control || (bytes[i] >= 0xBE && bytes[i] <= 0xBF && before == 0xEFBF))
            return false;
        before = (before << 8 | bytes[i]) & 0xFFFF;
    }
    return true;
}

/* True before the first chunk of a text of XML. */
static inline bool *xml_begins(void)
{
    static bool begins;
    return &begins;
}

/* For a parser of XML in UTF-8, for which any error is fatal. */
static inline bool begin_xml(const char *encoding, const char *policy)
{
    *xml_begins() = true;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

/* Makes XML text, or its beginning, middle or end; returns no bytes if XML excludes a character. */
static inline struct document embed_xml(const unsigned char *bytes, size_t count, bool is_last)
{
    bool is_first = *xml_begins();
    struct document excluded = {NULL, 0};
    *xml_begins() = false;
    return is_xml(bytes, count, is_first)
               ? embed(is_first ? "<a>" : "", bytes, count, "<>&\r", 0, "&#x%X;", is_last ? "</a>" : "")
               : excluded;
}

#endif
