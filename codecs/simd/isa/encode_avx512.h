/* SPDX-License-Identifier: MIT
 *
 * encode_avx512.h - encoding in UTF-8 with AVX-512. It has a file of its own, because it uses two instructions that no
 * other set has: one that moves any eight bits of a word to a byte (multishift), and one that moves chosen bytes
 * together (compress). Each unit gets a lane as wide as its bytes may be. A byte of the lane is written if its top bit
 * is set, as it is in lead and continuation bytes. Code points below U+10000 become units of 16 bits first. Included by
 * vec_avx512.h, at its end.
 *
 * Port 5 of Intel's processors bounds most of this: comparisons, permutations, multishift and both operations of a
 * compression go there. So what can be done for 32 units at once is done before lanes are as wide as three bytes need.
 */
#ifndef ASSAY_SIMD_ISA_ENCODE_AVX512_H
#define ASSAY_SIMD_ISA_ENCODE_AVX512_H

enum { LANES32 = 16, BLOCK_UNITS = 32, PAGE = 4096 };
/* Bytes of a unit or code point, at most. */
enum { BYTES_OF_16 = 3, BYTES_OF_32 = 4 };
enum { ROOM_AFTER = VEC_BYTES };              /* bytes after these that may be overwritten */
enum { FEW_UNITS = VEC_BYTES / BYTES_OF_16 }; /* the most units below U+10000 whose bytes one vector holds */

/* The place of the next byte of output, and how many were written. */
struct byte_output {
    uint8_t *bytes;
    size_t capacity, written;
};

/* How output is stored. FOR_A_VECTOR: whole vectors, for which there is room, of whole blocks. MASKED: a vector, of
 * which a mask selects the bytes. Where the others are in a page that is not mapped, a Zen 5 takes 150 ns.
 * COPIED_AT_PAGE_END: as MASKED, but where a page ends within the vector, its bytes are copied, which is faster than
 * 150 ns and slower than a store. */
enum room { FOR_A_VECTOR, MASKED, COPIED_AT_PAGE_END };

/* A byte that is masked off is not written. But where it lies in a page that is not there, finding that out takes
 * 100 ns (Ice Lake), and memory for output may be new, with no page until it is written to. So this says whether all
 * lies in one page. */
ALWAYS_INLINE bool is_in_one_page(const void *begin, size_t byte_count)
{
    return __builtin_expect(((uintptr_t)begin & (PAGE - 1)) <= PAGE - byte_count, true);
}

/* A short string takes longer if a general register must be saved for it. gcc 12 needs one more for the ones of which
 * first_bits() makes masks, until the last is made, and one for a mask that is also counted. The next two need none. */

/* As first_bits(), with ones of its own. */
ALWAYS_INLINE uint64_t first_bits_anew(size_t count)
{
#ifdef ASSAY_EMULATES_AVX512
    return first_bits(count);
#else
    return _bzhi_u64(~hold_bits(0), (unsigned)count);
#endif
}

/* Returns `mask` unchanged, in a mask register. */
ALWAYS_INLINE __mmask32 hold_mask(__mmask32 mask)
{
#ifndef ASSAY_EMULATES_AVX512
    __asm__("" : "+k"(mask));
#endif
    return mask;
}

/* Writes the first `count` bytes, and no others; false if there is no room for them. The caller adds `count` to
 * out->written. There is no branch for a count of 0: processors cannot predict it. */
KERNEL_PART bool put_first_bytes(enum room room, const struct byte_output *out, __m512i bytes, size_t count)
{
    if (count > out->capacity - out->written)
        return false;
    uint8_t *to =
        (uint8_t *)((uintptr_t)out->bytes + out->written); /* NULL where there is no room; C defines no NULL + 0 */
    if (room == MASKED || is_in_one_page(to, VEC_BYTES)) {
        store_lanes(to, bytes, first_bits_anew(count), 1);
        return true;
    }
    uint8_t buffer[VEC_BYTES];
    _mm512_storeu_si512(buffer, bytes);
    copy_short(to, buffer, count);
    return true;
}

/* Writes the chosen bytes, which are `count`. Returns false, with nothing written, if there is no room. */
KERNEL_PART bool put_bytes(enum room room, struct byte_output *out, __m512i bytes, __mmask64 chosen, size_t count)
{
    bytes = _mm512_maskz_compress_epi8(chosen, bytes);
    if (room == FOR_A_VECTOR)
        _mm512_storeu_si512(out->bytes + out->written, bytes);
    else if (!put_first_bytes(room, out, bytes, count))
        return false;
    out->written += count;
    return true;
}

/* ---- constants ------------------------------------------------------------------------------------- */

/* interleave[0] alternates 8 bytes of the lower half of a vector with 8 of its upper half, which is the order in which
 * instructions unpack and pack; interleave[1] undoes it. "Interleaved" below means this order. */
#define EIGHTH(n) 8 * (n), 8 * (n) + 1, 8 * (n) + 2, 8 * (n) + 3, 8 * (n) + 4, 8 * (n) + 5, 8 * (n) + 6, 8 * (n) + 7
static const uint8_t interleave[2][VEC_BYTES] __attribute__((aligned(VEC_BYTES))) = {
    {EIGHTH(0), EIGHTH(4), EIGHTH(1), EIGHTH(5), EIGHTH(2), EIGHTH(6), EIGHTH(3), EIGHTH(7)},
    {EIGHTH(0), EIGHTH(2), EIGHTH(4), EIGHTH(6), EIGHTH(1), EIGHTH(3), EIGHTH(5), EIGHTH(7)}};

/* The first of each four parts of 4 bytes, then the second of each, and so on. */
#define FOURTHS(n) FOURTH(n), FOURTH((n) + 4), FOURTH((n) + 8), FOURTH((n) + 12)
#define FOURTH(n) 4 * (n), 4 * (n) + 1, 4 * (n) + 2, 4 * (n) + 3
static const uint8_t order_of_fourths[VEC_BYTES]
    __attribute__((aligned(VEC_BYTES))) = {FOURTHS(0), FOURTHS(1), FOURTHS(2), FOURTHS(3)};
#undef FOURTH
#undef FOURTHS

/* How the bytes of sequences are laid out: the place of each, in a vector of the last two bytes of units (0 to 63) or
 * in that of their leads of three (64 to 127), both in 16-bit lanes; and 80 at a last byte, which is always written. */
struct layout {
    uint8_t places[VEC_BYTES], kept[VEC_BYTES];
};

/* [0]: the last two bytes of BLOCK_UNITS units. [1]: all three of FEW_UNITS units, and a byte that is never written. */
#define KEPT2 0, 0x80, 0, 0x80
#define KEPT2_OF_8 KEPT2, KEPT2, KEPT2, KEPT2
#define SEQUENCE(n) VEC_BYTES + 2 * (n), 2 * (n), 2 * (n) + 1
#define SEQUENCES7(n) \
    SEQUENCE(n), SEQUENCE((n) + 1), SEQUENCE((n) + 2), SEQUENCE((n) + 3), SEQUENCE((n) + 4), SEQUENCE((n) + 5), \
        SEQUENCE((n) + 6)
