/* SPDX-License-Identifier: MIT
 *
 * Gumbo, a parser of HTML, as a subject: the input is the text of an element.
 */
#include "embed.h"

#include <gumbo.h>

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == '<' || bytes[i] == '&' || bytes[i] == '\r' || bytes[i] == 0 || (bytes[i] == '\n' && i == 0))
            return NOT_OFFERED;
    struct document text = embed("<!DOCTYPE html><textarea>", bytes, count, "", 0, "", "</textarea>");
    GumboOutput *parsed = gumbo_parse_with_options(&kGumboDefaultOptions, text.bytes, text.count);
    const GumboVector *children = &parsed->root->v.element.children;
    const GumboNode *body = children->data[children->length - 1];
    const GumboNode *area = body->v.element.children.length > 0 ? body->v.element.children.data[0] : NULL;
    for (unsigned i = 0; area != NULL && i < area->v.element.children.length; i++) {
        const GumboNode *node = area->v.element.children.data[i];
        emit_utf8(node->v.text.text, strlen(node->v.text.text));
    }
    gumbo_destroy_output(&kGumboDefaultOptions, parsed);
    free(text.bytes);
    return WELL_FORMED;
}

int main(void)
{
    return speak("gumbo", "encodings=utf-8 policies=own ops=decode chunks=no",
                 &(struct adapter){begin_own_utf8, feed, NULL});
}
