/* SPDX-License-Identifier: MIT
 *
 * Claim: in whatever pieces an input arrives, every codec has written after each piece exactly what was then
 * certain, and in the end what one piece gives.
 */
#include "../core/claim.h"

#include <string.h>

enum { CUTS_MAX = 64 };

/* Ways to cut: a few anywhere, an empty piece, beside a block edge, byte by byte. */
static size_t choose_cuts(struct dice *dice, size_t byte_count, size_t cuts[CUTS_MAX])
{
    size_t count = 0, at = 0;
    switch (dice_roll(dice, 8)) {
    case 0:
    case 1:
    case 2:
        cuts[count++] = dice_roll(dice, byte_count + 1);
        return count;
    case 3:
        at = dice_roll(dice, byte_count + 1);
        cuts[count++] = at;
        cuts[count++] = at;
        return count;
    case 4:
    case 5:
    case 6:
        at = dice_roll(dice, byte_count / 16 + 1) * 16 + dice_roll(dice, 5);
        cuts[count++] = at < byte_count ? at : byte_count;
        return count;
    default:
        at = byte_count > CUTS_MAX ? dice_roll(dice, byte_count - CUTS_MAX) : 0;
        for (; count < CUTS_MAX && at < byte_count; at += 1 + dice_roll(dice, 2))
            cuts[count++] = at;
        return count;
    }
}

/* How many bytes at the end of a prefix are no error yet: the longest tail that only lacks its end. */
static size_t unfinished(const struct assay_codec *reference, const uint8_t *bytes, size_t byte_count)
{
    size_t length = 0;
    for (size_t tail = 1; tail <= ASSAY_HELD_MAX && tail <= byte_count; tail++) {
        struct assay_span span;
        if (reference->spans(bytes + byte_count - tail, tail, &span, 1) == 1 && span.incomplete && span.offset == 0)
            length = tail;
    }
    return length;
}

/* The law, on the reference itself: what is certain after a prefix is what the prefix decodes to, less what an
 * end of input alone makes an error. */
static void check_law(struct examiner *examiner, struct question question, size_t piece)
{
    static struct seat *stream_seat, *whole_seat;
    if (stream_seat == NULL) {
        stream_seat = seat_new();
        whole_seat = seat_new();
    }
    const struct assay_codec *reference = registry_reference(examiner->comparer.encoding);
    size_t unit = operation_output_unit(question.operation), byte_count = question.input_count;
    bool last = piece == question.cut_count;
    question.capacity = capacity_for(question.operation, byte_count);
    struct answer streamed = ask(stream_seat, reference, &question, AT_END);
    question.operation = question.operation == OP_FEED_UTF32 ? OP_DECODE_UTF32 : OP_DECODE_UTF16;
    question.input_count = last ? byte_count : question.cuts[piece];
    struct answer whole = ask(whole_seat, reference, &question, AT_END);
    if (whole.absent || whole.result.status != ASSAY_OK)
        return;

    size_t written = streamed.marks[piece], missing = whole.result.written - written;
    bool same = written <= whole.result.written && memcmp(streamed.output, whole.output, written * unit) == 0;
    claim_law(examiner, "streaming-gives-what-one-piece-gives", same, question.input, byte_count);
    size_t held = last ? 0 : unfinished(reference, question.input, question.input_count);
    claim_law(examiner, "what-is-certain-is-written-at-once", missing <= held, question.input, byte_count);
}

static void check_cuts(struct examiner *examiner, struct question *question)
{
    for (question->operation = OP_FEED_UTF32; question->operation <= OP_FEED_UTF16; question->operation++)
        compare(&examiner->comparer, question);
    question->operation = OP_FEED_UTF32;
    for (size_t piece = 0; piece <= question->cut_count; piece++)
        check_law(examiner, *question, piece);
}

static void check_sampled(struct examiner *examiner, struct question question, size_t *cuts, struct dice *dice)
{
    question.policy = (enum assay_policy)dice_roll(dice, ASSAY_POLICY_COUNT);
    question.operation = dice_roll(dice, 2) == 0 ? OP_FEED_UTF32 : OP_FEED_UTF16;
    question.cut_count = choose_cuts(dice, question.input_count, cuts);
    question.room = dice_roll(dice, 4) == 0 ? ASSAY_HELD_MAX + dice_roll(dice, 8) : 0;
    compare(&examiner->comparer, &question);
    if (dice_roll(dice, 4) == 0)
        check_law(examiner, question, dice_roll(dice, question.cut_count + 1));
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    enum { ALL_CUTS_BELOW = 48, ROUNDS = 6 };
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    size_t cuts[CUTS_MAX];
    struct question question = {.input = bytes, .input_count = byte_count, .capacity = CAPACITY_ANY, .cuts = cuts};
    if (examiner->effort == SAMPLED) {
        check_sampled(examiner, question, cuts, &dice);
        return;
    }
    for (question.policy = 0; question.policy < ASSAY_POLICY_COUNT; question.policy++) {
        for (size_t round = 0; round < ROUNDS; round++) {
            question.cut_count = choose_cuts(&dice, byte_count, cuts);
            question.room = round % 2 == 0 ? 0 : ASSAY_HELD_MAX + dice_roll(&dice, 8);
            check_cuts(examiner, &question);
        }
        question.cut_count = 1;
        question.room = 0;
        for (cuts[0] = 0; byte_count < ALL_CUTS_BELOW && cuts[0] <= byte_count; cuts[0]++)
            check_cuts(examiner, &question);
    }
}

const struct claim claim_stream = {
    "stream", "in whatever pieces an input arrives, what is certain is written at once, and all is the same in the end",
    check};
