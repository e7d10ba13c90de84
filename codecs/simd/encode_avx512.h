/* SPDX-License-Identifier: MIT
 *
 * encode_avx512.h - encoding in UTF-8 with AVX-512. A file of its own, because it stands on two instructions that no
 * other set has: one that takes any eight bits of a word to a byte, and one that brings chosen bytes together. Each
 * code point gets a lane as wide as its sequence may be; which bytes of the lane there are, the marks of lead and
 * continuation bytes say themselves: they have the top bit set. Included by vec_avx512.h, at its end.
 */
#ifndef ASSAY_SIMD_ENCODE_AVX512_H
#define ASSAY_SIMD_ENCODE_AVX512_H

enum { LANES16 = 32, LANES32 = 16 };

/* Where bytes go out, and how many have. */
struct byte_output {
    uint8_t *bytes;
    size_t capacity, written;
};

/* Writes the first `count` bytes, where there is less room than for a vector; false if there is not even that. It is for the
 * caller to count them as written. */
KERNEL_PART bool put_first_bytes(const struct byte_output *out, __m512i bytes, size_t count)
{
    size_t room = out->capacity - out->written;
    if (room == 0) /* and where none was ever, there may be no buffer */
        return count == 0;
    uint8_t *to = out->bytes + out->written;
    if (count > room)
        return false;
    if (is_in_one_page(to, VEC_BYTES)) {
        store_lanes(to, bytes, first_bits(count), 1);
        return true;
    }
    uint8_t buffer[VEC_BYTES];
    _mm512_storeu_si512(buffer, bytes);
    copy_short(to, buffer, count);
    return true;
}

/* Writes the chosen bytes, of which there are `count`; false, and nothing is written, if there is no room. */
KERNEL_PART bool put_bytes(struct byte_output *out, __m512i bytes, __mmask64 chosen, size_t count)
{
    bytes = _mm512_maskz_compress_epi8(chosen, bytes);
    if (__builtin_expect(out->capacity - out->written >= VEC_BYTES, true))
        _mm512_storeu_si512(out->bytes + out->written, bytes);
    else if (!put_first_bytes(out, bytes, count))
        return false;
    out->written += count;
    return true;
}

/* A constant in each lane. If held, nothing that the compiler could make anew: gcc 12 would, wherever it is used, by way
 * of a general register; but what is short does not use all of them. */
ALWAYS_INLINE __m512i lanes64(bool held, uint64_t value)
{
    __m512i constant = _mm512_set1_epi64((long long)value);
    return held ? vec_hold(constant) : constant;
}

ALWAYS_INLINE __m512i lanes32(bool held, uint32_t value)
{
    return lanes64(held, (uint64_t)value << 32 | value);
}

ALWAYS_INLINE __m512i lanes16(bool held, uint32_t value)
{
    return lanes32(held, value << 16 | value);
}

/* The constants of lanes for scalar values: fields are the bits from 18, 12, 6 and 0 on in four bytes, of which a
 * sequence is the last ones; and of each length the least value and its marks. */
struct wide_lanes {
    __m512i fields, payload, kept, least_of_2, least_of_3, least_of_4, marks_of_2, marks_of_3, marks_of_4;
};

KERNEL_PART struct wide_lanes wide_lanes(bool held)
{
    return (struct wide_lanes){lanes64(held, 0x20262C3200060C12),
                               lanes32(held, 0x3F3F3F3F),
                               lanes32(held, 0x80000000),
                               lanes32(held, 0x80),
                               lanes32(held, 0x800),
                               lanes32(held, 0x10000),
                               lanes32(held, 0x80C00000),
                               lanes32(held, 0x8080E000),
                               lanes32(held, 0x808080F0)};
}

/* Writes the bytes of 16 scalar values (Unicode 17.0, Table 3-6), as far as they are kept; those have to be below
 * U+10000 unless `fours`. */
KERNEL_PART bool put_scalars(const struct wide_lanes *with, struct byte_output *out, __m512i scalars, __mmask16 kept,
                             bool fours)
{
    __mmask16 longer = _mm512_cmpge_epu32_mask(scalars, with->least_of_2);
    __mmask16 threes = _mm512_cmpge_epu32_mask(scalars, with->least_of_3);
    __m512i marks = _mm512_mask_mov_epi32(with->marks_of_2, threes, with->marks_of_3);
    if (fours)
        marks = _mm512_mask_mov_epi32(marks, _mm512_cmpge_epu32_mask(scalars, with->least_of_4), with->marks_of_4);
    __m512i bytes = _mm512_multishift_epi64_epi8(with->fields, scalars);
    bytes = _mm512_mask_ternarylogic_epi32(bytes, longer, with->payload, marks, 0xEA);
    __m512i present = _mm512_maskz_or_epi32(kept, bytes, with->kept);
    __mmask64 chosen = _mm512_movepi8_mask(present);
    return put_bytes(out, bytes, chosen, count_bits(chosen));
}

