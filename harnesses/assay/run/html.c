/* SPDX-License-Identifier: MIT
 *
 * The result of a run as a page: a letter for each cause of failures, then the cases of each category. It loads
 * nothing, and all that the subject printed is escaped.
 */
#include "../provenance.h"
#include "page.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

static void put_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '\n': fputs("<br>", out); break;
        default: putc(*text, out);
        }
}

static void put_lines(FILE *out, const char *const *lines)
{
    for (; *lines != NULL; lines++)
        fputs(*lines, out);
}

static void put_heading(FILE *out, const char *anchor, const char *title)
{
    fprintf(out, "<h2 id=\"%s\"><a href=\"#%s\">%s</a></h2>\n", anchor, anchor, title);
}

/* ---- above all: what was asked, by what ------------------------------------------------------------------------ */

static void put_head(FILE *out, const struct run *run)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"assay run\">\n<title>",
          out);
    put_escaped(out, run->process.offer.name);
    fputs(": the golden vectors</title>\n<style>\n", out);
    put_lines(out, page_style);
    fputs(
        "body { max-width: 72rem; }\n.letter td { text-align: left; white-space: normal; vertical-align: top; overflow-wrap: anywhere; }\n"
        ".letter td:first-child { color: var(--soft); white-space: nowrap; }\n"
        ".letter { margin: .3rem 0 1rem; }\nsummary { cursor: pointer; overflow-wrap: anywhere; }\n"
        "summary a { color: inherit; }\n"
        "@media (max-width: 40rem) { th, td { padding: .25rem .3rem; } td:first-child { white-space: normal; } }\n</style>\n</head>\n<body>\n",
        out);
}

/* The command line, as a shell takes it. */
static void put_command(FILE *out, const json_t *words)
{
    char *text;
    size_t size, i;
    const json_t *word;
    FILE *command = cli_open_text(&text, &size);
    json_array_foreach (words, i, word) {
        fputs(i > 0 ? " " : "", command);
        cli_quote(command, json_string_value(word));
    }
    fclose(command);
    fputs("<code class=\"command\">", out);
    put_escaped(out, text);
    fputs("</code>", out);
    free(text);
}

static void put_made(FILE *out, const struct run *run)
{
    json_t *by = provenance_as_json();
    const char *commit = json_string_value(json_object_get(by, "commit"));
    fprintf(out, "<p class=\"soft\">Made by utf8-assay %s", json_string_value(json_object_get(by, "version")));
    if (commit != NULL)
        fprintf(out, ", commit %s", commit);
    if (run->vectors.version != NULL)
        fprintf(out, ", vectors %s", run->vectors.version);
    const char *date = json_string_value(json_object_get(by, "date")); /* as in provenance.h */
    fprintf(out, ", on %.10s %.8s UTC: ", date, date + 11);
    put_command(out, json_object_get(by, "command"));
    fputs("</p>\n", out);
    json_decref(by);
}

