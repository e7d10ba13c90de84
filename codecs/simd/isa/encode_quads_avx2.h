/* SPDX-License-Identifier: MIT
 *
 * encode_quads_avx2.h - short strings and the ends of texts in UTF-8, without a write after the room. Included by
 * encode_shuffle.h.
 *
 * A shuffle encodes four units, a quad. The bytes of units are counted before any is written, so no branch depends on
 * where a quad goes. Of 5 to 16 units, the quads begin at units 0, 4, 8 and 12, or earlier, so that none ends after the
 * last unit; some units are encoded twice then, to the same place. A quad is stored as 16 bytes. Quads after it
 * overwrite those that are not its own, and the last 16 bytes of all are put together in a register, and stored last.
 * (From a buffer they could not be copied before all stores to it were done.)
 */
#ifndef ASSAY_SIMD_ISA_ENCODE_QUADS_AVX2_H
#define ASSAY_SIMD_ISA_ENCODE_QUADS_AVX2_H

enum { QUAD = 4, QUADS = NARROW_UNITS / QUAD, QUAD_BYTES = 16 };

/* The bytes of four quads. Each unit has two bits in `more` and two in `fours`; as many are set as it has bytes after
 * its first. Only a unit of four bytes has bits in `fours`: both, and one in `more`. */
struct quads {
    half bytes[QUADS];
    uint32_t more, fours;
};

/* The unit that each quad begins with, or the byte where it goes. */
struct places {
    size_t of[QUADS];
};

ALWAYS_INLINE size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Quads without sequences of four bytes, or whose `fours` are set later. */
ALWAYS_INLINE struct quads quads_of(struct lanes lanes)
{
    unit_vec low = units_low(lanes.last, lanes.first), high = units_high(lanes.last, lanes.first);
    uint64_t index = byte_tops(lanes.key);
    struct quads quads = {.more = (uint32_t)index ^ 0xAAAAAAAA};
#pragma GCC unroll 4
    for (unsigned i = 0; i < QUADS; i++) {
        half quad = units_half(i % 2 == 0 ? low : high, i / 2);
        quads.bytes[i] = units_shuffle(quad, row_at(encode_fours, row_of(index, i)));
    }
    return quads;
}

/* How many bytes the first `count` units have, all in quads that do not overlap. */
ALWAYS_INLINE size_t bytes_of_first(const struct quads *quads, size_t count)
{
    uint64_t units = first_bits(2 * count);
    return count + count_bits(quads->more & units) + count_bits(quads->fours & units);
}

ALWAYS_INLINE struct places places_of_bytes(const struct quads *quads, const struct places *units)
{
    return (struct places){{0, bytes_of_first(quads, units->of[1]), bytes_of_first(quads, units->of[2]),
                            bytes_of_first(quads, units->of[3])}};
}

/* Stores the first `count` quads, none of them after `most`: from there on, 16 bytes are written later. */
ALWAYS_INLINE void put_quads(uint8_t *out, const struct quads *quads, unsigned count, const struct places *bytes,
                             size_t most)
{
#pragma GCC unroll 4
    for (unsigned i = 0; i < count; i++)
        put_half(out + lesser(bytes->of[i], most), quads->bytes[i]);
}

/* A shuffle from entry 16 - n on moves twelve bytes up by n bytes; from entry 16 + n on, down. */
static const uint8_t moves_of_quad[16 + 16 + 32] = {
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   0x80, 0x80, 0x80, 0x80,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};

/* The 16 bytes of the output from byte `most` on,, of which the last ones mean nothing if there are fewer. Quads of
 * up to twelve bytes are moved to their places; longer ones, which are rare, go by way of memory. */
