/* SPDX-License-Identifier: MIT
 *
 * libcbor as a subject: cbor_load decodes a text string, and counts its code points.
 */
#include "protocol.h"

#include <cbor.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    unsigned char *item = checked(malloc(count + 9));
    item[0] = 0x7B; /* a text string whose length has eight bytes */
    for (int i = 0; i < 8; i++)
        item[1 + i] = (unsigned char)((uint64_t)count >> (56 - 8 * i));
    memcpy(item + 9, bytes, count);
    struct cbor_load_result result;
    cbor_item_t *string = cbor_load(item, count + 9, &result);
    free(item);
    if (string == NULL)
        return ILL_FORMED;
    bool is_counted = count == 0 || cbor_string_codepoint_count(string) > 0;
    cbor_decref(&string);
    return is_counted ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("libcbor", "encodings=utf-8 policies=strict ops=validate chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