#define KEPT3 0, 0, 0x80
#define KEPT3_OF_7 KEPT3, KEPT3, KEPT3, KEPT3, KEPT3, KEPT3, KEPT3
static const struct layout layouts[2] __attribute__((aligned(VEC_BYTES))) = {
    {{EIGHTH(0), EIGHTH(1), EIGHTH(2), EIGHTH(3), EIGHTH(4), EIGHTH(5), EIGHTH(6), EIGHTH(7)},
     {KEPT2_OF_8, KEPT2_OF_8, KEPT2_OF_8, KEPT2_OF_8}},
    {{SEQUENCES7(0), SEQUENCES7(7), SEQUENCES7(14), 2 * VEC_BYTES - 2}, {KEPT3_OF_7, KEPT3_OF_7, KEPT3_OF_7}}};
#undef KEPT2
#undef KEPT2_OF_8
#undef SEQUENCE
#undef SEQUENCES7
#undef KEPT3
#undef KEPT3_OF_7
#undef EIGHTH

/* The unit before each; before the first, the last one. */
#define BEFORE(n) (2 * (n) + 62) % 64, (2 * (n) + 63) % 64
#define BEFORE8(n) \
    BEFORE(n), BEFORE((n) + 1), BEFORE((n) + 2), BEFORE((n) + 3), BEFORE((n) + 4), BEFORE((n) + 5), BEFORE((n) + 6), \
        BEFORE((n) + 7)
static const uint8_t unit_before_each[VEC_BYTES]
    __attribute__((aligned(VEC_BYTES))) = {BEFORE8(0), BEFORE8(8), BEFORE8(16), BEFORE8(24)};
#undef BEFORE
#undef BEFORE8

/* By the top six bits of a unit. leads: the lead of three bytes, or 00. marks: of the byte before the last; they are
 * XORed with its six bits, which are 18 to 1C in a lead surrogate, and become F0 to F4. shifts: by how many bits the
 * fields of a lead surrogate are farther up. trails: FF for a trail surrogate. */
/* clang-format off */
static const uint8_t leads_by_tops[VEC_BYTES] __attribute__((aligned(VEC_BYTES))) = {
    0x00, 0x00, 0xE0, 0xE0, 0xE1, 0xE1, 0xE1, 0xE1, 0xE2, 0xE2, 0xE2, 0xE2, 0xE3, 0xE3, 0xE3, 0xE3,
    0xE4, 0xE4, 0xE4, 0xE4, 0xE5, 0xE5, 0xE5, 0xE5, 0xE6, 0xE6, 0xE6, 0xE6, 0xE7, 0xE7, 0xE7, 0xE7,
    0xE8, 0xE8, 0xE8, 0xE8, 0xE9, 0xE9, 0xE9, 0xE9, 0xEA, 0xEA, 0xEA, 0xEA, 0xEB, 0xEB, 0xEB, 0xEB,
    0xEC, 0xEC, 0xEC, 0xEC, 0xED, 0xED, 0x00, 0x00, 0xEE, 0xEE, 0xEE, 0xEE, 0xEF, 0xEF, 0xEF, 0xEF};
static const uint8_t marks_by_tops[VEC_BYTES] __attribute__((aligned(VEC_BYTES))) = {
    0xC0, 0xC0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xE8, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
static const uint8_t shifts_by_tops[VEC_BYTES] __attribute__((aligned(VEC_BYTES))) = {[0xD800 >> 10] = 2};
static const uint8_t trails_by_tops[VEC_BYTES] __attribute__((aligned(VEC_BYTES))) = {[0xDC00 >> 10] = 0xFF};
/* clang-format on */

static const uint16_t first_lane[BLOCK_UNITS] __attribute__((aligned(VEC_BYTES))) = {0xFFFF};

#define IN_16(unit) UINT64_C(0x0001000100010001) * (unit)
#define IN_32(unit) UINT64_C(0x0000000100000001) * (unit)

/* The constants of lanes, by name and value. `fields_of_two` moves bits 6 to 11 and 0 to 5 of a unit to two bytes;
 * `payload` and `marks_of_two` make a lead of two and a continuation byte of these. `second_lead` is subtracted to turn
 * C0 into 80, the mark of a continuation byte; `lead_of_three` is the lead before these two. `tops` are the bits by
 * which surrogates are known; `tops_twice` moves them to both bytes of a unit, below two bits of the next. `of_lead`,
 * added to a lead surrogate, leaves its ten bits and 10000 >> 10, of which the first two bytes of four are made;
 * `of_trail` keeps the ten bits of a trail. The fields of code points are the bits from 18, 12, 6 and 0 on, in four
 * bytes; a sequence is the last ones of these. */
#define LANE_CONSTANTS(X) \
    X(fields_of_two, UINT64_C(0x3036202610160006)) \
    X(payload, IN_16(0x3F3F)) \
    X(marks_of_two, IN_16(0x80C0)) \
    X(second_lead, IN_16(0x40)) \
    X(lead_of_three, IN_16(0xE0)) \
    X(kept, IN_32(0x80000000)) \
    X(kept_16, IN_16(0x8000)) \
    X(beyond_ascii_16, IN_16(0xFF80)) \
    X(beyond_7ff_16, IN_16(0xF800)) \
    X(beyond_ascii_32, IN_32(0xFFFFFF80)) \
    X(beyond_7ff_32, IN_32(0xFFFFF800)) \
    X(beyond_ffff, IN_32(0xFFFF0000)) \
    X(least_of_2, IN_16(0x80)) \
    X(least_of_3, IN_16(0x800)) \
    X(low_byte, IN_16(0x00FF)) \
    X(shifted, IN_16(0x0202)) \
    X(tops_twice, UINT64_C(0x3A3A2A2A1A1A0A0A)) \
    X(tops, IN_16(0xFC00)) \
    X(leads, IN_16(0xD800)) \
    X(trails, IN_16(0xDC00)) \
    X(of_lead, IN_16(0x3040 + 0x10000 - 0xD800)) \
    X(of_trail, IN_16(0x03FF)) \
    X(fields_of_four, UINT64_C(0x20262C3200060C12)) \
    X(payload_of_four, IN_32(0x3F3F3F3F)) \
    X(last, IN_32(0x10FFFF)) \
    X(surrogates, IN_32(0xD800)) \
    X(wide_2, IN_32(0x80)) \
    X(wide_3, IN_32(0x800)) \
    X(wide_4, IN_32(0x10000)) \
    X(marks_of_2, IN_32(0x80C00000)) \
    X(marks_of_3, IN_32(0x8080E000)) \
    X(marks_of_4, IN_32(0x808080F0))

/* Each in a vector. */
struct lanes {
    __m512i interleaved, in_order, by_fourths;
#define X(name, value) __m512i name;
    LANE_CONSTANTS(X)
#undef X
};

static const uint64_t lane_constants[][VEC_BYTES / sizeof(uint64_t)] __attribute__((aligned(VEC_BYTES))) = {
#define X(name, value) {value, value, value, value, value, value, value, value},
    LANE_CONSTANTS(X)
#undef X
};

/* Loads all constants; compilers drop the loads that are not used. Whole vectors, from an address that compilers do not
 * know: from a known one, gcc 12 builds constants through general registers. */
ALWAYS_INLINE struct lanes load_constants(void)
{
    const uint64_t(*next)[VEC_BYTES / sizeof(uint64_t)] = lane_constants;
    __asm__("" : "+r"(next));
    struct lanes with = {.interleaved = vec_load(interleave[0]),
                         .in_order = vec_load(interleave[1]),
                         .by_fourths = vec_load(order_of_fourths)};
#define X(name, value) with.name = _mm512_load_si512(*next++);
    LANE_CONSTANTS(X)
#undef X
    return with;
}

/* ---- of units below U+10000 --------------------------------------------------------------------------- */

/* If a block has fewer units, zeros follow them. They are encoded too, a byte each, which come last and are not
 * written. So no mask says which units count: a processor can have few masks in flight, and short strings would wait
 * for them. */

/* Writes `count` units below U+0800, in order, of which those in `longer` have two bytes. */
KERNEL_PART bool put_ones_and_twos(enum room room, const struct lanes *with, struct byte_output *out, __m512i units,
                                   size_t count, __mmask32 longer)
{
    __m512i bytes = _mm512_multishift_epi64_epi8(with->fields_of_two, units);
    __m512i marked = _mm512_ternarylogic_epi32(bytes, with->payload, with->marks_of_two, 0xEA);
    bytes = _mm512_mask_mov_epi16(bytes, longer, marked); /* ASCII is the second byte, and the first one is below 80 */
    __mmask64 chosen = _mm512_movepi8_mask(_mm512_or_si512(bytes, with->kept_16));
    return put_bytes(room, out, bytes, chosen, count + count_bits(longer));
}

KERNEL_PART bool put_twos(enum room room, const struct lanes *with, struct byte_output *out, __m512i units,
                          size_t count)
{
    return put_ones_and_twos(room, with, out, units, count, _mm512_cmpge_epu16_mask(units, with->least_of_2));
}

/* Writes the bytes of `count` units. `first` has the lead of three, or 00, which is not written; `others` has the last
 * two bytes, of which the first is written only if its top bit is set. Both are interleaved. */
KERNEL_PART bool put_lanes(enum room room, const struct lanes *with, struct byte_output *out, __m512i first,
                           __m512i others, size_t count)
{
    __m512i low = _mm512_unpacklo_epi16(first, others), high = _mm512_unpackhi_epi16(first, others);
    __mmask64 chosen_low = _mm512_movepi8_mask(_mm512_or_si512(low, with->kept));
    __mmask64 chosen_high = _mm512_movepi8_mask(_mm512_or_si512(high, with->kept));
    if (room == FOR_A_VECTOR)
        return put_bytes(room, out, low, chosen_low, count_bits(chosen_low)) &&
               put_bytes(room, out, high, chosen_high, count_bits(chosen_high));
    size_t of_low = count_bits(chosen_low); /* with a byte for each unit that is not there */
    size_t total = of_low + count_bits(chosen_high) - (BLOCK_UNITS - count);
    if (total > out->capacity - out->written)
        return false;
    size_t begin = out->written;
    of_low = of_low < total ? of_low : total;
    put_first_bytes(room, out, _mm512_maskz_compress_epi8(chosen_low, low), of_low);
    out->written += of_low;
    put_first_bytes(room, out, _mm512_maskz_compress_epi8(chosen_high, high), total - of_low);
    out->written = begin + total;
    return true;
}

/* The last two bytes of each unit; or, of a 1-byte unit, only the second one, which is the unit. Units in `longer` have
 * two, of which the first is a lead, or a continuation byte if the unit is in `not_first`. */
KERNEL_PART __m512i last_two(const struct lanes *with, __m512i units, __mmask32 longer, __mmask32 not_first)
{
    __m512i bytes = _mm512_multishift_epi64_epi8(with->fields_of_two, units);
    __m512i marked = _mm512_ternarylogic_epi32(bytes, with->payload, with->marks_of_two, 0xEA);
    bytes = _mm512_mask_mov_epi16(bytes, longer, marked);
    return _mm512_mask_sub_epi16(bytes, not_first, bytes, with->second_lead);
}

KERNEL_PART __m512i leads_of_three(const struct lanes *with, __m512i units, __mmask32 threes)
{
    return _mm512_maskz_add_epi16(threes, _mm512_srli_epi16(units, 12), with->lead_of_three);
}

/* Writes `count` interleaved units of up to three bytes each. Sets *threes to those that have three. */
KERNEL_PART bool put_threes(enum room room, const struct lanes *with, struct byte_output *out, __m512i units,
                            size_t count, __mmask32 *threes)
{
    __mmask32 longer = _mm512_cmpge_epu16_mask(units, with->least_of_2);
    *threes = _mm512_cmpge_epu16_mask(units, with->least_of_3);
    return put_lanes(room, with, out, leads_of_three(with, units, *threes), last_two(with, units, longer, *threes),
                     count);
}

KERNEL_PART __mmask32 surrogates_of(const struct lanes *with, __m512i units)
{
    return _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, with->beyond_7ff_16), with->leads);
}

