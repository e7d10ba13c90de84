/* SPDX-License-Identifier: MIT */
#include "one_question.h"
#include "cli.h"
#include "examine.h"

#include <stdlib.h>
#include <string.h>

enum operation one_question_parse_operation(const char *name)
{
    char names[512] = "";
    for (enum operation operation = 0; operation < OPERATION_COUNT; operation++) {
        if (strcmp(operation_name(operation), name) == 0)
            return operation;
        snprintf(names + strlen(names), sizeof names - strlen(names), " %s", operation_name(operation));
    }
    cli_fail("--operation: there is no operation '%s'; there are:%s", name, names);
}

static enum assay_policy parse_policy(const char *name)
{
    enum assay_policy policy = name != NULL ? assay_policy_parse(name) : ASSAY_POLICY_STRICT;
    if (policy == ASSAY_POLICY_COUNT)
        cli_fail("--policy: there is no policy '%s'%s; see assay explain --help", name, cli_did_you_mean_policy(name));
    return policy;
}

/* Parses a list of ascending offsets; the caller frees them. */
static size_t *parse_cuts(const char *list, size_t input_count, size_t *count)
{
    size_t *cuts = cli_alloc(list != NULL ? strlen(list) : 1, sizeof *cuts), least = 0;
    char word[24];
    for (*count = 0; cli_next_word("cuts", &list, word, sizeof word); ++*count)
        least = cuts[*count] = (size_t)cli_number("cuts", word, least, input_count);
    return cuts;
}

/* Makes units from the input's bytes; the caller frees them. */
static void *read_units(enum operation operation, const uint8_t *bytes, size_t byte_count, size_t *count)
{
    size_t unit = operation_input_unit(operation);
    if (byte_count % unit != 0)
        cli_fail("%s takes units of %zu bytes, and the input has %zu bytes", operation_name(operation), unit,
                 byte_count);
    *count = byte_count / unit;
    uint8_t *units = cli_alloc(byte_count, 1);
    for (size_t i = 0; i < *count; i++) {
        uint32_t value = 0;
        for (size_t byte = unit; byte-- > 0;)
            value = value << 8 | bytes[i * unit + byte];
        if (unit == 1)
            units[i] = (uint8_t)value;
        else if (unit == 2)
            ((uint16_t *)units)[i] = (uint16_t)value;
        else
            ((uint32_t *)units)[i] = value;
    }
    return units;
}

/* Parses "INPUT,OUTPUT". */
static struct shift parse_shifts(const char *list, enum operation operation)
{
    const size_t units[] = {operation_input_unit(operation), operation_output_unit(operation)};
    size_t shifts[2] = {0}, count = 0;
    char word[24];
    for (; cli_next_word("shifts", &list, word, sizeof word); count++) {
        size_t alignment = count < 2 ? alignment_of(units[count]) : 1,
               shift = (size_t)cli_number("shifts", word, 0, SHIFT_MAX - 1);
        if (shift % alignment != 0)
            cli_fail("--shifts: units of %zu bytes are at multiples of %zu", alignment, alignment);
        if (count < 2)
            shifts[count] = shift;
    }
    if (count != 2)
        cli_fail("--shifts takes two numbers, of the input and of the output");
    return (struct shift){shifts[0], shifts[1]};
}

/* The most units of room beyond what the input can need: each codec's buffer is filled and checked several times. */
enum { CAPACITY_MAX = 1 << 20 };

void one_question_ask(struct comparer *comparer, const struct one_question *options, const uint8_t *bytes,
                      size_t byte_count)
{
    struct question question = {.operation = one_question_parse_operation(options->operation),
                                .policy = parse_policy(options->policy)};
    enum operation_shape shape = operation_shape(question.operation);
    void *units = read_units(question.operation, bytes, byte_count, &question.input_count);
    size_t *cuts = parse_cuts(options->cuts, question.input_count, &question.cut_count);
    if (options->cuts != NULL && shape != SHAPE_FEED && shape != SHAPE_CONCAT)
        cli_fail("--cuts is for feed-utf32, feed-utf16 and concat");
    if (shape == SHAPE_CONCAT && question.cut_count != 1)
        cli_fail("concat joins two strings: --cuts takes one number, where the second begins");
    if (options->room != NULL && shape != SHAPE_FEED)
        cli_fail("--room is for feed-utf32 and feed-utf16; --capacity limits all output");
    question.input = units;
    question.cuts = cuts;
    size_t enough = capacity_for(question.operation, question.input_count);
    bool takes_no_room = shape == SHAPE_COUNT || shape == SHAPE_BOUNDARY; /* it always writes all */
    size_t most = enough > CAPACITY_MAX ? enough : CAPACITY_MAX;
    question.capacity = options->capacity != NULL
                            ? (size_t)cli_number("capacity", options->capacity, takes_no_room ? enough : 0, most)
                            : CAPACITY_ANY;
    question.room = options->room != NULL ? (size_t)cli_number("room", options->room, ASSAY_HELD_MAX, UINT32_MAX) : 0;
    if (options->shifts != NULL) {
        question.shift = parse_shifts(options->shifts, question.operation);
        comparer->once = true;
        comparer->placement = AT_BEGIN;
    }
    _Static_assert(ASSAY_POLICY_STRICT == 0, "without a policy, it is the first one");
    do
        compare(comparer, &question);
    while (options->policy == NULL && operation_has_policy(question.operation) &&
           ++question.policy < ASSAY_POLICY_COUNT);
    free(units);
    free(cuts);
}

