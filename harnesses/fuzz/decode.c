/* SPDX-License-Identifier: MIT
 *
 * Claim: every codec agrees with the reference on verdict, spans, counts and output, under every policy, with
 * as much room as it needs, with more, and with less; and on where text may be cut and what two strings are as one.
 */
#include "../core/claim.h"

#include <string.h>

static void ask_of(struct comparer *comparer, struct question question, enum operation operation)
{
    question.operation = operation;
    compare(comparer, &question);
}

static void ask_with_little_room(struct comparer *comparer, struct question question, enum operation operation,
                                 struct dice *dice)
{
    question.capacity = dice_roll(dice, question.input_count + 2);
    ask_of(comparer, question, operation);
}

/* The input as two strings, parted anywhere: well-formed or not, and with room or without. */
static void ask_of_two(struct comparer *comparer, struct question question, struct dice *dice)
{
    size_t cut = dice_roll(dice, question.input_count + 1);
    question.cuts = &cut;
    question.cut_count = 1;
    if (dice_roll(dice, 4) == 0)
        ask_with_little_room(comparer, question, OP_CONCAT, dice);
    else
        ask_of(comparer, question, OP_CONCAT);
}

/* What a walk accepts, beside what it should. */
struct accepted {
    const uint32_t *expected;
    size_t expected_count, count;
    bool agrees;
};

static void see_step(void *context, const struct assay_step *step)
{
    struct accepted *accepted = context;
    if (!step->accepts)
        return;
    accepted->agrees &= accepted->count < accepted->expected_count && step->code_point == accepted->expected[accepted->count];
    accepted->count++;
}

/* A table-driven codec that shows its steps accepts what the reference decodes where errors are skipped, but for a lead
 * surrogate at the end, which only the end makes a character. */
static void check_walks(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    static struct seat *seat;
    if (seat == NULL)
        seat = seat_new();
    const char *encoding = examiner->comparer.encoding;
    struct question question = {.operation = OP_DECODE_UTF32, .policy = ASSAY_POLICY_SKIP, .input = bytes,
                                .input_count = byte_count, .capacity = capacity_for(OP_DECODE_UTF32, byte_count)};
    struct answer decoded = ask(seat, registry_reference(encoding), &question, AT_END);
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (!registry_runs(row) || row->codec->walk == NULL || strcmp(row->encoding, encoding) != 0)
            continue;
        struct accepted accepted = {decoded.output, decoded.result.written, 0, true};
        row->codec->walk(bytes, byte_count, see_step, &accepted);
        size_t missing = accepted.expected_count - accepted.count;
        bool only_lead = missing == 1 && accepted.expected[accepted.count] - 0xD800 < 0x400;
        claim_law(examiner, row->codec, LAW_WALK, accepted.agrees && (missing == 0 || only_lead), bytes, byte_count);
    }
}

/* One question an input: many inputs with one question each find more than few with many. */
static void check_sampled(struct examiner *examiner, struct question question, struct dice *dice)
{
    struct comparer *comparer = &examiner->comparer;
    question.policy = claim_policy(examiner, dice);
    enum operation decode = dice_roll(dice, 2) == 0 ? OP_DECODE_UTF32 : OP_DECODE_UTF16;
    switch (dice_roll(dice, 20)) {
    case 0:
    case 1: ask_of(comparer, question, OP_VALIDATE); break;
    case 2:
    case 3: ask_of(comparer, question, OP_SPANS); break;
    case 4:
    case 5: ask_of(comparer, question, OP_COUNT); break;
    case 6: ask_of(comparer, question, OP_BOUNDARY); break; /* as many answers as bytes */
    case 7: ask_of_two(comparer, question, dice); break;
    case 8:
    case 9: ask_with_little_room(comparer, question, decode, dice); break;
    case 10:
    case 11:
    case 12: ask_of(comparer, question, OP_TO_WELL_FORMED); break;
    case 13: ask_with_little_room(comparer, question, OP_TO_WELL_FORMED, dice); break;
    default: ask_of(comparer, question, decode);
    }
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    enum { PAIRS = 8 };
    struct comparer *comparer = &examiner->comparer;
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    struct question question = {.input = bytes, .input_count = byte_count, .capacity = CAPACITY_ANY};
    if (examiner->effort == SAMPLED) {
        check_sampled(examiner, question, &dice);
        return;
    }
    ask_of(comparer, question, OP_VALIDATE);
    ask_of(comparer, question, OP_SPANS);
    ask_of(comparer, question, OP_BOUNDARY);
    check_walks(examiner, bytes, byte_count);
    for (size_t pair = 0; pair < PAIRS; pair++)
        ask_of_two(comparer, question, &dice);
    for (question.policy = 0; question.policy < ASSAY_POLICY_COUNT; question.policy++) {
        ask_of(comparer, question, OP_COUNT);
        ask_of(comparer, question, OP_DECODE_UTF32);
        ask_of(comparer, question, OP_DECODE_UTF16);
        ask_with_little_room(comparer, question, OP_DECODE_UTF32, &dice);
        ask_with_little_room(comparer, question, OP_DECODE_UTF16, &dice);
        ask_of(comparer, question, OP_TO_WELL_FORMED);
        ask_with_little_room(comparer, question, OP_TO_WELL_FORMED, &dice);
    }
}

const struct claim claim_decode = {
    "decode", "every codec agrees with the reference on verdict, spans, counts and output", check};
