/* SPDX-License-Identifier: MIT */
#include "../core/hex.h"
#include "../core/report.h"
#include "../core/silence.h"
#include "cli.h"
#include "examine.h"
#include "one_question.h"
#include "run/two_subjects.h"
#include "vectors/golden.h"

#include <stdlib.h>
#include <string.h>

static const char *encoding = "utf-8";
static bool as_json, thorough;
static struct one_question one;
static struct two_subjects two;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "the encoding of the input (default utf-8)", &encoding, NULL},
    {"thorough", 0, NULL, "ask every question about inputs over 64 KiB, too", NULL, &thorough},
    {"operation", 0, "OPERATION",
     "ask one question only, of units with the least significant byte first: validate, spans, feed-utf16 ...",
     &one.operation, NULL},
    {"policy", 'p', "POLICY", "of the one question (default: each)", &one.policy, NULL},
    {"capacity", 0, "N", "of the one question: units of room for output (default: enough)", &one.capacity, NULL},
    {"cuts", 0, "N,...",
     "of the one question, feeding: where each piece but the last ends; concat: where the second string begins",
     &one.cuts, NULL},
    {"room", 0, "N",
     "of the one question, feeding: units of room in each call but the first of a piece, which has none (default: all that is left)",
     &one.room, NULL},
    {"shifts", 0, "N,N",
     "of the one question: only at these addresses of input and output modulo 64 (default: at guard pages, then at others)",
     &one.shifts, NULL},
    {"subject", 0, "SUBJECT", "given twice: compare these two, and not our codecs", two.named, NULL},
    TWO_SUBJECTS_LIMITS(two),
    {"json", 0, NULL, "the same as JSON", NULL, &as_json},
    {0},
};

static void print_more(FILE *out)
{
    fputs(
        "INPUT may also be the id of a golden case, utf-8/overlong/c080: its bytes in its encoding.\n"
        "\n"
        "SUBJECT is the name of a row of harnesses/subjects/subjects.def (harnesses/subjects/subjects.py --list prints them; scripts/setup subjects installs what they "
        "need), a command that speaks the line protocol assay/1 (vectors/PROTOCOL.md), or --plain and a program that reads bytes and writes "
        "text; before the program, --no-verdict says that its exit code means nothing, --no-output the same of its output. Both are asked for the verdict, and for the text under each policy that both "
        "offer, whole and, up to 64 bytes, in each pair of pieces; then for what each does by itself, if that is another policy. What is "
        "compared is the whole text, not with which piece it came out. The input has up to 1 MiB.\n"
        "\n"
        "    assay diff --subject cpython --subject node EDA080\n"
        "    assay diff --subject node26 --subject deno -e utf-8-sig 41EFBBBF\n"
        "    assay diff --subject 'old/mine --assay' --subject 'new/mine --assay' @crash\n"
        "    assay diff --subject '--plain ./mine' --subject jq @crash\n"
        "    assay diff --subject '--plain --no-output ./my_validator' --subject cpython @crash\n",
        out);
}

/* The letters so far: for each key, the first one. */
struct findings {
    char *again; /* the command that shows them again; NULL for a long input from standard input */
    json_t *by_key;
    json_t *silent; /* the codecs that gave no answer, each with its end: "segv" */
};

/* Returns the command line. A short input in hex replaces `-`, which cannot be read again. */
static char *command_of(int argc, char **argv, const struct cli_input *input)
{
    enum { SHORT = 64 };
    char *command;
    size_t size;
    bool is_gone = strcmp(argv[argc - 1], "-") == 0;
    if (is_gone && (input->byte_count == 0 || input->byte_count > SHORT))
        return NULL;
    FILE *out = cli_open_text(&command, &size);
    cli_print_program(out);
    for (int i = 0; i < argc - is_gone; i++) {
        fputc(' ', out);
        cli_quote(out, argv[i]);
    }
    cli_print_environment(out);
    if (is_gone) {
        fputc(' ', out);
        hex_print(out, input->bytes, input->byte_count, "");
    }
    fclose(out);
    return command;
}

