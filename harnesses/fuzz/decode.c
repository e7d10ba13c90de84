/* SPDX-License-Identifier: MIT
 *
 * Claim: every codec agrees with the reference on verdict, spans, counts and output, under every policy, with exactly
 * the room it needs, with more, and with less; and on character boundaries, concatenation and conversion to well-formed
 * text.
 */
#include "../core/claim.h"

#include <string.h>

static void compare_operation(struct comparer *comparer, struct question question, enum operation operation)
{
    question.operation = operation;
    compare(comparer, &question);
}

static void compare_with_little_room(struct comparer *comparer, struct question question, enum operation operation,
                                     struct dice *dice)
{
    question.capacity = dice_roll(dice, question.input_count + 2);
    compare_operation(comparer, question, operation);
}

/* Errors for which there is no room are counted, too. */
static void compare_spans_with_little_room(struct comparer *comparer, struct question question)
{
    enum { LITTLE = 3 };
    for (question.capacity = 0; question.capacity <= LITTLE; question.capacity++)
        compare_operation(comparer, question, OP_SPANS);
}

/* Splits the input anywhere and asks for the concatenation of both parts, a quarter of the time with too little
 * room. */
static void compare_concat(struct comparer *comparer, struct question question, struct dice *dice)
{
    size_t cut = dice_roll(dice, question.input_count + 1);
    question.cuts = &cut;
    question.cut_count = 1;
    if (dice_roll(dice, 4) == 0)
        compare_with_little_room(comparer, question, OP_CONCAT, dice);
    else
        compare_operation(comparer, question, OP_CONCAT);
}

/* The characters that a walk must accept, how many it has accepted, and whether they agree. */
struct accepted {
    const uint32_t *expected;
    size_t expected_count, count;
    bool agrees;
};

static void check_step(void *context, const struct assay_step *step)
{
    struct accepted *accepted = context;
    if (!step->accepts)
        return;
    accepted->agrees &=
        accepted->count < accepted->expected_count && step->code_point == accepted->expected[accepted->count];
    accepted->count++;
}

/* A codec that shows its steps accepts the characters that the reference decodes under `skip`. Exception: a lead
 * surrogate at the end, which becomes a character only because the input ends. */
