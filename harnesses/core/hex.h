/* SPDX-License-Identifier: MIT
 *
 * hex.h - bytes as upper-case hex: "E09FBF", or "E0 9F BF".
 */
#ifndef ASSAY_HEX_H
#define ASSAY_HEX_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HEX_DIGITS "0123456789ABCDEF"

/* Writes 2 * byte_count digits and a zero byte to `out`. */
static inline void hex_write(char *out, const uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++) {
        *out++ = HEX_DIGITS[bytes[i] >> 4];
        *out++ = HEX_DIGITS[bytes[i] & 15];
    }
    *out = '\0';
}

/* `between` is printed between two bytes. */
static inline void hex_print(FILE *out, const uint8_t *bytes, size_t byte_count, const char *between)
{
    for (size_t i = 0; i < byte_count; i++) {
        fputs(i > 0 ? between : "", out);
        fputc(HEX_DIGITS[bytes[i] >> 4], out);
        fputc(HEX_DIGITS[bytes[i] & 15], out);
    }
}

#endif
