/* SPDX-License-Identifier: MIT
 *
 * Wrong with AVX-512 only: in the last quarter of a whole block of 64 it takes E0 80..9F, which is overlong.
 */
#include "plant.h"

#include <immintrin.h>

/* The first such place in the block, 64 if there is none. */
static size_t find_in(const uint8_t *block)
{
    __m512i bytes = _mm512_loadu_si512(block);
    uint64_t leads = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8((char)0xE0));
    uint64_t low = _mm512_cmpeq_epi8_mask(_mm512_and_si512(bytes, _mm512_set1_epi8((char)0xE0)), _mm512_set1_epi8((char)0x80));
    uint64_t continuations = _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8((char)0xC0));
    uint64_t overlong = leads & low >> 1 & continuations >> 2 & 0xFFFF000000000000u;
    return overlong == 0 ? 64 : (size_t)__builtin_ctzll(overlong);
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
