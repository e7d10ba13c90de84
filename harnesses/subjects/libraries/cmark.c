/* SPDX-License-Identifier: MIT
 *
 * cmark as a subject: the input is a code block of CommonMark, with CMARK_OPT_VALIDATE_UTF8.
 */
#include "embed.h"

#include <cmark.h>

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == '`' || bytes[i] == 0)
            return NOT_OFFERED;
    struct document text = embed("```\nx", bytes, count, "", 0, "", "\n```\n");
    cmark_node *document = cmark_parse_document(text.bytes, text.count, CMARK_OPT_VALIDATE_UTF8);
    const char *literal = cmark_node_get_literal(cmark_node_first_child(document));
    if (literal != NULL)
        emit_utf8(literal + 1, strlen(literal) - 2);
    cmark_node_free(document);
    free(text.bytes);
    return WELL_FORMED;
}

int main(void)
{
    return speak("cmark", "encodings=utf-8 policies=own ops=decode chunks=no",
                 &(struct adapter){begin_own_utf8, feed, NULL});
}
