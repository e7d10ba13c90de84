/* SPDX-License-Identifier: MIT
 *
 * Expat as a subject: the input is the text of an element, in pieces.
 */
#include "embed.h"

#include <expat.h>

static XML_Parser parser;

static void characters(void *context, const XML_Char *text, int length)
{
    (void)context;
    emit_utf8(text, (size_t)length);
}

static void reset(void)
{
    XML_ParserReset(parser, "UTF-8");
    XML_SetCharacterDataHandler(parser, characters);
    *xml_begins() = true;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    if (parser != NULL)
        XML_ParserFree(parser);
    parser = XML_ParserCreate("UTF-8");
    XML_SetCharacterDataHandler(parser, characters);
    return begin_xml(encoding, policy);
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    struct document text = embed_xml(bytes, count, is_last);
    if (text.bytes == NULL)
        return NOT_OFFERED;
    enum XML_Status status = XML_Parse(parser, text.bytes, (int)text.count, is_last);
    free(text.bytes);
    return status == XML_STATUS_OK ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("expat", "encodings=utf-8 policies=strict ops=validate,decode,stop,reuse chunks=late",
                 &(struct adapter){begin, feed, reset});
}