/* Which units have more than one byte, which are beyond U+07FF, and which are surrogates. */
struct kinds {
    __mmask32 longer, beyond_7ff, leads, trails;
};

KERNEL_PART struct kinds kinds_of(const struct lanes *with, __m512i units)
{
    __m512i tops = _mm512_and_si512(units, with->tops);
    return (struct kinds){_mm512_cmpge_epu16_mask(units, with->least_of_2),
                          _mm512_cmpge_epu16_mask(units, with->least_of_3), _mm512_cmpeq_epi16_mask(tops, with->leads),
                          _mm512_cmpeq_epi16_mask(tops, with->trails)};
}

/* The unit before each; before the first, the last one. */
KERNEL_PART __m512i unit_before(__m512i units)
{
    return _mm512_permutexvar_epi8(vec_load(unit_before_each), units);
}

/* Writes `count` units, in order. Surrogates among them are paired; `before` has the unit before each. Of the four
 * bytes of a pair, the lead writes the first two and the trail, with two bits of the lead, the last two, so that a pair
 * may be split between two blocks. All masks are of units in order, so that few are made: for interleaved units, other
 * masks find the surrogates. */
KERNEL_PART bool put_in_order(bool has_pairs, enum room room, const struct lanes *with, struct byte_output *out,
                              __m512i units, __m512i before, size_t count, struct kinds kinds)
{
    __mmask32 leads = has_pairs ? kinds.leads : 0, trails = has_pairs ? kinds.trails : 0;
    __mmask32 not_first = has_pairs ? _kandn_mask32(leads, kinds.beyond_7ff) : kinds.beyond_7ff;
    __mmask32 threes = has_pairs ? _kandn_mask32(trails, not_first) : not_first;
    __m512i first = leads_of_three(with, units, threes);
    if (has_pairs) {
        units = _mm512_mask_srli_epi16(units, leads, _mm512_add_epi16(units, with->of_lead), 2);
        __m512i with_bits = _mm512_ternarylogic_epi32(units, _mm512_slli_epi16(before, 10), with->of_trail, 0xE4);
        units = _mm512_mask_mov_epi16(units, trails, with_bits);
    }
    __m512i others = last_two(with, units, kinds.longer, not_first);
    return put_lanes(room, with, out, _mm512_permutexvar_epi8(with->interleaved, first),
                     _mm512_permutexvar_epi8(with->interleaved, others), count);
}

/* ---- of a short string ------------------------------------------------------------------------------------ */

/* Of each unit, in 16-bit lanes: the lead of three, or 00; and the last two bytes, as last_two() says. */
struct sequences {
    __m512i first, others;
};

/* Of up to 32 units, and zeros after them; those in `longer` are not ASCII, and some are surrogates. Of the four bytes
 * of a pair, the lead has the first two, the trail the others. Sets *threes to the units that have three bytes. Returns
 * false if a surrogate is not paired. Tables find the surrogates: a mask for each kind would take longer. */
