/* SPDX-License-Identifier: MIT
 *
 * Encoders with one mistake: constants, masks, pairs, room.
 */
#include "../mistake.h"

#define OF_BYTES "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf"
#define WITH_FOUR_BYTES "utf-8 generalized-utf-8 wtf-8"
#define WITHOUT_SURROGATES "utf-8 cesu-8 utf-16le utf-16be"

static uint32_t unit_at(const struct encode_state *state, size_t at)
{
    return state->utf32 != NULL ? state->utf32[at] : state->utf16[at];
}

static bool is_surrogate(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDFFF;
}

static void put_three(struct encode_step *step, uint32_t code_point)
{
    step->fault = ASSAY_FAULT_NONE;
    step->length = 3;
    step->bytes[0] = (uint8_t)(0xE0 | (code_point >> 12 & 0xF));
    step->bytes[1] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
    step->bytes[2] = (uint8_t)(0x80 | (code_point & 0x3F));
}

static void put_four(struct encode_step *step, uint32_t code_point)
{
    put_three(step, code_point);
    step->length = 4;
    step->bytes[3] = step->bytes[2];
    step->bytes[2] = step->bytes[1];
    step->bytes[1] = (uint8_t)(0x80 | (code_point >> 12 & 0x3F));
    step->bytes[0] = (uint8_t)(0xF0 | (code_point >> 18 & 7));
}

static void supplementary_from_1000(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->fault == ASSAY_FAULT_NONE && step->code_point > 0x1000 && step->code_point < 0x10000)
        put_four(step, step->code_point);
}

static void supplementary_from_100000(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point >= 0x10000 && step->code_point < 0x100000)
        put_three(step, step->code_point);
}

static void supplementary_from_10001(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point == 0x10000)
        put_three(step, step->code_point);
}

static void three_bytes_from_801(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point == 0x800) {
        step->bytes[0] = 0xC0, step->bytes[1] = 0xA0, step->bytes[2] = 0x80;
    }
}

static void two_bytes_from_81(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point == 0x80)
        step->bytes[0] = 0x80, step->length = 1;
}

static void two_bytes_up_to_7fe(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point == 0x7FF)
        put_three(step, step->code_point);
}

static void other_nul(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point == 0 && step->length == 1)
        step->bytes[0] = 0xC0, step->bytes[1] = 0x80, step->length = 2;
    else if (step->code_point == 0)
        step->bytes[0] = 0, step->length = 1;
}

static void refuses_10ffff(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point == 0x10FFFF)
        step->fault = ASSAY_FAULT_OUT_OF_RANGE;
}

static void refuses_fffe(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point == 0xFFFE || step->code_point == 0xFFFF)
        step->fault = ASSAY_FAULT_OUT_OF_RANGE;
}

static void takes_110000(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point == 0x110000)
        put_four(step, step->code_point);
}

static void takes_up_to_1fffff(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point > 0x110000 && step->code_point <= 0x1FFFFF)
        put_four(step, step->code_point);
}

static void masks_21_bits(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->code_point > 0x1FFFFF)
        put_three(step, 0xFFFD);
}

static void takes_surrogates(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->fault != ASSAY_FAULT_NONE && is_surrogate(step->code_point))
        put_three(step, step->code_point);
}

static void takes_trails(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->fault != ASSAY_FAULT_NONE && step->code_point >= 0xDC00 && is_surrogate(step->code_point))
        put_three(step, step->code_point);
}

static void only_dc00_is_a_trail(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->fault != ASSAY_FAULT_NONE && step->code_point > 0xDC00 && step->code_point <= 0xDFFF)
        put_three(step, step->code_point);
}

static void drops_second_lead_at_end(const struct encode_state *state, struct encode_step *step)
{
    bool is_after_lead = state->at > 0 && (unit_at(state, state->at - 1) & ~0x3FFu) == 0xD800;
    if (step->fault != ASSAY_FAULT_NONE && is_after_lead && (step->code_point & ~0x3FFu) == 0xD800 &&
        state->at + 1 == state->unit_count)
        step->fault = ASSAY_FAULT_NONE, step->length = 0;
}

static void drops_lead_at_end(const struct encode_state *state, struct encode_step *step)
{
    if (step->fault != ASSAY_FAULT_NONE && is_surrogate(step->code_point) && state->at + 1 == state->unit_count)
        step->fault = ASSAY_FAULT_NONE, step->length = 0;
}

static void lead_swallows_next(const struct encode_state *state, struct encode_step *step)
{
    if (step->fault != ASSAY_FAULT_NONE && is_surrogate(step->code_point) && state->at + 1 < state->unit_count)
        step->taken = 2;
}

