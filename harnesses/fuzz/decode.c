/* SPDX-License-Identifier: MIT
 *
 * Claim: every codec agrees with the reference on verdict, spans, counts and output, under every policy, with
 * as much room as it needs, with more, and with less.
 */
#include "../core/claim.h"

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

/* One question an input: many inputs with one question each find more than few with many. */
static void check_sampled(struct examiner *examiner, struct question question, struct dice *dice)
{
    struct comparer *comparer = &examiner->comparer;
    question.policy = claim_policy(examiner, dice);
    enum operation decode = dice_roll(dice, 2) == 0 ? OP_DECODE_UTF32 : OP_DECODE_UTF16;
    switch (dice_roll(dice, 8)) {
    case 0: ask_of(comparer, question, OP_VALIDATE); break;
    case 1: ask_of(comparer, question, OP_SPANS); break;
    case 2: ask_of(comparer, question, OP_COUNT); break;
    case 3: ask_with_little_room(comparer, question, decode, dice); break;
    default: ask_of(comparer, question, decode);
    }
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    struct comparer *comparer = &examiner->comparer;
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    struct question question = {.input = bytes, .input_count = byte_count, .capacity = CAPACITY_ANY};
    if (examiner->effort == SAMPLED) {
        check_sampled(examiner, question, &dice);
        return;
    }
    ask_of(comparer, question, OP_VALIDATE);
    ask_of(comparer, question, OP_SPANS);
    for (question.policy = 0; question.policy < ASSAY_POLICY_COUNT; question.policy++) {
        ask_of(comparer, question, OP_COUNT);
        ask_of(comparer, question, OP_DECODE_UTF32);
        ask_of(comparer, question, OP_DECODE_UTF16);
        ask_with_little_room(comparer, question, OP_DECODE_UTF32, &dice);
        ask_with_little_room(comparer, question, OP_DECODE_UTF16, &dice);
    }
}

const struct claim claim_decode = {
    "decode", "every codec agrees with the reference on verdict, spans, counts and output", check};
