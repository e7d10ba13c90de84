/* SPDX-License-Identifier: MIT
 *
 * NSS as a subject: PORT_UCS4_UTF8Conversion.
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

int main(void)
{
    return speak("nss", "encodings=utf-8 policies=strict ops=validate,decode chunks=no",
                 &(struct adapter){begin, feed, NULL});
}
