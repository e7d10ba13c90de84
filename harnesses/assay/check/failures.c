/* SPDX-License-Identifier: MIT
 *
 * The letters of failed cases.
 */
#include "check.h"

#include "../../core/silence.h"
#include "../one_question.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A wrong answer of a codec, and the text of its letter. */
struct failure {
    const struct assay_codec *codec;
    const char *operation;
    enum assay_policy policy;
    const char *field;
    char *input; /* of `assay diff`; NULL: none was asked about, or it is too long for a line */
    char *diff;  /* the command that compares all codecs on the input; NULL: there is none */
    char key[KEY_SIZE];
    FILE *out; /* writes `letter` */
    char *letter;
    size_t size;
};

/* Writes the line of a letter with the command that shows the failure again. */
static void write_again(FILE *out, const struct vector_case *test, const struct assay_codec *codec)
{
    fprintf(out, "  %-13s ", "again");
    cli_print_program(out);
    fputs(" check", out);
    cli_print_loaded(out, codec);
    if (check_settings.own_folder) {
        fputs(" --vectors ", out);
        cli_quote(out, check_settings.folder);
    }
    fputs(" -c ", out);
    cli_quote(out, codec->name);
    fputc(' ', out);
    cli_quote(out, test->id);
    fputc('\n', out);
}

/* Keeps the input, and the command `assay diff`. Our room for output is no part of the question, unless it is of the
 * case. */
static void add_diff(struct failure *failure, const struct run *run, const struct question *asked)
{
    size_t size;
    struct question question = *asked;
    question.capacity = run->now.probe != NULL ? run->now.probe->question.capacity : CAPACITY_ANY;
    bool is_in_diff = question.capacity == CAPACITY_ANY && one_question_is_in_diff(&question);
    failure->input = one_question_input(&question, is_in_diff);
    if (failure->input == NULL)
        return;
    FILE *out = cli_open_text(&failure->diff, &size);
    one_question_write_diff(out, failure->codec, &question, is_in_diff);
    fclose(out);
}

void check_show_progress(const char *category)
{
    if (!isatty(STDERR_FILENO) || !(check_settings.quiet || check_settings.as_json))
        return;
    if (category != NULL)
        cli_print_progress(0, 1, 0, "%s", category);
    else
        cli_clear_progress();
}

/* Returns true if no letter with this key was printed before, and remembers the key: one mistake can cause a thousand
 * wrong answers. */
static bool add_key(struct run *run, const char *key)
{
    bool known = json_object_get(run->sorts, key) != NULL;
    json_object_set_new(run->sorts, key, json_true());
    return !known;
}

static FILE *begin_letter(struct failure *failure, const struct run *run)
{
    failure->out = cli_open_text(&failure->letter, &failure->size);
    fprintf(failure->out, "%s: %s\n", run->now.test->id, run->now.test->comment);
    return failure->out;
}

/* Prints the letter as a workflow command of GitHub Actions, with '%' and ends of lines escaped. */
static void print_annotation(const struct vector_case *test, const struct failure *failure)
{
    printf("::error title=%s/%s fails %s::", failure->codec->encoding, failure->codec->name, test->id);
    for (const char *at = failure->letter; *at != '\0'; at++) {
        if (*at == '%')
            fputs("%25", stdout);
        else if (*at == '\n')
            fputs("%0A", stdout);
        else
            putchar(*at);
    }
    putchar('\n');
}