/* ---- from UTF-16 ----------------------------------------------------------------------------------- */

/* Up to 32 units; those from `count` on are zeros. */
KERNEL_PART __m512i load_units16(const uint16_t *units, size_t count)
{
    if (count >= LANES16)
        return _mm512_loadu_si512(units);
    if (is_in_one_page(units, VEC_BYTES))
        return load_lanes(units, first_bits(count), sizeof *units);
    uint16_t buffer[LANES16] = {0};
    copy_short(buffer, units, count * sizeof *units);
    return _mm512_loadu_si512(buffer);
}

/* The constants of lanes for units: of those below U+0800, with two bytes for each, the first and the only or second
 * one; and what surrogates are known by. */
struct lanes {
    struct wide_lanes wide;
    __m512i fields, payload, marks, only, least_of_2, kept, from_800, tops, leads, trails, pair;
};

KERNEL_PART struct lanes lanes(bool held)
{
    return (struct lanes){wide_lanes(held),
                          lanes64(held, 0x3036202610160006),
                          lanes16(held, 0x3FFF),
                          lanes16(held, 0x80C0),
                          lanes16(held, 0x7F00),
                          lanes16(held, 0x80),
                          lanes16(held, 0x8000),
                          lanes16(held, 0xF800),
                          lanes16(held, 0xFC00),
                          lanes16(held, 0xD800),
                          lanes16(held, 0xDC00),
                          lanes32(held, 0x10000u - (0xD800u << 10) - 0xDC00u)};
}

/* Units below U+0800. */
KERNEL_PART bool put_twos(const struct lanes *with, struct byte_output *out, __m512i units, __mmask32 kept)
{
    __m512i bytes = _mm512_multishift_epi64_epi8(with->fields, units);
    __m512i marked = _mm512_ternarylogic_epi32(bytes, with->payload, with->marks, 0xEA);
    __mmask32 longer = _mm512_cmpge_epu16_mask(units, with->least_of_2);
    bytes = _mm512_mask_mov_epi16(_mm512_and_si512(bytes, with->only), longer, marked);
    __m512i present = _mm512_maskz_mov_epi16(kept, _mm512_or_si512(bytes, with->kept));
    return put_bytes(out, bytes, _mm512_movepi8_mask(present), count_bits(kept) + count_bits(longer));
}

/* Surrogate pairs become one scalar value, in the lane of the lead; the lane after it is not kept. */
KERNEL_PART bool put_pairs(const struct lanes *with, struct byte_output *out, __m512i units, uint32_t leads,
                           uint32_t kept)
{
    __m512i low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(units));
    __m512i high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(units, 1));
    __m512i after_low = _mm512_alignr_epi32(high, low, 1), after_high = _mm512_alignr_epi32(high, high, 1);
    __mmask16 low_leads = (__mmask16)(leads & 0xFFFF), high_leads = (__mmask16)(leads >> 16);
    low = _mm512_mask_add_epi32(low, low_leads, _mm512_slli_epi32(low, 10), _mm512_add_epi32(after_low, with->pair));
    high = _mm512_mask_add_epi32(high, high_leads, _mm512_slli_epi32(high, 10), _mm512_add_epi32(after_high, with->pair));
    return put_scalars(&with->wide, out, low, (__mmask16)(kept & 0xFFFF), true) &&
           put_scalars(&with->wide, out, high, (__mmask16)(kept >> 16), true);
}

/* Units of which some are surrogates; returns how many it took. */
KERNEL_PART size_t put_some_pairs(const struct lanes *with, struct byte_output *out, __m512i units, size_t count)
{
    __m512i tops = _mm512_and_si512(units, with->tops);
    uint32_t leads = _mm512_cmpeq_epi16_mask(tops, with->leads), trails = _mm512_cmpeq_epi16_mask(tops, with->trails);
    count -= leads >> (count - 1) & 1; /* the other half of this one, if any, comes with the next block */
    uint32_t inside = (uint32_t)first_bits(count);
    leads &= inside;
    return trails == leads << 1 && put_pairs(with, out, units, leads, inside & ~trails) ? count : 0;
}