void one_question_require_none(const struct one_question *options)
{
    if (options->policy != NULL || options->capacity != NULL || options->cuts != NULL || options->room != NULL ||
        options->shifts != NULL)
        cli_fail("--policy, --capacity, --cuts, --room and --shifts are of one question: name its --operation, too");
}

static uint32_t unit_at(const struct question *question, size_t index)
{
    switch (operation_input_unit(question->operation)) {
    case 1: return ((const uint8_t *)question->input)[index];
    case 2: return ((const uint16_t *)question->input)[index];
    default: return ((const uint32_t *)question->input)[index];
    }
}

/* Returns the input in the form of INPUT: of each unit the `written_unit` least significant bytes, the least
 * significant first. The caller frees the text. */
static char *write_input(const struct question *question, size_t written_unit)
{
    uint8_t *bytes = cli_alloc(question->input_count, written_unit);
    size_t byte_count = 0;
    for (size_t i = 0; i < question->input_count; i++) {
        uint32_t value = unit_at(question, i);
        for (size_t byte = 0; byte < written_unit; byte++, value >>= 8)
            bytes[byte_count++] = (uint8_t)value;
    }
    char *input = cli_input_text(bytes, byte_count);
    free(bytes);
    return input;
}

void one_question_write(FILE *out, const struct question *question)
{
    fprintf(out, " --operation %s", operation_name(question->operation));
    if (operation_has_policy(question->operation))
        fprintf(out, " --policy %s", assay_policy_name(question->policy));
    if (question->capacity != CAPACITY_ANY)
        fprintf(out, " --capacity %zu", question->capacity);
    for (size_t i = 0; i < question->cut_count; i++)
        fprintf(out, "%s%zu", i == 0 ? " --cuts " : ",", question->cuts[i]);
    if (question->room > 0)
        fprintf(out, " --room %zu", question->room);
    if (is_shifted(question))
        fprintf(out, " --shifts %zu,%zu", question->shift.input, question->shift.output);
    fputc(' ', out);
    char *input = write_input(question, operation_input_unit(question->operation));
    cli_quote(out, input);
    free(input);
}

/* ---- a question that diff asks about the input alone ---- */

/* True if `diff` asks this also about an input of more than EXAMINE_THOROUGH_MAX bytes (examine.c). */
static bool is_asked_of_large(enum operation operation)
{
    enum operation_shape shape = operation_shape(operation);
    return shape == SHAPE_VERDICT || shape == SHAPE_SPANS || shape == SHAPE_COUNT ||
           (shape == SHAPE_CONVERT && operation_input_unit(operation) == 1);
}

bool one_question_is_in_diff(const struct question *question)
{
    enum { LONGEST_IN_PIECES = 47, GREATEST_UNIT = 0x1FFFFF };
    size_t byte_count = question->input_count * operation_input_unit(question->operation);
    if (question->cut_count > 1 || question->room > 0 || is_shifted(question) ||
        (byte_count > EXAMINE_THOROUGH_MAX && !is_asked_of_large(question->operation)))
        return false;
    for (size_t i = 0; i < question->input_count; i++)
        if (unit_at(question, i) > GREATEST_UNIT)
            return false;
    return question->cut_count == 0 || question->input_count <= LONGEST_IN_PIECES;
}

/* The bytes of a unit in the input of `diff`, which makes units from bytes (read_units in
 * harnesses/fuzz/roundtrip.c) or, for one question, as read_units() above does. */
static size_t written_unit(const struct question *question, bool is_in_diff)
{
    size_t unit = operation_input_unit(question->operation);
    return unit == 4 && is_in_diff ? 3 : unit;
}

char *one_question_input(const struct question *question, bool is_in_diff)
{
    enum { LONGEST = 4096 };
    char *input = write_input(question, written_unit(question, is_in_diff));
    if (strlen(input) <= LONGEST)
        return input;
    free(input);
    return NULL;
}

void one_question_write_diff(FILE *out, const struct assay_codec *codec, const struct question *question,
                             bool is_in_diff)
{
    cli_print_program(out);
    fputs(" diff", out);
    cli_print_loaded(out, codec);
    if (strcmp(codec->encoding, "utf-8") != 0)
        fprintf(out, " -e %s", codec->encoding);
    if (!is_in_diff) {
        one_question_write(out, question);
        return;
    }
    fputc(' ', out);
    char *input = write_input(question, written_unit(question, is_in_diff));
    cli_quote(out, input);
    free(input);
}