static void lead_joins_lead(const struct encode_state *state, struct encode_step *step)
{
    bool is_lead = step->taken == 1 && is_surrogate(step->code_point) && step->code_point < 0xDC00;
    if (is_lead && state->utf16 != NULL && state->at + 1 < state->unit_count &&
        unit_at(state, state->at + 1) >> 10 == 0x36) {
        step->taken = 2;
        put_four(step, 0x10000);
    }
}

/* A pair over the edge of a block of units becomes two halves. */
static void break_pair(const struct encode_state *state, struct encode_step *step, size_t block)
{
    if (state->utf16 == NULL || step->taken != 2 || state->at % block != block - 1)
        return;
    struct assay_result half =
        museum_base->encode_utf16(ASSAY_POLICY_STRICT, state->utf16 + state->at, 1, step->bytes, AHEAD_MAX);
    *step = (struct encode_step){
        .code_point = state->utf16[state->at], .taken = 1, .fault = half.error.fault, .length = half.written};
    museum_base->encode_utf16(ASSAY_POLICY_STRICT, state->utf16 + state->at, 1, step->bytes, AHEAD_MAX);
}

#define BREAKS_PAIR(block) \
    static void breaks_pair_##block(const struct encode_state *state, struct encode_step *step) \
    { \
        break_pair(state, step, block); \
    }
BREAKS_PAIR(8)
BREAKS_PAIR(16)
BREAKS_PAIR(32)
BREAKS_PAIR(64)

/* A character that is not ASCII, right after a block of ASCII units, loses its high bits. */
static void narrow_after_ascii(const struct encode_state *state, struct encode_step *step, size_t count)
{
    if (state->at < count || step->code_point < 0x80 || step->fault != ASSAY_FAULT_NONE)
        return;
    for (size_t i = 1; i <= count; i++)
        if (unit_at(state, state->at - i) >= 0x80)
            return;
    step->bytes[0] = (uint8_t)step->code_point;
    step->length = 1;
}

static void narrows_after_15(const struct encode_state *state, struct encode_step *step)
{
    narrow_after_ascii(state, step, 15);
}

static void narrows_after_31(const struct encode_state *state, struct encode_step *step)
{
    narrow_after_ascii(state, step, 31);
}

static void narrows_after_63(const struct encode_state *state, struct encode_step *step)
{
    narrow_after_ascii(state, step, 63);
}

/* True if, from the beginning of this unit's block, `count` units are below `limit`: such a block is encoded at
 * once. */
static bool is_block_below(const struct encode_state *state, size_t count, uint32_t limit)
{
    size_t begin = state->at - state->at % count;
    for (size_t i = begin; i < begin + count; i++)
        if (i >= state->unit_count || unit_at(state, i) >= limit)
            return false;
    return true;
}

static void two_bytes_from_7f(const struct encode_state *state, struct encode_step *step)
{
    if (step->code_point == 0x7F && !is_block_below(state, 16, 0x80) && is_block_below(state, 16, 0x800))
        step->bytes[0] = 0xC1, step->bytes[1] = 0xBF, step->length = 2;
}

static void nul_in_ascii_block(const struct encode_state *state, struct encode_step *step)
{
    if (step->code_point == 0 && is_block_below(state, 64, 0x80))
        step->bytes[0] = 0, step->length = 1;
}

/* A lone trail at the beginning of a block of units is accepted if the block ends with a lead. */
static void carries_from_own_block(const struct encode_state *state, struct encode_step *step)
{
    enum { BLOCK = 16 };
    if (step->fault != ASSAY_FAULT_NONE && state->utf16 != NULL && state->at % BLOCK == 0 &&
        step->code_point >= 0xDC00 && state->at + BLOCK <= state->unit_count &&
        unit_at(state, state->at + BLOCK - 1) >> 10 == 0x36)
        put_three(step, step->code_point);
}

/* A run of errors that ends a block continues after blocks without errors. */
static void run_beyond_blocks(const struct encode_state *state, struct encode_step *step)
{
    enum { BLOCK = 16 };
    if (step->fault == ASSAY_FAULT_NONE || state->policy != ASSAY_POLICY_PER_RUN || state->at % BLOCK != 0 ||
        state->at < 2 * BLOCK)
        return;
    size_t at = state->at;
    while (at > 0 && unit_at(state, at - 1) < 0x80)
        at--;
    bool is_after_error = at > 0 && at < state->at && at % BLOCK == 0 &&
                          (is_surrogate(unit_at(state, at - 1)) || unit_at(state, at - 1) > 0x10FFFF);
    if (is_after_error)
        step->fault = ASSAY_FAULT_NONE, step->length = 0;
}

