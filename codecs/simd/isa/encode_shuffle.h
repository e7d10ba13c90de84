/* SPDX-License-Identifier: MIT
 *
 * encode_shuffle.h - encoding in UTF-8, for instruction sets that shuffle 16 bytes and have nothing better. A lane has
 * room for the most bytes that a unit may have. A shuffle drops those that this unit does not have. Its index has two
 * bits for each unit, or one where all units are below 800: top bits of marks that its bytes have anyway, taken before
 * the marks that all units get. So no blend is needed. Included by those sets, after their
 *
 *   unit_vec, half, code_point_vec       8 or 16 units of 16 bits; 8 of them, which can be shuffled; a vector of units
 *                                        of 32 bits with as many bytes as a unit_vec
 *   units_constant(unit)                 the same unit everywhere, which the compiler cannot build again in a loop
 *   units_literal(unit)                  the same for a literal: a macro, units_constant() if it is not defined
 *   units_half(v, number)                one of its halves, or all of it
 *   units_shuffle(half, shuffle)         its bytes by a row of a table
 *   half_before(bytes, last)             twelve bytes, and the last four of another half
 *   units_low(a, b), units_high(a, b)    interleaves, in each half, the first or the last four units of a and b
 *   units_later(before, v)               each one place later, after the last one of `before`
 *   units_pack(a, b)                     code points below 10000 as units
 *   units_bytes(a, b)                    ASCII as bytes
 *   units_any(a, b)                      whether any bit is set in both
 *   units_select(truth, a, b)            byte by byte, a where true, else b
 *   units_least(a, b)                    unit by unit, the lesser one
 *   byte_tops(a)                         the top bit of each byte
 *   low_byte_tops(a)                     bit 7 of each unit below 100: 16 bits for each half, its eight bits twice
 *   vec_narrow16, vec_narrow32           16 units as bytes, if they are ASCII
 *   ENCODES_BY_QUADS                     defined by AVX2, which writes ends and short strings by encode_quads_avx2.h
 */
#ifndef ASSAY_SIMD_ISA_ENCODE_SHUFFLE_H
#define ASSAY_SIMD_ISA_ENCODE_SHUFFLE_H

#include "../tables/encode_shuffles.h"

#ifndef units_literal
#define units_literal units_constant
#endif

enum {
    HALF_UNITS = 8,
    UNITS = sizeof(unit_vec) / sizeof(uint16_t),
    BLOCK_UNITS = 32,
    BLOCK_GROUPS = BLOCK_UNITS / UNITS
};
enum { GROUP_BYTES_MAX = 64 }; /* what a group of 16 units may overwrite; smaller groups less */

/* Kept in registers; compilers would build them again for every group. `last_mark` and `second_last_mark`: those of
 * continuation bytes, in the low and in the high byte; `lead_of_two`: the mark of such a lead, in the high byte;
 * `lead_of_three`: in the low byte of another unit. */
struct unit_masks {
    unit_vec not_ascii, not_narrow, surrogates, nothing, last_mark, second_last_mark, lead_of_two, lead_of_three,
        low_six, high_six;
};

ALWAYS_INLINE struct unit_masks unit_masks(void)
{
    return (struct unit_masks){units_literal(0xFF80), units_literal(0xF800), units_literal(0xD800), units_literal(0),
                               units_literal(0x80),   units_literal(0x8000), units_literal(0xC000), units_literal(0xE0),
                               units_literal(0x3F),   units_literal(0x3F00)};
}

/* Bits 0 to 5 of each unit in the low byte, 6 to 11 in the high byte. */
ALWAYS_INLINE unit_vec six_by_six(const struct unit_masks *masks, unit_vec now)
{
    return (now & masks->low_six) | (now << 2 & masks->high_six);
}

/* A mark for the last byte of each unit, to which bits 0 to 5 are added: ASCII itself, and 80 for other units. So bit 7
 * says that a unit is not ASCII. */
