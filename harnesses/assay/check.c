/* SPDX-License-Identifier: MIT
 *
 * The golden vectors against the codecs. What a codec must answer is what the vectors say; the reference is put
 * to the test like all others.
 */
#include "../core/report.h"
#include "../core/silence.h"
#include "cli.h"
#include "junit.h"
#include "vectors/ask.h"
#include "vectors/positions.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder, *codec_glob, *junit_path;
static bool only_list, as_json, quiet, every_letter, own_folder, asks_everything;
static const struct cli_option options[] = {
    {"list", 'l', NULL, "only list the cases: id and comment", NULL, &only_list},
    {"codec-name", 'c', "GLOB", "only codecs whose name, or ENCODING/NAME, matches", &codec_glob, NULL},
    {"vectors", 0, "DIR", "the folder that holds ENCODING/CATEGORY.json (default: the one of this program)", &folder, NULL},
    {"everything", 0, NULL, "ask every question about each text of the positions tier (else a share of them, in turn)", NULL, &asks_everything},
    {"all", 'a', NULL, "every letter (else the first of each kind)", NULL, &every_letter},
    {"quiet", 'q', NULL, "only letters and the last line", NULL, &quiet},
    {"json", 0, NULL, "the same as JSON, with every letter", NULL, &as_json},
    {"junit", 0, "FILE", "write a JUnit report to FILE, too", &junit_path, NULL},
    {0},
};

struct tally {
    size_t cases, failed; /* a case failed if any codec failed it */
    uint64_t compared, skipped;
};

/* A codec that gives no answer now and then: asked again, but not for ever. */
enum { SILENCES_MAX = 5 };
struct silent_codec {
    const struct assay_codec *codec;
    size_t silences, left_out; /* how often; how many cases it was not asked then */
};

struct run {
    struct choice choice;
    const struct registry_row **codecs; /* those that run here and speak an encoding of the vectors */
    size_t codec_count;
    struct seat *seat;
    struct converter converter;
    struct silent_codec *silent;
    size_t silent_count;
    struct tally total;
    size_t letters, letters_shown;
    json_t *sorts; /* keys of the letters shown */
    json_t *categories, *failures;
    FILE *junit; /* in memory, until all is known */
};

/* ---- what is chosen ---------------------------------------------------------------------------- */

static bool codec_is_chosen(const void *none, const struct registry_row *row)
{
    (void)none;
    char name[128];
    snprintf(name, sizeof name, "%s/%s", row->encoding, row->name);
    return registry_runs(row) &&
           (codec_glob == NULL || fnmatch(codec_glob, row->name, 0) == 0 || fnmatch(codec_glob, name, 0) == 0);
}

static bool has_vectors(const struct vectors *vectors, const char *encoding)
{
    for (size_t i = 0; i < vectors->category_count; i++)
        if (strcmp(vectors->categories[i].codec_encoding, encoding) == 0)
            return true;
    return false;
}

static void choose_codecs(struct run *run, const struct vectors *vectors)
{
    cli_loaded_are_asked(codec_is_chosen, NULL);
    run->codecs = cli_alloc(registry_count(), sizeof *run->codecs);
    run->silent = cli_alloc(registry_count(), sizeof *run->silent);
    for (size_t i = 0; i < registry_count(); i++)
        if (codec_is_chosen(NULL, registry_at(i)) && has_vectors(vectors, registry_at(i)->encoding))
            run->codecs[run->codec_count++] = registry_at(i);
    if (run->codec_count == 0)
        cli_fail("no codec that runs here and has vectors matches '%s'; see assay list", codec_glob != NULL ? codec_glob : "*");
}

static bool has_codec(const struct run *run, const char *encoding)
{
    for (size_t i = 0; i < run->codec_count; i++)
        if (strcmp(run->codecs[i]->encoding, encoding) == 0)
            return true;
    return false;
}

/* ---- one case ----------------------------------------------------------------------------------- */

/* What a codec got wrong, for the letter and for whoever counts. */
struct failure {
    const struct assay_codec *codec;
    const char *operation;
    enum assay_policy policy;
    const char *field;
    char key[256];
};