static void end_letter(struct failure *failure, struct run *run)
{
    const struct vector_case *test = run->now.test;
    write_again(failure->out, test, failure->codec);
    if (failure->diff != NULL)
        fprintf(failure->out, "  %-13s %s\n", "diff", failure->diff);
    fclose(failure->out);
    fputs(failure->letter, run->now.letters);
    run->letters++;
    if (check_settings.as_json) {
        json_array_append_new(run->failures,
                              json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s?, s:s?, s:s}", "id", test->id, "comment",
                                        test->comment, "codec", failure->codec->name, "operation", failure->operation,
                                        "policy", assay_policy_name(failure->policy), "field", failure->field, "input",
                                        failure->input, "diff", failure->diff, "letter", failure->letter));
    } else if (add_key(run, failure->key) || check_settings.every_letter) {
        check_show_progress(NULL);
        cli_print_letter(failure->letter);
        putchar('\n');
        if (check_settings.as_annotations)
            print_annotation(test, failure);
        run->letters_shown++;
    }
    free(failure->letter);
    free(failure->input);
    free(failure->diff);
}

/* Appends the fault of the first error that is expected: a codec may mistake several, each for a reason of its own. */
static void add_fault(struct failure *failure, const struct divergence *divergence)
{
    const struct assay_span *error = &divergence->expected->result.error;
    if (divergence->question->operation == OP_SPANS && divergence->question->capacity > 0 &&
        divergence->expected->result.written > 0)
        error = divergence->expected->output;
    size_t length = strlen(failure->key);
    if (error->length > 0)
        snprintf(failure->key + length, sizeof failure->key - length, "-%s", assay_fault_name(error->fault));
}

void failure_divergence(struct run *run, const struct divergence *divergence)
{
    if (check_settings.by_policy)
        return;
    struct failure failure = {.codec = divergence->codec,
                              .operation = operation_name(divergence->question->operation),
                              .policy = divergence->question->policy,
                              .field = field_name(divergence->field)};
    report_key(divergence, failure.key, sizeof failure.key);
    add_fault(&failure, divergence);
    report_letter(begin_letter(&failure, run), divergence, NULL);
    add_diff(&failure, run, divergence->question);
    end_letter(&failure, run);
}

void failure_silence(struct run *run, const struct asking *silent, const char *end, const char *sentence)
{
    if (check_settings.by_policy)
        return;
    struct failure failure = {.codec = silent->codec,
                              .operation = operation_name(silent->question->operation),
                              .policy = silent->question->policy,
                              .field = end};
    report_silence_key(silent, end, failure.key, sizeof failure.key);
    report_silence_letter(begin_letter(&failure, run), silent, sentence);
    add_diff(&failure, run, silent->question);
    end_letter(&failure, run);
}

static void write_conversion(FILE *out, bool stops, const struct assay_span *error, const uint8_t *output,
                             size_t output_count)
{
    if (stops) {
        fprintf(out, "stops at %zu, length %zu: %s\n", error->offset, error->length,
                assay_fault_sentence(error->fault));
    } else {
        report_hex(out, output, 1, output_count);
        fprintf(out, "   (%zu bytes)\n", output_count);
    }
}

void failure_conversion(struct run *run, const struct assay_codec *codec, const struct conversion *conversion,
                        const char *field)
{
    if (check_settings.by_policy)
        return;
    struct failure failure = {.codec = codec, .operation = "convert", .policy = conversion->policy, .field = field};
    snprintf(failure.key, sizeof failure.key, "%s-convert-%s-%s-%s", codec->encoding, conversion->to, codec->name,
             field);
    const struct converter *actual = &run->converter;
    FILE *out = begin_letter(&failure, run);
    fprintf(out, "%s/%s does not convert as expected\n", codec->encoding, codec->name);
    fprintf(out, "  %-13s to %s, policy %s; %s differs\n  %-13s ", "asked", conversion->to,
            assay_policy_name(conversion->policy), field, "bytes");
    write_conversion(out, false, NULL, conversion->input, conversion->input_count);
    fprintf(out, "  %-13s ", "expected");
    write_conversion(out, conversion->stops, &conversion->error, conversion->output, conversion->output_count);
    fprintf(out, "  %-13s ", codec->name);
    write_conversion(out, actual->error.length > 0, &actual->error, actual->bytes, actual->byte_count);
    failure.input = cli_input_text(conversion->input, conversion->input_count);
    end_letter(&failure, run);
}
