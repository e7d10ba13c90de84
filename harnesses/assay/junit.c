/* SPDX-License-Identifier: MIT
 *
 * JUnit XML, as build servers read it.
 */
#include "junit.h"

#include "cli.h"

#include <string.h>

/* Writes text for XML 1.0. Everything that is not printable ASCII becomes \xHH: XML cannot represent most control
 * characters. */
static void put_xml(FILE *out, const char *text, size_t length)
{
    for (const char *at = text; at < text + length; at++) {
        switch (*at) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\n': fputc('\n', out); break;
        default:
            if (*at >= ' ' && *at <= '~')
                fputc(*at, out);
            else
                fprintf(out, "\\x%02X", (unsigned char)*at);
        }
    }
}

void junit_put_case(FILE *out, const struct junit_case *one)
{
    const char *name = strrchr(one->id, '/') + 1;
    fputs("<testcase classname=\"", out);
    for (const char *at = one->id; at + 1 < name; at++)
        put_xml(out, *at == '/' ? "." : at, 1); /* readers of JUnit take dots for separators of folders */
    fputs("\" name=\"", out);
    put_xml(out, name, strlen(name));
    if (one->failed) {
        fputs("\"><failure message=\"", out);
        put_xml(out, one->comment, strlen(one->comment));
        fputs("\">", out);
        put_xml(out, one->letters, strlen(one->letters));
        fputs("</failure></testcase>\n", out);
    } else if (one->skipped) {
        fputs("\"><skipped", out);
        if (one->reason != NULL) {
            fputs(" message=\"", out);
            put_xml(out, one->reason, strlen(one->reason));
            fputc('"', out);
        }
        fputs("/></testcase>\n", out);
    } else {
        fputs("\"/>\n", out);
    }
}

void junit_put_suite(FILE *out, const char *name, const char *vectors_version, const struct junit_counts *counts,
                     double seconds, const char *cases)
{
    fputs("<testsuite name=\"", out);
    put_xml(out, name, strlen(name));
    fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.3f\">\n", counts->cases,
            counts->failed, counts->skipped, seconds);
    fprintf(out, "<properties><property name=\"utf8-assay\" value=\"%s\"/>", ASSAY_VERSION);
    if (vectors_version != NULL)
        fprintf(out, "<property name=\"vectors\" value=\"%s\"/>", vectors_version);
    fprintf(out, "</properties>\n%s</testsuite>\n", cases);
}

void junit_write(const char *path, const char *program, const struct junit_counts *counts, const char *suites)
{
    struct cli_output output = cli_output_open("junit", path);
    fprintf(output.file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n%s</testsuites>\n",
            program, counts->cases, counts->failed, suites);
    cli_output_close(&output);
}