KERNEL_PART bool sequences_with_pairs(const struct lanes *with, __m512i units, __mmask32 longer, struct sequences *of,
                                      __mmask32 *threes)
{
    enum { C_OR_A_AND_B = 0xEA, A_IN_C_WHERE_B = 0xB0, A_XOR_B_OR_BOTH_IN_C = 0xBC };
    __m512i tops = _mm512_multishift_epi64_epi8(with->tops_twice, units);
    __m512i shifts = _mm512_permutexvar_epi8(tops, vec_load(shifts_by_tops)); /* 2 in both bytes of a lead surrogate */
    __m512i trails = _mm512_permutexvar_epi8(tops, vec_load(trails_by_tops));
    of->first = _mm512_permutexvar_epi8(tops, vec_load(leads_by_tops)); /* in both bytes */
    *threes = _mm512_test_epi16_mask(of->first, of->first);

    /* the first unit has none before it, so it is wrong if it is a trail, or if the last unit is a lead */
    __m512i first_unit = vec_load((const uint8_t *)first_lane);
    __m512i wrong = _mm512_ternarylogic_epi32(unit_before(shifts), trails, first_unit, A_XOR_B_OR_BOTH_IN_C);
    bool is_right = _mm512_test_epi32_mask(wrong, with->shifted) == 0;

    /* 40 is added to a lead, and a trail gets two of its bits in place of bits 10 and 11 */
    __m512i before = _mm512_or_si512(_mm512_slli_epi16(unit_before(units), 10), with->of_trail);
    units = _mm512_add_epi16(units, _mm512_slli_epi16(shifts, 5));
    units = _mm512_ternarylogic_epi32(units, trails, before, A_IN_C_WHERE_B);
    __m512i bytes = _mm512_multishift_epi64_epi8(_mm512_add_epi8(shifts, with->fields_of_two), units);
    __m512i marks = _mm512_permutexvar_epi8(tops, vec_load(marks_by_tops));
    marks = _mm512_ternarylogic_epi32(marks, with->low_byte, with->kept_16, C_OR_A_AND_B);
    marks = _mm512_ternarylogic_epi32(marks, bytes, with->payload, A_XOR_B_AND_C);
    of->others = _mm512_mask_mov_epi16(bytes, longer, marks);
    return is_right;
}

/* Writes the sequences of up to 32 units. One compression is enough for FEW_UNITS, and for more of two bytes each.
 * There is no branch on whether it is one or the other, which processors cannot predict. */
KERNEL_PART bool put_short(struct byte_output *out, const struct sequences *of, size_t count, __mmask32 longer,
                           __mmask32 threes)
{
    size_t total = count + count_bits(longer) + count_bits(threes);
    uint32_t if_few = 0 - (uint32_t)(count <= FEW_UNITS);
    __asm__("" : "+r"(if_few)); /* gcc 12 and clang 14 would make a branch */
    if (__builtin_expect(total > out->capacity, false))
        return false;
    if (__builtin_expect(threes > if_few, false)) {
        const struct lanes with = load_constants();
        __m512i first = _mm512_and_si512(of->first, with.low_byte);
        return put_lanes(MASKED, &with, out, _mm512_permutexvar_epi8(with.interleaved, first),
                         _mm512_permutexvar_epi8(with.interleaved, of->others), count);
    }
    const struct layout *layout = &layouts[if_few & 1];
    __m512i bytes = _mm512_permutex2var_epi8(of->others, vec_load(layout->places), of->first);
    __mmask64 chosen = _mm512_movepi8_mask(_mm512_or_si512(bytes, vec_load(layout->kept)));
    return put_bytes(MASKED, out, bytes, chosen, total);
}

/* ---- of code points --------------------------------------------------------------------------------------- */

/* Writes the bytes of 16 scalar values (Unicode 17.0, Table 3-6), as far as the mask keeps them. */
KERNEL_PART bool put_fours(enum room room, const struct lanes *with, struct byte_output *out, __m512i scalars,
                           __mmask16 kept)
{
    __mmask16 longer = _mm512_cmpge_epu32_mask(scalars, with->wide_2);
    __m512i marks =
        _mm512_mask_mov_epi32(with->marks_of_2, _mm512_cmpge_epu32_mask(scalars, with->wide_3), with->marks_of_3);
    marks = _mm512_mask_mov_epi32(marks, _mm512_cmpge_epu32_mask(scalars, with->wide_4), with->marks_of_4);
    __m512i bytes = _mm512_multishift_epi64_epi8(with->fields_of_four, scalars);
    bytes = _mm512_mask_ternarylogic_epi32(bytes, longer, with->payload_of_four, marks, 0xEA);
    __mmask64 chosen = _mm512_movepi8_mask(_mm512_maskz_or_epi32(kept, bytes, with->kept));
    return put_bytes(room, out, bytes, chosen, count_bits(chosen));
}

/* The lanes that are not scalar values. */
KERNEL_PART __mmask16 not_scalar(const struct lanes *with, __m512i code_points)
{
    return _mm512_cmpeq_epi32_mask(_mm512_and_si512(code_points, with->beyond_7ff_32), with->surrogates) |
           _mm512_cmpgt_epu32_mask(code_points, with->last);
}

/* ---- blocks ----------------------------------------------------------------------------------------------- */

/* 32 units or code points: as they are; the bits that are set in any lane at the same place; and as 16-bit units, in
 * order or, if they were code points, interleaved. Of units, all four are the same vector. */
struct wide_block {
    __m512i low, high, bits, units;
};

ALWAYS_INLINE struct wide_block wide_block(__m512i low, __m512i high)
{
    return (struct wide_block){low, high, _mm512_or_si512(low, high), _mm512_packus_epi32(low, high)};
}

KERNEL_PART const void *units_from(bool of_32, const void *from, size_t at)
{
    return of_32 ? (const void *)((const uint32_t *)from + at) : (const uint16_t *)from + at;
}

KERNEL_PART struct wide_block load_block(bool of_32, const void *from)
{
    __m512i first = _mm512_loadu_si512(from);
    return of_32 ? wide_block(first, _mm512_loadu_si512((const uint32_t *)from + LANES32))
                 : (struct wide_block){first, first, first, first};
}

/* Loads up to a vector of units; those from `count` on are zeros. */
KERNEL_PART __m512i load_units(const void *units, size_t count, size_t width)
{
    if (count * width >= VEC_BYTES)
        return _mm512_loadu_si512(units);
    return load_lanes(units, first_bits(count), width);
}

/* The same of 32 units or fewer, with zeros after them. */
KERNEL_PART struct wide_block load_up_to_block(bool of_32, const void *from, size_t count)
{
    __m512i first = load_units(from, count, of_32 ? sizeof(uint32_t) : sizeof(uint16_t));
    if (!of_32)
        return (struct wide_block){first, first, first, first};
    __m512i second = _mm512_setzero_si512();
    if (count > LANES32)
        second = load_units((const uint32_t *)from + LANES32, count - LANES32, sizeof(uint32_t));
    return wide_block(first, second);
}

ALWAYS_INLINE bool has_any(__m512i v, __m512i bits)
{
    return _mm512_test_epi32_mask(v, bits) != 0;
}

/* True if any of these bits, of one block or of two, is beyond ASCII (beyond U+07FF). */
ALWAYS_INLINE bool is_beyond_ascii(bool of_32, const struct lanes *with, __m512i bits)
{
    return has_any(bits, of_32 ? with->beyond_ascii_32 : with->beyond_ascii_16);
}

