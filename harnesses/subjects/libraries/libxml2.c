/* SPDX-License-Identifier: MIT
 *
 * libxml2's push parser as a subject: the input is the text of an element. XML 1.0, 4.3.3: "it is a fatal error [...]
 * if an entity contains ill-formed code unit sequences".
 */
#include "embed.h"

#include <libxml/parser.h>

static xmlParserCtxtPtr parser;

static void characters(void *context, const xmlChar *text, int length)
{
    (void)context;
    emit_utf8(text, (size_t)length);
}

static void ignore(void *context, const char *message, ...)
{
    (void)context;
    (void)message;
}

static void reset(void)
{
    xmlCtxtResetPush(parser, NULL, 0, NULL, NULL);
    *xml_begins() = true;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    static xmlSAXHandler handler = {.characters = characters, .error = ignore, .fatalError = ignore};
    (void)operation;
    xmlFreeParserCtxt(parser);
    parser = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, NULL);
    return begin_xml(encoding, policy);
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    struct document text = embed_xml(bytes, count, is_last);
    if (text.bytes == NULL)
        return NOT_OFFERED;
    int error = xmlParseChunk(parser, text.bytes, (int)text.count, is_last);
    free(text.bytes);
    return error == 0 && parser->wellFormed ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("libxml2", "encodings=utf-8 policies=strict ops=validate,decode,stop,reuse chunks=late",
                 &(struct adapter){begin, feed, reset});
}