ALWAYS_INLINE unit_vec last_marks(const struct unit_masks *masks, unit_vec now)
{
    return units_least(now, masks->last_mark);
}

ALWAYS_INLINE void put_half(uint8_t *out, half bytes)
{
    memcpy(out, &bytes, sizeof bytes);
}

ALWAYS_INLINE const uint8_t *row_at(const uint8_t shuffles[][16], size_t row)
{
    return (const uint8_t *)shuffles + row;
}

/* The last entry of a row. The index is hidden, so that clang reads the entry from memory and does not extract it from
 * the vector that the row is loaded into, too. */
ALWAYS_INLINE size_t last_of(const uint8_t shuffles[][16], size_t row)
{
    __asm__("" : "+r"(row));
    return row_at(shuffles, row)[15];
}

/* Writes 16 bytes, of which the first 8 to 16 encode eight units below U+0800; returns that number. `row` is 16 times a
 * mask: bit i says that unit i has two bytes. */
ALWAYS_INLINE size_t put_eight(uint8_t *out, half lanes, size_t row)
{
    put_half(out, units_shuffle(lanes, row_at(encode_eights, row)));
#ifdef __POPCNT__
    return HALF_UNITS + count_bits(row);
#else
    return last_of(encode_eights, row) + 2;
#endif
}

/* Writes four code points from their lanes; returns how many bytes these are, beyond one for each. */
ALWAYS_INLINE size_t put_four(uint8_t *out, half lanes, size_t row)
{
    put_half(out, units_shuffle(lanes, row_at(encode_fours, row)));
    return last_of(encode_fours, row);
}

/* One sequence for each unit: `last` has its last two bytes, `first` those before them, and the top bits of `key`, an
 * index of encode_fours, say how many there are. */
struct lanes {
    unit_vec last, first, key;
};

/* Writes the sequences. Returns where the next one goes, as all functions that write units do. */
ALWAYS_INLINE uint8_t *put_lanes(uint8_t *out, struct lanes lanes)
{
    unit_vec low = units_low(lanes.last, lanes.first), high = units_high(lanes.last, lanes.first);
    uint64_t index = byte_tops(lanes.key);
#pragma GCC unroll 2
    for (unsigned i = 0; i < UNITS / HALF_UNITS; i++) {
        out += put_four(out + HALF_UNITS * i, units_half(low, i), row_of(index, 2 * i));
        out += put_four(out + HALF_UNITS * i + HALF_UNITS / 2, units_half(high, i), row_of(index, 2 * i + 1));
    }
    return out + UNITS;
}

ALWAYS_INLINE unit_vec units_below(unit_vec now, unit_vec others, const struct unit_masks *masks)
{
    return (unit_vec)((now & others) == masks->nothing);
}

ALWAYS_INLINE unit_vec surrogates_of(unit_vec now, const struct unit_masks *masks)
{
    return (unit_vec)((now & masks->not_narrow) == masks->surrogates);
}

/* C000, the mark of a lead of two, where a unit is below 800; else 0. Of ASCII, too: the shuffle drops that byte. */
ALWAYS_INLINE unit_vec narrow_marks(const struct unit_masks *masks, unit_vec now)
{
    return units_below(now, masks->not_narrow, masks) << 14;
}

/* Units of one, two or three bytes, given their last_marks(); or, where U+0000 has two bytes, with the mark 80 for
 * it. */
ALWAYS_INLINE struct lanes lanes_up_to_three(const struct unit_masks *masks, unit_vec now, unit_vec marks)
{
    unit_vec key = marks | narrow_marks(masks, now);
    return (struct lanes){six_by_six(masks, now) | key | masks->second_last_mark, now >> 12 | masks->lead_of_three,
                          key};
}

/* Writes any units but surrogates. */
ALWAYS_INLINE uint8_t *put_wide(uint8_t *out, const struct unit_masks *masks, unit_vec now)
{
    return put_lanes(out, lanes_up_to_three(masks, now, last_marks(masks, now)));
}

