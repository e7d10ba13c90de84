/* SPDX-License-Identifier: MIT
 *
 * Decoders with mistakes of all kinds, written by an author who had seen neither the other mistakes nor the vectors'
 * plan.
 */
#include "../mistake.h"

#include <string.h>

#define IN_BYTES "utf-8 wtf-8 generalized-utf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf"
#define IN_UTF16 "utf-16le utf-16be"
#define POLICY(id) (1u << ASSAY_POLICY_##id)

static bool is_ascii(const uint8_t *bytes, size_t count)
{
    uint8_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= bytes[i];
    return all < 0x80;
}

/* ---- fast paths ---------------------------------------------------------------------------------------- */

/* The mask of the word test lacks its last byte: 0x0080808080808080. */
static void ascii_word_of_seven(struct state *state, struct step *step)
{
    size_t at = (size_t)state->at;
    bool is_last_of_word = state->at >= 7 && at % 8 == 7;
    if (is_last_of_word && state->here[0] >= 0x80 && is_ascii(state->bytes + at - 7, 7))
        *step = (struct step){.length = 1, .code_point = state->here[0] & 0x7Fu};
}

static void ascii_forgets_held(struct state *state)
{
    if (state->memory->held_count > 0 && state->byte_count >= 16 && is_ascii(state->bytes, 16)) {
        state->memory->position += state->memory->held_count;
        state->memory->held_count = 0;
    }
}

/* The state after the last block is only checked if another, shorter block follows. */
static void whole_blocks_end_well(struct state *state, struct step *step)
{
    bool no_rest = state->last && state->byte_count > 0 && state->byte_count % 64 == 0;
    if (no_rest && step->fault == ASSAY_FAULT_TRUNCATED && !step->open)
        *step = (struct step){.length = step->length, .silent = true};
}

/* ---- streams ------------------------------------------------------------------------------------------- */

static void flush_forgets_held(struct state *state)
{
    if (state->last && state->byte_count == 0)
        state->memory->held_count = 0;
}

static void empty_piece_ends(struct state *state)
{
    state->last |= state->byte_count == 0;
}

static void holds_two_bytes(struct state *state)
{
    if (state->memory->held_count == 3)
        state->memory->held_count = 2;
}

static void run_ends_with_piece(struct state *state)
{
    state->memory->in_run = false;
}

static void sequence_ends_with_piece(struct state *state)
{
    state->memory->absorb = 0;
}

static void lead_forgotten_with_piece(struct state *state)
{
    state->memory->after_lead = false;
}

static void nul_forgotten_with_piece(struct state *state)
{
    if (state->memory->held_count == 1 && state->memory->held[0] == 0xC0) {
        state->memory->position++;
        state->memory->held_count = 0;
    }
}

static void lead_refused_at_piece_end(struct state *state, struct step *step)
{
    bool is_lead = state->ahead >= 3 && state->here[0] == 0xED && state->here[1] >= 0xA0 && state->here[1] <= 0xAF;
    if (step->open && is_lead)
        *step = (struct step){.length = 3, .fault = ASSAY_FAULT_UNPAIRED_SURROGATE};
}

/* ---- characters ---------------------------------------------------------------------------------------- */

static void refuse(struct step *step, size_t length, enum assay_fault fault)
{
    *step = (struct step){.length = length, .fault = fault};
}

static void plane_sixteen_refused(struct state *state, struct step *step)
{
    (void)state;
    if (step->fault == ASSAY_FAULT_NONE && !step->open && step->code_point >= 0x100000)
        refuse(step, 1, ASSAY_FAULT_OUT_OF_RANGE);
}

static void plane_ends_replaced(struct state *state, uint32_t *code_point)
{
    (void)state;
    if (*code_point > 0xFFFF && (*code_point & 0xFFFE) == 0xFFFE)
        *code_point = 0xFFFD;
}

/* Decoders of all encodings may make the next two mistakes. The text that shows them is in the vectors of one. */
static void composes(struct state *state, uint32_t *code_point)
{
    (void)state;
    if (*code_point == 0x212B)
        *code_point = 0xC5;
}

static void line_separator_is_line_feed(struct state *state, uint32_t *code_point)
{
    (void)state;
    if (*code_point == 0x2028)
        *code_point = '\n';
}

static void last_trail_refused(struct state *state, struct step *step)
{
    (void)state;
    if (step->fault == ASSAY_FAULT_NONE && !step->open && step->code_point > 0xFFFF &&
        (step->code_point & 0x3FF) == 0x3FF)
        refuse(step, 2, ASSAY_FAULT_UNPAIRED_SURROGATE);
}

