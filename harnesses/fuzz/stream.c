/* SPDX-License-Identifier: MIT
 *
 * Claim: however an input is cut into pieces, every codec has written after each piece exactly the output that no later
 * byte can change, and at the end the output of the whole input.
 */
#include "../core/bytes.h"
#include "../core/claim.h"
#include "../core/convert.h"

#include <string.h>

enum { CUTS_MAX = 64, CUTS_IN_SAMPLE = 24 };

/* Chooses cuts: one anywhere; one that leaves an empty piece, or two; or one near the edge of a block. For every 16th
 * input, which then takes several times as long, a cut every 1 or 2 bytes, at most `most` of them, from some offset
 * on. */
static size_t choose_cuts(struct dice *dice, size_t byte_count, size_t most, size_t cuts[CUTS_MAX])
{
    size_t count = 0, at = 0, kind = dice_roll(dice, 16);
    if (kind < 7) {
        cuts[count++] = dice_roll(dice, byte_count + 1);
    } else if (kind < 9) {
        at = dice_roll(dice, byte_count + 1);
        cuts[count++] = at;
        cuts[count++] = at;
        if (kind == 8)
            cuts[count++] = at;
    } else if (kind < 15) {
        at = dice_roll(dice, byte_count / 16 + 1) * 16 + dice_roll(dice, 5);
        cuts[count++] = at < byte_count ? at : byte_count;
    } else {
        at = byte_count > most ? dice_roll(dice, byte_count - most) : 0;
        for (; count < most && at < byte_count; at += 1 + dice_roll(dice, 2))
            cuts[count++] = at;
    }
    return count;
}

enum { TRAIL_MAX = 3 };

/* Writes the bytes of a trail surrogate. Returns how many. */
static size_t put_trail(const struct assay_codec *reference, uint8_t trail[TRAIL_MAX])
{
    bool is_utf16 = encoding_is_utf16(reference), is_big = encoding_is_big_endian(reference);
    memcpy(trail, !is_utf16 ? "\xED\xB0\x80" : is_big ? "\xDC\x00" : "\x00\xDC", is_utf16 ? 2 : TRAIL_MAX);
    return is_utf16 ? 2 : TRAIL_MAX;
}

/* True if these bytes followed by some others are one character. Tries the last bytes of a trail surrogate, which may
 * join a lead surrogate that would be a character alone. Half a 16-bit unit decides nothing. */
static bool may_join(const struct assay_codec *reference, const uint8_t *bytes, size_t byte_count)
{
    uint8_t trail[TRAIL_MAX];
    size_t trail_count = put_trail(reference, trail);
    byte_count -= encoding_is_utf16(reference) ? byte_count % 2 : 0;
    for (size_t more = 1; more <= trail_count; more++) {
        uint8_t joined[ASSAY_HELD_MAX + TRAIL_MAX];
        uint32_t out[ASSAY_DECODED_MAX(sizeof joined)];
        memcpy(joined, bytes, byte_count);
        memcpy(joined + byte_count, trail + trail_count - more, more);
        struct assay_result decoded =
            reference->decode_utf32(ASSAY_POLICY_STRICT, joined, byte_count + more, out, sizeof out / sizeof out[0]);
        if (decoded.status == ASSAY_OK && decoded.written == 1)
            return true;
    }
    return false;
}

/* The number of bytes at the end of a prefix whose output later bytes may change: the longest tail that is incomplete,
 * or that a trail surrogate may join. */
static size_t unfinished(const struct assay_codec *reference, const uint8_t *bytes, size_t byte_count)
{
    size_t length = 0;
    for (size_t tail = 1; tail <= ASSAY_HELD_MAX && tail <= byte_count; tail++) {
        const uint8_t *begin = bytes + byte_count - tail;
        struct assay_span span;
        bool is_incomplete = reference->spans(begin, tail, &span, 1) == 1 && span.incomplete && span.offset == 0;
        if (is_incomplete || may_join(reference, begin, tail))
            length = tail;
    }
    return length;
}

/* The law: the output after a prefix is the output of decoding the prefix, except for what only the end of the input
 * decides. `streamed` is the codec's answer to the question. */
static void check_piece(struct examiner *examiner, const struct assay_codec *codec, struct question question,
                        const struct answer *streamed, size_t piece)
{
    static struct seat *seat;
    if (seat == NULL)
        seat = seat_new();
    const struct question asked = question;
    struct breach breach = {codec, LAW_STREAM_STOPS, asked.input, asked.input_count, &asked, NULL};
    size_t unit = operation_output_unit(question.operation), byte_count = question.input_count;
    bool last = piece == question.cut_count;
    question.operation = operation_whole(question.operation);
    question.input_count = last ? byte_count : question.cuts[piece];
    question.capacity = capacity_for(question.operation, question.input_count);
    struct answer whole = ask(seat, codec, &question, AT_END);
    claim_skip_absent(examiner, &whole, question.operation, question.policy);
    if (!answer_is_usable(&whole))
        return;
    bool stopped = whole.result.status != ASSAY_OK;
    claim_law(examiner, !stopped || question.policy == ASSAY_POLICY_STRICT, &breach);
    if (stopped)
        return;

    size_t written = streamed->written_after[piece], missing = whole.result.written - written;
    bool same = written <= whole.result.written && bytes_equal(streamed->output, whole.output, written * unit);
    breach.law = LAW_ONE_PIECE;
    claim_law(examiner, same, &breach);
    size_t held = last ? 0 : unfinished(examiner->comparer.panel[0], question.input, question.input_count);
    breach.law = LAW_AT_ONCE;
    claim_law(examiner, missing <= held, &breach);
}

