/* SPDX-License-Identifier: MIT
 *
 * assay check: options, the choice of codecs and cases.
 */
#include "check.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct check_settings check_settings;

static const struct cli_option options[] = {
    {"list", 'l', NULL, "only list the cases: id and comment", NULL, &check_settings.only_list},
    {"codec-name", 'c', "GLOB", "only codecs whose name, or ENCODING/NAME, matches", &check_settings.codec_glob, NULL},
    {"vectors", 0, "DIR", "the folder that holds ENCODING/CATEGORY.json (default: the one of this program)",
     &check_settings.folder, NULL},
    {"everything", 0, NULL, "ask every question about each text of the positions tier (else a share of them, in turn)",
     NULL, &check_settings.asks_everything},
    {"policies", 0, NULL, "how many cases pass under each policy, in place of the letters and the categories", NULL,
     &check_settings.by_policy},
    {"fail-fast", 0, NULL, "end after the first case that a codec fails, and say how many were not asked", NULL,
     &check_settings.fails_fast},
    {"all", 'a', NULL, "every letter (else the first of each kind)", NULL, &check_settings.every_letter},
    {"quiet", 'q', NULL, "only letters and the last line", NULL, &check_settings.quiet},
    {"json", 0, NULL, "the same as JSON, with every letter", NULL, &check_settings.as_json},
    {"junit", 0, "FILE", "write a JUnit report to FILE, too; - is standard output, and the text goes to standard error",
     &check_settings.junit_path, NULL},
    {"github", 0, NULL, "write each letter as an annotation of GitHub Actions, too", NULL,
     &check_settings.as_annotations},
    {0},
};

static bool codec_is_chosen(const void *none, const struct registry_row *row)
{
    (void)none;
    char name[128];
    snprintf(name, sizeof name, "%s/%s", row->encoding, row->name);
    return registry_runs(row) &&
           (check_settings.codec_glob == NULL || fnmatch(check_settings.codec_glob, row->name, 0) == 0 ||
            fnmatch(check_settings.codec_glob, name, 0) == 0);
}

static bool has_vectors(const struct vectors *vectors, const char *encoding)
{
    for (size_t i = 0; i < vectors->category_count; i++)
        if (strcmp(vectors->categories[i].codec_encoding, encoding) == 0)
            return true;
    return false;
}

/* Fails if nothing would be asked of a loaded codec. */
static void require_loaded(void)
{
    char why[256];
    snprintf(why, sizeof why, "-c '%.200s' does not match that name",
             check_settings.codec_glob != NULL ? check_settings.codec_glob : "*");
    cli_require_loaded_asked(codec_is_chosen, NULL, why);
}

static void choose_codecs(struct run *run, const struct vectors *vectors)
{
    require_loaded();
    run->codecs = cli_alloc(registry_count(), sizeof *run->codecs);
    run->silent = cli_alloc(registry_count(), sizeof *run->silent);
    for (size_t i = 0; i < registry_count(); i++)
        if (codec_is_chosen(NULL, registry_at(i)) && has_vectors(vectors, registry_at(i)->encoding))
            run->codecs[run->codec_count++] = registry_at(i);
    if (run->codec_count == 0)
        cli_fail("no codec that runs here and has vectors matches '%s'%s; see assay list",
                 check_settings.codec_glob != NULL ? check_settings.codec_glob : "*",
                 check_settings.codec_glob != NULL ? cli_did_you_mean_codec(check_settings.codec_glob, NULL) : "");
}

static void list_cases(const struct run *run, const struct vectors *vectors)
{
    json_t *list = json_array();
    for (size_t i = 0; i < vectors->category_count; i++) {
        for (size_t j = 0; j < vectors->categories[i].case_count; j++) {
            const struct vector_case *test = &vectors->categories[i].cases[j];
            if (choice_has(&run->choice, test->id) && check_settings.as_json)
                json_array_append_new(list, json_pack("{s:s, s:s}", "id", test->id, "comment", test->comment));
            else if (choice_has(&run->choice, test->id))
                printf("%s  %s\n", test->id, test->comment);
        }
    }
    if (check_settings.as_json)
        cli_print_json(list);
    else
        json_decref(list);
}

static void print_more(FILE *out)
{
    fputs(
        "GLOB chooses cases by id (* also matches /): utf-8/overlong, 'utf-8/museum/*cve*', '*/streaming/*_*'.\n"
        "A codec that crashes, hangs or calls exit() fails the case; after five times it is not asked again, and the "
        "rest of its cases are counted as skipped.\n"
        "After SIGINT or SIGTERM it reports what it has, says how many cases were not asked, writes no --junit, and ends with code 130 or 143.\n"
        "To find out which policy a codec has: assay check --policies --codec LIBRARY -c NAME; a program: assay run --policies.\n",
        out);
}

static int run(int argc, char **argv)
{
    static struct run state; /* static, so that the seat, which is never freed, stays reachable for leak checkers */
    int at = cli_parse(&command_check, argc, argv, &state.choice.glob_count);
    cli_catch_interruptions();
    state.choice.globs = argv + at;
    check_settings.own_folder = check_settings.folder != NULL;
    check_settings.folder = check_settings.own_folder ? check_settings.folder : vectors_folder();
    struct vectors vectors = vectors_load(check_settings.folder, &state.choice);
    choice_require_matches(&state.choice, &vectors, check_settings.folder);
    if (check_settings.only_list) {
        list_cases(&state, &vectors);
    } else {
        choose_codecs(&state, &vectors);
        if (check_settings.as_json && check_settings.as_annotations)
            cli_fail("--json and --github both write to standard output: choose one");
        if (check_settings.by_policy && (check_settings.as_annotations || check_settings.junit_path != NULL))
            cli_fail("--policies makes no letters, which --github and --junit are for: choose one");
        if (check_settings.by_policy && check_settings.fails_fast)
            cli_fail("--policies counts all cases, and --fail-fast ends at the first that fails: choose one");
        if (check_settings.junit_path != NULL)
            cli_output_try("junit", check_settings.junit_path);
        state.seat = seat_new();
        if (check_settings.by_policy) {
            check_settings.quiet = true;
            policies_begin(&state);
        }
        check_all(&state, &vectors);
        converter_end(&state.converter);
        free(state.codecs);
        free(state.silent);
        policies_end(&state);
    }
    vectors_free(&vectors);
    if (cli_interruption != 0)
        return cli_code_of_interruption();
    return state.total.failed > 0 ? EXIT_DIVERGENCE : EXIT_CLEAN;
}

const struct command command_check = {
    .name = "check",
    .sentence = "the golden vectors against the codecs",
    OPERANDS("[GLOB...]", 0, -1),
    .print_more = print_more,
    .options = options,
    .run = run,
};