static void keep_letter(struct findings *findings, const char *key, char *letter)
{
    if (json_object_set_new(findings->by_key, key, json_string(letter)) != 0)
        cli_fail("a finding cannot be kept: out of memory, or a codec whose name is not text");
    free(letter);
}

/* Keeps the letter of a divergence or of a breach (the other is NULL), if its key is new. */
static void keep_first(struct findings *findings, const struct divergence *divergence, const struct breach *breach)
{
    char key[KEY_SIZE], *letter;
    size_t size;
    if (divergence != NULL)
        report_key(divergence, key, sizeof key);
    else
        report_breach_key(breach, key, sizeof key);
    if (json_object_get(findings->by_key, key) != NULL)
        return;
    FILE *out = cli_open_text(&letter, &size);
    if (divergence != NULL)
        report_letter(out, divergence, findings->again);
    else
        report_breach(out, breach, findings->again);
    fclose(out);
    keep_letter(findings, key, letter);
}

static void on_divergence(void *context, const struct divergence *divergence)
{
    keep_first(context, divergence, NULL);
}

static void on_breach(void *context, const struct breach *breach)
{
    keep_first(context, NULL, breach);
}

/* ---- a codec that gives no answer ---- */

/* For on_silence(), which has no context. */
static struct findings *surviving;
static struct examiner *interrupted;
static bool is_left_out; /* the codec that gave no answer last is asked nothing more */

static void on_silence(const struct asking *silent, const char *end, const char *sentence)
{
    char key[KEY_SIZE], *letter;
    size_t size;
    is_left_out = comparer_leave_out(&interrupted->comparer, silent->codec);
    report_silence_key(silent, end, key, sizeof key);
    if (json_object_get(surviving->by_key, key) != NULL)
        return;
    FILE *out = cli_open_text(&letter, &size);
    report_silence_letter(out, silent, sentence);
    if (surviving->again != NULL)
        fprintf(out, "  %-13s %s\n", "again", surviving->again);
    fclose(out);
    keep_letter(surviving, key, letter);
    json_object_set_new(surviving->silent, silent->codec->name, json_string(end));
}

static struct survivor survivor = {.heard = on_silence};

/* Asks all questions. After a codec gave no answer, all are asked again without it; if it was asked beside the panel,
 * nothing more is asked. */
static void ask_and_survive(struct examiner *examiner, const struct cli_input *input)
{
    silence_survivor = &survivor;
    if (sigsetjmp(survivor.back, 0) != 0 && !is_left_out)
        return;
    examiner->comparer.asked = examiner->comparer.skipped = examiner->comparer.diverged = 0;
    if (one.operation != NULL)
        one_question_ask(&examiner->comparer, &one, input->bytes, input->byte_count);
    else
        examine(&(struct examination){.examiner = examiner,
                                      .bytes = input->bytes,
                                      .byte_count = input->byte_count,
                                      .is_thorough = thorough,
                                      .shows_progress = true});
}

/* ---- the table ---- */

/* Returns a number as JSON; null if it is larger than any correct number can be, which also keeps it within JSON's
 * integers. */
static json_t *figure_as_json(size_t number)
{
    json_int_t value = (json_int_t)number;
    return value < 0 ? json_null() : json_integer(value);
}

/* Returns the figures of the error that the codec states. An error that the codec did not set has none. */
static json_t *error_as_json(const struct assay_span *error)
{
    json_t *object = json_object();
    if (error->length == 0)
        return object;
    if (error->offset != ASSAY_UNKNOWN)
        json_object_set_new(object, "offset", figure_as_json(error->offset));
    if (error->offset != ASSAY_UNKNOWN && error->length != ASSAY_UNKNOWN) {
        json_object_set_new(object, "length", figure_as_json(error->length));
        json_object_set_new(object, "fault", json_string(assay_fault_name(error->fault)));
    }
    return object;
}