/* Units that are none. */
KERNEL_PART bool put_threes(const struct lanes *with, struct byte_output *out, __m512i units, uint32_t inside)
{
    __m512i low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(units));
    __m512i high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(units, 1));
    return put_scalars(&with->wide, out, low, (__mmask16)(inside & 0xFFFF), false) &&
           put_scalars(&with->wide, out, high, (__mmask16)(inside >> 16), false);
}

/* Encodes 32 units or fewer. Returns how many; 0 if there is an error among them, or no room. */
KERNEL_PART size_t encode_block16(const struct lanes *with, struct byte_output *out, const uint16_t *from, size_t count)
{
    size_t written = out->written;
    uint32_t inside = (uint32_t)first_bits(count);
    __m512i units = load_units16(from, count);
    if (_mm512_test_epi16_mask(units, with->from_800) == 0)
        return put_twos(with, out, units, inside) ? count : 0;
    if (_mm512_cmpeq_epi16_mask(_mm512_and_si512(units, with->from_800), with->leads) != 0)
        count = put_some_pairs(with, out, units, count);
    else if (!put_threes(with, out, units, inside))
        count = 0;
    if (count == 0)
        out->written = written;
    return count;
}

/* 64 units at once, if all are ASCII. */
KERNEL_PART bool encode_ascii16(struct byte_output *out, const uint16_t *units)
{
    __m512i low = _mm512_loadu_si512(units), high = _mm512_loadu_si512(units + LANES16);
    if (_mm512_test_epi16_mask(_mm512_or_si512(low, high), _mm512_set1_epi16((short)0xFF80)) != 0)
        return false;
    _mm256_storeu_si256((__m256i *)(void *)(out->bytes + out->written), _mm512_cvtepi16_epi8(low));
    _mm256_storeu_si256((__m256i *)(void *)(out->bytes + out->written + LANES16), _mm512_cvtepi16_epi8(high));
    out->written += VEC_BYTES;
    return true;
}

/* Encodes the next block; false where nothing is left, or nothing of it could be encoded. */
KERNEL_PART bool encode_next16(const struct lanes *with, struct byte_output *out, const uint16_t *units,
                               size_t unit_count, size_t *read)
{
    size_t left = unit_count - *read, taken = 0;
    if (left >= LANES16)
        taken = encode_block16(with, out, units + *read, LANES16);
    else if (left > 0)
        taken = encode_block16(with, out, units + *read, left);
    *read += taken;
    return taken != 0;
}

/* Encodes until there is an error, or no room. Where something is no ASCII, what follows is likely to be none; so that is
 * not looked for again, but known once as many bytes as units have come out. */
KERNEL_PART struct progress encode_units16(const struct lanes *with, const uint16_t *units, size_t unit_count,
                                           uint8_t *bytes, size_t capacity)
{
    struct byte_output out = {bytes, capacity, 0};
    size_t read = 0, surplus; /* bytes beyond one for each unit, so far */
    for (;;) {
        while (unit_count - read >= VEC_BYTES && capacity - out.written >= VEC_BYTES &&
               encode_ascii16(&out, units + read))
            read += VEC_BYTES;
        do {
            surplus = out.written - read;
            if (!encode_next16(with, &out, units, unit_count, &read) || !encode_next16(with, &out, units, unit_count, &read))
                return (struct progress){read, out.written};
        } while (out.written - read != surplus);
    }
}

static __attribute__((noinline)) struct progress encode_long16(const uint16_t *units, size_t unit_count,
                                                                uint8_t *bytes, size_t capacity)
{
    const struct lanes with = lanes(true);
    return encode_units16(&with, units, unit_count, bytes, capacity);
}

KERNEL_PART struct progress vec_encode16(const uint16_t *units, size_t unit_count, uint8_t *bytes, size_t capacity)
{
    if (unit_count > VEC_BYTES)
        return encode_long16(units, unit_count, bytes, capacity);
    const struct lanes with = lanes(false);
    return encode_units16(&with, units, unit_count, bytes, capacity);
}

/* ---- each unit by itself --------------------------------------------------------------------------- */

/* Encodes 32 units or fewer, up to U+0000 where that has two bytes, or a lead that comes last: its trail goes where it
 * goes. Returns how many; 0 if there is an error among them, or no room. */