ALWAYS_INLINE bool is_beyond_7ff(bool of_32, const struct lanes *with, __m512i bits)
{
    return has_any(bits, of_32 ? with->beyond_7ff_32 : with->beyond_7ff_16);
}

ALWAYS_INLINE __m512i units_in_order(bool of_32, const struct lanes *with, const struct wide_block *block)
{
    return of_32 ? _mm512_permutexvar_epi8(with->in_order, block->units) : block->units;
}

ALWAYS_INLINE __m512i interleaved_units(bool of_32, const struct lanes *with, const struct wide_block *block)
{
    return of_32 ? block->units : _mm512_permutexvar_epi8(with->interleaved, block->units);
}

/* Packs two blocks of 32 ASCII units into 64 bytes. Instructions interleave what they pack, by eight bytes, or of code
 * points by four; a permutation undoes that. */
ALWAYS_INLINE __m512i ascii_of(bool of_32, const struct lanes *with, const struct wide_block *first,
                               const struct wide_block *second)
{
    __m512i packed = _mm512_packus_epi16(first->units, second->units);
    return _mm512_permutexvar_epi8(of_32 ? with->by_fourths : with->in_order, packed);
}

/* Encodes up to 32 code points, into no more room than there is. Returns how many; 0 if there is an error among them,
 * or no room. Each branch loads only the constants that it needs, because loading all would take longer than a short
 * string. */
KERNEL_PART size_t encode_loaded32(enum room room, struct byte_output *out, const struct wide_block *block,
                                   size_t count)
{
    size_t written = out->written;
    __mmask32 ignored;
    const struct lanes of_kinds = load_constants();
    bool done;
    if (!is_beyond_7ff(true, &of_kinds, block->bits)) {
        const struct lanes with = load_constants();
        done = put_twos(room, &with, out, units_in_order(true, &with, block), count);
    } else if (has_any(block->bits, of_kinds.beyond_ffff)) {
        const struct lanes with = load_constants();
        __mmask32 kept = (__mmask32)first_bits(count);
        done = (not_scalar(&with, block->low) | not_scalar(&with, block->high)) == 0 &&
               put_fours(room, &with, out, block->low, (__mmask16)(kept & 0xFFFF)) &&
               put_fours(room, &with, out, block->high, (__mmask16)(kept >> 16));
    } else {
        const struct lanes with = load_constants();
        done = surrogates_of(&with, block->units) == 0 &&
               put_threes(room, &with, out, interleaved_units(true, &with, block), count, &ignored);
    }
    if (!done)
        out->written = written;
    return done ? count : 0;
}

/* Encodes up to 32 units. A lead at the end is an error. */
KERNEL_PART size_t encode_loaded16(enum room room, struct byte_output *out, __m512i units, size_t count)
{
    const struct lanes of_kinds = load_constants();
    struct kinds kinds = kinds_of(&of_kinds, units);
    if (kinds.beyond_7ff == 0) {
        const struct lanes with = load_constants();
        return put_ones_and_twos(room, &with, out, units, count, kinds.longer) ? count : 0;
    }
    if ((kinds.leads | kinds.trails) == 0) {
        const struct lanes with = load_constants();
        return put_in_order(false, room, &with, out, units, units, count, kinds) ? count : 0;
    }
    if ((uint64_t)kinds.leads << 1 != kinds.trails)
        return 0;
    const struct lanes with = load_constants();
    return put_in_order(true, room, &with, out, units, unit_before(units), count, kinds) ? count : 0;
}

/* The same for up to a block of `count` units. A lead at the end is left: its trail, if any, comes with the next
 * block. */
KERNEL_PART size_t encode_few(bool of_32, struct byte_output *out, const void *from, size_t count)
{
    count = count < BLOCK_UNITS ? count : BLOCK_UNITS;
    if (!of_32 && count > 1 && (((const uint16_t *)from)[count - 1] & 0xFC00) == 0xD800)
        count--;
    struct wide_block block = load_up_to_block(of_32, from, count);
    return of_32 ? encode_loaded32(COPIED_AT_PAGE_END, out, &block, count)
                 : encode_loaded16(COPIED_AT_PAGE_END, out, block.units, count);
}

/* blocks, or units, without what a loop is for: then the text it is for is likely over */
enum { CALM = 4, CALM_UNITS = 256 };

/* The loops below encode blocks of `from`, from unit `at` to `end`, as long as these are of the kind that each loop is
 * for. There is room. Each returns where it stopped. */

/* Encodes 64 units if they are ASCII; returns false if not. The caller adds to out->written. */
KERNEL_PART bool encode_ascii_stride(bool of_32, const struct lanes *with, const struct byte_output *out,
                                     const void *from)
{
    struct wide_block first = load_block(of_32, from);
    struct wide_block second = load_block(of_32, units_from(of_32, from, BLOCK_UNITS));
    if (is_beyond_ascii(of_32, with, _mm512_or_si512(first.bits, second.bits)))
        return false;
    _mm512_storeu_si512(out->bytes + out->written, ascii_of(of_32, with, &first, &second));
    return true;
}

/* From the second stride on, loads are at cache lines: half of a load that crosses one is a load of its own. */
KERNEL_PART size_t encode_ascii(bool of_32, const struct lanes *with, struct byte_output *out, const void *from,
                                size_t at, size_t end)
{
    const size_t stride = 2 * BLOCK_UNITS, width = of_32 ? sizeof(uint32_t) : sizeof(uint16_t);
    size_t step = stride - (uintptr_t)units_from(of_32, from, at) % VEC_BYTES / width;
    for (; end - at >= stride && encode_ascii_stride(of_32, with, out, units_from(of_32, from, at)); step = stride) {
        at += step;
        out->written += step;
    }
    return at;
}

/* Encodes two blocks of UTF-16 if they have no surrogate; else returns false, with nothing written. */
KERNEL_PART bool put_two_of_threes(const struct lanes *with, struct byte_output *out, const struct wide_block *first,
                                   const struct wide_block *second)
{
    __mmask32 ignored;
    if ((surrogates_of(with, first->units) | surrogates_of(with, second->units)) != 0)
        return false;
    put_threes(FOR_A_VECTOR, with, out, interleaved_units(false, with, first), BLOCK_UNITS, &ignored);
    put_threes(FOR_A_VECTOR, with, out, interleaved_units(false, with, second), BLOCK_UNITS, &ignored);
    return true;
}

/* Encodes ASCII. In UTF-16, a stride that is not ASCII and is neither the first one nor after another such stride does
 * not end the loop, unless it has surrogates: it is encoded as units of up to three bytes, without a branch on their
 * length, and costs one misprediction. */
KERNEL_PART size_t encode_mostly_ascii(bool of_32, const struct lanes *with, struct byte_output *out, const void *from,
                                       size_t at, size_t end)
{
    const size_t stride = 2 * BLOCK_UNITS;
    size_t begin;
    do {
        begin = at;
        at = encode_ascii(of_32, with, out, from, at, end);
        if (of_32 || at == begin || end - at < stride)
            return at;
        struct wide_block first = load_block(false, units_from(false, from, at));
        struct wide_block second = load_block(false, units_from(false, from, at + BLOCK_UNITS));
        if (!put_two_of_threes(with, out, &first, &second))
            return at;
        at += stride;
    } while (true);
}

