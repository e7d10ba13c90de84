/* SPDX-License-Identifier: MIT
 *
 * Claim: every codec agrees with the reference on verdict, spans, counts and output, under every policy, with
 * as much room as it needs, with more, and with less.
 */
#include "../core/claim.h"

static void ask_with_little_room(struct comparer *comparer, struct question question, struct dice *dice)
{
    question.capacity = dice_roll(dice, question.input_count + 2);
    compare(comparer, &question);
}

static void check_policy(struct comparer *comparer, struct question question, bool utf32, bool utf16, struct dice *dice)
{
    if (utf32) {
        question.operation = OP_DECODE_UTF32;
        compare(comparer, &question);
    }
    if (utf16) {
        question.operation = OP_DECODE_UTF16;
        compare(comparer, &question);
    }
    if (dice_roll(dice, 4) == 0)
        ask_with_little_room(comparer, question, dice);
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    struct comparer *comparer = &examiner->comparer;
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    struct question question = {.input = bytes, .input_count = byte_count, .capacity = CAPACITY_ANY};

    bool thorough = examiner->effort == THOROUGH, verdict_only = dice_roll(&dice, 2) == 0;
    if (thorough || verdict_only) {
        question.operation = OP_VALIDATE;
        compare(comparer, &question);
    }
    if (thorough || !verdict_only) {
        question.operation = OP_SPANS;
        compare(comparer, &question);
    }
    if (!thorough) {
        question.policy = (enum assay_policy)dice_roll(&dice, ASSAY_POLICY_COUNT);
        bool utf32 = dice_roll(&dice, 2) == 0;
        if (dice_roll(&dice, 4) == 0) {
            question.operation = OP_COUNT;
            compare(comparer, &question);
        }
        check_policy(comparer, question, utf32, !utf32, &dice);
        return;
    }
    for (question.policy = 0; question.policy < ASSAY_POLICY_COUNT; question.policy++) {
        question.operation = OP_COUNT;
        compare(comparer, &question);
        check_policy(comparer, question, true, true, &dice);
        question.operation = OP_DECODE_UTF16;
        ask_with_little_room(comparer, question, &dice);
    }
}

const struct claim claim_decode = {
    "decode", "every codec agrees with the reference on verdict, spans, counts and output", check};
