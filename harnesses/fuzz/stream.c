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
    size_t count = 0, way = dice_roll(dice, 4), at = 0;
    switch (way) {
    case 0:
        cuts[count++] = dice_roll(dice, byte_count + 1);
        return count;
    case 1:
        at = dice_roll(dice, byte_count + 1);
        cuts[count++] = at;
        cuts[count++] = at;
        return count;
    case 2:
        at = (dice_roll(dice, byte_count / 16 + 1) * 16 + dice_roll(dice, 5));
        cuts[count++] = at < byte_count ? at : byte_count;
        return count;
    default:
        at = byte_count > CUTS_MAX ? dice_roll(dice, byte_count - CUTS_MAX) : 0;
        for (; count < CUTS_MAX && at < byte_count; at += 1 + dice_roll(dice, 2))
            cuts[count++] = at;
        return count;
    }
}

/* What is certain after a prefix is its decoding, less what an end of input alone makes an error. */
static void check_timing(struct examiner *examiner, const struct question *question)
{
    static struct seat *stream_seat, *whole_seat;
    if (stream_seat == NULL) {
        stream_seat = seat_new();
        whole_seat = seat_new();
    }
    const struct assay_codec *reference = registry_reference(examiner->comparer.encoding);
    struct question asked = *question;
    asked.capacity = capacity_for(question->operation, question->input_count);
    struct answer streamed = ask(stream_seat, reference, &asked, AT_END);
    asked.operation = question->operation == OP_FEED_UTF32 ? OP_DECODE_UTF32 : OP_DECODE_UTF16;
    for (size_t i = 0; i <= question->cut_count; i++) {
        bool last = i == question->cut_count;
        asked.input_count = last ? question->input_count : question->cuts[i];
        struct answer whole = ask(whole_seat, reference, &asked, AT_END);
        if (whole.absent || whole.result.status != ASSAY_OK)
            return;
        size_t unit = operation_output_unit(question->operation), written = streamed.marks[i];
        bool same = written <= whole.result.written && memcmp(streamed.output, whole.output, written * unit) == 0;
        claim_law(examiner, "streaming-gives-what-one-piece-gives", same, question->input, question->input_count);
        struct assay_span spans[1];
        size_t held = 0;
        for (size_t tail = 1; tail <= ASSAY_HELD_MAX && tail <= asked.input_count; tail++)
            if (reference->spans((const uint8_t *)question->input + asked.input_count - tail, tail, spans, 1) == 1 &&
                spans[0].incomplete && spans[0].offset == 0)
                held = tail;
        bool early = written == whole.result.written || (!last && held > 0 && whole.result.written - written <= held);
        claim_law(examiner, "what-is-certain-is-written-at-once", early, question->input, question->input_count);
    }
}

static void check_cuts(struct examiner *examiner, struct question *question, bool utf32, bool utf16)
{
    if (utf32) {
        question->operation = OP_FEED_UTF32;
        compare(&examiner->comparer, question);
        check_timing(examiner, question);
    }
    if (utf16) {
        question->operation = OP_FEED_UTF16;
        compare(&examiner->comparer, question);
    }
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    enum { ALL_CUTS_BELOW = 48, ROUNDS = 6 };
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    size_t cuts[CUTS_MAX];
    struct question question = {.input = bytes, .input_count = byte_count, .capacity = CAPACITY_ANY, .cuts = cuts};

    if (examiner->effort == SAMPLED) {
        question.policy = (enum assay_policy)dice_roll(&dice, ASSAY_POLICY_COUNT);
        bool utf32 = dice_roll(&dice, 2) == 0;
        question.cut_count = choose_cuts(&dice, byte_count, cuts);
        question.room = dice_roll(&dice, 4) == 0 ? ASSAY_HELD_MAX + dice_roll(&dice, 8) : 0;
        check_cuts(examiner, &question, utf32, !utf32);
        return;
    }
    for (question.policy = 0; question.policy < ASSAY_POLICY_COUNT; question.policy++) {
        for (size_t round = 0; round < ROUNDS; round++) {
            question.cut_count = choose_cuts(&dice, byte_count, cuts);
            question.room = round % 2 == 0 ? 0 : ASSAY_HELD_MAX + dice_roll(&dice, 8);
            check_cuts(examiner, &question, true, true);
        }
        question.cut_count = 1;
        question.room = 0;
        for (cuts[0] = 0; byte_count < ALL_CUTS_BELOW && cuts[0] <= byte_count; cuts[0]++)
            check_cuts(examiner, &question, true, true);
    }
}

const struct claim claim_stream = {
    "stream", "in whatever pieces an input arrives, what is certain is written at once, and all is the same in the end",
    check};
