/* SPDX-License-Identifier: MIT
 *
 * Which answers count as different; and of a runner with such an answer, the letter of a string that is as short as can
 * be found, with the command that asks about it again. Letters go to standard error, one for each runner and operation.
 */
#include "../../core/convert.h"
#include "../../core/report.h"
#include "../minimise/shorten.h"
#include "../one_question.h"
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { COMMAND_MAX = 4096 }; /* bytes of a command that fits on a line */
#define SHORTENING_NS 1e9

enum field bench_difference(const struct question *question, const struct answer *expected, const struct answer *actual,
                            size_t *index)
{
    struct answer seen = *actual;
    bool both_fail = expected->result.status != ASSAY_OK && actual->result.status != ASSAY_OK;
    seen.result.error = expected->result.error;
    seen.result.read = expected->result.read;
    if (both_fail)
        seen.result.status = expected->result.status;
    if (both_fail && question->policy == ASSAY_POLICY_STRICT) {
        seen.output = expected->output;
        seen.result.written = expected->result.written;
    }
    return compare_answers(question, expected, &seen, index);
}

/* A question to which a codec gives a wrong answer, and the answers. */
struct wrong {
    struct question question;
    const struct assay_codec *reference, *codec;
    struct seat *seats[2];
    struct answer expected, actual;
    enum field field;
    size_t index;
    double end_ns; /* when no shorter string is tried any more */
};

/* Asks about a string. Returns true if the answers differ. */
static bool ask_about(struct wrong *wrong, const void *units, size_t count)
{
    struct question *question = &wrong->question;
    question->input = units;
    question->input_count = count;
    question->capacity = capacity_for(question->operation, count);
    wrong->expected = ask(wrong->seats[0], wrong->reference, question, AT_END);
    wrong->actual = ask(wrong->seats[1], wrong->codec, question, AT_END);
    wrong->field =
        wrong->actual.absent ? FIELD_NONE : bench_difference(question, &wrong->expected, &wrong->actual, &wrong->index);
    return wrong->field != FIELD_NONE;
}

static bool is_wrong(void *context, const uint8_t *bytes, size_t byte_count)
{
    struct wrong *wrong = context;
    size_t unit = operation_input_unit(wrong->question.operation);
    return byte_count % unit == 0 && cli_now_ns() < wrong->end_ns && ask_about(wrong, bytes, byte_count / unit);
}

/* Returns the string that was asked about, shortened. The caller frees its bytes. */
static struct shortening shortened(struct wrong *wrong)
{
    size_t unit = operation_input_unit(wrong->question.operation);
    struct shortening shortening = {
        .byte_count = wrong->question.input_count * unit, .unit = unit, .shows = is_wrong, .context = wrong};
    shortening.bytes = memcpy(cli_alloc(shortening.byte_count, 1), wrong->question.input, shortening.byte_count);
    if (unit == 2)
        memcpy(shortening.plain, &(uint16_t){'a'}, unit);
    else if (unit == 4)
        memcpy(shortening.plain, &(uint32_t){'a'}, unit);
    else
        wrong->reference->encode_utf32(ASSAY_POLICY_STRICT, &(uint32_t){'a'}, 1, shortening.plain,
                                       sizeof shortening.plain);
    if (unit == 1 && encoding_is_utf16(wrong->reference))
        shortening.unit = 2;
    wrong->end_ns = cli_now_ns() + SHORTENING_NS;
    shorten(&shortening);
    return shortening;
}

/* Returns the command that asks again, for the caller to free; NULL if it is too long. */
static char *command_for(const struct wrong *wrong, bool is_peer)
{
    char *command;
    size_t size;
    FILE *out = cli_open_text(&command, &size);
    struct question question = wrong->question;
    question.capacity = CAPACITY_ANY;
    cli_print_program(out);
    fputs(" diff", out);
    cli_print_loaded(out, wrong->codec);
    if (is_peer && !cli_is_loaded(wrong->codec)) { /* it was built beside the program */
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.so", cli_data("subjects"), wrong->codec->name);
        fputs(" --codec ", out);
        cli_quote(out, path);
    }
    if (strcmp(wrong->codec->encoding, "utf-8") != 0)
        fprintf(out, " -e %s", wrong->codec->encoding);
    one_question_write(out, &question);
    fclose(out);
    if (size <= COMMAND_MAX)
        return command;
    free(command);
    return NULL;
}

/* Prints the letter of the string that was asked about, shortened. Returns false if the answer to it is right now. */
static bool print_letter(struct wrong *wrong, bool is_peer)
{
    struct shortening shortest = shortened(wrong);
    bool is_repeated =
        ask_about(wrong, shortest.bytes, shortest.byte_count / operation_input_unit(wrong->question.operation));
    char *again = command_for(wrong, is_peer);
    if (is_repeated)
        report_letter(stderr,
                      &(struct divergence){wrong->reference, wrong->codec, &wrong->question, &wrong->expected,
                                           &wrong->actual, wrong->field, wrong->index},
                      again);
    free(again);
    free(shortest.bytes);
    return is_repeated;
}

/* What was said of a codec and an operation. */
enum said { NOTHING, NOT_AGAIN, LETTER };

void bench_report_wrong(const struct workload *strings, const struct runner *runner)
{
    static json_t *said;
    char key[KEY_SIZE];
    const struct bench_operation *operation = strings->operation;
    snprintf(key, sizeof key, "%s of %s", operation->name, runner->name);
    if (said == NULL)
        said = json_object();
    enum said before = (enum said)json_integer_value(json_object_get(said, key));
    if (before == LETTER)
        return;
    struct wrong wrong = {.question = {.operation = operation->operation, .policy = operation->policy},
                          .reference = registry_reference(strings->encoding),
                          .codec = runner->codec,
                          .seats = {seat_new(), seat_new()}};
    bool is_found = false;
    cli_clear_progress();
    for (size_t i = 0; i < strings->slice_count && !is_found; i++) {
        struct workload one = workload_string(strings, i);
        is_found = ask_about(&wrong, workload_input(&one), one.slices->count);
    }
    enum said now = is_found && print_letter(&wrong, runner->is_peer) ? LETTER : NOT_AGAIN;
    if (now == NOT_AGAIN && before == NOTHING)
        fprintf(stderr, "assay bench: %s differs from the reference, but not when it is asked again: %s\n",
                runner->name, operation->name);
    json_object_set_new(said, key, json_integer(now));
    seat_free(wrong.seats[0]);
    seat_free(wrong.seats[1]);
}
