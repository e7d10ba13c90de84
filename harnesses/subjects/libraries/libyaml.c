/* SPDX-License-Identifier: MIT
 *
 * libyaml as a subject: the input is a double-quoted scalar of YAML 1.1; in pieces, those that its read handler asks
 * for. What is not printable there is not asked; in UTF-16, what would be escaped, and half a unit, neither.
 */
#include "pieces.h"

#include <yaml.h>

static unsigned before; /* the last two bytes */
static yaml_encoding_t current;
static size_t text_count; /* bytes */

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    forget_pieces();
    before = 0;
    text_count = 0;
    current = is_word(encoding, "utf-8")      ? YAML_UTF8_ENCODING
              : is_word(encoding, "utf-16le") ? YAML_UTF16LE_ENCODING
              : is_word(encoding, "utf-16be") ? YAML_UTF16BE_ENCODING
                                              : YAML_ANY_ENCODING;
    return current != YAML_ANY_ENCODING && is_word(policy, "strict");
}

static int next_bytes(void *context, unsigned char *to, size_t room, size_t *count)
{
    (void)context;
    *count = read_piece(to, room);
    return 1;
}

/* True if this byte ends a character that YAML excludes, or that is white space there. */
static bool is_excluded(unsigned char byte)
{
    bool is_control = byte < 0x20 || byte == 0x7F || ((before & 0xFF) == 0xC2 && byte < 0xA0);
    bool is_other = (before == 0xEFBF || before == 0xEFBB) && byte >= 0xBE;
    bool is_break = before == 0xE280 && (byte == 0xA8 || byte == 0xA9);
    before = (before << 8 | byte) & 0xFFFF;
    return is_control || is_other || is_break || byte == ' ';
}

/* The same of UTF-16; also characters that would be escaped. */
static bool is_excluded_in_utf16(unsigned char byte)
{
    bool is_begun = text_count++ % 2 == 0;
    unsigned unit = current == YAML_UTF16BE_ENCODING ? before << 8 | byte : (unsigned)byte << 8 | before;
    before = byte;
    return !is_begun && (unit <= ' ' || (unit >= 0x7F && unit < 0xA0) || unit == '"' || unit == '\\' ||
                         unit == 0x2028 || unit == 0x2029 || unit == 0xFEFF || unit >= 0xFFFE);
}

/* The input between quotes; in UTF-16 these have a NUL. */
static struct document embed_scalar(const unsigned char *bytes, size_t count, bool is_last)
{
    bool is_first = pieces.count == 0, is_big = current == YAML_UTF16BE_ENCODING;
    if (current == YAML_UTF8_ENCODING)
        return embed(is_first ? "\"" : "", bytes, count, "\"\\", 0, "\\x%02X", is_last ? "\"\n" : "");
    const char *quote = is_big ? "\0\"\0\n" : "\"\0\n";
    struct document document = {checked(malloc(count + 6)), is_first ? 2 : 0};
    memcpy(document.bytes, quote, document.count);
    memcpy(document.bytes + document.count, bytes, count);
    document.count += count;
    memcpy(document.bytes + document.count, quote, 4);
    document.count += is_last ? 4 : 0;
    return document;
}

static bool parse(void)
{
    yaml_parser_t parser;
    yaml_event_t event;
    yaml_parser_initialize(&parser);
    yaml_parser_set_encoding(&parser, current);
    if (pieces.count == 1)
        yaml_parser_set_input_string(&parser, (const unsigned char *)pieces.all[0].bytes, pieces.all[0].count);
    else
        yaml_parser_set_input(&parser, next_bytes, NULL);
    bool is_read, is_end = false;
    while (!is_end && (is_read = yaml_parser_parse(&parser, &event))) {
        if (event.type == YAML_SCALAR_EVENT)
            emit_utf8(event.data.scalar.value, event.data.scalar.length);
        is_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return is_read;
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    for (size_t i = 0; i < count; i++)
        if (current == YAML_UTF8_ENCODING ? is_excluded(bytes[i]) : is_excluded_in_utf16(bytes[i]))
            return NOT_OFFERED;
    if (is_last && text_count % 2 != 0)
        return NOT_OFFERED;
    keep_piece(embed_scalar(bytes, count, is_last));
    return !is_last || parse() ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("libyaml", "encodings=utf-8,utf-16le,utf-16be policies=strict ops=validate,decode chunks=late",
                 &(struct adapter){begin, feed, NULL});
}