static void odd_byte_dropped(struct state *state, struct step *step)
{
    (void)state;
    if (step->fault == ASSAY_FAULT_TRUNCATED && !step->open && step->length == 1)
        *step = (struct step){.length = 1, .silent = true};
}

/* (int8_t)byte <= -64 instead of < -64: C0 ends a sequence. */
static void continuation_to_c0(struct state *state, struct step *step)
{
    size_t wanted = state->here[0] < 0xE0 ? 2 : state->here[0] < 0xF0 ? 3 : 4;
    bool is_cut =
        step->fault == ASSAY_FAULT_MISSING_CONTINUATION && step->length + 1 == wanted && state->ahead >= wanted;
    if (!is_cut || state->here[step->length] != 0xC0)
        return;
    uint32_t code_point = state->here[0] & (0x7Fu >> wanted);
    for (size_t i = 1; i < wanted; i++)
        code_point = code_point << 6 | (state->here[i] & 0x3Fu);
    *step = (struct step){.length = wanted, .code_point = code_point};
}

/* After a 4-byte character, its mask also marks the next third byte as seen. */
static void third_byte_covered(struct state *state, struct step *step)
{
    bool is_third = step->fault == ASSAY_FAULT_MISSING_CONTINUATION && state->here[0] >= 0xE0 &&
                    state->here[0] < 0xF0 && step->length == 2;
    if (state->memory->own != 0 && is_third && state->ahead >= 3)
        *step = (struct step){.length = 3, .code_point = 0xFFFD};
}

static void remember_supplementary(struct state *state, const struct step *step)
{
    state->memory->own = step->fault == ASSAY_FAULT_NONE && step->code_point > 0xFFFF;
}

static void ends_at_nul(struct state *state, struct step *step)
{
    (void)state;
    if (step->fault == ASSAY_FAULT_NONE && !step->open && step->code_point == 0)
        *step = (struct step){.length = SIZE_MAX, .silent = true};
}

static void line_ends_translated(struct state *state, struct step *step)
{
    if (step->code_point == 0x0D && state->ahead > 1 && state->here[0] == 0x0D && state->here[1] == 0x0A)
        step->silent = true;
}

/* After a restart at an error, the decoder treats U+FEFF as a signature, as at the beginning. */
static void signature_after_error(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_NONE && !step->open && step->code_point == 0xFEFF && state->memory->in_run)
        step->silent = true;
}

/* ---- replacements ---------------------------------------------------------------------------------------- */

static void escapes_lead_only(struct state *state, const struct step *step, size_t *units)
{
    (void)state, (void)step;
    *units = 1;
}

static void remember_replacement(struct state *state, const struct step *step)
{
    state->memory->own = step->fault == ASSAY_FAULT_NONE && step->code_point == 0xFFFD;
}

/* Tests whether the last character of the output is U+FFFD. One that the text itself has counts, too. */
static void merges_with_text(struct state *state, const struct step *step, size_t *units)
{
    (void)step;
    if (state->memory->own != 0)
        *units = 0;
}

static void count_run(struct state *state, const struct step *step)
{
    state->memory->own = step->fault == ASSAY_FAULT_NONE ? 0 : state->memory->own + 1;
}

static void run_of_sixteen(struct state *state, const struct step *step, size_t *units)
{
    (void)step;
    *units = state->memory->own % 16 == 0;
}

/* ---- spans ------------------------------------------------------------------------------------------------ */

static void never_incomplete(struct state *state, struct assay_span *span)
{
    (void)state;
    span->incomplete = false;
}

static void truncated_is_one_byte(struct state *state, struct assay_span *span)
{
    (void)state;
    if (span->incomplete)
        span->length = 1;
}

/* ---- room ------------------------------------------------------------------------------------------------- */

/* After the loop over blocks has begun, one unit of room is taken to be enough for a pair. */
static void half_a_pair_has_room(struct state *state, size_t *room)
{
    if (state->written >= 32 && *room == 1)
        *room = 2;
}

/* `while (room > 16)` instead of >=, and nothing after the loop. */
static void last_block_left_out(struct state *state, size_t *room)
{
    if (state->written >= 16 && state->written % 16 == 0 && *room == 16 && state->capacity != SIZE_MAX)
        *room = 0;
}

/* ---- whole operations --------------------------------------------------------------------------------------- */

/* Counts two units for each byte from F0 on: right for text, wrong for errors. */
static struct assay_count count_by_leads(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    struct assay_count count = museum_base->count(policy, bytes, byte_count);
    for (size_t i = 0; i < byte_count && count.status == ASSAY_OK; i++)
        count.utf16_units += bytes[i] > 0xF4;
    return count;
}

