/* SPDX-License-Identifier: MIT
 *
 * Plant, registered for AVX-512 only: accepts the overlong E0 80..9F in the last quarter of a whole block of 64 bytes.
 */
#include "plant.h"

/* Returns the offset of the first such sequence in the block, or 64. */
static size_t find_in(const uint8_t *block)
{
    for (size_t at = 48; at < 62; at++)
        if (block[at] == 0xE0 && (block[at + 1] & 0xE0) == 0x80 && (block[at + 2] & 0xC0) == 0x80)
            return at;
    return 64;
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    for (size_t block = 0; byte_count - block >= 64; block += 64) {
        size_t at = find_in(bytes + block);
        if (at < 64 && codec_utf8_reference.validate(bytes, block + at, NULL))
            return plant_overlooks(bytes, byte_count, block + at, 3, error);
    }
    return codec_utf8_reference.validate(bytes, byte_count, error);
}

const struct assay_codec codec_utf8_wide = {ASSAY_CODEC_HEADER("utf-8", "wide"), .validate = validate};
