/* SPDX-License-Identifier: MIT
 *
 * NSS as a subject: PORT_UCS4_UTF8Conversion and PORT_UCS2_UTF8Conversion.
 */
#include "protocol.h"

#include <nss.h>
#include <secport.h>

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    (void)operation;
    return is_word(encoding, "utf-8") && is_word(policy, "strict");
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    unsigned length = 0, room = (unsigned)(4 * count + 4);
    unsigned char *units = checked(malloc(room));
    PRBool is_done =
        PORT_UCS4_UTF8Conversion(PR_TRUE, (unsigned char *)(uintptr_t)bytes, (unsigned)count, units, room, &length);
    for (unsigned i = 0; is_done && i + 3 < length; i += 4)
        emit((uint32_t)units[i] << 24 | (uint32_t)units[i + 1] << 16 | (uint32_t)units[i + 2] << 8 | units[i + 3]);
    free(units);
    return is_done ? WELL_FORMED : ILL_FORMED;
}

/* Encodes units of `size` bytes, the most significant first, with one of the two functions. */
static enum verdict encode_with(PRBool (*convert)(PRBool, unsigned char *, unsigned, unsigned char *, unsigned,
                                                  unsigned *),
                                unsigned char *units, size_t byte_count)
{
    unsigned length = 0, room = (unsigned)(2 * byte_count + 4);
    unsigned char *bytes = checked(malloc(room));
    PRBool is_done = convert(PR_FALSE, units, (unsigned)byte_count, bytes, room, &length);
    if (is_done)
        emit_bytes(bytes, length);
    free(bytes);
    free(units);
    return is_done ? WELL_FORMED : ILL_FORMED;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    return encode_with(PORT_UCS4_UTF8Conversion, utf32be(points, count), 4 * count);
}

static enum verdict encode_utf16(const uint16_t *text, size_t count)
{
    return encode_with(PORT_UCS2_UTF8Conversion, utf16be(text, count), 2 * count);
}

static enum verdict transcode(const char *from, const char *to, const char *policy, const unsigned char *bytes,
                              size_t count)
{
    bool to_utf16 = is_word(from, "utf-8") && is_word(to, "utf-16be");
    if (!is_word(policy, "strict") || !(to_utf16 || (is_word(from, "utf-16be") && is_word(to, "utf-8"))))
        return NOT_OFFERED;
    unsigned length = 0, room = (unsigned)(4 * count + 4);
    unsigned char *out = checked(malloc(room));
    PRBool is_done =
        PORT_UCS2_UTF8Conversion(to_utf16, (unsigned char *)(uintptr_t)bytes, (unsigned)count, out, room, &length);
    if (is_done)
        emit_bytes(out, length);
    free(out);
    return is_done ? WELL_FORMED : ILL_FORMED;
}

int main(void)
{
    return speak("nss",
                 "encodings=utf-8,utf-16be policies=strict "
                 "ops=validate,decode,encode,encode-utf16,transcode chunks=no",
                 &(struct adapter){begin, feed, NULL, encode, encode_utf16, .transcode = transcode});
}