/* Encodes two blocks in each step. Whether the text has become ASCII is tested only once in CALM_UNITS, because
 * counting uses ports that vectors need. Quotation marks and dashes have three bytes, and processors cannot predict
 * where they are: each costs one misprediction here, and more if it ended the loop. So, in UTF-16, such units end it
 * only in the first stride, in two strides in a row, or beside surrogates; in UTF-32 each does, since text without such
 * units would be 3 to 9 % slower. */
KERNEL_PART size_t encode_twos(bool of_32, const struct lanes *with, struct byte_output *out, const void *from,
                               size_t at, size_t end)
{
    /* bytes beyond one for each unit, so far; the place from which on all units are below U+0800 */
    size_t surplus, twos_from = at;
    do {
        surplus = out->written - at;
        size_t stop = end - at < CALM_UNITS ? end : at + CALM_UNITS;
        for (; stop - at >= 2 * BLOCK_UNITS; at += 2 * BLOCK_UNITS) {
            struct wide_block first = load_block(of_32, units_from(of_32, from, at));
            struct wide_block second = load_block(of_32, units_from(of_32, from, at + BLOCK_UNITS));
            if (is_beyond_7ff(of_32, with, _mm512_or_si512(first.bits, second.bits))) {
                if (of_32 || at == twos_from || !put_two_of_threes(with, out, &first, &second))
                    return at;
                twos_from = at + 2 * BLOCK_UNITS;
                continue;
            }
            put_twos(FOR_A_VECTOR, with, out, units_in_order(of_32, with, &first), BLOCK_UNITS);
            put_twos(FOR_A_VECTOR, with, out, units_in_order(of_32, with, &second), BLOCK_UNITS);
        }
    } while (out->written - at != surplus);
    return at;
}

KERNEL_PART size_t encode_threes(bool of_32, const struct lanes *with, struct byte_output *out, const void *from,
                                 size_t at, size_t end)
{
    __mmask32 threes = 1;
    for (; threes != 0 && end - at >= BLOCK_UNITS; at += BLOCK_UNITS) {
        struct wide_block block = load_block(of_32, units_from(of_32, from, at));
        if ((of_32 && has_any(block.bits, with->beyond_ffff)) || surrogates_of(with, block.units) != 0)
            break;
        put_threes(FOR_A_VECTOR, with, out, interleaved_units(of_32, with, &block), BLOCK_UNITS, &threes);
    }
    return at;
}

/* Encodes blocks that have surrogates. */
KERNEL_PART size_t encode_pairs(const struct lanes *with, struct byte_output *out, const uint16_t *from, size_t at,
                                size_t end)
{
    size_t begin = at;
    /* bit i: a lead is at place i - 1; the bit after the last unit belongs to the next block's first */
    uint64_t to_pair = 0;
    for (size_t calm = 0; end - at >= BLOCK_UNITS && calm < CALM; at += BLOCK_UNITS) {
        __m512i units = _mm512_loadu_si512(from + at);
        struct kinds kinds = kinds_of(with, units);
        to_pair = to_pair >> BLOCK_UNITS | (uint64_t)kinds.leads << 1;
        if ((uint32_t)to_pair != kinds.trails)
            break;
        __m512i before = at == begin ? unit_before(units) : _mm512_loadu_si512(from + at - 1);
        put_in_order(true, FOR_A_VECTOR, with, out, units, before, BLOCK_UNITS, kinds);
        calm = (calm + 1) & (0 - (size_t)((kinds.leads | kinds.trails) == 0)); /* no branch: it is unpredictable */
    }
    bool is_cut =
        at > begin && (from[at - 1] & 0xFC00) == 0xD800; /* the other half may come with the next blocks, or not */
    out->written -= is_cut ? 2 : 0;
    return at - is_cut;
}

/* Scalar values of any length. */
KERNEL_PART size_t encode_fours(const struct lanes *with, struct byte_output *out, const uint32_t *from, size_t at,
                                size_t end)
{
    for (size_t calm = 0; end - at >= BLOCK_UNITS && calm < CALM; at += BLOCK_UNITS) {
        struct wide_block block = load_block(true, from + at);
        if ((not_scalar(with, block.low) | not_scalar(with, block.high)) != 0)
            break;
        put_fours(FOR_A_VECTOR, with, out, block.low, (__mmask16)0xFFFF);
        put_fours(FOR_A_VECTOR, with, out, block.high, (__mmask16)0xFFFF);
        calm = (calm + 1) & ((size_t)has_any(block.bits, with->beyond_ffff) - 1);
    }
    return at;
}

/* Encodes whole blocks, until there is an error. */
KERNEL_PART size_t encode_blocks(bool of_32, const struct lanes *with, struct byte_output *out, const void *from,
                                 size_t blocks)
{
    size_t at = 0, begin, end = blocks * BLOCK_UNITS;
    do {
        begin = at;
        at = encode_mostly_ascii(of_32, with, out, from, at, end);
        at = encode_twos(of_32, with, out, from, at, end);
        if (end - at < BLOCK_UNITS)
            break;
        struct wide_block block = load_block(of_32, units_from(of_32, from, at));
        if (!is_beyond_7ff(of_32, with, block.bits)) {
            put_twos(FOR_A_VECTOR, with, out, units_in_order(of_32, with, &block), BLOCK_UNITS);
            at += BLOCK_UNITS;
            continue;
        }
        size_t threes_from = at;
        at = encode_threes(of_32, with, out, from, at, end);
        if (at == threes_from)
            at = of_32 ? encode_fours(with, out, from, at, end) : encode_pairs(with, out, from, at, end);
    } while (at != begin);
    return at;
}

enum { LONG_RUN = 512 }; /* units: from here on, loads at cache lines are faster */

/* Encodes the units before the first cache line of `units`, so that the loads of long runs are at lines. Returns how
 * many units these are. */
KERNEL_PART size_t encode_up_to_line(bool of_32, struct byte_output *out, const void *units)
{
    size_t after_line = (uintptr_t)units % VEC_BYTES;
    if (after_line == 0)
        return 0;
    return encode_few(of_32, out, units, (VEC_BYTES - after_line) / (of_32 ? sizeof(uint32_t) : sizeof(uint16_t)));
}

/* Encodes until there is an error, or no room. */
KERNEL_PART struct progress encode_units(bool of_32, const void *units, size_t unit_count, uint8_t *bytes,
                                         size_t capacity)
{
    struct byte_output out = {bytes, capacity, 0};
    const size_t bytes_of_unit = of_32 ? BYTES_OF_32 : BYTES_OF_16;
    size_t taken = 1, read = unit_count < LONG_RUN ? 0 : encode_up_to_line(of_32, &out, units);
    const struct lanes with = load_constants();
    while (taken > 0 && read < unit_count) {
        size_t left = unit_count - read, room = capacity - out.written;
        size_t fit = room < ROOM_AFTER ? 0 : (room - ROOM_AFTER) / BLOCK_UNITS / bytes_of_unit;
        size_t blocks = left / BLOCK_UNITS < fit ? left / BLOCK_UNITS : fit;
        const void *from = units_from(of_32, units, read);
        taken = blocks > 0 ? encode_blocks(of_32, &with, &out, from, blocks) : encode_few(of_32, &out, from, left);
        read += taken;
    }
    return (struct progress){read, out.written};
}

KERNEL_PART struct progress vec_encode16(const uint16_t *units, size_t unit_count, uint8_t *bytes, size_t capacity)
{
    return encode_units(false, units, unit_count, bytes, capacity);
}