/* Asks a codec to validate and to count, and returns its row of the table. */
static json_t *ask_codec(const struct assay_codec *codec, const struct cli_input *input)
{
    json_t *row = json_pack("{s:s}", "codec", codec->name);
    if (codec->validate != NULL) {
        struct assay_span error = {0}; /* a loaded codec may not set it */
        bool well_formed = ask_well_formed(codec, input->bytes, input->byte_count, &error);
        json_object_set_new(row, "well_formed", json_boolean(well_formed));
        if (!well_formed)
            json_object_set_new(row, "error", error_as_json(&error));
    }
    if (codec->count != NULL) {
        asking_directly(codec, (struct question){.operation = OP_COUNT,
                                                 .policy = ASSAY_POLICY_WHATWG,
                                                 .input = input->bytes,
                                                 .input_count = input->byte_count,
                                                 .capacity = 2});
        struct assay_count count = codec->count(ASSAY_POLICY_WHATWG, input->bytes, input->byte_count);
        asking_ends();
        if (count.status != ASSAY_UNSUPPORTED) {
            json_object_set_new(row, "code_points", figure_as_json(count.utf32_units));
            json_object_set_new(row, "utf16_units", figure_as_json(count.utf16_units));
        }
    }
    return row;
}

/* The same, of a codec that may give no answer. One that gave none before is not asked. */
static json_t *row_of(const struct assay_codec *codec, const struct cli_input *input)
{
    if (json_object_get(surviving->silent, codec->name) == NULL && sigsetjmp(survivor.back, 0) == 0)
        return ask_codec(codec, input);
    return json_pack("{s:s, s:O}", "codec", codec->name, "silent", json_object_get(surviving->silent, codec->name));
}

static void write_verdict(FILE *out, const json_t *row)
{
    const char *end = json_string_value(json_object_get(row, "silent"));
    if (end != NULL) {
        fprintf(out, "%s: %s", strcmp(end, "timeout") == 0 ? "no answer" : "crashed", end);
        return;
    }
    const json_t *well_formed = json_object_get(row, "well_formed"), *error = json_object_get(row, "error");
    const json_t *offset = json_object_get(error, "offset"), *length = json_object_get(error, "length");
    if (error == NULL)
        fputs(well_formed != NULL ? "well-formed" : "(does not validate)", out);
    else
        fputs("ill-formed", out);
    if (json_is_null(offset) || json_is_null(length))
        fputs(", out of range", out);
    else if (offset != NULL)
        fprintf(out, " at %lld", (long long)json_integer_value(offset));
    if (json_is_integer(offset) && json_is_integer(length))
        fprintf(out, ", %lld byte%s, %s", (long long)json_integer_value(length),
                json_integer_value(length) == 1 ? "" : "s", json_string_value(json_object_get(error, "fault")));
}

enum { TABLE_COLUMNS = 96 }; /* in the table with a column for each figure */

static void print_count(const json_t *row, const char *name)
{
    const json_t *count = json_object_get(row, name);
    if (json_is_integer(count))
        printf(" %12lld", (long long)json_integer_value(count));
    else
        printf(" %12s", count != NULL ? "out of range" : "-");
}

static bool is_same(const json_t *row, const json_t *other, const char *name)
{
    const json_t *a = json_object_get(row, name), *b = json_object_get(other, name);
    return a == b || json_equal(a, b); /* json_equal() is false if both are missing */
}

/* True if the codec states a figure of the error that differs. A figure that it does not state does not differ. */
static bool states_another_error(const json_t *row, const json_t *reference)
{
    json_t *own = json_object_get(row, "error"), *expected = json_object_get(reference, "error"), *figure;
    const char *name;
    json_object_foreach (own, name, figure)
        if (!json_equal(figure, json_object_get(expected, name)))
            return true;
    return false;
}

/* True if two codecs say the same in each column. */
static bool is_alike(const json_t *row, const json_t *other)
{
    static const char *const columns[] = {"well_formed", "error", "code_points", "utf16_units"};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (!is_same(row, other, columns[i]))
            return false;
    return true;
}

/* For a terminal that is narrower than the table: the figures that the codec states follow its verdict. Those of the
 * reference, which is the first row, are not repeated. */
