/* SPDX-License-Identifier: MIT
 *
 * OpenSSL as a subject: ASN1_mbstring_copy from MBSTRING_UTF8 to a UniversalString, which is UTF-32BE, and back, and to
 * a UTF8String; OPENSSL_utf82uni and OPENSSL_uni2utf8, to and from UTF-16BE. The text of these ends with a NUL, so text
 * with another is not asked.
 */
#include "protocol.h"

#include <openssl/asn1.h>
#include <openssl/pkcs12.h>

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

static enum verdict to_well_formed(const unsigned char *bytes, size_t count)
{
    ASN1_STRING *string = NULL;
    if (count == 0)
        return NOT_OFFERED;
    if (ASN1_mbstring_copy(&string, bytes, (int)count, MBSTRING_UTF8, B_ASN1_UTF8STRING) < 0)
        return ILL_FORMED;
    emit_bytes(ASN1_STRING_get0_data(string), (size_t)ASN1_STRING_length(string));
    ASN1_STRING_free(string);
    return WELL_FORMED;
}

static enum verdict from_utf16be(const unsigned char *units, size_t byte_count)
{
    for (size_t i = 0; i + 1 < byte_count; i += 2)
        if (units[i] == 0 && units[i + 1] == 0)
            return NOT_OFFERED;
    char *text = OPENSSL_uni2utf8(units, (int)byte_count);
    if (text == NULL)
        return ILL_FORMED;
    emit_bytes(text, strlen(text));
    OPENSSL_free(text);
    return WELL_FORMED;
}

static enum verdict encode_utf16(const uint16_t *text, size_t count)
{
    unsigned char *units = utf16be(text, count);
    enum verdict verdict = from_utf16be(units, 2 * count);
    free(units);
    return verdict;
}

static enum verdict transcode(const char *from, const char *to, const char *policy, const unsigned char *bytes,
                              size_t count)
{
    if (is_word(from, "utf-16be") && is_word(to, "utf-8") && is_word(policy, "strict"))
        return from_utf16be(bytes, count);
    if (!is_word(from, "utf-8") || !is_word(to, "utf-16be") || !is_word(policy, "strict") || has_nul(bytes, count))
        return NOT_OFFERED;
    unsigned char *units;
    int length;
    if (OPENSSL_utf82uni((const char *)bytes, (int)count, &units, &length) == NULL)
        return ILL_FORMED;
    emit_bytes(units, (size_t)length - 2);
    OPENSSL_free(units);
    return WELL_FORMED;
}

int main(void)
{
    return speak("openssl",
                 "encodings=utf-8,utf-16be policies=strict "
                 "ops=validate,decode,encode,encode-utf16,to-well-formed,transcode chunks=no",
                 &(struct adapter){begin, feed, NULL, encode, encode_utf16, .transcode = transcode,
                                   .to_well_formed = to_well_formed});
}