/* Units and pairs of surrogates. Sets *alone where a trail has no lead before it, or a lead no trail after it, but
 * for a lead that comes last. To each surrogate belong two bytes of the four: those of a lead are in its ten bits,
 * with the 10000 that a pair adds; those of a trail have two bits of the lead before it. */
ALWAYS_INLINE struct lanes lanes_of_pairs(const struct unit_masks *masks, unit_vec now, unit_vec before,
                                          unit_vec *alone)
{
    unit_vec leads = (unit_vec)((now & 0xFC00) == masks->surrogates), trails = surrogates_of(now, masks) - leads;
    *alone = trails - (unit_vec)((before & 0xFC00) == masks->surrogates);
    unit_vec of_lead = (now + (uint16_t)((0x10000 >> 10) - 0xD800)) >> 2, of_trail = (now & 0x3FF) | before << 10;
    unit_vec bits = units_select(trails, of_trail, units_select(leads, of_lead, now));
    unit_vec key = last_marks(masks, now) | narrow_marks(masks, now) | ((leads | trails) & masks->second_last_mark);
    return (struct lanes){six_by_six(masks, bits) | key | masks->second_last_mark | (leads & 0xF000),
                          now >> 12 | masks->lead_of_three, key};
}

/* Scalar values, of which `now` has the low 16 bits, and `tops` what is above; sets *wrong where a code point is none.
 * The key of those of four bytes is 0, whatever the low 16 bits are. */
ALWAYS_INLINE struct lanes lanes_of_scalars(const struct unit_masks *masks, unit_vec now, unit_vec tops,
                                            unit_vec *wrong)
{
    unit_vec fours = ~(unit_vec)(tops == masks->nothing);
    *wrong = surrogates_of(now | fours, masks) | (unit_vec)(tops > 0x10);
    unit_vec key = (last_marks(masks, now) | narrow_marks(masks, now)) & ~fours;
    unit_vec leads = units_select(fours, (tops << 4 & 0x30) | (tops << 6 & 0x700) | 0xF080, masks->lead_of_three);
    return (struct lanes){six_by_six(masks, now) | key | masks->second_last_mark | (fours & masks->last_mark),
                          now >> 12 | leads, key};
}

/* ---- groups ------------------------------------------------------------------------------------------------ */

ALWAYS_INLINE unit_vec units_at(const uint16_t *from)
{
    unit_vec now;
    memcpy(&now, from, sizeof now);
    return now;
}

ALWAYS_INLINE code_point_vec code_points_at(const uint32_t *from)
{
    code_point_vec now;
    memcpy(&now, from, sizeof now);
    return now;
}

ALWAYS_INLINE const void *units_from(bool of_32, const void *from, size_t at)
{
    return of_32 ? (const void *)((const uint32_t *)from + at) : (const uint16_t *)from + at;
}

/* Group `number` of those that begin at `from`. */
ALWAYS_INLINE unit_vec group_at(bool of_32, const void *from, unsigned number)
{
    const uint32_t *from32 = (const uint32_t *)from + UNITS * number;
    return of_32 ? units_pack(code_points_at(from32), code_points_at(from32 + UNITS / 2))
                 : units_at((const uint16_t *)from + UNITS * number);
}

/* Which bits are set in any unit of a block, of 16 or 32 bits. */
ALWAYS_INLINE unit_vec bits_of_block(bool of_32, const void *from)
{
    unit_vec all = {0};
#pragma GCC unroll 4
    for (unsigned i = 0; i < BLOCK_GROUPS; i++) {
        const uint16_t *at = units_from(of_32, from, UNITS * i);
        all |= of_32 ? units_at(at) | units_at(at + UNITS) : units_at(at);
    }
    return all;
}

