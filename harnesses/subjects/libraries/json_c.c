/* SPDX-License-Identifier: MIT
 *
 * json-c as a subject: the input is a string of JSON, in pieces, with JSON_TOKENER_VALIDATE_UTF8.
 */
#include "embed.h"

#include <json-c/json.h>

static json_tokener *tokener;
static bool is_first;

static void reset(void)
{
    json_tokener_reset(tokener);
    is_first = true;
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    if (tokener == NULL)
        tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
    reset();
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    struct document text = embed_json(bytes, count, is_first, is_last);
    is_first = false;
    json_object *array = json_tokener_parse_ex(tokener, text.bytes, (int)text.count);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    free(text.bytes);
    if (array != NULL) {
        json_object *string = json_object_array_get_idx(array, 0);
        emit_utf8(json_object_get_string(string), (size_t)json_object_get_string_len(string));
        json_object_put(array);
    }
    return error == json_tokener_success || (error == json_tokener_continue && !is_last) ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("json-c", "encodings=utf-8 policies=strict ops=validate,decode,reuse chunks=late",
                 &(struct adapter){begin, feed, reset});
}
