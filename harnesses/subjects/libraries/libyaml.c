/* SPDX-License-Identifier: MIT
 *
 * libyaml as a subject: the input is a double-quoted scalar of YAML 1.1; what is not printable there is not asked.
 */
#include "embed.h"

#include <yaml.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    for (size_t i = 0; i < count; i++) {
        bool is_control =
            bytes[i] < 0x20 || bytes[i] == 0x7F || (bytes[i] == 0xC2 && i + 1 < count && bytes[i + 1] < 0xA0);
        bool is_other =
            i >= 2 && bytes[i - 2] == 0xEF && (bytes[i - 1] == 0xBF || bytes[i - 1] == 0xBB) && bytes[i] >= 0xBE;
        bool is_break =
            i >= 2 && bytes[i - 2] == 0xE2 && bytes[i - 1] == 0x80 && (bytes[i] == 0xA8 || bytes[i] == 0xA9);
        if (is_control || is_other || is_break || bytes[i] == ' ')
            return NOT_OFFERED;
    }
    struct document text = embed("\"", bytes, count, "\"\\", 0, "\\x%02X", "\"\n");
    yaml_parser_t parser;
    yaml_event_t event;
    yaml_parser_initialize(&parser);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.bytes, text.count);
    bool is_read, is_end = false;
    while ((is_read = yaml_parser_parse(&parser, &event))) {
        if (event.type == YAML_SCALAR_EVENT)
            emit_utf8(event.data.scalar.value, event.data.scalar.length);
        is_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (is_end)
            break;
    }
    yaml_parser_delete(&parser);
    free(text.bytes);
    return is_read ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("libyaml", "encodings=utf-8 policies=strict ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