/* Checks all pieces, or `pieces` random ones if there are more. */
static void check_pieces(struct examiner *examiner, const struct assay_codec *codec, struct question question,
                         size_t pieces, struct dice *dice)
{
    static struct seat *seat;
    if (seat == NULL)
        seat = seat_new();
    question.capacity = capacity_for(question.operation, question.input_count);
    struct answer streamed = ask(seat, codec, &question, AT_END);
    claim_skip_absent(examiner, &streamed, question.operation, question.policy);
    bool all = pieces > question.cut_count;
    for (size_t i = 0; i < pieces && i <= question.cut_count && answer_is_usable(&streamed); i++)
        check_piece(examiner, codec, question, &streamed, all ? i : dice_roll(dice, question.cut_count + 1));
}

static void check_cuts(struct examiner *examiner, struct question *question, struct dice *dice)
{
    enum { LARGE = 4096, FEW = 2 }; /* each piece is another pass over the input */
    size_t pieces = question->input_count > LARGE ? FEW : CUTS_MAX + 1;
    for (question->operation = OP_FEED_UTF32; question->operation <= OP_FEED_UTF16; question->operation++) {
        compare(&examiner->comparer, question);
        check_pieces(examiner, examiner->comparer.panel[0], *question, pieces, dice);
    }
}

/* Checks one piece for each codec but the reference: their answers are also compared with the reference's, all of whose
 * pieces are checked. */
static void check_others(struct examiner *examiner, struct question *question, struct dice dice)
{
    for (size_t i = 1; i < claim_codec_count(examiner); i++)
        for (question->operation = OP_FEED_UTF32; question->operation <= OP_FEED_UTF16; question->operation++)
            check_pieces(examiner, examiner->comparer.panel[i], *question, 1, &dice);
}

/* Asks one question, of half of the codecs, because feeding is the costliest operation. Its room, if it is little, is
 * up to more than a vector of 32 units. */
static void check_sampled(struct examiner *examiner, struct question question, size_t *cuts, struct dice *dice)
{
    enum { ROOMS = 32 };
    question.policy = claim_policy(examiner, dice);
    question.operation = dice_roll(dice, 2) == 0 ? OP_FEED_UTF32 : OP_FEED_UTF16;
    question.cut_count = choose_cuts(dice, question.input_count, CUTS_IN_SAMPLE, cuts);
    question.room = dice_roll(dice, 4) == 0 ? ASSAY_HELD_MAX + dice_roll(dice, ROOMS) : 0;
    examiner->comparer.half = 1 + dice_roll(dice, 2);
    compare(&examiner->comparer, &question);
    if (dice_roll(dice, 4) == 0)
        check_pieces(examiner, examiner->comparer.panel[0], question, 1, dice);
}

/* Cuts the input in two at every offset, and into single bytes. */
static void check_all_cuts(struct examiner *examiner, struct question question, size_t *cuts, struct dice *dice)
{
    size_t byte_count = question.input_count;
    question.room = 0;
    question.cut_count = 1;
    for (cuts[0] = 0; cuts[0] <= byte_count; cuts[0]++)
        check_cuts(examiner, &question, dice);
    for (size_t at = 1; at < byte_count; at++)
        cuts[at - 1] = at;
    question.cut_count = byte_count > 0 ? byte_count - 1 : 0;
    check_cuts(examiner, &question, dice);
}

/* Cuts the input into three pieces, none of them empty. */
static void compare_all_pairs(struct examiner *examiner, struct question question, size_t *cuts)
{
    question.room = 0;
    question.cut_count = 2;
    for (cuts[0] = 1; cuts[0] < question.input_count; cuts[0]++)
        for (cuts[1] = cuts[0] + 1; cuts[1] < question.input_count; cuts[1]++)
            for (question.operation = OP_FEED_UTF32; question.operation <= OP_FEED_UTF16; question.operation++)
                compare(&examiner->comparer, &question);
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    enum { ALL_CUTS_BELOW = 48, ALL_PAIRS_BELOW = 9, ROUNDS = 6 };
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    size_t cuts[CUTS_MAX];
    struct question question = {.input = bytes, .input_count = byte_count, .capacity = CAPACITY_ANY, .cuts = cuts};
    if (examiner->effort == SAMPLED) {
        check_sampled(examiner, question, cuts, &dice);
        return;
    }
    for (question.policy = 0; question.policy < ASSAY_POLICY_COUNT; question.policy++) {
        for (size_t round = 0; round < ROUNDS; round++) {
            question.cut_count = choose_cuts(&dice, byte_count, CUTS_MAX, cuts);
            question.room = round % 2 == 0 ? 0 : ASSAY_HELD_MAX + dice_roll(&dice, 8);
            check_cuts(examiner, &question, &dice);
        }
        check_others(examiner, &question, dice);
        if (byte_count < ALL_CUTS_BELOW)
            check_all_cuts(examiner, question, cuts, &dice);
        if (byte_count < ALL_PAIRS_BELOW)
            compare_all_pairs(examiner, question, cuts);
    }
}

const struct claim claim_stream = {
    "stream",
    "however an input is cut, output that no later byte can change is written at once, and the whole output is the same",
    check};