KERNEL_PART struct progress vec_encode32(const uint32_t *units, size_t unit_count, uint8_t *bytes, size_t capacity)
{
    return encode_units(true, units, unit_count, bytes, capacity);
}

/* ---- each unit encoded by itself ------------------------------------------------------------------- */

/* Encodes up to 32 units. Stops before U+0000 if that has two bytes, and before a lead at the end, which is encoded
 * together with its trail. Returns how many; 0 if there is an error among them, or no room. */
KERNEL_PART size_t encode_each_block16(const struct encoding *encoding, const struct lanes *with,
                                       struct byte_output *out, const uint16_t *from, size_t count)
{
    struct wide_block block = load_up_to_block(false, from, count);
    __m512i units = block.units, tops = _mm512_and_si512(units, with->tops);
    uint32_t zeros = _mm512_cmpeq_epi16_mask(units, _mm512_setzero_si512()) & (uint32_t)first_bits(count);
    uint32_t leads = _mm512_cmpeq_epi16_mask(tops, with->leads), trails = _mm512_cmpeq_epi16_mask(tops, with->trails);
    if (encoding->writes_long_nul && zeros != 0)
        count = lowest(zeros);
    if (encoding->surrogates == IN_PAIRS && ((trails ^ leads << 1) & first_bits(count)) != 0)
        return 0;
    count -= count > 0 ? leads >> (count - 1) & 1 : 0;
    if (count == 0) /* with capacity 0, `out` may be NULL */
        return 0;
    __mmask32 ignored;
    block.bits = block.units = _mm512_maskz_mov_epi16((__mmask32)first_bits(count), units);
    size_t written = out->written;
    bool done = is_beyond_7ff(false, with, block.bits)
                    ? put_threes(COPIED_AT_PAGE_END, with, out, interleaved_units(false, with, &block), count, &ignored)
                    : put_twos(COPIED_AT_PAGE_END, with, out, block.units, count);
    if (!done)
        out->written = written;
    return done ? count : 0;
}

KERNEL_PART struct progress vec_encode_each16(const struct encoding *encoding, const uint16_t *units, size_t unit_count,
                                              uint8_t *bytes, size_t capacity)
{
    const struct lanes with = load_constants();
    struct byte_output out = {bytes, capacity, 0};
    size_t read = 0, taken = 1;
    while (read < unit_count && taken > 0) {
        size_t left = unit_count - read;
        taken = encode_each_block16(encoding, &with, &out, units + read, left < BLOCK_UNITS ? left : BLOCK_UNITS);
        read += taken;
    }
    return (struct progress){read, out.written};
}

/* ---- short strings ----------------------------------------------------------------------------------- */

#define VEC_ENCODE_SHORT
#define VEC_ENCODE_MIDDLE 511

/* Loads block 0 or 1 of up to 64 code points. There is no branch on their number, which processors cannot predict:
 * `inside` has a bit for each. */
KERNEL_PART struct wide_block load_short(const uint32_t *units, uint64_t inside, unsigned block)
{
    const uint32_t *from = units + block * BLOCK_UNITS;
    inside = inside >> block * BLOCK_UNITS;
    return wide_block(load_lanes(from, inside & first_bits(LANES32), sizeof *from),
                      load_lanes(from + LANES32, inside >> LANES32 & first_bits(LANES32), sizeof *from));
}

/* Encodes 33 to 64 units below U+0800. `first` has the first 32, of which those in `longer` are not ASCII, `second` the
 * others, with zeros after them. Returns the number of bytes; 0 if a unit is not below U+0800, or for want of room. */
KERNEL_PART size_t two_blocks_of_twos(__m512i first, __mmask32 longer, __m512i second, size_t count, uint8_t *bytes,
                                      size_t capacity)
{
    struct byte_output out = {bytes, capacity, 0};
    const struct lanes with = load_constants();
    __mmask32 longer_too = hold_mask(_mm512_cmpge_epu16_mask(second, with.least_of_2));
    bool done = !is_beyond_7ff(false, &with, _mm512_or_si512(first, second)) &&
                put_ones_and_twos(MASKED, &with, &out, first, BLOCK_UNITS, longer) &&
                put_ones_and_twos(MASKED, &with, &out, second, count - BLOCK_UNITS, longer_too);
    return done ? out.written : 0;
}

/* Encodes 1 to 64 units if all are ASCII, or if all are below U+0800 and one of the first 32 is not ASCII; else 1 to
 * 32. Returns the number of bytes; 0 for all else: an error, no room, or more than 32 other units. There are few
 * branches on data: where texts are mixed, one that is mispredicted takes as long as the whole string. */
KERNEL_PART size_t short_of_16(const uint16_t *units, size_t count, uint8_t *bytes, size_t capacity)
{
    struct byte_output out = {bytes, capacity, 0};
    const struct lanes with = load_constants();
    uint64_t inside = first_bits(count);
    __m512i first = load_lanes(units, inside & first_bits(BLOCK_UNITS), sizeof *units);
    __mmask32 longer = _mm512_cmpge_epu16_mask(first, with.least_of_2);
    if (__builtin_expect(longer == 0, false)) {
        __m512i second = load_lanes(units + BLOCK_UNITS, inside >> BLOCK_UNITS, sizeof *units);
        if (is_beyond_ascii(false, &with, second))
            return 0;
        __m512i packed = _mm512_permutexvar_epi8(with.in_order, _mm512_packus_epi16(first, second));
        return put_first_bytes(MASKED, &out, packed, count) ? count : 0;
    }
    if (__builtin_expect(count > BLOCK_UNITS, false))
        return two_blocks_of_twos(first, longer, load_lanes(units + BLOCK_UNITS, inside >> BLOCK_UNITS, sizeof *units),
                                  count, bytes, capacity);
    struct sequences of;
    __mmask32 threes = _mm512_cmpge_epu16_mask(first, with.least_of_3);
    if (__builtin_expect(surrogates_of(&with, first) != 0, false)) {
        const struct lanes of_pairs = load_constants();
        return __builtin_expect(sequences_with_pairs(&of_pairs, first, longer, &of, &threes), true) &&
                       put_short(&out, &of, count, longer, threes)
                   ? out.written
                   : 0;
    }
    const struct lanes of_others = load_constants();
    of = (struct sequences){leads_of_three(&of_others, first, threes), last_two(&of_others, first, longer, threes)};
    return put_short(&out, &of, count, longer, threes) ? out.written : 0;
}

/* The same for code points. */
KERNEL_PART size_t short_of_32(const uint32_t *units, size_t count, uint8_t *bytes, size_t capacity)
{
    struct byte_output out = {bytes, capacity, 0};
    const struct lanes with = load_constants();
    uint64_t inside = first_bits(count);
    struct wide_block first = load_short(units, inside, 0), second = load_short(units, inside, 1);
    if (!is_beyond_ascii(true, &with, _mm512_or_si512(first.bits, second.bits)))
        return put_first_bytes(MASKED, &out, ascii_of(true, &with, &first, &second), count) ? count : 0;
    return count <= BLOCK_UNITS && encode_loaded32(MASKED, &out, &first, count) == count ? out.written : 0;
}

KERNEL_PART size_t vec_encode_short(bool of_32, const void *units, size_t unit_count, uint8_t *bytes, size_t capacity)
{
    return of_32 ? short_of_32(units, unit_count, bytes, capacity) : short_of_16(units, unit_count, bytes, capacity);
}

/* Encodes all of 33 to 64 units, both blocks by the way that the harder of them needs: whether they differ is not known
 * before, and a misprediction costs more. Returns the number of bytes; 0 if there is an error, or no room. */