ALWAYS_INLINE __m128i last_bytes(const struct quads *quads, bool has_fours, const struct places *bytes, size_t most)
{
    if (has_fours) {
        uint8_t all[QUADS * QUAD_BYTES];
        put_quads(all, quads, QUADS, bytes, sizeof all - QUAD_BYTES);
        return _mm_loadu_si128((const __m128i *)(const void *)(all + most));
    }
    __m128i last = _mm_setzero_si128();
#pragma GCC unroll 4
    for (unsigned i = 0; i < QUADS; i++) {
        const uint8_t *move = moves_of_quad + QUAD_BYTES + most - bytes->of[i];
        __m128i moved =
            _mm_shuffle_epi8((__m128i)quads->bytes[i], _mm_loadu_si128((const __m128i *)(const void *)move));
        last = _mm_or_si128(last, moved);
    }
    return last;
}

/* Writes the first `count` of 16 bytes, 1 to 16. copy_short() would first ask whether it is 16, which cannot be
 * predicted; 8 or more are most. */
ALWAYS_INLINE void put_first_bytes(uint8_t *out, __m128i first, size_t count)
{
    uint8_t bytes[QUAD_BYTES];
    store_half(bytes, first);
    if (count >= 8) {
        memcpy(out, bytes, 8);
        memcpy(out + count - 8, bytes + count - 8, 8);
    } else if (count >= 4) {
        memcpy(out, bytes, 4);
        memcpy(out + count - 4, bytes + count - 4, 4);
    } else {
        out[0] = bytes[0], out[count / 2] = bytes[count / 2], out[count - 1] = bytes[count - 1];
    }
}

/* Units from which quads are made: 1 to 4, and zeros after them; 5 to 16, whose quads may overlap; or 16 of a string
 * of 17 to 64. */
enum extent { ONE_QUAD, SOME_QUADS, ALL_QUADS };

struct group {
    enum extent extent;
    bool is_first; /* the text begins here, or what is before it ends with a whole character */
    const void *from;
    size_t left;         /* units from here to the end of the text */
    struct places units; /* where quads begin */
};

/* How many of the 16 units of ALL_QUADS count, if `left` are left with them: all if there are no more, else as many as
 * leave 16 or more, so that the last group has 16, too. */
ALWAYS_INLINE size_t units_of_next(size_t left)
{
    return left > NARROW_UNITS ? lesser(NARROW_UNITS, left - NARROW_UNITS) : NARROW_UNITS;
}

ALWAYS_INLINE unit_vec of_four_words(uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
    return (unit_vec)_mm256_set_epi64x((long long)fourth, (long long)third, (long long)second, (long long)first);
}

ALWAYS_INLINE uint64_t quad_at(const uint16_t *from)
{
    return load_8((const uint8_t *)from);
}

ALWAYS_INLINE unit_vec units_of_group(const struct group *group)
{
    const uint16_t *from = group->from;
    const size_t *at = group->units.of;
    if (group->extent == ALL_QUADS)
        return units_at(from);
    if (group->extent == ONE_QUAD)
        return of_four_words(words_of(group->from, group->left * sizeof *from).low, 0, 0, 0);
    return of_four_words(quad_at(from), quad_at(from + at[1]), quad_at(from + at[2]), quad_at(from + at[3]));
}

/* The unit before each unit of the group; before its first one, 0 if the group is the first. */
ALWAYS_INLINE unit_vec units_before(const struct group *group, unit_vec now)
{
    const uint16_t *from = group->from;
    const size_t *at = group->units.of;
    if (group->extent == SOME_QUADS)
        return of_four_words(quad_at(from) << 16, quad_at(from + at[1] - 1), quad_at(from + at[2] - 1),
                             quad_at(from + at[3] - 1));
    return group->is_first ? units_later((unit_vec){0}, now) : units_at(from - 1);
}

/* Code points below 10000 as units; each half of `first` and of `second` is a quad. */
ALWAYS_INLINE unit_vec quads_pack(code_point_vec first, code_point_vec second)
{
    return (unit_vec)_mm256_packus_epi32((__m256i)first, (__m256i)second);
}

