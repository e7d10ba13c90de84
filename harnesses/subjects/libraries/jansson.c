/* SPDX-License-Identifier: MIT
 *
 * Jansson as a subject: the input is a string of JSON.
 */
#include "embed.h"

#include <jansson.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    struct document text = embed_json(bytes, count, true, is_last);
    json_error_t error;
    json_t *array = json_loadb(text.bytes, text.count, JSON_ALLOW_NUL, &error);
    json_t *string = json_array_get(array, 0);
    emit_utf8(json_string_value(string), json_string_length(string));
    json_decref(array);
    free(text.bytes);
    return array != NULL ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("jansson", "encodings=utf-8 policies=strict ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