KERNEL_PART size_t encode_each_block16(const struct encoding *encoding, const struct lanes *with,
                                       struct byte_output *out, const uint16_t *from, size_t count)
{
    __m512i units = load_units16(from, count), tops = _mm512_and_si512(units, with->tops);
    uint32_t zeros = _mm512_cmpeq_epi16_mask(units, _mm512_setzero_si512()) & (uint32_t)first_bits(count);
    uint32_t leads = _mm512_cmpeq_epi16_mask(tops, with->leads), trails = _mm512_cmpeq_epi16_mask(tops, with->trails);
    if (encoding->writes_long_nul && zeros != 0)
        count = lowest(zeros);
    if (encoding->surrogates == IN_PAIRS && ((trails ^ leads << 1) & first_bits(count)) != 0)
        return 0;
    count -= count > 0 ? leads >> (count - 1) & 1 : 0;
    uint32_t inside = (uint32_t)first_bits(count);
    units = _mm512_maskz_mov_epi16(inside, units);
    if (_mm512_test_epi16_mask(units, with->from_800) == 0)
        return put_twos(with, out, units, inside) ? count : 0;
    size_t written = out->written;
    if (put_threes(with, out, units, inside))
        return count;
    out->written = written;
    return 0;
}

KERNEL_PART struct progress vec_encode_each16(const struct encoding *encoding, const uint16_t *units,
                                              size_t unit_count, uint8_t *bytes, size_t capacity)
{
    const struct lanes with = lanes(true);
    struct byte_output out = {bytes, capacity, 0};
    size_t read = 0, taken = 1;
    while (read < unit_count && taken > 0) {
        size_t left = unit_count - read;
        taken = encode_each_block16(encoding, &with, &out, units + read, left < LANES16 ? left : LANES16);
        read += taken;
    }
    return (struct progress){read, out.written};
}

/* ---- from UTF-32 ----------------------------------------------------------------------------------- */

KERNEL_PART __m512i load_units32(const uint32_t *units, size_t count)
{
    if (count >= LANES32)
        return _mm512_loadu_si512(units);
    if (is_in_one_page(units, VEC_BYTES))
        return load_lanes(units, first_bits(count), sizeof *units);
    uint32_t buffer[LANES32] = {0};
    copy_short(buffer, units, count * sizeof *units);
    return _mm512_loadu_si512(buffer);
}

/* Encodes 16 code points or fewer. Returns how many; 0 if there is an error among them, or no room. */
KERNEL_PART size_t encode_block32(const struct wide_lanes *with, struct byte_output *out, const uint32_t *from,
                                  size_t count)
{
    __mmask16 inside = (__mmask16)first_bits(count);
    __m512i units = load_units32(from, count);
    __m512i tops = _mm512_and_si512(units, _mm512_set1_epi32((int)0xFFFFF800));
    __mmask16 surrogates = _mm512_cmpeq_epi32_mask(tops, _mm512_set1_epi32(0xD800));
    if ((surrogates | _mm512_cmpgt_epu32_mask(units, _mm512_set1_epi32(0x10FFFF))) != 0)
        return 0;
    bool fours = _mm512_cmpge_epu32_mask(units, with->least_of_4) != 0;
    bool done = fours ? put_scalars(with, out, units, inside, true) : put_scalars(with, out, units, inside, false);
    return done ? count : 0;
}

/* Encodes the next block; false where nothing is left, or nothing of it could be encoded. */
KERNEL_PART bool encode_next32(const struct wide_lanes *with, struct byte_output *out, const uint32_t *units,
                               size_t unit_count, size_t *read)
{
    size_t left = unit_count - *read, taken = 0;
    if (left >= LANES32)
        taken = encode_block32(with, out, units + *read, LANES32);
    else if (left > 0)
        taken = encode_block32(with, out, units + *read, left);
    *read += taken;
    return taken != 0;
}

/* As encode_units16 does. */
KERNEL_PART struct progress vec_encode32(const uint32_t *units, size_t unit_count, uint8_t *bytes, size_t capacity)
{
    const struct wide_lanes with = wide_lanes(true);
    struct byte_output out = {bytes, capacity, 0};
    size_t read = 0, surplus; /* bytes beyond one for each unit, so far */
    for (;;) {
        while (unit_count - read >= NARROW_UNITS && capacity - out.written >= NARROW_UNITS &&
               vec_narrow32(bytes + out.written, units + read)) {
            read += NARROW_UNITS;
            out.written += NARROW_UNITS;
        }
        do {
            surplus = out.written - read;
            if (!encode_next32(&with, &out, units, unit_count, &read))
                return (struct progress){read, out.written};
        } while (out.written - read != surplus);
    }
}

#endif
