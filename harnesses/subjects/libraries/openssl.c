/* SPDX-License-Identifier: MIT
 *
 * OpenSSL as a subject: ASN1_mbstring_copy from MBSTRING_UTF8 to a UniversalString, which is UTF-32BE.
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

int main(void)
{
    return speak("openssl", "encodings=utf-8 policies=strict ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
