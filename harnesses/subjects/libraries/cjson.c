/* SPDX-License-Identifier: MIT
 *
 * cJSON as a subject: the input is a string of JSON. Its README: it "propagates it through as is" if it is ill-formed.
 */
#include "embed.h"

#include <cjson/cJSON.h>

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    if (has_nul(bytes, count))
        return NOT_OFFERED;
    struct document text = embed_json(bytes, count, true, is_last);
    cJSON *array = cJSON_ParseWithLength(text.bytes, text.count);
    const char *string = cJSON_GetStringValue(cJSON_GetArrayItem(array, 0));
    if (string != NULL)
        emit_utf8(string, strlen(string));
    cJSON_Delete(array);
    free(text.bytes);
    return string != NULL ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("cjson", "encodings=utf-8 policies=own ops=decode chunks=no",
                 &(struct adapter){begin_own_utf8, feed, NULL});
}