/* Steps back over continuation bytes without checking whether the lead requires them. */
static size_t boundary_over_continuations(const uint8_t *bytes, size_t byte_count, size_t at)
{
    size_t start = at;
    if (at >= byte_count)
        return byte_count;
    for (size_t i = 0; i < 3 && start > 0 && museum_is_continuation(bytes[start]); i++)
        start--;
    return start;
}

static bool is_surrogate_at(const uint8_t *bytes, uint8_t low, uint8_t high)
{
    return bytes[0] == 0xED && bytes[1] >= low && bytes[1] <= high;
}

/* Also joins a lead with a lead. */
static struct assay_result concat_of_any_surrogates(const uint8_t *left, size_t left_count, const uint8_t *right,
                                                    size_t right_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = museum_base->concat(left, left_count, right, right_count, out, capacity);
    bool joins = result.status == ASSAY_OK && left_count >= 3 && right_count >= 3 &&
                 is_surrogate_at(left + left_count - 3, 0xA0, 0xAF) && is_surrogate_at(right, 0xA0, 0xAF);
    if (joins)
        out[left_count - 3] = 0xF0;
    return result;
}

/* ---- encoding ------------------------------------------------------------------------------------------------ */

static void pair_split_between_blocks(const struct encode_state *state, struct encode_step *step)
{
    if (state->utf16 == NULL || step->code_point <= 0xFFFF || state->at % 16 != 15)
        return;
    step->code_point = state->utf16[state->at];
    step->taken = 1;
    step->fault = ASSAY_FAULT_UNPAIRED_SURROGATE;
}

static void last_of_three_in_four(const struct encode_state *state, struct encode_step *step)
{
    static const uint8_t four[] = {0xF0, 0x8F, 0xBF, 0xBF};
    (void)state;
    if (step->code_point == 0xFFFF && step->fault == ASSAY_FAULT_NONE) {
        memcpy(step->bytes, four, sizeof four);
        step->length = sizeof four;
    }
}

static void skip_drops_neighbour(const struct encode_state *state, struct encode_step *step)
{
    if (step->fault != ASSAY_FAULT_NONE && state->at + step->taken < state->unit_count)
        step->taken++;
}

static void escapes_ascii_back(const struct encode_state *state, struct encode_step *step)
{
    (void)state;
    if (step->fault != ASSAY_FAULT_NONE && step->code_point >= 0xDC00 && step->code_point < 0xDC80) {
        step->fault = ASSAY_FAULT_NONE;
        step->bytes[0] = (uint8_t)(step->code_point & 0x7F);
        step->length = 1;
    }
}

static void error_counted_in_bytes(const struct encode_state *state, struct assay_result *result)
{
    if (result->status == ASSAY_ILL_FORMED)
        result->error.offset = state->written;
}

/* Uses the room that was checked for the block before. */
static void encodes_into_room_of_block(const struct encode_state *state, size_t *room)
{
    if (state->at >= 16 && *room > 0 && *room < 4)
        *room = 4;
}