/* Writes a block of ASCII, a byte for each unit. */
ALWAYS_INLINE void put_as_bytes(bool of_32, uint8_t *out, const void *from)
{
#pragma GCC unroll 2
    for (unsigned i = 0; i < BLOCK_GROUPS; i += 2) {
        unit_vec bytes = units_bytes(group_at(of_32, from, i), group_at(of_32, from, i + 1));
        memcpy(out + UNITS * i, &bytes, sizeof bytes);
    }
}

/* The bits that no unit of ASCII has, of 16 or 32 bits. */
ALWAYS_INLINE unit_vec bits_beyond_ascii(bool of_32)
{
    return of_32 ? (unit_vec)((code_point_vec){0} + 0xFFFFFF80) : (unit_vec){0} + 0xFF80;
}

/* Writes a block of units, if all are ASCII. */
ALWAYS_INLINE bool put_ascii_block(bool of_32, uint8_t *out, const void *from)
{
    if (units_any(bits_of_block(of_32, from), bits_beyond_ascii(of_32)))
        return false;
    put_as_bytes(of_32, out, from);
    return true;
}

/* Writes 16 units of 16 or 32 bits, if they are ASCII. */
ALWAYS_INLINE bool put_ascii_group(bool of_32, uint8_t *out, const void *from)
{
    return of_32 ? vec_narrow32(out, from) : vec_narrow16(out, from);
}

/* Writes leading ASCII of `most` units of 16 or 32 bits in groups, of which the last one may overlap the one before it.
 * Stops before a group that is not all ASCII. Returns how many units that is. */
ALWAYS_INLINE size_t put_ascii_units(bool of_32, uint8_t *out, const void *from, size_t most)
{
    size_t done = 0;
    while (most - done >= BLOCK_UNITS && put_ascii_block(of_32, out + done, units_from(of_32, from, done)))
        done += BLOCK_UNITS;
    while (most - done >= NARROW_UNITS && put_ascii_group(of_32, out + done, units_from(of_32, from, done)))
        done += NARROW_UNITS;
    bool is_end = done < most && most - done < NARROW_UNITS && done >= NARROW_UNITS;
    size_t last = most - NARROW_UNITS;
    return is_end && put_ascii_group(of_32, out + last, units_from(of_32, from, last)) ? most : done;
}

/* Writes a group of units below 800, given their marks as lanes_up_to_three() is. */
ALWAYS_INLINE void put_narrow(uint8_t **to, const struct unit_masks *masks, unit_vec now, unit_vec marks)
{
    uint64_t of_two = low_byte_tops(marks);
    unit_vec bytes = six_by_six(masks, now) | marks | masks->lead_of_two;
#pragma GCC unroll 2
    for (unsigned i = 0; i < UNITS / HALF_UNITS; i++)
        *to += put_eight(*to, units_half(bytes, i), row_of(of_two, 2 * i));
}

/* Writes a block of units, if there is no surrogate. */
ALWAYS_INLINE bool put_wide_block(uint8_t **to, const struct unit_masks *masks, const uint16_t *from)
{
    unit_vec surrogates = masks->nothing;
#pragma GCC unroll 4
    for (unsigned i = 0; i < BLOCK_GROUPS; i++)
        surrogates |= surrogates_of(units_at(from + UNITS * i), masks);
    if (units_any(surrogates, surrogates))
        return false;
#pragma GCC unroll 4
    for (unsigned i = 0; i < BLOCK_GROUPS; i++)
        *to = put_wide(*to, masks, units_at(from + UNITS * i));
    return true;
}

/* Writes blocks of units below 800, as many as follow one another; of 16 bits also a block with others after each of
 * these, since no processor can predict where quotation marks and dashes are. Tests for ASCII in blocks, not in groups:
 * in Latin text, processors predict that branch better. */
