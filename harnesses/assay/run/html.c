/* SPDX-License-Identifier: MIT
 *
 * The result of a run as a page: the cases of each category, and a letter for each cause of failures. It loads nothing,
 * and all that the subject printed is escaped.
 */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:1rem auto;padding:0 1rem}"
    "pre{overflow-x:auto;padding:.5rem;border:1px solid #8888;font-size:14px}div{overflow-x:auto}"
    "table{border-collapse:collapse}th,td{padding:.1rem .8rem .1rem 0;text-align:left}td+td,th+th{text-align:right}"
    "summary{cursor:pointer;overflow-wrap:anywhere}</style>\n";

static void put_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        default: putc(*text, out);
        }
}

static void put_categories(FILE *out, const struct run *run)
{
    fputs(
        "<div><table>\n<tr><th scope=\"col\">category<th scope=\"col\">passed<th scope=\"col\">failed<th scope=\"col\">skipped\n",
        out);
    for (size_t i = 0; i < run->tried_count;) {
        const struct category *category = run->tried[i].category;
        size_t cases[SKIPPED_BY_WISH + 1] = {0};
        for (; i < run->tried_count && run->tried[i].category == category; i++)
            cases[run->tried[i].verdict]++;
        if (cases[PASSED] + cases[FAILED] > 0)
            fprintf(out, "<tr><td>%s<td>%zu<td>%zu<td>%zu\n", category->name, cases[PASSED], cases[FAILED],
                    cases[SKIPPED] + cases[SKIPPED_BY_WISH]);
    }
    fputs("</table></div>\n", out);
}

static void put_cause(FILE *out, const struct run *run, const struct cause *cause)
{
    char *letter;
    size_t size;
    FILE *text = cli_open_text(&letter, &size);
    report_request(text, run, cause->smallest, cause->request);
    if (cause->shrunk.asked != NULL)
        fprintf(text, "    shrunk     %s: expected %s, got %s\n", cause->shrunk.asked, cause->shrunk.expected,
                cause->shrunk.got);
    fclose(text);
    fputs("<details open><summary>", out);
    put_escaped(out, cause->key);
    fprintf(out, ": %zu requests of %zu cases</summary>\n<pre>", cause->request_count, cause->case_count);
    put_escaped(out, letter);
    fputs("</pre></details>\n", out);
    free(letter);
}

void report_html(const struct run *run)
{
    const size_t *cases = run->total.cases;
    FILE *out = fopen(run->settings.html, "w");
    if (out == NULL)
        cli_fail("--html: %s cannot be written: %s", run->settings.html, strerror(errno));
    fputs(head, out);
    fputs("<title>utf8-assay: ", out);
    put_escaped(out, run->process.offer.name);
    fputs("</title>\n<h1>", out);
    put_escaped(out, run->process.offer.name);
    fprintf(out, "</h1>\n<p>%zu cases passed, %zu failed, %zu skipped.\n", cases[PASSED], cases[FAILED],
            cases[SKIPPED] + cases[SKIPPED_BY_WISH]);
    put_categories(out, run);
    fprintf(out, "<h2>Causes of failures: %zu</h2>\n", run->cause_count);
    for (size_t i = 0; i < run->cause_count; i++)
        put_cause(out, run, &run->causes[i]);
    fputs("</html>\n", out);
    if (fclose(out) != 0)
        cli_fail("--html: %s cannot be written: %s", run->settings.html, strerror(errno));
}
