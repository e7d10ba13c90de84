/* SPDX-License-Identifier: MIT
 *
 * Checks all categories and reports the results: as text, as JSON and for JUnit.
 */
#include "check.h"

#include "../junit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool has_codec(const struct run *run, const char *encoding)
{
    for (size_t i = 0; i < run->codec_count; i++)
        if (strcmp(run->codecs[i]->encoding, encoding) == 0)
            return true;
    return false;
}

static void add_tally(struct case_tally *sum, const struct case_tally *tally)
{
    sum->cases += tally->cases;
    sum->failed += tally->failed;
    sum->compared += tally->compared;
    sum->skipped += tally->skipped;
}

enum { TABLE_COLUMNS = 92 }; /* categories in a line */

static void report_category(struct run *run, const struct category *category, const struct case_tally *tally)
{
    if (check_settings.as_json)
        json_array_append_new(run->categories,
                              json_pack("{s:s, s:I, s:I, s:I, s:I}", "category", category->name, "cases",
                                        (json_int_t)tally->cases, "compared", (json_int_t)tally->compared, "skipped",
                                        (json_int_t)tally->skipped, "failed", (json_int_t)tally->failed));
    else if (!check_settings.quiet) {
        bool is_narrow = cli_columns() < TABLE_COLUMNS;
        char line[256];
        snprintf(line, sizeof line,
                 is_narrow ? "  %zu %s, %" PRIu64 " compared, %" PRIu64 " skipped, %zu failed"
                           : " %6zu %-5s %10" PRIu64 " compared %8" PRIu64 " skipped %5zu failed",
                 tally->cases, tally->cases == 1 ? "case" : "cases", tally->compared, tally->skipped, tally->failed);
        printf(is_narrow ? "%s\n" : "%-32s", category->name);
        cli_print_words(line, strlen(line));
        putchar('\n');
    }
}

/* Checks one case, and appends its JUnit element to `cases`. */
static struct case_tally check_test(struct run *run, const struct category *category, const struct vector_case *test,
                                    FILE *cases)
{
    char *letters;
    size_t size;
    run->now.test = test;
    run->now.tally = (struct case_tally){0};
    run->now.letters = cli_open_text(&letters, &size);
    check_case(run, category);
    fclose(run->now.letters);
    const struct case_tally tally = run->now.tally;
    junit_put_case(cases,
                   &(struct junit_case){test->id, test->comment, tally.failed > 0, tally.compared == 0, letters, NULL});
    free(letters);
    return tally;
}

static void check_category(struct run *run, const struct category *category, const char *vectors_version)
{
    char *text;
    size_t text_size, cases_skipped = 0;
    FILE *cases = cli_open_text(&text, &text_size);
    struct case_tally tally = {0};
    double begin = cli_now_ns();
    check_show_progress(category->name);
    for (size_t i = 0; i < category->case_count; i++) {
        const struct vector_case *test = &category->cases[i];
        if (!choice_has(&run->choice, test->id))
            continue;
        if ((check_settings.fails_fast && run->total.failed + tally.failed > 0) || cli_interruption != 0) {
            run->not_asked++;
            continue;
        }
        const struct case_tally one = check_test(run, category, test, cases);
        if (cli_interruption != 0 && one.failed == 0) { /* perhaps not all of its questions were asked */
            run->not_asked++;
            continue;
        }
        add_tally(&tally, &one);
        cases_skipped += one.compared == 0 && one.failed == 0;
    }
    fclose(cases);
    if (tally.cases > 0) {
        junit_put_suite(run->junit, category->name, vectors_version,
                        &(struct junit_counts){tally.cases, tally.failed, cases_skipped}, (cli_now_ns() - begin) / 1e9,
                        text);
        report_category(run, category, &tally);
        add_tally(&run->total, &tally);
    }
    free(text);
}

/* The sentence about the cases that were not asked. */
static void write_not_asked(const struct run *run, char *line, size_t line_size)
{
    snprintf(line, line_size, "%s: %zu case%s not asked",
             cli_interruption != 0 ? "interrupted" : "ended at the first failed case (--fail-fast)", run->not_asked,
             run->not_asked == 1 ? " was" : "s were");
}