static void replaces_by_question_mark(const struct encode_state *state, struct encode_step *step)
{
    if (step->fault != ASSAY_FAULT_NONE && state->policy == ASSAY_POLICY_WHATWG)
        step->fault = ASSAY_FAULT_NONE, step->bytes[0] = '?', step->length = 1;
}

static void surrogate_is_out_of_range(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->fault == ASSAY_FAULT_SURROGATE)
        step->fault = ASSAY_FAULT_OUT_OF_RANGE;
}

static void offset_in_code_points(const struct encode_state *state, struct assay_result *result)
{
    for (size_t i = 0; state->utf16 != NULL && i + 1 < state->at; i++)
        if (state->utf16[i] >> 10 == 0x36 && state->utf16[i + 1] >> 10 == 0x37 && result->error.length > 0)
            result->error.offset--;
}

static void offset_in_8_bits(const struct encode_state *state, struct assay_result *result)
{
    (void)state;
    result->error.offset = (uint8_t)result->error.offset;
}

static void offset_in_16_bits(const struct encode_state *state, struct assay_result *result)
{
    (void)state;
    result->error.offset = (uint16_t)result->error.offset;
}

static void written_in_8_bits(const struct encode_state *state, struct assay_result *result)
{
    (void)state;
    result->written = (uint8_t)result->written;
}

static void written_in_16_bits(const struct encode_state *state, struct assay_result *result)
{
    (void)state;
    result->written = (uint16_t)result->written;
}

static void read_in_8_bits(const struct encode_state *state, struct assay_result *result)
{
    (void)state;
    result->read = (uint8_t)result->read;
}

static void read_in_16_bits(const struct encode_state *state, struct assay_result *result)
{
    (void)state;
    result->read = (uint16_t)result->read;
}

static void room_for_one_more(const struct encode_state *state, size_t *room)
{
    (void)state;
    (*room)++;
}

static void room_for_three(const struct encode_state *state, size_t *room)
{
    (void)state;
    if (*room < 3)
        *room = 0;
}

static void room_after_a_block(const struct encode_state *state, size_t *room)
{
    if (state->at >= 16 && *room > 0)
        ++*room;
}

static void room_of_half_a_block(const struct encode_state *state, size_t *room)
{
    if (state->unit_count >= 16 && *room < 8)
        *room = 0;
}

static void pair_of_code_points(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->fault != ASSAY_FAULT_SURROGATE_PAIR)
        return;
    bool is_big_endian = museum_base->encoding[6] == 'b';
    step->fault = ASSAY_FAULT_NONE;
    step->length = 2;
    step->bytes[!is_big_endian] = (uint8_t)(step->code_point >> 8);
    step->bytes[is_big_endian] = (uint8_t)step->code_point;
}