/* The line of a letter that says how to see it again. */
static void write_again(FILE *out, const struct vector_case *test, const struct assay_codec *codec)
{
    fprintf(out, "  %-13s ", "again");
    cli_print_program(out);
    fputs(" check", out);
    cli_print_loaded(out, codec);
    if (own_folder) {
        fputs(" --vectors ", out);
        cli_quote(out, folder);
    }
    fputs(" -c ", out);
    cli_quote(out, codec->name);
    fputc(' ', out);
    cli_quote(out, test->id);
    fputc('\n', out);
}

/* On a terminal, which category is under way, where no line says so; NULL takes it away. */
static void tell(const char *category)
{
    if (!isatty(STDERR_FILENO) || !(quiet || as_json))
        return;
    if (category != NULL)
        cli_print_progress(0, 1, 0, "%s", category);
    else
        cli_clear_progress();
}

/* Whether a letter is to be printed: one of each key, as a codec that is wrong once is wrong a thousand times. */
static bool is_news(struct run *run, const char *key)
{
    bool known = json_object_get(run->sorts, key) != NULL;
    json_object_set_new(run->sorts, key, json_true());
    return every_letter || !known;
}

static void note_failure(struct run *run, const struct vector_case *test, const struct failure *failure, const char *letter,
                         FILE *letters)
{
    fputs(letter, letters);
    run->letters++;
    if (!as_json && is_news(run, failure->key)) {
        tell(NULL);
        printf("%s\n", letter);
        run->letters_shown++;
    }
    if (as_json)
        json_array_append_new(run->failures,
                              json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "id", test->id, "comment", test->comment, "codec",
                                        failure->codec->name, "operation", failure->operation, "policy",
                                        assay_policy_name(failure->policy), "field", failure->field, "letter", letter));
}

static void note_divergence(struct run *run, const struct vector_case *test, const struct divergence *divergence, FILE *letters)
{
    struct failure failure = {.codec = divergence->codec, .operation = operation_name(divergence->question->operation),
                              .policy = divergence->question->policy, .field = field_name(divergence->field)};
    report_key(divergence, failure.key, sizeof failure.key);
    char *letter;
    size_t size;
    FILE *out = cli_open_text(&letter, &size);
    fprintf(out, "%s: %s\n", test->id, test->comment);
    report_letter(out, divergence, NULL);
    write_again(out, test, divergence->codec);
    fclose(out);
    note_failure(run, test, &failure, letter, letters);
    free(letter);
}

/* ---- codecs that give no answer ------------------------------------------------------------------ */

/* What is asked, for the letter of a codec that dies of it. */
static struct {
    struct run *run;
    const struct vector_case *test;
    FILE *letters;
} under_way;

static struct silent_codec *find_silent(struct run *run, const struct assay_codec *codec)
{
    for (size_t i = 0; i < run->silent_count; i++)
        if (run->silent[i].codec == codec)
            return &run->silent[i];
    return NULL;
}

static void count_silence(struct run *run, const struct assay_codec *codec)
{
    struct silent_codec *silent = find_silent(run, codec);
    if (silent == NULL) {
        silent = &run->silent[run->silent_count++];
        silent->codec = codec;
    }
    silent->silences++;
}

/* Whether it was silent too often to be asked this; then that is counted. */
static bool is_left_alone(struct run *run, const struct assay_codec *codec, struct tally *tally)
{
    struct silent_codec *silent = find_silent(run, codec);
    if (silent == NULL || silent->silences < SILENCES_MAX)
        return false;
    silent->left_out++;
    tally->skipped++;
    return true;
}

static void on_silence(const struct asking *silent, const char *end, const char *sentence)
{
    struct failure failure = {.codec = silent->codec, .operation = operation_name(silent->question->operation),
                              .policy = silent->question->policy, .field = end};
    report_silence_key(silent, end, failure.key, sizeof failure.key);
    char *letter;
    size_t size;
    FILE *out = cli_open_text(&letter, &size);
    fprintf(out, "%s: %s\n", under_way.test->id, under_way.test->comment);
    report_silence_letter(out, silent, sentence);
    write_again(out, under_way.test, silent->codec);
    fclose(out);
    note_failure(under_way.run, under_way.test, &failure, letter, under_way.letters);
    free(letter);
    count_silence(under_way.run, silent->codec);
}