const struct mistake mistakes_another_author[] = {
    {"ascii-word-of-seven", "tests seven of the eight bytes of a word for ASCII", .only = IN_BYTES,
     .step = ascii_word_of_seven},
    {"ascii-forgets-held", "drops the held bytes if a piece begins with 16 bytes of ASCII", .only = IN_BYTES,
     .offers = OFFERS_FEED, .begin = ascii_forgets_held},
    {"whole-blocks-end-well", "does not check whether the last block ends within a character", "simdjson#1169",
     .same = AT_THE_END, .step = whole_blocks_end_well},
    {"flush-forgets-held", "drops the held bytes if the last piece is empty", NULL, .offers = OFFERS_FEED,
     .begin = flush_forgets_held},
    {"empty-piece-ends", "takes an empty piece for the end of the input", .offers = OFFERS_FEED,
     .begin = empty_piece_ends},
    {"another-holds-two-bytes", "holds at most two of the three bytes of an incomplete character between pieces",
     .offers = OFFERS_FEED, .end = holds_two_bytes},
    {"another-run-ends-with-piece", "begins a new run of errors in each piece", .same = AT_THE_END,
     .offers = OFFERS_FEED, .policies = POLICY(PER_RUN), .begin = run_ends_with_piece},
    {"sequence-ends-with-piece",
     "gives each continuation byte that arrives in a later piece than its refused lead a U+FFFD of its own",
     .only = "utf-8", .offers = OFFERS_FEED, .policies = POLICY(JDK) | POLICY(PER_SEQUENCE),
     .begin = sequence_ends_with_piece},
    {"lead-forgotten-with-piece", "accepts a trail surrogate at the start of a piece, although a lead is before it",
     .only = "wtf-8", .offers = OFFERS_FEED, .begin = lead_forgotten_with_piece},
    {"nul-forgotten-with-piece", "drops a C0 that ends a piece", .only = "mutf-8 mutf-8-readutf", .offers = OFFERS_FEED,
     .begin = nul_forgotten_with_piece},
    {"lead-refused-at-piece-end", "refuses a lead surrogate whose trail comes with the next piece", .only = "cesu-8",
     .offers = OFFERS_FEED, .step = lead_refused_at_piece_end},
    {"plane-sixteen-refused", "refuses U+100000..U+10FFFF", .step = plane_sixteen_refused},
    {"plane-ends-replaced", "replaces the noncharacters at the ends of planes 1 to 16", .put = plane_ends_replaced},
    {"composes", "gives U+212B as U+00C5, its composed form", .only = "utf-8", .put = composes},
    {"line-separator-is-line-feed", "gives U+2028 as a line feed", .only = "utf-8", .put = line_separator_is_line_feed},
    {"last-trail-refused", "does not accept DFFF as a trail", .only = IN_UTF16, .step = last_trail_refused},
    {"odd-byte-dropped", "drops half a unit at the end", "Node 26, StringDecoder", IN_UTF16, .step = odd_byte_dropped},
    {"continuation-to-c0", "takes C0 for a continuation byte at the end of a sequence", "fmt PR 3044", .only = IN_BYTES,
     .step = continuation_to_c0},
    {"third-byte-covered", "does not notice that the third byte is missing, right after a supplementary character",
     .only = IN_BYTES, .step = third_byte_covered, .after = remember_supplementary},
    {"another-ends-at-nul", "ends at U+0000", .step = ends_at_nul},
    {"line-ends-translated", "replaces a carriage return and a line feed by a line feed", .only = IN_BYTES,
     .step = line_ends_translated},
    {"signature-after-error", "drops a U+FEFF right after an error", "Firefox 2005419", .same = AT_THE_END,
     .step = signature_after_error},
    {"escapes-lead-only", "escapes the first byte of an error only", .only = "utf-8",
     .policies = POLICY(SURROGATEESCAPE), .replace = escapes_lead_only},
    {"merges-with-text", "joins an error with a U+FFFD that the text has right before it", .policies = POLICY(PER_RUN),
     .replace = merges_with_text, .after = remember_replacement},
    {"run-of-sixteen", "puts a new U+FFFD after each 16 errors of a run", .same = AT_THE_END,
     .policies = POLICY(PER_RUN), .replace = run_of_sixteen, .after = count_run},
    {"another-never-incomplete", "reports no error as incomplete", .span = never_incomplete},
    {"truncated-is-one-byte", "gives an error at the end of input the length 1", .same = AT_THE_END,
     .span = truncated_is_one_byte},
    {"half-a-pair-has-room", "from the 33rd unit on, writes a pair into room for one unit",
     .offers = OFFERS(DECODE_UTF16), .room = half_a_pair_has_room},
    {"last-block-left-out", "reports a full output when there is room for exactly 16 units",
     .offers = OFFERS(DECODE_UTF32) | OFFERS(DECODE_UTF16), .room = last_block_left_out},
    {"count-by-leads", "counts two UTF-16 units for F5..FF", .only = IN_BYTES, .offers = OFFERS(COUNT),
     .wraps = {.count = count_by_leads}},
    {"boundary-over-continuations", "goes back over continuation bytes, whatever byte is before them", .only = IN_BYTES,
     .offers = OFFERS(BOUNDARY), .wraps = {.boundary = boundary_over_continuations}},
    {"concat-of-any-surrogates", "joins two lead surrogates", .only = "wtf-8", .offers = OFFERS(CONCAT),
     .wraps = {.concat = concat_of_any_surrogates}},
    {"pair-split-between-blocks", "refuses a pair in units 15 and 16", .offers = OFFERS(ENCODE_UTF16),
     .encode = pair_split_between_blocks},
    {"last-of-three-in-four", "encodes U+FFFF in four bytes", .only = "utf-8 wtf-8 generalized-utf-8",
     .encode = last_of_three_in_four},
    {"skip-drops-neighbour", "drops what follows a code point that it cannot encode", .policies = POLICY(SKIP),
     .encode = skip_drops_neighbour},
    {"escapes-ascii-back", "turns U+DC00..U+DC7F back into ASCII", .only = "utf-8", .policies = POLICY(SURROGATEESCAPE),
     .encode = escapes_ascii_back},
    {"error-counted-in-bytes", "reports the number of bytes written as the offset of an error, not that of units read",
     .encode_result = error_counted_in_bytes},
    {"encodes-into-room-of-block", "from the 17th unit on, writes a 4-byte character into room for one byte",
     .encode_room = encodes_into_room_of_block},
    END_OF_MISTAKES,
};