ALWAYS_INLINE struct progress put_narrow_blocks(bool of_32, uint8_t *out, const void *from, size_t left)
{
    struct unit_masks masks = unit_masks();
    uint8_t *to = out;
    size_t done = 0, narrow_from = 0; /* from where on all are below 800 */
    for (; left - done >= BLOCK_UNITS; done += BLOCK_UNITS) {
        const void *at = units_from(of_32, from, done);
        unit_vec all = bits_of_block(of_32, at);
        if (!units_any(all, of_32 ? bits_beyond_ascii(true) : masks.not_ascii)) {
            put_as_bytes(of_32, to, at);
            to += BLOCK_UNITS;
            continue;
        }
        if (units_any(all, of_32 ? (unit_vec)((code_point_vec){0} + 0xFFFFF800) : masks.not_narrow)) {
            if (of_32 || done == narrow_from || !put_wide_block(&to, &masks, at))
                break;
            narrow_from = done + BLOCK_UNITS;
            continue;
        }
#pragma GCC unroll 4
        for (unsigned i = 0; i < BLOCK_GROUPS; i++) {
            unit_vec now = group_at(of_32, at, i);
            put_narrow(&to, &masks, now, last_marks(&masks, now));
        }
    }
    return (struct progress){done, (size_t)(to - out)};
}

/* Apart from the rest, gcc has registers for the constants of each; clang would load those of the rest over and over.
 * From UTF-32 it would cost short strings a fifth. */
#ifdef __clang__
ALWAYS_INLINE
#else
static __attribute__((noinline))
#endif
struct progress put_narrow_blocks16(uint8_t *out, const void *from, size_t left)
{
    return put_narrow_blocks(false, out, from, left);
}

/* Whether the last group of a block is below 800. Amid characters of three bytes it mostly is not, and no more need be
 * looked at then. */
ALWAYS_INLINE bool ends_below_800(bool of_32, const struct unit_masks *masks, const void *from)
{
    const uint16_t *last = units_from(of_32, from, BLOCK_UNITS - UNITS);
    return of_32 ? !units_any(units_at(last) | units_at(last + UNITS), (unit_vec)((code_point_vec){0} + 0xFFFFF800))
                 : !units_any(units_at(last), masks->not_narrow);
}

/* Writes a group of units below 800, or blocks of them; `left` units are there. Returns
 * how many, and brings *to to where the next go. */
ALWAYS_INLINE size_t put_below_800(bool of_32, uint8_t **to, const struct unit_masks *masks, unit_vec now,
                                   const void *from, size_t left)
{
    if (left >= BLOCK_UNITS && ends_below_800(of_32, masks, from)) {
        struct progress done = of_32 ? put_narrow_blocks(true, *to, from, left) : put_narrow_blocks16(*to, from, left);
        *to += done.written;
        if (done.read > 0)
            return done.read;
    }
    if (left >= NARROW_UNITS && put_ascii_group(of_32, *to, from)) {
        *to += NARROW_UNITS;
        return NARROW_UNITS;
    }
    put_narrow(to, masks, now, last_marks(masks, now));
    return UNITS;
}

/* Writes a group after the group `last`, or returns NULL, if a surrogate is alone; but for a lead that comes last. */
ALWAYS_INLINE uint8_t *put_pair_group(uint8_t *out, const struct unit_masks *masks, unit_vec last, unit_vec now)
{
    unit_vec alone;
    struct lanes lanes = lanes_of_pairs(masks, now, units_later(last, now), &alone);
    return units_any(alone, alone) ? NULL : put_lanes(out, lanes);
}

/* Writes groups of units from `from` to `end`, up to a group without surrogates or with an unpaired one. A lead that
 * comes last is not read: it is encoded together with its trail. Returns the number of units, and sets *to to where the
 * next go. */
ALWAYS_INLINE size_t put_pair_groups(uint8_t **to, const struct unit_masks *masks, const uint16_t *from,
                                     const uint16_t *end)
{
    const uint16_t *begin = from;
    unit_vec last = masks->nothing;
    for (; from != end; from += UNITS) {
        unit_vec now = units_at(from), surrogates = surrogates_of(now, masks);
        uint8_t *next = units_any(surrogates, surrogates) ? put_pair_group(*to, masks, last, now) : NULL;
        if (next == NULL)
            break;
        *to = next;
        last = now;
    }
    bool is_cut = from != begin && (from[-1] & 0xFC00) == 0xD800;
    *to -= is_cut ? 2 : 0;
    return (size_t)(from - begin) - is_cut;
}