/* The code points of quads 0 and 2 in *first, of 1 and 3 in *second. */
ALWAYS_INLINE void code_points_of_group(const struct group *group, code_point_vec *first, code_point_vec *second)
{
    const uint32_t *from = group->from;
    const size_t *at = group->units.of;
    if (group->extent == ONE_QUAD) {
        struct words words = words_of(group->from, group->left * sizeof *from);
        *first = (code_point_vec)of_four_words(words.low, words.high, 0, 0);
        *second = (code_point_vec){0};
    } else {
        *first = (code_point_vec)_mm256_loadu2_m128i((const __m128i_u *)(from + at[2]), (const __m128i_u *)from);
        *second =
            (code_point_vec)_mm256_loadu2_m128i((const __m128i_u *)(from + at[3]), (const __m128i_u *)(from + at[1]));
    }
}

ALWAYS_INLINE size_t put_one_quad(const struct group *group, const struct quads *quads, uint8_t *out, size_t room)
{
    size_t written = bytes_of_first(quads, group->left);
    if (written > room)
        return 0;
    put_first_bytes(out, (__m128i)quads->bytes[0], written);
    return written;
}

/* Where the quads of a group end, if no units follow. */
ALWAYS_INLINE size_t end_of_quads(const struct quads *quads, const struct places *bytes)
{
    return bytes->of[QUADS - 1] + QUAD + count_bits(quads->more >> 24) + count_bits(quads->fours >> 24);
}

ALWAYS_INLINE size_t put_some_quads(const struct group *group, const struct quads *quads, bool has_fours, uint8_t *out,
                                    size_t room)
{
    struct places bytes = places_of_bytes(quads, &group->units);
    size_t written = end_of_quads(quads, &bytes), most = written < QUAD_BYTES ? 0 : written - QUAD_BYTES;
    if (written > room)
        return 0;
    uint8_t nowhere[QUAD_BYTES]; /* if there are fewer than 16 bytes, no quad can be stored */
    put_quads(written < QUAD_BYTES ? nowhere : out, quads, QUADS - 1, &bytes, most);
    put_first_bytes(out + most, last_bytes(quads, has_fours, &bytes, most), written - most);
    return written;
}

ALWAYS_INLINE size_t put_all_quads(const struct group *group, const struct quads *quads, bool has_fours, uint8_t *out,
                                   size_t room)
{
    struct places bytes = places_of_bytes(quads, &group->units);
    if (group->left > NARROW_UNITS) {
        size_t written = bytes_of_first(quads, units_of_next(group->left));
        if (written + QUAD_BYTES > room)
            return 0;
        put_quads(out, quads, QUADS, &bytes, written);
        return written;
    }
    size_t written = end_of_quads(quads, &bytes), most = written - QUAD_BYTES;
    if (written > room)
        return 0;
    put_quads(out, quads, QUADS - 1, &bytes, most);
    store_half(out + most, last_bytes(quads, has_fours, &bytes, most));
    return written;
}

/* Writes the quads of a group, or of ALL_QUADS the units that count, and then, if units follow, any 16 bytes. Returns
 * the number of bytes, or 0 if there is no room for them. */
ALWAYS_INLINE size_t put_group_of(const struct group *group, const struct quads *quads, bool has_fours, uint8_t *out,
                                  size_t room)
{
    switch (group->extent) {
    case ONE_QUAD: return put_one_quad(group, quads, out, room);
    case SOME_QUADS: return put_some_quads(group, quads, has_fours, out, room);
    default: return put_all_quads(group, quads, has_fours, out, room);
    }
}

/* Writes ALL_QUADS below 800 by two shuffles, where 32 bytes may be overwritten. Returns the number of bytes of the
 * units that count. */
ALWAYS_INLINE size_t put_narrow_group(const struct unit_masks *masks, const struct group *group, unit_vec now,
                                      uint8_t *out)
{
    unit_vec marks = last_marks(masks, now);
    uint64_t of_two = low_byte_tops(marks), of_all = (of_two & 0xFF) | (of_two >> 8 & 0xFF00);
    size_t next = units_of_next(group->left);
    put_narrow(&out, masks, now, marks);
    return next + count_bits(of_all & first_bits(next));
}