static void print_narrow_row(const json_t *row, const json_t *reference, bool differs)
{
    if (row != reference && json_object_get(row, "well_formed") != NULL && is_alike(row, reference)) {
        printf("  %-14s  as the reference\n", json_string_value(json_object_get(row, "codec")));
        return;
    }
    char *line;
    size_t size;
    const json_t *code_points = json_object_get(row, "code_points"), *units = json_object_get(row, "utf16_units");
    FILE *out = cli_open_text(&line, &size);
    fprintf(out, "  %-14s  ", json_string_value(json_object_get(row, "codec")));
    write_verdict(out, row);
    if (json_is_integer(code_points) && json_is_integer(units))
        fprintf(out, "; %lld code point%s, %lld in UTF-16", (long long)json_integer_value(code_points),
                json_integer_value(code_points) == 1 ? "" : "s", (long long)json_integer_value(units));
    else if (code_points != NULL || units != NULL)
        fputs("; counts out of range", out);
    fclose(out);
    fputs(differs ? cli_style(CLI_BAD) : "", stdout);
    cli_print_words(line, strlen(line));
    puts(differs ? cli_style(CLI_PLAIN) : "");
    free(line);
}

/* Prints a row, in red if it differs from that of the reference, which is the first. */
static void print_row(const json_t *row, const json_t *reference)
{
    bool is_asked = json_object_get(row, "well_formed") != NULL;
    bool differs = json_object_get(row, "silent") != NULL ||
                   (is_asked && (!is_same(row, reference, "well_formed") || states_another_error(row, reference)));
    if (cli_columns() < TABLE_COLUMNS) {
        print_narrow_row(row, reference, differs);
        return;
    }
    char *verdict;
    size_t size;
    FILE *out = cli_open_text(&verdict, &size);
    write_verdict(out, row);
    fclose(out);
    printf("  %-16s %s%-51s%s", json_string_value(json_object_get(row, "codec")), differs ? cli_style(CLI_BAD) : "",
           verdict, differs ? cli_style(CLI_PLAIN) : "");
    print_count(row, "code_points");
    print_count(row, "utf16_units");
    putchar('\n');
    free(verdict);
}

/* ---- the command ------------------------------------------------------------------------------- */

/* Returns the names of the codecs of the encoding that this program has and this CPU cannot run. */
static json_t *codecs_not_run(void)
{
    json_t *names = json_array();
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (strcmp(row->encoding, encoding) == 0 && row->codec != NULL && !registry_runs(row))
            json_array_append_new(names, json_string(row->name));
    }
    return names;
}

static void print_not_run(void)
{
    json_t *names = codecs_not_run(), *name;
    size_t index;
    json_array_foreach (names, index, name)
        printf("  %-16s does not run here\n", json_string_value(name));
    json_decref(names);
}

/* Prints the verdict, and what was not asked. */
static void print_verdict(const struct examiner *examiner, const struct cli_input *input, size_t key_count)
{
    if (examiner->effort != THOROUGH && one.operation == NULL)
        printf(
            "%zu bytes are more than %d: each was asked once, with its end at a guard page; pieces, little room, the way back "
            "and the laws of conversion were not asked (--thorough asks all)\n",
            input->byte_count, EXAMINE_THOROUGH_MAX);
    if (examiner->comparer.panel_size == 1)
        printf("there is no other codec for %s here: the reference was held against itself alone\n", encoding);
    if (key_count > 0)
        printf("%s%zu divergence%s%s\n", cli_style(CLI_BAD), key_count, key_count == 1 ? "" : "s",
               cli_style(CLI_PLAIN));
    else
        printf("%sno divergence%s: %llu answers compared, %llu skipped\n", cli_style(CLI_GOOD), cli_style(CLI_PLAIN),
               (unsigned long long)examiner->comparer.asked, (unsigned long long)examiner->comparer.skipped);
}

