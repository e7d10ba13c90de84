/* SPDX-License-Identifier: MIT
 *
 * cmark as a subject: the input is a code block of CommonMark, with CMARK_OPT_VALIDATE_UTF8, in pieces.
 */
#include "embed.h"

#include <cmark.h>

static cmark_parser *parser;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    if (parser != NULL)
        cmark_parser_free(parser);
    parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8);
    cmark_parser_feed(parser, "```\nx", 5);
    return begin_own_utf8(operation, encoding, policy);
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == '`' || bytes[i] == 0)
            return NOT_OFFERED;
    cmark_parser_feed(parser, (const char *)bytes, count);
    if (!is_last)
        return WELL_FORMED;
    cmark_parser_feed(parser, "\n```\n", 5);
    cmark_node *document = cmark_parser_finish(parser);
    const char *literal = cmark_node_get_literal(cmark_node_first_child(document));
    if (literal != NULL)
        emit_utf8(literal + 1, strlen(literal) - 2);
    cmark_node_free(document);
    return WELL_FORMED;
}

int main(void)
{
    return speak("cmark", "encodings=utf-8 policies=own ops=decode chunks=late", &(struct adapter){begin, feed, NULL});
}
