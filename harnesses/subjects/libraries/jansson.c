/* SPDX-License-Identifier: MIT
 *
 * Jansson as a subject: the input is a string of JSON; in pieces, those that json_load_callback asks for.
 */
#include "pieces.h"

#include <jansson.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    forget_pieces();
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static size_t next_bytes(void *to, size_t room, void *context)
{
    (void)context;
    return read_piece(to, room);
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    keep_piece(embed_json(bytes, count, pieces.count == 0, is_last));
    if (!is_last)
        return WELL_FORMED;
    json_error_t error;
    json_t *array = pieces.count == 1 ? json_loadb(pieces.all[0].bytes, pieces.all[0].count, JSON_ALLOW_NUL, &error)
                                      : json_load_callback(next_bytes, NULL, JSON_ALLOW_NUL, &error);
    json_t *string = json_array_get(array, 0);
    emit_utf8(json_string_value(string), json_string_length(string));
    json_decref(array);
    return array != NULL ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("jansson", "encodings=utf-8 policies=strict ops=validate,decode chunks=late",
                 &(struct adapter){begin, feed, NULL});
}