/* Writes two groups at once, which leaves less to ask, if there are no surrogates. */
ALWAYS_INLINE bool put_two_wide(uint8_t **to, const struct unit_masks *masks, unit_vec first, unit_vec second)
{
    unit_vec surrogates = surrogates_of(first, masks) | surrogates_of(second, masks);
    if (units_any(surrogates, surrogates))
        return false;
    *to = put_wide(*to, masks, first);
    *to = put_wide(*to, masks, second);
    return true;
}

/* Writes groups of units, until one has a surrogate that is alone, or there have been pairs. Returns and does what
 * put_pair_groups() does. */
ALWAYS_INLINE size_t put_groups16(uint8_t **to, const struct unit_masks *masks, const uint16_t *from,
                                  const uint16_t *end)
{
    const uint16_t *begin = from;
    while (from != end) {
        unit_vec now = units_at(from), surrogates = surrogates_of(now, masks);
        if (!units_any(now, masks->not_narrow)) {
            from += put_below_800(false, to, masks, now, from, (size_t)(end - from));
        } else if (end - from >= 2 * UNITS && put_two_wide(to, masks, now, units_at(from + UNITS))) {
            from += 2 * UNITS;
        } else if (!units_any(surrogates, surrogates)) {
            *to = put_wide(*to, masks, now);
            from += UNITS;
        } else {
            return (size_t)(from - begin) + put_pair_groups(to, masks, from, end);
        }
    }
    return (size_t)(from - begin);
}

/* Writes a group of code points, if they are scalar values; returns where the next go, or NULL. */
ALWAYS_INLINE uint8_t *put_scalars(uint8_t *out, const struct unit_masks *masks, code_point_vec first,
                                   code_point_vec second)
{
    unit_vec now = units_pack(first & 0xFFFF, second & 0xFFFF), tops = units_pack(first >> 16, second >> 16), wrong;
    struct lanes lanes = lanes_of_scalars(masks, now, tops, &wrong);
    return units_any(wrong, wrong) ? NULL : put_lanes(out, lanes);
}

/* Writes a group of code points of any length; returns as put_scalars() does. */
ALWAYS_INLINE uint8_t *put_any(uint8_t *out, const struct unit_masks *masks, code_point_vec first,
                               code_point_vec second)
{
    unit_vec now = units_pack(first, second), surrogates = surrogates_of(now, masks);
    if (units_any((unit_vec)(first | second), (unit_vec)((code_point_vec){0} + 0xFFFF0000)))
        return put_scalars(out, masks, first, second);
    return units_any(surrogates, surrogates) ? NULL : put_wide(out, masks, now);
}

/* Whether code points have one or two bytes each. */
ALWAYS_INLINE bool are_below_800(code_point_vec first, code_point_vec second)
{
    return !units_any((unit_vec)(first | second), (unit_vec)((code_point_vec){0} + 0xFFFFF800));
}

/* Writes groups of code points, until one has some that are no scalar values. Returns and does what put_groups16()
 * does. */
ALWAYS_INLINE size_t put_groups32(uint8_t **to, const struct unit_masks *masks, const uint32_t *from,
                                  const uint32_t *end)
{
    const uint32_t *begin = from;
    while (from != end) {
        code_point_vec first = code_points_at(from), second = code_points_at(from + UNITS / 2);
        if (are_below_800(first, second)) {
            from += put_below_800(true, to, masks, units_pack(first, second), from, (size_t)(end - from));
            continue;
        }
        uint8_t *next = put_any(*to, masks, first, second);
        if (next == NULL)
            break;
        *to = next;
        from += UNITS;
    }
    return (size_t)(from - begin);
}

