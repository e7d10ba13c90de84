/* SPDX-License-Identifier: MIT
 *
 * encode_ascii.h - encoding as far as all is ASCII, for instruction sets that have nothing better. Included by those,
 * after their vec_narrow16 and vec_narrow32.
 */
#ifndef ASSAY_SIMD_ENCODE_ASCII_H
#define ASSAY_SIMD_ENCODE_ASCII_H

KERNEL_PART struct progress vec_encode16(const uint16_t *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    size_t done = 0, most = unit_count < capacity ? unit_count : capacity;
    while (most - done >= NARROW_UNITS && vec_narrow16(out + done, units + done))
        done += NARROW_UNITS;
    return (struct progress){done, done};
}

KERNEL_PART struct progress vec_encode32(const uint32_t *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    size_t done = 0, most = unit_count < capacity ? unit_count : capacity;
    while (most - done >= NARROW_UNITS && vec_narrow32(out + done, units + done))
        done += NARROW_UNITS;
    return (struct progress){done, done};
}

#endif