static void check_walks(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    static struct seat *seat;
    if (seat == NULL)
        seat = seat_new();
    const char *encoding = examiner->comparer.encoding;
    struct question question = {.operation = OP_DECODE_UTF32,
                                .policy = ASSAY_POLICY_SKIP,
                                .input = bytes,
                                .input_count = byte_count,
                                .capacity = capacity_for(OP_DECODE_UTF32, byte_count)};
    struct answer decoded = ask(seat, registry_reference(encoding), &question, AT_END);
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (!registry_runs(row) || row->codec->walk == NULL || strcmp(row->encoding, encoding) != 0)
            continue;
        struct accepted accepted = {decoded.output, decoded.result.written, 0, true};
        asking_directly(row->codec, question);
        row->codec->walk(bytes, byte_count, check_step, &accepted);
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

static struct question with_operation(enum operation operation, struct question question)
{
    question.operation = operation;
    return question;
}

static bool is_same(const struct answer *answer, const void *output, size_t count, size_t unit)
{
    return answer->result.written == count && (count == 0 || memcmp(answer->output, output, count * unit) == 0);
}

/* The output of to_well_formed is well-formed, and to_well_formed does not change it again. Well-formed input is not
 * changed. Output and input decode to the same UTF-16, not UTF-32: in WTF-8 two surrogates may have become one
 * character. */
static void check_to_well_formed(struct examiner *examiner, const struct assay_codec *codec, enum assay_policy policy,
                                 const uint8_t *bytes, size_t byte_count)
{
    static struct seat *first, *second, *third;
    if (first == NULL) {
        first = seat_new();
        second = seat_new();
        third = seat_new();
    }
    struct question given = {.operation = OP_TO_WELL_FORMED,
                             .policy = policy,
                             .input = bytes,
                             .input_count = byte_count,
                             .capacity = CAPACITY_ANY};
    struct answer converted = ask_with_room(first, codec, given);
    claim_skip_absent(examiner, &converted, OP_TO_WELL_FORMED, policy);
    if (!answer_is_usable(&converted) || converted.result.status != ASSAY_OK)
        return;
    struct question result = given;
    result.input = converted.output;
    result.input_count = converted.result.written;

    struct answer before = ask_with_room(second, codec, with_operation(OP_VALIDATE, given));
    bool was_well_formed = !before.absent && before.result.status == ASSAY_OK;
    struct answer after = ask_with_room(second, codec, with_operation(OP_VALIDATE, result));
    claim_skip_absent(examiner, &after, OP_VALIDATE, policy);
    if (!after.absent)
        claim_law(examiner, after.result.status == ASSAY_OK,
                  &(struct breach){codec, LAW_WELL_FORMED, bytes, byte_count, &given, NULL});

    struct answer again = ask_with_room(second, codec, result);
    bool stays = is_same(&again, converted.output, converted.result.written, 1) &&
                 (!was_well_formed || is_same(&converted, bytes, byte_count, 1));
    claim_law(examiner, stays, &(struct breach){codec, LAW_LEFT_ALONE, bytes, byte_count, &given, NULL});

    before = ask_with_room(second, codec, with_operation(OP_DECODE_UTF16, given));
    after = ask_with_room(third, codec, with_operation(OP_DECODE_UTF16, result));
    claim_skip_absent(examiner, &before, OP_DECODE_UTF16, policy);
    if (!before.absent)
        claim_law(examiner, is_same(&after, before.output, before.result.written, sizeof(uint16_t)),
                  &(struct breach){codec, LAW_SAME_TEXT, bytes, byte_count, &given, NULL});
}

static void check_all_to_well_formed(struct examiner *examiner, enum assay_policy policy, const uint8_t *bytes,
                                     size_t byte_count)
{
    for (size_t i = 0; i < claim_codec_count(examiner); i++)
        check_to_well_formed(examiner, examiner->comparer.panel[i], policy, bytes, byte_count);
}

/* What a codec offers does not depend on the input: this is not for fuzzers, but for replay, which asks every codec. */
static void check_policies(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    const struct assay_codec *reference = registry_reference(examiner->comparer.encoding);
    for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
        for (enum assay_policy policy = 0; operation_has_policy(operation) && policy < ASSAY_POLICY_COUNT; policy++) {
            struct question question = {.operation = operation,
                                        .policy = policy,
                                        .input = bytes,
                                        .input_count = byte_count,
                                        .capacity = CAPACITY_ANY};
            if (!codec_has(reference, operation) || codec_offers(reference, operation, policy))
                continue;
            for (size_t i = 1; i < examiner->comparer.panel_size; i++) {
                const struct assay_codec *codec = examiner->comparer.panel[i];
                claim_law(examiner, !codec_offers(codec, operation, policy),
                          &(struct breach){codec, LAW_POLICIES, bytes, byte_count, &question, NULL});
            }
        }
}

/* Asks one question: in the same time, many inputs with one question find more bugs than few inputs with many. */
static void check_sampled(struct examiner *examiner, struct question question, struct dice *dice)
{
    struct comparer *comparer = &examiner->comparer;
    question.policy = claim_policy(examiner, dice);
    enum operation decode = dice_roll(dice, 2) == 0 ? OP_DECODE_UTF32 : OP_DECODE_UTF16;
    switch (dice_roll(dice, 20)) {
    case 0:
    case 1:
    case 2: compare_operation(comparer, question, OP_VALIDATE); break;
    case 3: compare_operation(comparer, question, OP_SPANS); break;
    case 4: compare_with_little_room(comparer, question, OP_SPANS, dice); break;
    case 5:
    case 6: compare_operation(comparer, question, OP_COUNT); break;
    case 7: /* these have one answer for each byte, so they are asked half as often */
        compare_operation(comparer, question, dice_roll(dice, 2) == 0 ? OP_BOUNDARY : OP_VALIDATE);
        break;
    case 8: compare_concat(comparer, question, dice); break;
    case 9:
    case 10: compare_with_little_room(comparer, question, decode, dice); break;
    case 11: compare_operation(comparer, question, OP_TO_WELL_FORMED); break;
    case 12: check_all_to_well_formed(examiner, question.policy, question.input, question.input_count); break;
    case 13: compare_with_little_room(comparer, question, OP_TO_WELL_FORMED, dice); break;
    default: compare_operation(comparer, question, decode);
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
    compare_operation(comparer, question, OP_VALIDATE);
    compare_operation(comparer, question, OP_SPANS);
    compare_spans_with_little_room(comparer, question);
    compare_operation(comparer, question, OP_BOUNDARY);
    check_walks(examiner, bytes, byte_count);
    check_policies(examiner, bytes, byte_count);
    for (size_t pair = 0; pair < PAIRS; pair++)
        compare_concat(comparer, question, &dice);
    for (question.policy = 0; question.policy < ASSAY_POLICY_COUNT; question.policy++) {
        compare_operation(comparer, question, OP_COUNT);
        compare_operation(comparer, question, OP_DECODE_UTF32);
        compare_operation(comparer, question, OP_DECODE_UTF16);
        compare_with_little_room(comparer, question, OP_DECODE_UTF32, &dice);
        compare_with_little_room(comparer, question, OP_DECODE_UTF16, &dice);
        compare_operation(comparer, question, OP_TO_WELL_FORMED);
        compare_with_little_room(comparer, question, OP_TO_WELL_FORMED, &dice);
        check_all_to_well_formed(examiner, question.policy, bytes, byte_count);
    }
}

const struct claim claim_decode = {"decode",
                                   "every codec agrees with the reference on verdict, spans, counts and output", check};