/* Writes SOME_QUADS of ASCII: a byte for each unit. */
ALWAYS_INLINE size_t put_ascii_quads(const struct group *group, unit_vec now, uint8_t *out)
{
    half bytes = units_half(units_bytes(now, now), 0);
#pragma GCC unroll 4
    for (unsigned i = 0; i < QUADS; i++)
        memcpy(out + group->units.of[i], (const uint8_t *)&bytes + QUAD * i, QUAD);
    return group->left;
}

/* Writes groups that take less than quads do, if there is room. Returns the number of bytes, or 0 if this is none. */
ALWAYS_INLINE size_t put_plain_group(const struct unit_masks *masks, const struct group *group, unit_vec now,
                                     uint8_t *out, size_t room)
{
    if (group->extent == ALL_QUADS && room >= 2 * NARROW_UNITS && !units_any(now, masks->not_narrow))
        return put_narrow_group(masks, group, now, out);
    if (group->extent == SOME_QUADS && room >= group->left && !units_any(now, masks->not_ascii))
        return put_ascii_quads(group, now, out);
    return 0;
}

/* Whether the last unit is a lead without a trail after it. */
ALWAYS_INLINE bool ends_with_half_pair(const struct group *group)
{
    size_t count = lesser(group->left, NARROW_UNITS);
    const uint16_t *end = (const uint16_t *)group->from + count;
    return (end[-1] & 0xFC00) == 0xD800 && (group->left == count || (end[0] & 0xFC00) != 0xDC00);
}

/* Writes a group of units, as put_group_of() does; returns 0 if a surrogate is alone, too. */
ALWAYS_INLINE size_t put_group16(const struct unit_masks *masks, const struct group *group, uint8_t *out, size_t room)
{
    unit_vec now = units_of_group(group);
    size_t written = put_plain_group(masks, group, now, out, room);
    if (written > 0)
        return written;
    struct lanes lanes;
    unit_vec surrogates = surrogates_of(now, masks);
    if (units_any(surrogates, surrogates)) {
        unit_vec alone;
        lanes = lanes_of_pairs(masks, now, units_before(group, now), &alone);
        if (units_any(alone, alone) || ends_with_half_pair(group))
            return 0;
    } else {
        lanes = lanes_up_to_three(masks, now, last_marks(masks, now));
    }
    struct quads quads = quads_of(lanes);
    return put_group_of(group, &quads, false, out, room);
}

/* The same for code points of which one is above FFFF. */
ALWAYS_INLINE size_t put_group_of_fours(const struct unit_masks *masks, const struct group *group, code_point_vec first,
                                        code_point_vec second, uint8_t *out, size_t room)
{
    unit_vec now = quads_pack(first & 0xFFFF, second & 0xFFFF), tops = quads_pack(first >> 16, second >> 16), wrong;
    struct lanes lanes = lanes_of_scalars(masks, now, tops, &wrong);
    if (units_any(wrong, wrong))
        return 0;
    struct quads quads = quads_of(lanes);
    quads.fours = ~byte_tops((unit_vec)(tops == masks->nothing));
    return put_group_of(group, &quads, true, out, room);
}

/* Writes a group of code points, as put_group_of() does; returns 0 if one is no scalar value, too. */
ALWAYS_INLINE size_t put_group32(const struct unit_masks *masks, const struct group *group, uint8_t *out, size_t room)
{
    code_point_vec first, second;
    code_points_of_group(group, &first, &second);
    if (units_any((unit_vec)(first | second), (unit_vec)((code_point_vec){0} + 0xFFFF0000)))
        return put_group_of_fours(masks, group, first, second, out, room);
    unit_vec now = quads_pack(first, second);
    size_t written = put_plain_group(masks, group, now, out, room);
    if (written > 0)
        return written;
    unit_vec surrogates = surrogates_of(now, masks);
    if (units_any(surrogates, surrogates))
        return 0;
    struct quads quads = quads_of(lanes_up_to_three(masks, now, last_marks(masks, now)));
    return put_group_of(group, &quads, false, out, room);
}