/* Writes 16 units. Returns where the next go, or NULL if a surrogate has no partner or the last one is a lead. */
ALWAYS_INLINE uint8_t *put_sixteen16(uint8_t *out, const struct unit_masks *masks, const uint16_t *from)
{
    if (vec_narrow16(out, from))
        return out + NARROW_UNITS;
    unit_vec surrogates = masks->nothing, last = masks->nothing;
    for (unsigned i = 0; i < NARROW_UNITS; i += UNITS)
        surrogates |= surrogates_of(units_at(from + i), masks);
    bool has_pairs = units_any(surrogates, surrogates);
    if (has_pairs && (from[NARROW_UNITS - 1] & 0xFC00) == 0xD800)
        return NULL;
    for (unsigned i = 0; i < NARROW_UNITS && out != NULL; i += UNITS) {
        unit_vec now = units_at(from + i);
        out = has_pairs ? put_pair_group(out, masks, last, now) : put_wide(out, masks, now);
        last = now;
    }
    return out;
}

/* The same for 16 code points; NULL if one of them cannot be encoded. */
ALWAYS_INLINE uint8_t *put_sixteen32(uint8_t *out, const struct unit_masks *masks, const uint32_t *from)
{
    if (vec_narrow32(out, from))
        return out + NARROW_UNITS;
    for (unsigned i = 0; i < NARROW_UNITS && out != NULL; i += UNITS) {
        code_point_vec first = code_points_at(from + i), second = code_points_at(from + i + UNITS / 2);
        if (are_below_800(first, second)) {
            unit_vec now = units_pack(first, second);
            put_narrow(&out, masks, now, last_marks(masks, now));
        } else {
            out = put_any(out, masks, first, second);
        }
    }
    return out;
}

/* The bytes that put_sixteen16() or put_sixteen32() may overwrite, if only the first `count` units are not zero: the
 * last of four stores of 16 bytes begins after twelve units, of which a zero has one byte, and others up to two or
 * three more. Units below 800 are stored by eights, which reach less far. */
ALWAYS_INLINE size_t group_reach(bool of_32, size_t count)
{
    size_t reach = 12 + 16 + (of_32 ? 3 : 2) * count;
    return reach < GROUP_BYTES_MAX ? reach : GROUP_BYTES_MAX;
}

/* Writes up to 16 units, as a group with zeros after them, which are a byte each. May overwrite group_reach()
 * bytes. Returns the number of bytes, or 0 if a unit cannot be encoded. */
ALWAYS_INLINE size_t put_few(bool of_32, const struct unit_masks *masks, const void *from, size_t count, uint8_t *out)
{
    union {
        uint16_t of_16[NARROW_UNITS];
        uint32_t of_32[NARROW_UNITS];
    } units;
    vec_store(&units, vec_load_part(from, count * (of_32 ? sizeof(uint32_t) : sizeof(uint16_t))));
    const uint8_t *end = of_32 ? put_sixteen32(out, masks, units.of_32) : put_sixteen16(out, masks, units.of_16);
    return end == NULL ? 0 : (size_t)(end - out) - (NARROW_UNITS - count);
}

#ifdef ENCODES_BY_QUADS
#include "encode_quads_avx2.h"
#else

/* The same, without overwriting more than there is room for; returns 0 if the bytes do not fit, too. */
ALWAYS_INLINE size_t put_few_only(bool of_32, const struct unit_masks *masks, const void *from, size_t count,
                                  uint8_t *out, size_t room)
{
    uint8_t buffer[GROUP_BYTES_MAX];
    size_t written = put_few(of_32, masks, from, count, buffer);
    if (written > room)
        return 0;
    copy_short(out, buffer, written);
    return written;
}

#endif

/* Writes up to 16 units, where fewer are left, or there may be no room for what a group overwrites. Returns how many,
 * or 0 if one of them cannot be encoded or does not fit; moves *to to where the next go. */
