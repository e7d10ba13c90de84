/* SPDX-License-Identifier: MIT
 *
 * utf16.h - a code point as UTF-16, for the inputs and the expected outputs of harnesses. Codecs and the museum's
 * decoders have their own, because they are compared with each other.
 */
#ifndef ASSAY_UTF16_H
#define ASSAY_UTF16_H

#include <stddef.h>
#include <stdint.h>

/* Writes a code point as one unit, or as two (Unicode 17.0, Table 3-5). A surrogate code point is one unit. Returns the
 * number of units; units[1] is written only if that is 2. */
static inline size_t utf16_write(uint32_t code_point, uint16_t *units)
{
    if (code_point <= 0xFFFF) {
        units[0] = (uint16_t)code_point;
        return 1;
    }
    units[0] = (uint16_t)(0xD800 + ((code_point - 0x10000) >> 10));
    units[1] = (uint16_t)(0xDC00 + (code_point & 0x3FF));
    return 2;
}

#endif