static void print_text(const struct examiner *examiner, const struct cli_input *input, const json_t *rows,
                       json_t *by_key)
{
    size_t index;
    json_t *row, *letter;
    const char *key;
    printf("%s, %zu byte%s\n\n", encoding, input->byte_count, input->byte_count == 1 ? "" : "s");
    if (one.operation == NULL && cli_columns() >= TABLE_COLUMNS)
        printf("  %-16s %-52s %11s %12s\n", "codec", "validate", "code points", "UTF-16 units");
    json_array_foreach (rows, index, row)
        print_row(row, json_array_get(rows, 0));
    if (one.operation == NULL) {
        print_not_run();
        putchar('\n');
    }
    json_object_foreach (by_key, key, letter) {
        cli_print_letter(json_string_value(letter));
        printf("  %-13s %s\n\n", "key", key);
    }
    print_verdict(examiner, input, json_object_size(by_key));
}

/* Compares two decoders by others. Our codecs are not asked. */
static int compare_subjects(int argc, char **argv, int at)
{
    if (one.operation != NULL || thorough)
        cli_fail("--operation and --thorough are about our codecs, not about a --subject");
    one_question_require_none(&one);
    struct golden golden = golden_find(argv[at], true, &encoding);
    struct cli_input input = golden_whole_input(&golden, argv[at]);
    char *again = command_of(argc, argv, &input);
    two.encoding = encoding;
    two.again = again;
    int code = two_subjects_differ(&two, input.bytes, input.byte_count, as_json);
    free(again);
    free(input.bytes);
    golden_free(&golden);
    return code;
}

/* A text of up to SHORT bytes is at each address modulo 64, a longer one at a further one. */
static int run(int argc, char **argv)
{
    enum { SHORT = 4096 };
    int operands, at = cli_parse(&command_diff, argc, argv, &operands);
    if (two.named[0] != NULL)
        return compare_subjects(argc, argv, at);
    two_subjects_require_no_limits(&two);
    struct golden golden = golden_find(argv[at], false, &encoding);
    cli_encoding(encoding);
    cli_require_loaded_encoding(encoding);
    struct cli_input input = golden_whole_input(&golden, argv[at]);
    struct findings findings = {command_of(argc, argv, &input), json_object(), json_object()};
    struct examiner examiner = {
        .comparer = {.encoding = encoding,
                     .on_divergence = on_divergence,
                     .context = &findings,
                     .on_answer = cli_note_answered,
                     .keep_going = true,
                     .shifts = input.byte_count <= SHORT ? SHIFT_MAX : 1},
        .on_breach = on_breach,
    };
    if (one.operation == NULL)
        one_question_require_none(&one);
    surviving = &findings;
    interrupted = &examiner;
    ask_and_survive(&examiner, &input);
    if (json_object_size(findings.by_key) == 0)
        cli_require_loaded_answered();

    json_t *rows = json_array();
    for (size_t i = 0; i < registry_count() && one.operation == NULL; i++)
        if (strcmp(registry_at(i)->encoding, encoding) == 0 && registry_runs(registry_at(i)))
            json_array_append_new(rows, row_of(registry_at(i)->codec, &input));
    silence_survivor = NULL;
    int code = json_object_size(findings.by_key) > 0 ? EXIT_DIVERGENCE : EXIT_CLEAN;
    if (as_json) {
        cli_print_json(json_pack("{s:s, s:I, s:b, s:I, s:I, s:O, s:o, s:O}", "encoding", encoding, "byte_count",
                                 (json_int_t)input.byte_count, "thorough", examiner.effort == THOROUGH, "asked",
                                 (json_int_t)examiner.comparer.asked, "skipped", (json_int_t)examiner.comparer.skipped,
                                 "codecs", rows, "not_run", codecs_not_run(), "divergences", findings.by_key));
    } else {
        print_text(&examiner, &input, rows, findings.by_key);
    }
    json_decref(rows);
    json_decref(findings.silent);
    json_decref(findings.by_key);
    comparer_end(&examiner.comparer);
    free(findings.again);
    free(input.bytes);
    golden_free(&golden);
    return code;
}

const struct command command_diff = {
    .name = "diff",
    .sentence = "every codec, or two subjects, on this input, side by side; also replays a finding",
    OPERANDS("INPUT", 1, 1),
    .print_more = print_more,
    .options = options,
    .run = run,
};
