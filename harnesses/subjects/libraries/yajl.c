/* SPDX-License-Identifier: MIT
 *
 * YAJL as a subject: the input is a string of JSON, in pieces. It validates UTF-8 unless yajl_dont_validate_strings is
 * set.
 */
#include "embed.h"

#include <yajl/yajl_parse.h>

static yajl_handle parser;
static bool is_first;

static int string(void *context, const unsigned char *text, size_t length)
{
    (void)context;
    emit_utf8(text, length);
    return 1;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    static yajl_callbacks callbacks = {.yajl_string = string};
    (void)operation;
    if (parser != NULL)
        yajl_free(parser);
    parser = yajl_alloc(&callbacks, NULL, NULL);
    is_first = true;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    struct document text = embed_json(bytes, count, is_first, is_last);
    is_first = false;
    yajl_status status = yajl_parse(parser, (const unsigned char *)text.bytes, text.count);
    if (status == yajl_status_ok && is_last)
        status = yajl_complete_parse(parser);
    free(text.bytes);
    return status == yajl_status_ok ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("yajl", "encodings=utf-8 policies=strict ops=validate,decode chunks=late",
                 &(struct adapter){begin, feed, NULL});
}
