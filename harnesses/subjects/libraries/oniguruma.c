/* SPDX-License-Identifier: MIT
 *
 * Oniguruma as a subject: onigenc_is_valid_mbc_string, for what it takes ONIGENC_MBC_TO_CODE and
 * ONIGENC_LEFT_ADJUST_CHAR_HEAD; ONIGENC_CODE_TO_MBC.
 */
#include "protocol.h"

#include <oniguruma.h>

static OnigEncoding encoding_of;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    encoding_of = is_word(encoding, "utf-8")      ? ONIG_ENCODING_UTF8
                  : is_word(encoding, "utf-16le") ? ONIG_ENCODING_UTF16_LE
                                                  : ONIG_ENCODING_UTF16_BE;
    return is_word(policy, "strict") && (is_word(encoding, "utf-8") || strncmp(encoding, "utf-16", 6) == 0);
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    const unsigned char *end = bytes + count;
    (void)is_last;
    if (!ONIGENC_IS_VALID_MBC_STRING(encoding_of, bytes, end))
        return ILL_FORMED;
    for (const unsigned char *at = bytes; at < end; at += ONIGENC_MBC_ENC_LEN(encoding_of, at))
        emit(ONIGENC_MBC_TO_CODE(encoding_of, at, end));
    return WELL_FORMED;
}

static size_t encode_one(uint32_t point, unsigned char *bytes)
{
    return ONIGENC_CODE_TO_MBCLEN(encoding_of, point) > 0 ? (size_t)ONIGENC_CODE_TO_MBC(encoding_of, point, bytes) : 0;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    return encode_each(points, count, encode_one);
}

/* Of text that is valid for it. */
static enum verdict boundaries(const unsigned char *bytes, size_t count)
{
    if (!ONIGENC_IS_VALID_MBC_STRING(encoding_of, bytes, bytes + count))
        return NOT_OFFERED;
    for (size_t i = 0; i < count; i++)
        emit((uint32_t)(ONIGENC_LEFT_ADJUST_CHAR_HEAD(encoding_of, bytes, bytes + i) - bytes));
    emit((uint32_t)count);
    return WELL_FORMED;
}

int main(void)
{
    onig_initialize(&(OnigEncoding){ONIG_ENCODING_UTF8}, 1);
    return speak("oniguruma",
                 "encodings=utf-8,utf-16le,utf-16be policies=strict ops=validate,decode,encode,boundaries chunks=no",
                 &(struct adapter){begin, feed, NULL, encode, .boundaries = boundaries});
}
