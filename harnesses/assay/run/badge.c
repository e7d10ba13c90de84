/* SPDX-License-Identifier: MIT
 *
 * The result of a run as a badge for a web page: an SVG image of two boxes, "utf8-assay" and the number of cases.
 */
#include "run.h"

#include <string.h>

enum { LETTER = 7, MARGIN = 6, LINE = 20 }; /* pixels; letters are set to this width, whatever the font */

static void put_box(FILE *out, size_t x, const char *text, const char *colour)
{
    size_t width = LETTER * strlen(text);
    fprintf(out, "<rect x=\"%zu\" width=\"%zu\" height=\"%d\" fill=\"%s\"/>", x, width + 2 * MARGIN, LINE, colour);
    fprintf(out, "<text x=\"%zu\" y=\"14\" textLength=\"%zu\">%s</text>\n", x + MARGIN, width, text);
}

void report_badge(const struct run *run)
{
    static const char label[] = "utf8-assay", green[] = "#2b7a3d", red[] = "#b32d2d";
    const size_t *cases = run->total.cases;
    char text[96];
    bool is_bad = cases[FAILED] > 0 || run_is_troubled(run);
    if (cases[FAILED] > 0)
        snprintf(text, sizeof text, "%zu of %zu failed", cases[FAILED], cases[PASSED] + cases[FAILED]);
    else if (run->total.not_asked > 0)
        snprintf(text, sizeof text, "given up, %zu passed", cases[PASSED]);
    else if (is_bad)
        snprintf(text, sizeof text, "it died or hung, %zu passed", cases[PASSED]);
    else
        snprintf(text, sizeof text, "%zu passed", cases[PASSED]);
    size_t left = LETTER * strlen(label) + 2 * MARGIN, width = left + LETTER * strlen(text) + 2 * MARGIN;
    struct cli_output output = cli_output_open("badge", run->settings.badge);
    FILE *out = output.file;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%d\" role=\"img\" aria-label=\"%s: %s\" ",
            width, LINE, label, text);
    fputs("font-family=\"DejaVu Sans Mono,monospace\" font-size=\"11\" fill=\"#fff\">\n", out);
    put_box(out, 0, label, "#444");
    put_box(out, left, text, is_bad ? red : green);
    fputs("</svg>\n", out);
    cli_output_close(&output);
}
