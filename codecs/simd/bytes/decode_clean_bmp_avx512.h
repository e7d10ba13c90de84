/* SPDX-License-Identifier: MIT
 *
 * decode_clean_bmp_avx512.h - put_bmp_blocks() of decode_clean_bmp.h for AVX-512, and the last block of a short text.
 * Errors are found as in classify_avx512.h. A unit ends where the next byte is no continuation byte; that mask stays in
 * a mask register. One block of ASCII does not end the loop, two in a row do: leaving the loop for one block takes
 * longer than decoding it here.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_CLEAN_BMP_AVX512_H
#define ASSAY_SIMD_BYTES_DECODE_CLEAN_BMP_AVX512_H

#include "classify.h"
#include "units.h"

/* Blocks without 4-byte characters after which the loops for such characters end. put_bmp_blocks() is faster, but to
 * enter and leave it takes as long as some ten blocks. */
enum { LONG_AGO = 16 };

/* Blocks since the last 4-byte character; hold_bits: gcc 12 makes a branch on data of `has_fours ? 0 : ago + 1`. */
KERNEL_PART size_t one_later(size_t ago, bool has_fours)
{
    return (ago + 1) & hold_bits((uint64_t)has_fours - 1);
}

/* Constants, loaded once for many blocks. */
struct bmp_decoder {
    struct strides strides;
    vec lead_of_3;
};

KERNEL_PART struct bmp_decoder bmp_decoder_of(const struct classifier *classifier)
{
    return (struct bmp_decoder){classifier->strides, vec_constant(0xE0)};
}

KERNEL_PART bool put_bmp_blocks(enum form form, const struct encoding *encoding, const struct bmp_decoder *decoder,
                                const uint8_t *bytes, size_t byte_count, size_t *at, struct output *out)
{
    bool is_refused = false;
    const bool refuses_00 = encoding->refuses_00;
    size_t left = byte_count - *at - 1, room = out->capacity - out->written;
    const uint8_t *block = bytes + *at, *end = block + (left < room ? left : room) / VEC_BYTES * VEC_BYTES;
    uint8_t *to = unit_at(form, out->units, out->written), *begin = to;
    /* hold_bits: without it gcc 12 peels the first iteration, and loses 6 % */
    uint64_t ends_before = hold_bits(~(uint64_t)0);
    for (; block != end; block += VEC_BYTES) {
        struct window window = window_at(block);
        vec after = vec_load(block + 1);
        /* signed comparison: all but 80..BF */
        truth chosen = _mm512_cmpge_epi8_mask(after, decoder->strides.first_lead);
        uint64_t ends = vec_bits(chosen);
        if ((ends & ends_before) == ~(uint64_t)0)
            break;
        if (bmp_is_wrong(&decoder->strides, &window, after) ||
            (refuses_00 && vec_bits(vec_between(window.now, 0, 0)) != 0)) {
            is_refused = true;
            break;
        }
        ends_before = ends;
        struct planes planes = planes_without_fours(&window, decoder->lead_of_3);
        if (form == UTF16)
            put16_where(to, planes.low, planes.high, chosen);
        else
            put32_where(to, planes.low, planes.high, planes.top, false, chosen);
        to = unit_at(form, to, count_bits(ends));
    }
    out->written += (size_t)(to - begin) / (form == UTF16 ? sizeof(uint16_t) : sizeof(uint32_t));
    *at = (size_t)(block - bytes);
    return is_refused;
}

/* Decodes the last block of a text, up to 64 bytes, if the text has 66 bytes or more and the block has no error and no
 * 4-byte character, and there is room. The caller knows that the first byte is right after those before, and that none
 * of the three before is a lead of four. What is loaded ends with the text, so that only the units need a mask. */
KERNEL_PART void put_bmp_end(enum form form, const struct encoding *encoding, const struct classifier *classifier,
                             const uint8_t *bytes, size_t byte_count, size_t *at, struct output *out)
{
    enum { BEFORE = 2 }; /* bytes before the block that are loaded */
    if (byte_count < VEC_BYTES + BEFORE)
        return;
    const uint8_t *end = bytes + byte_count, *block = end - VEC_BYTES;
    vec now = vec_load(block), back_1 = vec_hold(vec_load(block - 1)), back_2 = vec_load(block - 2);
    struct window window = {.now = now, .back_1 = back_1, .back_2 = back_2};
    struct window earlier = {.now = back_1, .back_1 = back_2};
    if (bmp_is_wrong(&classifier->strides, &earlier, now) || is_cut_before(encoding, end) ||
        has_short_nul(encoding, now, VEC_BYTES))
        return;
    /* signed comparison: all but 80..BF; a unit ends before each of these, and at the end */
    uint64_t ends = vec_bits(_mm512_cmpge_epi8_mask(now, classifier->strides.first_lead)) >> 1 | (uint64_t)1 << 63;
    ends &= ~(uint64_t)0 << (VEC_BYTES - (byte_count - *at));
    if (count_bits(ends) > out->capacity - out->written)
        return;
    struct planes planes = planes_without_fours(&window, vec_constant(0xE0));
    void *to = unit_at(form, out->units, out->written);
    if (form == UTF16)
        vec_put16_only(to, planes.low, planes.high, ends);
    else
        vec_put32_only(to, planes.low, planes.high, planes.top, false, ends);
    out->written += count_bits(ends);
    *at = byte_count;
}

#endif