static struct survivor survivor = {.heard = on_silence};

/* ---- one question ------------------------------------------------------------------------------- */

/* Asks one question in every way. Returns whether the answers are all as expected. */
static bool ask_probe(struct run *run, const struct assay_codec *codec, const struct vector_case *test,
                      const struct probe *probe, struct tally *tally, FILE *letters)
{
    const struct assay_codec expectation = {ASSAY_CODEC_HEADER(codec->encoding, "expected")};
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        struct question asked;
        enum placement placement;
        if (!variant_apply(i, probe, &asked, &placement))
            continue;
        struct answer actual = ask(run->seat, codec, &asked, placement);
        if (actual.absent) {
            tally->skipped++;
            return true;
        }
        tally->compared++;
        cli_heard(codec);
        size_t index = 0;
        enum field field = compare_answers(&asked, &probe->expected, &actual, &index);
        if (field == FIELD_NONE)
            continue;
        note_divergence(run, test, &(struct divergence){&expectation, codec, &asked, &probe->expected, &actual, field, index},
                        letters);
        return false;
    }
    return true;
}

/* ---- conversion: two codecs, of which the other encoding's is that of the same name, or the reference ---- */

static void say_conversion(FILE *out, bool stops, const struct assay_span *error, const uint8_t *output, size_t output_count)
{
    if (stops) {
        fprintf(out, "stops at %zu, length %zu: %s\n", error->offset, error->length, assay_fault_sentence(error->fault));
    } else {
        report_hex(out, output, 1, output_count);
        fprintf(out, "   (%zu bytes)\n", output_count);
    }
}

static void note_conversion(struct run *run, const struct vector_case *test, const struct assay_codec *codec,
                            const struct conversion *conversion, const char *field, FILE *letters)
{
    struct failure failure = {.codec = codec, .operation = "convert", .policy = conversion->policy, .field = field};
    snprintf(failure.key, sizeof failure.key, "%s-convert-%s-%s-%s", codec->encoding, conversion->to, codec->name, field);
    char *letter;
    size_t size;
    FILE *out = cli_open_text(&letter, &size);
    fprintf(out, "%s: %s\n%s/%s does not convert as expected\n", test->id, test->comment, codec->encoding, codec->name);
    fprintf(out, "  %-13s to %s, policy %s; %s differs\n  %-13s ", "asked", conversion->to, assay_policy_name(conversion->policy),
            field, "bytes");
    say_conversion(out, false, NULL, conversion->input, conversion->input_count);
    fprintf(out, "  %-13s ", "expected");
    say_conversion(out, conversion->stops, &conversion->error, conversion->output, conversion->output_count);
    fprintf(out, "  %-13s ", codec->name);
    say_conversion(out, run->converter.error.length > 0, &run->converter.error, run->converter.bytes, run->converter.byte_count);
    write_again(out, test, codec);
    fclose(out);
    note_failure(run, test, &failure, letter, letters);
    free(letter);
}

static bool ask_conversion(struct run *run, const struct assay_codec *codec, const struct vector_case *test,
                           const struct conversion *conversion, struct tally *tally, FILE *letters)
{
    struct form from = {.codec = codec}, to;
    if (!form_find(conversion->to, codec->name, &to))
        cli_fail("no codec of %s runs here", conversion->to);
    if (is_left_alone(run, to.codec, tally))
        return true;
    enum outcome outcome = convert(&run->converter, &from, &to, conversion->policy, conversion->input, conversion->input_count);
    if (outcome == NOT_OFFERED) {
        tally->skipped++;
        return true;
    }
    tally->compared++;
    cli_heard(codec);
    cli_heard(to.codec);
    const char *field = conversion_differs(conversion, outcome, &run->converter);
    if (field != NULL)
        note_conversion(run, test, codec, conversion, field, letters);
    return field == NULL;
}

