/* SPDX-License-Identifier: MIT
 *
 * decode_clean_utf32.h - a loop over blocks without errors to UTF-32, for instruction sets with vec_put_characters():
 * the bytes of eight characters, of any length, are shuffled together and multiplied into place. Without 4-byte
 * characters decode_clean_bmp.h is as fast.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_CLEAN_UTF32_H
#define ASSAY_SIMD_BYTES_DECODE_CLEAN_UTF32_H

#include "../common/planes.h"

/* Where characters end in 64 bytes, given those one later. */
KERNEL_PART uint64_t ends_before(vec after)
{
    return ~vec_bits(vec_is_continuation(after));
}

/* Decodes blocks from *at, while they have no errors, something that is not ASCII, a byte after them, and room. Before
 * *at there must be a block without errors, and the byte at *at must be right after it. */
KERNEL_PART void put_utf32_blocks(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count, size_t *at,
                                  struct output *out)
{
    ASSUME(*at >= VEC_BYTES && *at < byte_count);
    struct tables tables = tables_of(encoding);
    struct weights weights = vec_weights();
    size_t left = byte_count - *at - 1, room = out->capacity - out->written;
    const uint8_t *block = bytes + *at, *end = block + (left < room ? left : room) / VEC_BYTES * VEC_BYTES;
    uint32_t *begin = (uint32_t *)out->units + out->written, *to = begin;
    uint64_t last_ends = ends_before(vec_load(block - VEC_BYTES + 1));
    for (; block != end; block += VEC_BYTES) {
        struct window ahead = window_at(block + 1);
        uint64_t ends = ends_before(ahead.now);
        if (ends == ~(uint64_t)0 || !is_clean_before(encoding, &tables, &ahead))
            break;
        to = vec_put_characters(to, &weights, block, last_ends, ends);
        last_ends = ends;
    }
    out->written += (size_t)(to - begin);
    *at = (size_t)(block - bytes);
}

#endif