ALWAYS_INLINE size_t put_last(bool of_32, uint8_t **to, const struct unit_masks *masks, const void *from, size_t left,
                              size_t room)
{
    size_t count = left < NARROW_UNITS ? left : NARROW_UNITS;
    if (!of_32 && left > NARROW_UNITS)
        count -= (((const uint16_t *)from)[count - 1] & 0xFC00) == 0xD800; /* its trail comes next */
    size_t written = room < group_reach(of_32, count) ? put_few_only(of_32, masks, from, count, *to, room)
                                                      : put_few(of_32, masks, from, count, *to);
    *to += written;
    return written > 0 ? count : 0;
}

#ifndef ENCODES_BY_QUADS

/* Writes 16 to 64 units, if they are ASCII: four groups, of which some are the last one again, so that no branch
 * depends on the count. */
ALWAYS_INLINE bool put_all_ascii(bool of_32, uint8_t *out, const void *from, size_t count)
{
    ASSUME(count >= NARROW_UNITS && count <= 4 * NARROW_UNITS);
    size_t last = count - NARROW_UNITS;
#pragma GCC unroll 4
    for (size_t at = 0; at < 4 * NARROW_UNITS; at += NARROW_UNITS) {
        size_t begin = at < last ? at : last;
        if (!put_ascii_group(of_32, out + begin, units_from(of_32, from, begin)))
            return false;
    }
    return true;
}

#define VEC_ENCODE_SHORT

KERNEL_PART size_t vec_encode_short(bool of_32, const void *from, size_t unit_count, uint8_t *out, size_t capacity)
{
    if (unit_count > capacity)
        return 0;
    if (unit_count >= NARROW_UNITS && put_all_ascii(of_32, out, from, unit_count))
        return unit_count;
    struct unit_masks masks = unit_masks();
    uint8_t *to = out;
    for (size_t read = 0, more; read < unit_count; read += more) {
        size_t room = capacity - (size_t)(to - out);
        more = put_last(of_32, &to, &masks, units_from(of_32, from, read), unit_count - read, room);
        if (more == 0)
            return 0;
    }
    return (size_t)(to - out);
}

#endif

KERNEL_PART struct progress encode_units(bool of_32, const void *from, size_t unit_count, uint8_t *out, size_t capacity)
{
    if (capacity == 0) /* there may be no address */
        return (struct progress){0, 0};
    const uint16_t *from16 = from;
    const uint32_t *from32 = from;
    struct unit_masks masks = unit_masks();
    uint8_t *to = out, *end = out + capacity;
    size_t read = 0, more = 1;
    while (more > 0 && read < unit_count) {
        size_t left = unit_count - read, room = (size_t)(end - to), most = left < room ? left : room;
        size_t ascii = put_ascii_units(of_32, to, units_from(of_32, from, read), most);
        read += ascii;
        to += ascii;
        left -= ascii;
        room -= ascii;
        size_t groups = left / UNITS < room / GROUP_BYTES_MAX ? left / UNITS : room / GROUP_BYTES_MAX;
        if (left == 0)
            break;
        else if (groups == 0)
            more = put_last(of_32, &to, &masks, units_from(of_32, from, read), left, room);
        else if (of_32)
            more = put_groups32(&to, &masks, from32 + read, from32 + read + UNITS * groups);
        else
            more = put_groups16(&to, &masks, from16 + read, from16 + read + UNITS * groups);
        read += more;
    }
    return (struct progress){read, (size_t)(to - out)};
}

KERNEL_PART struct progress vec_encode16(const uint16_t *from, size_t unit_count, uint8_t *out, size_t capacity)
{
    return encode_units(false, from, unit_count, out, capacity);
}

KERNEL_PART struct progress vec_encode32(const uint32_t *from, size_t unit_count, uint8_t *out, size_t capacity)
{
    return encode_units(true, from, unit_count, out, capacity);
}

#include "encode_shuffle_each.h"

#endif