/* Asks one of the two. A codec that gives no answer has failed. */
static bool ask_and_survive(struct run *run, const struct assay_codec *codec, const struct vector_case *test,
                            const struct probe *probe, const struct conversion *conversion, struct tally *tally, FILE *letters)
{
    under_way.run = run;
    under_way.test = test;
    under_way.letters = letters;
    if (sigsetjmp(survivor.back, 0) != 0)
        return false;
    return probe != NULL ? ask_probe(run, codec, test, probe, tally, letters)
                         : ask_conversion(run, codec, test, conversion, tally, letters);
}

static bool is_asked(struct run *run, size_t codec, const struct category *category, struct tally *tally)
{
    const struct registry_row *row = run->codecs[codec];
    return strcmp(row->encoding, category->codec_encoding) == 0 && !is_left_alone(run, row->codec, tally);
}

/* ---- a line of the positions tier, in which the codecs take turns with each question ------------------ */

struct line_run {
    struct run *run;
    const struct vector_case *test;
    struct tally *tally;
    FILE *letters;
    bool *agrees; /* of each codec: whether it is asked further */
    bool passed;
};

/* Whether anybody is asked further. */
static bool hear(struct line_run *line, size_t codec, bool agrees)
{
    line->agrees[codec] = agrees;
    line->passed &= agrees;
    return agrees;
}

static bool ask_line_probe(void *context, const struct probe *probe)
{
    struct line_run *line = context;
    bool any = false;
    for (size_t i = 0; i < line->run->codec_count; i++)
        if (line->agrees[i])
            any |= hear(line, i, ask_and_survive(line->run, line->run->codecs[i]->codec, line->test, probe, NULL, line->tally,
                                                 line->letters));
    return any;
}

static bool ask_line_conversion(void *context, const struct conversion *conversion)
{
    struct line_run *line = context;
    bool any = false;
    for (size_t i = 0; i < line->run->codec_count; i++)
        if (line->agrees[i])
            any |= hear(line, i, ask_and_survive(line->run, line->run->codecs[i]->codec, line->test, NULL, conversion,
                                                 line->tally, line->letters));
    return any;
}

/* Asks all codecs, and then those from outside once more, with a larger share of the questions. */
static bool check_line(struct run *run, const struct category *category, const struct vector_case *test, struct tally *tally,
                       FILE *letters)
{
    struct line_run line = {run, test, tally, letters, cli_alloc(run->codec_count, sizeof *line.agrees), true};
    struct line_asker asker = {.context = &line, .probe = ask_line_probe, .conversion = ask_line_conversion,
                               .share = asks_everything ? 1 : SHARE_OF_BUILT_IN};
    bool any_loaded = false;
    for (size_t i = 0; i < run->codec_count; i++)
        line.agrees[i] = is_asked(run, i, category, tally);
    line_ask(test->line, &asker);
    for (size_t i = 0; i < run->codec_count; i++) {
        line.agrees[i] = line.agrees[i] && !asks_everything && cli_is_loaded(run->codecs[i]->codec);
        any_loaded |= line.agrees[i];
    }
    asker.share = SHARE_OF_LOADED;
    if (any_loaded)
        line_ask(test->line, &asker);
    free(line.agrees);
    return line.passed;
}

/* Puts a case to every codec of its encoding; a codec that fails it once is not asked further. */
static void check_case(struct run *run, const struct category *category, const struct vector_case *test, struct tally *tally,
                       FILE *letters)
{
    bool passed = true;
    cli_at_hand = test->id;
    if (test->line != NULL)
        passed = check_line(run, category, test, tally, letters);
    for (size_t i = 0; i < run->codec_count && test->line == NULL; i++) {
        const struct assay_codec *codec = run->codecs[i]->codec;
        bool agrees = is_asked(run, i, category, tally);
        for (size_t j = 0; j < test->probe_count && agrees; j++) {
            agrees = ask_and_survive(run, codec, test, &test->probes[j], NULL, tally, letters);
            passed &= agrees;
        }
        for (size_t j = 0; j < test->conversion_count && agrees; j++) {
            agrees = ask_and_survive(run, codec, test, NULL, &test->conversions[j], tally, letters);
            passed &= agrees;
        }
    }
    cli_at_hand = NULL;
    tally->cases++;
    tally->failed += !passed;
}

