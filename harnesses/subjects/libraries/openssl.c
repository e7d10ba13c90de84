/* SPDX-License-Identifier: MIT
 *
 * OpenSSL as a subject: ASN1_mbstring_copy from MBSTRING_UTF8 to a UniversalString, which is UTF-32BE, and back.
 */
#include "protocol.h"

#include <openssl/asn1.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    if (count == 0)
        return NOT_OFFERED;
    ASN1_STRING *string = NULL;
    if (ASN1_mbstring_copy(&string, bytes, (int)count, MBSTRING_UTF8, B_ASN1_UNIVERSALSTRING) < 0)
        return ILL_FORMED;
    const unsigned char *units = ASN1_STRING_get0_data(string);
    for (int i = 0; i < ASN1_STRING_length(string); i += 4)
        emit((uint32_t)units[i] << 24 | (uint32_t)units[i + 1] << 16 | (uint32_t)units[i + 2] << 8 | units[i + 3]);
    ASN1_STRING_free(string);
    return WELL_FORMED;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    unsigned char *units = utf32be(points, count);
    ASN1_STRING *string = NULL;
    int type = count > 0 ? ASN1_mbstring_copy(&string, units, (int)(4 * count), MBSTRING_UNIV, B_ASN1_UTF8STRING) : 0;
    free(units);
    if (type <= 0)
        return count > 0 ? ILL_FORMED : NOT_OFFERED;
    emit_bytes(ASN1_STRING_get0_data(string), (size_t)ASN1_STRING_length(string));
    ASN1_STRING_free(string);
    return WELL_FORMED;
}

int main(void)
{
    return speak("openssl", "encodings=utf-8 policies=strict ops=validate,decode,encode chunks=no",
                 &(struct adapter){begin, feed, NULL, encode});
}