ALWAYS_INLINE size_t put_group(bool of_32, const struct unit_masks *masks, const struct group *group, uint8_t *out,
                               size_t room)
{
    return of_32 ? put_group32(masks, group, out, room) : put_group16(masks, group, out, room);
}

/* Writes 1 to 16 units, and no byte more. Returns the number of bytes, or 0 if a unit cannot be encoded or does not
 * fit. */
ALWAYS_INLINE size_t put_few_only(bool of_32, const struct unit_masks *masks, const void *from, size_t count,
                                  uint8_t *out, size_t room)
{
    if (count <= QUAD)
        return put_group(of_32, masks, &(struct group){ONE_QUAD, true, from, count, {{0}}}, out, room);
    size_t last = count - QUAD;
    struct group group = {SOME_QUADS, true, from, count, {{0, lesser(QUAD, last), lesser(2 * QUAD, last), last}}};
    return put_group(of_32, masks, &group, out, room);
}

/* Writes 17 to 64 units in groups of 16. Returns what put_few_only() does; may overwrite bytes after them, within the
 * room. */
ALWAYS_INLINE size_t put_groups(bool of_32, const struct unit_masks *masks, const void *from, size_t count,
                                uint8_t *out, size_t room)
{
    struct group group = {ALL_QUADS, true, from, count, {{0, QUAD, 2 * QUAD, 3 * QUAD}}};
    size_t written = 0;
    for (;;) {
        size_t more = put_group(of_32, masks, &group, out + written, room - written);
        if (more == 0)
            return 0;
        written += more;
        size_t next = units_of_next(group.left);
        if (group.left == next)
            return written;
        group = (struct group){ALL_QUADS, false, units_from(of_32, group.from, next), group.left - next, group.units};
    }
}

/* Writes 17 to 64 units, if they are ASCII: four groups, of which some may overlap. One test of all is faster
 * where some are ASCII, as in French. */
ALWAYS_INLINE bool put_if_ascii(bool of_32, const void *from, size_t count, uint8_t *out)
{
    enum { GROUPS = 4 };
    size_t last = count - NARROW_UNITS;
    size_t at[GROUPS] = {0, lesser(NARROW_UNITS, last), lesser(2 * NARROW_UNITS, last), last};
    unit_vec all = {0};
#pragma GCC unroll 4
    for (unsigned i = 0; i < GROUPS; i++) {
        const uint16_t *group = units_from(of_32, from, at[i]);
        all |= of_32 ? units_at(group) | units_at(group + UNITS) : units_at(group);
    }
    if (units_any(all, bits_beyond_ascii(of_32)))
        return false;
#pragma GCC unroll 2
    for (unsigned i = 0; i < GROUPS; i += 2) {
        unit_vec bytes = units_bytes(group_at(of_32, units_from(of_32, from, at[i]), 0),
                                     group_at(of_32, units_from(of_32, from, at[i + 1]), 0));
        put_half(out + at[i], units_half(bytes, 0));
        put_half(out + at[i + 1], units_half(bytes, 1));
    }
    return true;
}

#define VEC_ENCODE_SHORT

KERNEL_PART size_t vec_encode_short(bool of_32, const void *from, size_t unit_count, uint8_t *out, size_t capacity)
{
    ASSUME(unit_count > 0 && unit_count <= 4 * NARROW_UNITS);
    if (unit_count <= NARROW_UNITS) {
        struct unit_masks masks = unit_masks();
        return put_few_only(of_32, &masks, from, unit_count, out, capacity);
    }
    if (unit_count > capacity)
        return 0;
    if (put_if_ascii(of_32, from, unit_count, out))
        return unit_count;
    struct unit_masks masks = unit_masks();
    return put_groups(of_32, &masks, from, unit_count, out, capacity);
}

#endif