/* ---- all of them -------------------------------------------------------------------------------- */

static void add_tally(struct tally *sum, const struct tally *tally)
{
    sum->cases += tally->cases;
    sum->failed += tally->failed;
    sum->compared += tally->compared;
    sum->skipped += tally->skipped;
}

static void report_category(struct run *run, const struct category *category, const struct tally *tally)
{
    if (as_json)
        json_array_append_new(run->categories,
                              json_pack("{s:s, s:I, s:I, s:I, s:I}", "category", category->name, "cases",
                                        (json_int_t)tally->cases, "compared", (json_int_t)tally->compared, "skipped",
                                        (json_int_t)tally->skipped, "failed", (json_int_t)tally->failed));
    else if (!quiet)
        printf("%-32s %6zu cases %10" PRIu64 " compared %8" PRIu64 " skipped %5zu failed\n", category->name, tally->cases,
               tally->compared, tally->skipped, tally->failed);
}

static void check_category(struct run *run, const struct category *category)
{
    char *text, *letters;
    size_t text_size, letters_size, cases_skipped = 0;
    FILE *cases = cli_open_text(&text, &text_size);
    struct tally tally = {0};
    double begin = cli_now_ns();
    tell(category->name);
    for (size_t i = 0; i < category->case_count; i++) {
        const struct vector_case *test = &category->cases[i];
        if (!choice_has(&run->choice, test->id))
            continue;
        struct tally one = {0};
        FILE *out = cli_open_text(&letters, &letters_size);
        check_case(run, category, test, &one, out);
        fclose(out);
        junit_put_case(cases, &(struct junit_case){test->id, test->comment, one.failed > 0, one.compared == 0, letters});
        free(letters);
        add_tally(&tally, &one);
        cases_skipped += one.compared == 0 && one.failed == 0;
    }
    fclose(cases);
    if (tally.cases > 0) {
        junit_put_suite(run->junit, category->name, &(struct junit_counts){tally.cases, tally.failed, cases_skipped},
                        (cli_now_ns() - begin) / 1e9, text);
        report_category(run, category, &tally);
        add_tally(&run->total, &tally);
    }
    free(text);
}

/* Those that were left alone; as text they are printed, and the list is empty. */
static json_t *report_left_alone(const struct run *run)
{
    json_t *list = json_array();
    for (const struct silent_codec *silent = run->silent; silent < run->silent + run->silent_count; silent++) {
        if (silent->left_out == 0)
            continue;
        if (as_json)
            json_array_append_new(list, json_pack("{s:o, s:I, s:I}", "codec",
                                                  json_sprintf("%s/%s", silent->codec->encoding, silent->codec->name), "silences",
                                                  (json_int_t)silent->silences, "skipped", (json_int_t)silent->left_out));
        else
            printf("%s/%s gave no answer %zu times; then it was left alone, and %zu case%s skipped\n", silent->codec->encoding,
                   silent->codec->name, silent->silences, silent->left_out, silent->left_out == 1 ? " was" : "s were");
    }
    return list;
}

static void report_total(struct run *run)
{
    const struct tally *total = &run->total;
    json_t *left_alone = report_left_alone(run);
    if (!as_json) {
        if (run->letters > run->letters_shown)
            printf("%zu more letters of these sorts: --all shows them\n", run->letters - run->letters_shown);
        printf("%zu case%s on %zu codec%s: %" PRIu64 " answers compared, %" PRIu64 " skipped, %zu case%s failed\n", total->cases,
               total->cases == 1 ? "" : "s", run->codec_count, run->codec_count == 1 ? "" : "s", total->compared, total->skipped,
               total->failed, total->failed == 1 ? "" : "s");
        json_decref(run->categories);
        json_decref(run->failures);
        json_decref(left_alone);
        return;
    }
    json_t *codecs = json_array();
    for (size_t i = 0; i < run->codec_count; i++)
        json_array_append_new(codecs, json_sprintf("%s/%s", run->codecs[i]->encoding, run->codecs[i]->name));
    cli_print_json(json_pack("{s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "cases", (json_int_t)total->cases, "compared",
                             (json_int_t)total->compared, "skipped", (json_int_t)total->skipped, "failed",
                             (json_int_t)total->failed, "codecs", codecs, "categories", run->categories, "failures",
                             run->failures, "left_alone", left_alone));
}

