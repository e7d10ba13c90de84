/* SPDX-License-Identifier: MIT
 *
 * valid.h - a small validator, for loadable codecs whose verdicts are right where they are meant to be. With WRONG 1,
 * it takes C0 and C1 as leads.
 */
#include <stddef.h>
#include <stdint.h>

#ifndef WRONG
#define WRONG 0
#endif

/* The offset of the first error; `count` if there is none. */
static size_t valid_up_to(const uint8_t *bytes, size_t count)
{
    size_t at = 0;
    while (at < count) {
        uint8_t lead = bytes[at];
        size_t more = lead < 0x80               ? 0
                      : lead < 0xC2 - 2 * WRONG ? 9
                      : lead < 0xE0             ? 1
                      : lead < 0xF0             ? 2
                      : lead < 0xF5             ? 3
                                                : 9;
        size_t length = 1;
        int good = more < 9;
        for (; good && length <= more && at + length < count; length++) {
            uint8_t low = 0x80, high = 0xBF, byte = bytes[at + length];
            if (length == 1 && lead == 0xE0)
                low = 0xA0;
            if (length == 1 && lead == 0xED)
                high = 0x9F;
            if (length == 1 && lead == 0xF0)
                low = 0x90;
            if (length == 1 && lead == 0xF4)
                high = 0x8F;
            good = byte >= low && byte <= high;
        }
        if (!good || length <= more)
            return at;
        at += length;
    }
    return count;
}