KERNEL_PART size_t two_blocks_of_16(const uint16_t *from, size_t count, uint8_t *bytes, size_t capacity)
{
    if (count <= BLOCK_UNITS)
        return 0;
    const struct lanes of_kinds = load_constants();
    struct byte_output out = {bytes, capacity, 0};
    size_t after = count - BLOCK_UNITS;
    __m512i first = _mm512_loadu_si512(from), second = load_lanes(from + BLOCK_UNITS, first_bits(after), sizeof *from);
    struct kinds of_first = kinds_of(&of_kinds, first), of_second = kinds_of(&of_kinds, second);
    if ((of_first.beyond_7ff | of_second.beyond_7ff) == 0)
        return two_blocks_of_twos(first, of_first.longer, second, count, bytes, capacity);
    uint64_t leads = (uint64_t)of_second.leads << BLOCK_UNITS | of_first.leads;
    uint64_t trails = (uint64_t)of_second.trails << BLOCK_UNITS | of_first.trails;
    const struct lanes all = load_constants(), *with = &all;
    bool done;
    if ((leads | trails) == 0) {
        done = put_in_order(false, MASKED, with, &out, first, first, BLOCK_UNITS, of_first) &&
               put_in_order(false, MASKED, with, &out, second, second, after, of_second);
    } else {
        __m512i before =
            load_lanes(from + BLOCK_UNITS - 1, first_bits(after + 1) & first_bits(BLOCK_UNITS), sizeof *from);
        done = leads << 1 == trails && leads >> 63 == 0 &&
               put_in_order(true, MASKED, with, &out, first, unit_before(first), BLOCK_UNITS, of_first) &&
               put_in_order(true, MASKED, with, &out, second, before, after, of_second);
    }
    return done ? out.written : 0;
}

/* ---- texts of up to VEC_ENCODE_MIDDLE units ------------------------------------------------------------ */

/* Encodes leading ASCII by 64 units; the last 64 end with the text, and may have units of those before. Returns how
 * many units these are. Nothing else is loaded or asked before: that would take longer than a short text. */
KERNEL_PART size_t encode_leading_ascii(bool of_32, struct byte_output *out, const void *units, size_t unit_count)
{
    const size_t stride = 2 * BLOCK_UNITS;
    if (unit_count < stride || unit_count > out->capacity)
        return 0;
    const struct lanes with = load_constants();
    const size_t last = unit_count - stride;
    while (encode_ascii_stride(of_32, &with, out, units_from(of_32, units, out->written))) {
        if (out->written == last) {
            out->written = unit_count;
            break;
        }
        out->written = last - out->written < stride ? last : out->written + stride;
    }
    return out->written;
}

/* Encodes a block of up to 32 units; returns false if there is an error, or no room. *lead is the lead surrogate with
 * which the block before ends, or 0, and becomes that of this block. */
KERNEL_PART bool put_block16(enum room room, const struct lanes *with, struct byte_output *out, const uint16_t *from,
                             size_t count, uint16_t *lead)
{
    __m512i units = load_units(from, count, sizeof *from);
    __mmask32 ignored;
    if (!is_beyond_7ff(false, with, units))
        return *lead == 0 && put_twos(room, with, out, units, count);
    if (surrogates_of(with, units) == 0)
        return *lead == 0 &&
               put_threes(room, with, out, _mm512_permutexvar_epi8(with->interleaved, units), count, &ignored);
    struct kinds kinds = kinds_of(with, units);
    if ((kinds.leads << 1 | (*lead != 0)) != kinds.trails)
        return false;
    __m512i before = _mm512_mask_mov_epi16(unit_before(units), 1, _mm512_set1_epi16((short)*lead));
    *lead = from[count - 1] & (uint16_t)(0 - (kinds.leads >> (BLOCK_UNITS - 1))); /* a branch would be unpredictable */
    return put_in_order(true, room, with, out, units, before, count, kinds);
}

/* Encodes blocks from unit `at` on, up to the first that is not below U+0800. Returns where it stopped: there, or where
 * there may be no room. */
KERNEL_PART size_t blocks_of_twos(struct byte_output *out, const uint16_t *units, size_t at, size_t count)
{
    const struct lanes with = load_constants();
    for (; count - at >= BLOCK_UNITS && out->capacity - out->written >= 2 * VEC_BYTES; at += BLOCK_UNITS) {
        __m512i block = _mm512_loadu_si512(units + at);
        if (is_beyond_7ff(false, &with, block))
            return at;
        put_twos(FOR_A_VECTOR, &with, out, block, BLOCK_UNITS);
    }
    size_t left = count - at;
    if (left == 0 || left > BLOCK_UNITS)
        return at;
    __m512i last = load_lanes(units + at, first_bits(left), sizeof *units);
    return !is_beyond_7ff(false, &with, last) && put_twos(MASKED, &with, out, last, left) ? count : at;
}

/* Encodes all units of a text that is short for the loops above: each of these is left by a misprediction. Returns the
 * number of bytes; 0 if there is an error, or no room. */
KERNEL_PART size_t blocks_of_16(const uint16_t *units, size_t count, uint8_t *bytes, size_t capacity)
{
    struct byte_output out = {bytes, capacity, 0};
    size_t at = blocks_of_twos(&out, units, encode_leading_ascii(false, &out, units, count), count);
    if (at == count)
        return out.written;
    const struct lanes with = load_constants();
    uint16_t lead = 0;
    bool done = true;
    for (; done && count - at >= BLOCK_UNITS && capacity - out.written >= 2 * VEC_BYTES; at += BLOCK_UNITS)
        done = put_block16(FOR_A_VECTOR, &with, &out, units + at, BLOCK_UNITS, &lead);
    for (size_t taken; done && at < count; at += taken) {
        taken = count - at < BLOCK_UNITS ? count - at : BLOCK_UNITS;
        done = put_block16(MASKED, &with, &out, units + at, taken, &lead);
    }
    return done && lead == 0 ? out.written : 0;
}

/* The same for code points. */
KERNEL_PART size_t blocks_of_32(const uint32_t *units, size_t count, uint8_t *bytes, size_t capacity)
{
    struct byte_output out = {bytes, capacity, 0};
    size_t at = encode_leading_ascii(true, &out, units, count), taken = 1;
    for (; taken > 0 && count - at >= BLOCK_UNITS && capacity - out.written >= 2 * VEC_BYTES; at += taken) {
        struct wide_block block = load_block(true, units + at);
        taken = encode_loaded32(FOR_A_VECTOR, &out, &block, BLOCK_UNITS);
    }
    for (; taken > 0 && at < count; at += taken) {
        taken = count - at < BLOCK_UNITS ? count - at : BLOCK_UNITS;
        struct wide_block block = load_up_to_block(true, units + at, taken);
        taken = encode_loaded32(MASKED, &out, &block, taken);
    }
    return at == count ? out.written : 0;
}

KERNEL_PART size_t vec_encode_middle(bool of_32, const void *units, size_t count, uint8_t *bytes, size_t capacity)
{
    if (of_32)
        return blocks_of_32(units, count, bytes, capacity);
    return count <= 2 * BLOCK_UNITS ? two_blocks_of_16(units, count, bytes, capacity)
                                    : blocks_of_16(units, count, bytes, capacity);
}

#undef LANE_CONSTANTS
#undef IN_16
#undef IN_32

#endif