static void check_all(struct run *run, const struct vectors *vectors)
{
    char *suites = NULL;
    size_t size;
    run->sorts = json_object();
    run->categories = json_array();
    run->failures = json_array();
    run->junit = cli_open_text(&suites, &size);
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was found is said, even if a codec then ends all */
    silence_survivor = &survivor;
    for (size_t i = 0; i < vectors->category_count; i++) {
        const struct category *category = &vectors->categories[i];
        if (has_codec(run, category->codec_encoding))
            check_category(run, category);
        else if (codec_glob == NULL)
            cli_fail("no codec of %s runs here", category->codec_encoding);
    }
    silence_survivor = NULL;
    fclose(run->junit);
    tell(NULL);
    if (run->total.compared == 0 && run->total.failed == 0)
        cli_fail("nothing was checked: none of these codecs answers any of these cases");
    if (run->total.failed == 0)
        cli_loaded_were_heard();
    if (junit_path != NULL)
        junit_write(junit_path, "assay check", &(struct junit_counts){run->total.cases, run->total.failed, 0}, suites);
    free(suites);
    report_total(run);
    json_decref(run->sorts);
}

static void list_cases(const struct run *run, const struct vectors *vectors)
{
    json_t *list = json_array();
    for (size_t i = 0; i < vectors->category_count; i++) {
        for (size_t j = 0; j < vectors->categories[i].case_count; j++) {
            const struct vector_case *test = &vectors->categories[i].cases[j];
            if (choice_has(&run->choice, test->id) && as_json)
                json_array_append_new(list, json_pack("{s:s, s:s}", "id", test->id, "comment", test->comment));
            else if (choice_has(&run->choice, test->id))
                printf("%s  %s\n", test->id, test->comment);
        }
    }
    if (as_json)
        cli_print_json(list);
    else
        json_decref(list);
}

static void print_more(FILE *out)
{
    fputs("GLOB chooses cases by id: utf-8/overlong, 'utf-8/museum/*cve*', '*/streaming/*_*'.\n"
          "A codec that crashes, hangs or calls exit() fails the case; after five times it is not asked again, and the "
          "rest of its cases are counted as skipped.\n"
          "To find out which policy a codec has: assay run --policies --codec LIBRARY.\n",
          out);
}

static int run(int argc, char **argv)
{
    static struct run state; /* its seat has no end of life, and stays in reach */
    int at = cli_parse(&command_check, argc, argv, &state.choice.glob_count);
    state.choice.globs = argv + at;
    own_folder = folder != NULL;
    folder = own_folder ? folder : vectors_folder();
    struct vectors vectors = vectors_load(folder, &state.choice);
    choice_demand_matches(&state.choice, &vectors, folder);
    if (only_list) {
        list_cases(&state, &vectors);
    } else {
        choose_codecs(&state, &vectors);
        if (junit_path != NULL)
            junit_try(junit_path);
        state.seat = seat_new();
        check_all(&state, &vectors);
        converter_end(&state.converter);
        free(state.codecs);
        free(state.silent);
    }
    vectors_free(&vectors);
    return state.total.failed > 0 ? EXIT_DIVERGENCE : EXIT_AS_IT_SHOULD_BE;
}

const struct command command_check = {
    .name = "check",
    .sentence = "the golden vectors against the codecs",
    .operands = "[GLOB...]",
    .operands_max = -1,
    .print_more = print_more,
    .options = options,
    .run = run,
};