/* Adds a suite with one skipped case, which says that the run ended early. Returns the number of cases added. */
static size_t put_not_asked(struct run *run, const char *vectors_version)
{
    char reason[128], *text;
    size_t size;
    if (run->not_asked == 0)
        return 0;
    write_not_asked(run, reason, sizeof reason);
    FILE *cases = cli_open_text(&text, &size);
    junit_put_case(cases, &(struct junit_case){.id = "assay check/--fail-fast", .skipped = true, .reason = reason});
    fclose(cases);
    junit_put_suite(run->junit, "--fail-fast", vectors_version, &(struct junit_counts){1, 0, 1}, 0, text);
    free(text);
    return 1;
}

/* `vectors_version` is NULL if only the positions tier was read. */
static void report_total(struct run *run, const char *vectors_version)
{
    const struct case_tally *total = &run->total;
    json_t *left_alone = silent_report(run), *policies = check_settings.by_policy ? policies_report(run) : NULL;
    if (!check_settings.as_json) {
        if (run->letters > run->letters_shown)
            printf("%zu more letters of these sorts: --all shows them\n", run->letters - run->letters_shown);
        char line[256];
        write_not_asked(run, line, sizeof line);
        if (run->not_asked > 0 || cli_interruption != 0) {
            cli_print_words(line, strlen(line));
            putchar('\n');
        }
        snprintf(line, sizeof line,
                 "%zu case%s on %zu codec%s: %" PRIu64 " answers compared, %" PRIu64 " skipped, %s%zu case%s failed%s",
                 total->cases, total->cases == 1 ? "" : "s", run->codec_count, run->codec_count == 1 ? "" : "s",
                 total->compared, total->skipped, cli_style(total->failed > 0 ? CLI_BAD : CLI_GOOD), total->failed,
                 total->failed == 1 ? "" : "s", cli_style(CLI_PLAIN));
        cli_print_words(line, strlen(line));
        putchar('\n');
        json_decref(run->categories);
        json_decref(run->failures);
        json_decref(left_alone);
        json_decref(policies);
        return;
    }
    json_t *codecs = json_array();
    for (size_t i = 0; i < run->codec_count; i++)
        json_array_append_new(codecs, json_sprintf("%s/%s", run->codecs[i]->encoding, run->codecs[i]->name));
    cli_print_json(json_pack("{s:s, s:s?, s:I, s:I, s:I, s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o*}", "version",
                             ASSAY_VERSION, "vectors_version", vectors_version, "cases", (json_int_t)total->cases,
                             "compared", (json_int_t)total->compared, "skipped", (json_int_t)total->skipped, "failed",
                             (json_int_t)total->failed, "not_asked", (json_int_t)run->not_asked, "interrupted",
                             cli_interruption != 0, "codecs", codecs, "categories", run->categories, "failures",
                             run->failures, "left_alone", left_alone, "policies", policies));
}

void check_all(struct run *run, const struct vectors *vectors)
{
    char *suites = NULL;
    size_t size;
    run->sorts = json_object();
    run->categories = json_array();
    run->failures = json_array();
    run->junit = cli_open_text(&suites, &size);
    setvbuf(stdout, NULL, _IOLBF, 0); /* so findings are printed even if a codec ends the program later */
    check_survive(run);
    if (!check_settings.as_json && !check_settings.quiet)
        printf("utf8-assay %s, vectors %s\n", ASSAY_VERSION,
               vectors->version != NULL ? vectors->version : "of the positions tier only");
    for (size_t i = 0; i < vectors->category_count; i++) {
        const struct category *category = &vectors->categories[i];
        if (has_codec(run, category->codec_encoding))
            check_category(run, category, vectors->version);
        else if (check_settings.codec_glob == NULL)
            cli_fail("no codec of %s runs here", category->codec_encoding);
    }
    check_survive(NULL);
    size_t added = put_not_asked(run, vectors->version);
    fclose(run->junit);
    check_show_progress(NULL);
    if (run->total.compared == 0 && run->total.failed == 0 && cli_interruption == 0)
        cli_fail("nothing was checked: none of these codecs answers any of these cases");
    if (run->total.failed == 0 && cli_interruption == 0)
        cli_require_loaded_answered();
    if (check_settings.junit_path != NULL && cli_interruption == 0)
        junit_write(check_settings.junit_path, "assay check",
                    &(struct junit_counts){run->total.cases + added, run->total.failed, 0}, suites);
    free(suites);
    report_total(run, vectors->version);
    json_decref(run->sorts);
}
