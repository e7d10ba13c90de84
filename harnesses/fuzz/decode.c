/* SPDX-License-Identifier: MIT
 *
 * Claim: every codec agrees with the reference on verdict, spans, counts and output, under every policy, with
 * as much room as it needs, with more, and with less; and on where text may be cut, what two strings are as one, and
 * what makes it well-formed.
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
        asking_directly(row->codec, question);
        row->codec->walk(bytes, byte_count, see_step, &accepted);
        asking_ends();
        size_t missing = accepted.expected_count - accepted.count;
        bool only_lead = missing == 1 && accepted.expected[accepted.count] - 0xD800 < 0x400;
        claim_law(examiner, accepted.agrees && (missing == 0 || only_lead),
                  &(struct breach){row->codec, LAW_WALK, bytes, byte_count, NULL, "walked step by step"});
    }
}

static struct answer ask_with_room(struct seat *seat, const struct assay_codec *codec, struct question question)
{
    question.capacity = capacity_for(question.operation, question.input_count);
    return ask(seat, codec, &question, AT_END);
}

static struct question asking_for(enum operation operation, struct question question)
{
    question.operation = operation;
    return question;
}

static bool is_same(const struct answer *answer, const void *output, size_t count, size_t unit)
{
    return answer->result.written == count && (count == 0 || memcmp(answer->output, output, count * unit) == 0);
}

/* What is made well-formed is, and stays as it is when it is made so again, as does all that was well-formed before. It is
 * decoded as the text was: as units, for in WTF-8 two surrogates may have become a character. */
static void check_repair(struct examiner *examiner, const struct assay_codec *codec, enum assay_policy policy,
                         const uint8_t *bytes, size_t byte_count)
{
    static struct seat *first, *second, *third;
    if (first == NULL) {
        first = seat_new();
        second = seat_new();
        third = seat_new();
    }
    struct question given = {.operation = OP_TO_WELL_FORMED, .policy = policy, .input = bytes, .input_count = byte_count,
                             .capacity = CAPACITY_ANY};
    struct answer repaired = ask_with_room(first, codec, given);
    claim_skip_absent(examiner, &repaired, OP_TO_WELL_FORMED, policy);
    if (!answer_is_usable(&repaired) || repaired.result.status != ASSAY_OK)
        return;
    struct question result = given;
    result.input = repaired.output;
    result.input_count = repaired.result.written;

    struct answer before = ask_with_room(second, codec, asking_for(OP_VALIDATE, given));
    bool was_well_formed = !before.absent && before.result.status == ASSAY_OK;
    struct answer after = ask_with_room(second, codec, asking_for(OP_VALIDATE, result));
    claim_skip_absent(examiner, &after, OP_VALIDATE, policy);
    if (!after.absent)
        claim_law(examiner, after.result.status == ASSAY_OK,
                  &(struct breach){codec, LAW_REPAIRED, bytes, byte_count, &given, NULL});

    struct answer again = ask_with_room(second, codec, result);
    bool stays = is_same(&again, repaired.output, repaired.result.written, 1) &&
                 (!was_well_formed || is_same(&repaired, bytes, byte_count, 1));
    claim_law(examiner, stays, &(struct breach){codec, LAW_LEFT_ALONE, bytes, byte_count, &given, NULL});

    before = ask_with_room(second, codec, asking_for(OP_DECODE_UTF16, given));
    after = ask_with_room(third, codec, asking_for(OP_DECODE_UTF16, result));
    claim_skip_absent(examiner, &before, OP_DECODE_UTF16, policy);
    if (!before.absent)
        claim_law(examiner, is_same(&after, before.output, before.result.written, sizeof(uint16_t)),
                  &(struct breach){codec, LAW_REPAIRED_ALIKE, bytes, byte_count, &given, NULL});
}

static void check_repairs(struct examiner *examiner, enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; i < claim_witnesses(examiner); i++)
        check_repair(examiner, examiner->comparer.panel[i], policy, bytes, byte_count);
}

/* One question an input: many inputs with one question each find more than few with many. */
static void check_sampled(struct examiner *examiner, struct question question, struct dice *dice)
{
    struct comparer *comparer = &examiner->comparer;
    question.policy = claim_policy(examiner, dice);
    enum operation decode = dice_roll(dice, 2) == 0 ? OP_DECODE_UTF32 : OP_DECODE_UTF16;
    switch (dice_roll(dice, 20)) {
    case 0:
    case 1:
    case 2: ask_of(comparer, question, OP_VALIDATE); break;
    case 3:
    case 4: ask_of(comparer, question, OP_SPANS); break;
    case 5:
    case 6: ask_of(comparer, question, OP_COUNT); break;
    case 7: /* as many answers as bytes: half as often */
        ask_of(comparer, question, dice_roll(dice, 2) == 0 ? OP_BOUNDARY : OP_VALIDATE);
        break;
    case 8: ask_of_two(comparer, question, dice); break;
    case 9:
    case 10: ask_with_little_room(comparer, question, decode, dice); break;
    case 11: ask_of(comparer, question, OP_TO_WELL_FORMED); break;
    case 12: check_repairs(examiner, question.policy, question.input, question.input_count); break;
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
        check_repairs(examiner, question.policy, bytes, byte_count);
    }
}

const struct claim claim_decode = {
    "decode", "every codec agrees with the reference on verdict, spans, counts and output", check};