const struct mistake mistakes_encoders[] = {
    {"encodes-pair-of-surrogates",
     "writes a lead and a trail that are two code points as a pair, as WTF-8, 4.1, does without its note", NULL,
     "wtf-16le wtf-16be", .encode = pair_of_code_points},
    {"encodes-from-1000", "takes 1000 for 10000: U+1001 and above in four bytes", "libuv", OF_BYTES,
     .encode = supplementary_from_1000},
    {"encodes-from-100000", "takes 100000 for 10000: U+10000..U+FFFFF in three bytes", "rust-wtf8 2f59eb9",
     WITH_FOUR_BYTES, .encode = supplementary_from_100000},
    {"encodes-from-10001", "writes U+10000 in three bytes", NULL, WITH_FOUR_BYTES, .encode = supplementary_from_10001},
    {"encodes-0800-as-c0", "writes U+0800 as C0 A0 80", "WTF-8 issue 8", OF_BYTES, .encode = three_bytes_from_801},
    {"encodes-0080-as-80", "writes U+0080 as 80", NULL, OF_BYTES, .encode = two_bytes_from_81},
    {"encodes-07ff-in-three", "writes U+07FF in three bytes", NULL, OF_BYTES, .encode = two_bytes_up_to_7fe},
    {"encodes-007f-in-two", "writes U+007F as C1 BF in a block of 16 units that has characters of two bytes", NULL,
     OF_BYTES, .encode = two_bytes_from_7f},
    {"encodes-nul-as-ascii", "writes U+0000 as 00 in a block of 64 units of ASCII", NULL, "mutf-8 mutf-8-readutf",
     .encode = nul_in_ascii_block},
    {"carries-from-own-block",
     "pairs a trail at the start of a block of 16 units with a lead at the end of the same block", NULL,
     WITHOUT_SURROGATES, .encode = carries_from_own_block},
    {"encode-run-beyond-blocks", "forgets that whole blocks of ASCII end a run of errors", NULL, WITHOUT_SURROGATES,
     .encode = run_beyond_blocks},
    {"encodes-other-nul", "writes U+0000 as 00 where it is C0 80, and as C0 80 where it is 00", NULL, OF_BYTES,
     .encode = other_nul},
    {"encode-refuses-10ffff", "refuses U+10FFFF", "libuv", .encode = refuses_10ffff},
    {"encode-refuses-fffe", "refuses U+FFFE and U+FFFF", .encode = refuses_fffe},
    {"encodes-110000", "writes 110000, one past the last code point", .encode = takes_110000},
    {"encodes-1fffff", "writes 110001..1FFFFF, all that four bytes hold", .encode = takes_up_to_1fffff},
    {"encodes-21-bits", "writes U+FFFD for a value of more than 21 bits", .encode = masks_21_bits},
    {"encodes-surrogates", "writes surrogates", "V8 4274", WITHOUT_SURROGATES, .encode = takes_surrogates},
    {"encodes-trails", "writes trail surrogates", NULL, WITHOUT_SURROGATES, .encode = takes_trails},
    {"only-dc00-is-a-trail", "of the unpaired trails, refuses only U+DC00", "encoding_rs 1f0292d", WITHOUT_SURROGATES,
     .encode = only_dc00_is_a_trail},
    {"lead-at-end-is-dropped", "drops half a pair at the end", NULL, WITHOUT_SURROGATES, .encode = drops_lead_at_end},
    {"second-lead-at-end-is-lost", "drops half a pair at the end if another is before it", "npm buffer 6.0.3",
     WITHOUT_SURROGATES, .encode = drops_second_lead_at_end},
    {"lead-swallows-next", "takes the unit after half a pair for the other half", "expat CVE-2026-93990",
     WITHOUT_SURROGATES, .encode = lead_swallows_next},
    {"lead-joins-lead", "takes a lead for a trail: mask F8 for FC", "expat CVE-2026-72522", .encode = lead_joins_lead},
    {"breaks-pair-8", "takes a pair over the edge of a block of 8 units for two halves", .encode = breaks_pair_8},
    {"breaks-pair-16", "takes a pair over the edge of a block of 16 units for two halves", .encode = breaks_pair_16},
    {"breaks-pair-32", "takes a pair over the edge of a block of 32 units for two halves", .encode = breaks_pair_32},
    {"breaks-pair-64", "takes a pair over the edge of a block of 64 units for two halves", .encode = breaks_pair_64},
    {"narrows-after-15", "after 15 units of ASCII, writes the next as one byte", .encode = narrows_after_15},
    {"narrows-after-31", "after 31 units of ASCII, writes the next as one byte", .encode = narrows_after_31},
    {"narrows-after-63", "after 63 units of ASCII, writes the next as one byte", .encode = narrows_after_63},
    {"encodes-question-mark", "under whatwg, writes ? for U+FFFD", .encode = replaces_by_question_mark},
    {"surrogate-is-out-of-range", "reports a surrogate as out of range", NULL, WITHOUT_SURROGATES,
     .encode = surrogate_is_out_of_range},
    {"encode-offset-in-code-points", "counts code points before an error, not units", NULL, WITHOUT_SURROGATES,
     .offers = OFFERS(ENCODE_UTF16), .encode_result = offset_in_code_points},
    {"encode-offset-in-8-bits", "keeps the offset of an error in a byte", .encode_result = offset_in_8_bits},
    {"encode-offset-in-16-bits", "keeps the offset of an error in two bytes", .encode_result = offset_in_16_bits},
    {"encode-written-in-8-bits", "keeps the count of bytes in a byte", .encode_result = written_in_8_bits},
    {"encode-written-in-16-bits", "keeps the count of bytes in two bytes", .encode_result = written_in_16_bits},
    {"encode-read-in-8-bits", "keeps the count of units in a byte", .encode_result = read_in_8_bits},
    {"encode-read-in-16-bits", "keeps the count of units in two bytes", .encode_result = read_in_16_bits},
    {"encode-room-for-one-more", "writes one byte past the end", "simdutf#911, libuv",
     .encode_room = room_for_one_more},
    {"encode-room-for-three", "requires room for three bytes, even for fewer", .encode_room = room_for_three},
    {"encode-room-after-a-block", "after 16 units, writes one byte past the end", .encode_room = room_after_a_block},
    {"encode-room-of-half-a-block", "in long input, requires room for 8 bytes", .encode_room = room_of_half_a_block},
    END_OF_MISTAKES,
};