static void put_intro(FILE *out, const struct run *run)
{
    const size_t *cases = run->total.cases;
    const struct offer *offer = &run->process.offer;
    fputs("<h1>", out);
    put_escaped(out, offer->name);
    if (offer->version[0] != '\0') {
        fputs(" <span class=\"soft\">", out);
        put_escaped(out, offer->version);
        fputs("</span>", out);
    }
    fprintf(
        out,
        "</h1>\n<p>%zu cases passed, <b>%zu failed</b>, %zu skipped. Skipped are cases that ask what the subject does not "
        "offer%s.</p>\n",
        cases[PASSED], cases[FAILED], cases[SKIPPED] + cases[SKIPPED_BY_WISH],
        cases[SKIPPED_BY_WISH] > 0 ? ", and those that --skip names" : "");
    put_made(out, run);
    fputs("<nav class=\"contents\"><a href=\"#causes\">Causes of failures</a> <a href=\"#policies\">Policies</a> <a "
          "href=\"#categories\">Categories</a></nav>\n",
          out);
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static void put_categories(FILE *out, const struct run *run)
{
    put_heading(out, "categories", "Categories");
    fputs("<div class=\"wide\" tabindex=\"0\"><table>\n"
          "<tr><th scope=\"col\">category<th scope=\"col\">passed<th scope=\"col\">failed<th scope=\"col\">skipped\n",
          out);
    size_t cases[SKIPPED_BY_WISH + 1];
    for (size_t i = 0, next; i < run->tried_count; i = next) {
        const struct category *category = run->tried[i].category;
        next = report_count_cases(run, i, cases);
        if (report_lists(run, category, cases))
            fprintf(out, "<tr><td>%.*s/<wbr>%s<td>%zu<td%s>%zu<td>%zu\n", (int)category_encoding_length(category),
                    category->name, category->name + category_encoding_length(category) + 1, cases[PASSED],
                    cases[FAILED] > 0 ? " class=\"no\"" : "", cases[FAILED], cases[SKIPPED] + cases[SKIPPED_BY_WISH]);
    }
    fputs("</table></div>\n<p class=\"soft\">", out);
    report_unlisted(out, run);
    report_unnamed(out, run);
    fputs("</p>\n", out);
}

static void put_policies(FILE *out, const struct run *run)
{
    char *text;
    size_t size;
    FILE *fits = cli_open_text(&text, &size);
    report_fits(fits, run, false);
    fclose(fits);
    put_heading(out, "policies", "Policies");
    fputs(
        "<p class=\"soft\">What the subject was asked for, and the policy with whose output its own was compared. Left over: answers that are not "
        "as this policy has them.</p>\n<p>",
        out);
    if (text[0] != '\0')
        text[strlen(text) - 1] = '\0';
    put_escaped(out, text[0] != '\0' ? text : "No answer depends on a policy.");
    fputs("</p>\n", out);
    free(text);
}

static void put_fact(FILE *out, const char *name, const char *value)
{
    fprintf(out, "<tr><td>%s<td><code>", name);
    put_escaped(out, value);
    fputs("</code>\n", out);
}

/* The shorter request, if there is one. */
static void put_shrunk(FILE *out, const struct run *run, const struct cause *cause)
{
    char *expected;
    size_t size;
    if (cause->shrunk.asked == NULL)
        return;
    FILE *text = cli_open_text(&expected, &size);
    report_compared_with(text, run, cause->request);
    fputs(cause->shrunk.expected, text);
    fclose(text);
    put_fact(out, "shrunk to", cause->shrunk.asked);
    put_fact(out, "expected", expected);
    put_fact(out, "got", cause->shrunk.got);
    free(expected);
}

static void put_remainder(FILE *out, const struct run *run, const struct cause *cause)
{
    if (cause->remainder.as == NULL)
        return;
    fprintf(out, "<tr><td>as in<td><a href=\"#cause-%zu\">", (size_t)(cause->remainder.as - run->causes) + 1);
    report_remainder(out, run, cause);
    fputs("</a>\n", out);
}

static void put_cause(FILE *out, const struct run *run, const struct cause *cause, size_t number)
{
    char *text;
    size_t size;
    FILE *words = cli_open_text(&text, &size);
    report_again(words, run, cause->request);
    fputc('\0', words);
    report_asked_by(words, cause);
    fclose(words);
    fprintf(out, "<details open id=\"cause-%zu\"><summary><a href=\"#cause-%zu\">%zu</a>. <b>", number, number, number);
    put_escaped(out, cause->key);
    fprintf(out, "</b>: %zu request%s of %zu case%s, by ", cause->request_count, cause->request_count == 1 ? "" : "s",
            cause->case_count, cause->case_count == 1 ? "" : "s");
    put_escaped(out, text + strlen(text) + 1);
    fputs("</summary>\n<table class=\"letter\">\n<tr><td>case<td>", out);
    put_escaped(out, cause->smallest->test->id);
    fputs(": ", out);
    put_escaped(out, cause->smallest->test->comment);
    fputc('\n', out);
    report_facts(run, cause->request, put_fact, out);
    put_shrunk(out, run, cause);
    put_remainder(out, run, cause);
    fputs("<tr><td>again<td><code class=\"command\">", out);
    put_escaped(out, text);
    fputs("</code>\n</table></details>\n", out);
    free(text);
}

static void put_causes(FILE *out, const struct run *run)
{
    put_heading(out, "causes", "Causes of failures");
    if (run->process.restarts > 0 || run->process.late > 0) {
        char *text;
        size_t size;
        FILE *troubles = cli_open_text(&text, &size);
        report_troubles(troubles, run);
        fclose(troubles);
        fputs(run_is_troubled(run) ? "<p class=\"no\">" : "<p>", out);
        put_escaped(out, text);
        fputs("</p>\n", out);
        free(text);
    }
    if (run->cause_count == 0) {
        fputs("<p>No case failed.</p>\n", out);
        return;
    }
    fprintf(
        out,
        "<p class=\"soft\">%zu, the one with most requests first; of each, the shortest input that was asked, and the "
        "command that asks it again.</p>\n",
        run->cause_count);
    for (size_t i = 0; i < run->cause_count; i++)
        put_cause(out, run, &run->causes[i], i + 1);
}

void report_html(const struct run *run)
{
    struct cli_output output = cli_output_open("html", run->settings.html);
    FILE *out = output.file;
    put_head(out, run);
    put_intro(out, run);
    put_causes(out, run);
    put_policies(out, run);
    put_categories(out, run);
    fputs("<script>\n", out);
    put_lines(out, page_script);
    fputs("</script>\n</body>\n</html>\n", out);
    cli_output_close(&output);
}
