/* SPDX-License-Identifier: MIT
 *
 * The measurements as text or JSON.
 */
#include "cost.h"
#include "../core/hex.h"

#include <inttypes.h>

void report_begins(struct report *report, size_t units)
{
    report->units = units;
    report->rows = json_array();
    report->names = json_array();
}

static double ratio(const struct cell *cell)
{
    return cell->once == 0 ? 0 : (double)cell->twice / (double)cell->once;
}

/* The most bytes of the worst pattern that are shown; in text, a longer one is cut. */
enum { WHOLE_PATTERN = 4096, SHORT_PATTERN = 16 };
static void write_pattern(const struct cell *cell, char hex[2 * WHOLE_PATTERN + 4], size_t most)
{
    const struct form *bytes = &cell->worst->forms[OF_BYTES];
    size_t shown = bytes->count < most ? bytes->count : most;
    hex_write(hex, bytes->units, shown);
    if (shown < bytes->count)
        memcpy(hex + 2 * shown, "...", 4);
}

static const char *policy_of(const struct cell *cell)
{
    return operation_has_policy(cell->operation) ? assay_policy_name(cell->policy) : "";
}

static json_t *row_of(const struct cell *cell)
{
    static char hex[2 * WHOLE_PATTERN + 4];
    write_pattern(cell, hex, WHOLE_PATTERN);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:s, s:I, s:[I,I], s:f, s:b}", "encoding",
                     cell->codec->encoding, "codec", cell->codec->name, "operation", operation_name(cell->operation),
                     "policy", policy_of(cell), "way", way_name(cell->way), "patterns", (json_int_t)cell->patterns,
                     "unconfirmed", (json_int_t)cell->unconfirmed, "worst_pattern", hex, "units",
                     (json_int_t)cell->units, "blocks", (json_int_t)cell->once, (json_int_t)cell->twice, "ratio",
                     ratio(cell), "quadratic", cell_is_quadratic(cell));
}

static void print_letter(const struct cell *cell)
{
    static char hex[2 * WHOLE_PATTERN + 4];
    write_pattern(cell, hex, SHORT_PATTERN);
    bool has_policy = operation_has_policy(cell->operation);
    printf("%s/%s takes %.2f times the work for twice the input\n", cell->codec->encoding, cell->codec->name,
           ratio(cell));
    printf("  asked         %s%s%s, %s\n", operation_name(cell->operation), has_policy ? " under " : "",
           policy_of(cell), way_name(cell->way));
    printf("  pattern       %s, repeated to %zu and to %zu units\n", hex, cell->units, 2 * cell->units);
    printf("  blocks        %" PRIu64 " and %" PRIu64 "; at most 2.5 times as many are expected\n", cell->once,
           cell->twice);
}

void report_cell(struct report *report, const struct cell *cell)
{
    report->cells++;
    report->patterns += cell->patterns;
    report->unconfirmed += cell->unconfirmed;
    if (cell->worst == NULL)
        cli_fail("%s/%s: %s ran no counted code, but other operations do: compile all of the codec to be counted",
                 cell->codec->encoding, cell->codec->name, operation_name(cell->operation));
    if (report->is_json)
        json_array_append_new(report->rows, row_of(cell));
    if (!cell_is_quadratic(cell)) {
        if (ratio(cell) > ratio(&report->worst))
            report->worst = *cell;
        return;
    }
    report->quadratic++;
    if (!report->is_json)
        print_letter(cell);
}

void report_not_counted(struct report *report, const struct assay_codec *codec)
{
    report->not_counted++;
    json_array_append_new(report->names, json_sprintf("%s/%s", codec->encoding, codec->name));
}

static void print_summary(const struct report *report)
{
    printf("%zu measurements of twice the input, of %zu operations under a policy: %zu quadratic", report->patterns,
           report->cells, report->quadratic);
    if (report->worst.once > 0)
        printf("; else at most %.2f times the blocks (%s/%s, %s)", ratio(&report->worst), report->worst.codec->encoding,
               report->worst.codec->name, operation_name(report->worst.operation));
    if (report->unconfirmed > 0)
        printf("\n%zu ratios above 2.5 at %zu units are smaller at four times as many", report->unconfirmed,
               report->units);
    printf("\nskipped: %zu that a codec does not offer, and %zu codecs that are not compiled to be counted",
           report->skipped, report->not_counted);
    const json_t *name;
    size_t i;
    json_array_foreach (report->names, i, name)
        printf("%s %s", i == 0 ? ":" : ",", json_string_value(name));
    putchar('\n');
}

int report_ends(struct report *report)
{
    if (report->cells == 0)
        cli_fail("no codec is compiled to be counted (-fsanitize-coverage=trace-pc): nothing was measured");
    int code = report->quadratic > 0 ? EXIT_DIVERGENCE : EXIT_CLEAN;
    if (report->is_json)
        cli_print_json(json_pack("{s:I, s:I, s:I, s:I, s:I, s:O, s:O}", "units", (json_int_t)report->units,
                                 "measurements", (json_int_t)report->patterns, "quadratic",
                                 (json_int_t)report->quadratic, "unconfirmed", (json_int_t)report->unconfirmed,
                                 "skipped", (json_int_t)report->skipped, "not_counted", report->names, "rows",
                                 report->rows));
    else
        print_summary(report);
    json_decref(report->rows);
    json_decref(report->names);
    return cli_finish(code);
}
