/* SPDX-License-Identifier: MIT
 *
 * PCRE2 as a subject: pcre2_match with PCRE2_UTF checks its subject string, and says at which offset it is ill-formed.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "protocol.h"

#include <pcre2.h>

static pcre2_code *pattern;
static pcre2_match_data *match;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    return is_word(operation, "validate") && is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    int result = pcre2_match(pattern, bytes, count, 0, 0, match, NULL);
    return result > PCRE2_ERROR_UTF8_ERR1 || result < PCRE2_ERROR_UTF8_ERR21 ? WELL_FORMED
                                                                             : error_at(pcre2_get_startchar(match));
}

int main(void)
{
    int error;
    size_t offset;
    pattern = pcre2_compile((PCRE2_SPTR) "", 0, PCRE2_UTF, &error, &offset, NULL);
    match = pcre2_match_data_create(1, NULL);
    return speak("pcre2", "encodings=utf-8 policies=strict ops=validate chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
