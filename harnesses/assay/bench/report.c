/* SPDX-License-Identifier: MIT
 *
 * The report of a run: tables, and which cells became slower since an earlier report.
 */
#include "bench.h"

#include <stdarg.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool is_kind(const json_t *runner, const char *kind)
{
    return strcmp(text_of(runner, "kind"), kind) == 0;
}

static const json_t *find_runner(const json_t *cell, const char *name)
{
    const json_t *runners = json_object_get(cell, "runners");
    for (size_t i = 0; i < json_array_size(runners); i++)
        if (strcmp(text_of(json_array_get(runners, i), "name"), name) == 0)
            return json_array_get(runners, i);
    return NULL;
}

static bool is_noisy(const json_t *runner)
{
    return json_is_true(json_object_get(runner, "noisy"));
}

bool bench_is_noisy(const json_t *cell)
{
    const json_t *runners = json_object_get(cell, "runners");
    for (size_t i = 0; i < json_array_size(runners); i++)
        if (is_noisy(json_array_get(runners, i)))
            return true;
    return false;
}

const json_t *bench_best_of(const json_t *cell, const char *kind)
{
    const json_t *runners = json_object_get(cell, "runners"), *best = NULL;
    for (size_t i = 0; i < json_array_size(runners); i++) {
        const json_t *runner = json_array_get(runners, i);
        if (is_kind(runner, kind) && is_noisy(runner))
            return NULL;
        if (is_kind(runner, kind) && number_of(runner, "minimum_ns") > 0 &&
            (best == NULL || number_of(runner, "minimum_ns") < number_of(best, "minimum_ns")))
            best = runner;
    }
    return best;
}

/* How many times as fast as `other` the runner is; 0 if one of the two has no figure. */
static double ratio(const json_t *runner, const json_t *other)
{
    bool both = runner != NULL && other != NULL && number_of(runner, "minimum_ns") > 0;
    return both ? number_of(other, "minimum_ns") / number_of(runner, "minimum_ns") : 0;
}

/* ---- tables ------------------------------------------------------------------------------------------- */

enum { COLUMNS_MAX = 96, NAME_WIDTH = 20, RATIO_WIDTH = 10 };

/* Cells of one operation and one size, and which runners took part in any of them. */
struct table {
    const json_t *cells[512];
    size_t cell_count;
    const char *columns[COLUMNS_MAX];
    size_t column_count;
};

static bool is_of(const json_t *cell, const json_t *other)
{
    return strcmp(text_of(cell, "operation"), text_of(other, "operation")) == 0 &&
           strcmp(text_of(cell, "size"), text_of(other, "size")) == 0;
}

static void add_columns(struct table *table, const json_t *cell)
{
    const json_t *runners = json_object_get(cell, "runners");
    for (size_t i = 0; i < json_array_size(runners); i++) {
        const char *name = text_of(json_array_get(runners, i), "name");
        size_t at = 0;
        while (at < table->column_count && strcmp(table->columns[at], name) != 0)
            at++;
        if (at == table->column_count && at < COLUMNS_MAX)
            table->columns[table->column_count++] = name;
    }
}

static struct table table_from(const json_t *cells, size_t first)
{
    struct table table = {.cell_count = 0};
    for (size_t i = first; i < json_array_size(cells) && table.cell_count < sizeof table.cells / sizeof table.cells[0];
         i++) {
        const json_t *cell = json_array_get(cells, i);
        if (!is_of(cell, json_array_get(cells, first)))
            break;
        table.cells[table.cell_count++] = cell;
        add_columns(&table, cell);
    }
    return table;
}

static int width_of(const char *name)
{
    int length = (int)strlen(name);
    return length > 7 ? length + 1 : 8;
}

static void print_ratio(double value)
{
    if (value > 0)
        printf("%*.2f", RATIO_WIDTH, value);
    else
        printf("%*s", RATIO_WIDTH, "-");
}

/* Prints a line, broken between words if the terminal is narrower. */
__attribute__((format(printf, 1, 2))) static void print_sentence(const char *format, ...)
{
    char *line;
    size_t size;
    FILE *out = cli_open_text(&line, &size);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fclose(out);
    cli_print_line(line);
}

/* True if the cell has times but no rates: a call that does nothing has none, and strings that are compared with it
 * have none. */
static bool is_short(const json_t *cell)
{
    return find_runner(cell, limit_name(LIMIT_CALL)) != NULL;
}

static double figure(const json_t *cell, const json_t *runner)
{
    double time = number_of(runner, "minimum_ns");
    return is_short(cell) ? time / number_of(cell, "strings") : number_of(cell, "bytes") / time;
}

/* Prints what was subtracted from the times of peers; for short strings, also that nothing was. */
static void print_adapter(const struct table *table)
{
    double least = 0, most = 0;
    bool any_peer = false, any_direct = false;
    for (size_t i = 0; i < table->cell_count; i++) {
        const json_t *cell = table->cells[i], *runners = json_object_get(cell, "runners");
        for (size_t j = 0; j < json_array_size(runners); j++) {
            const json_t *runner = json_array_get(runners, j);
            double each = number_of(runner, "adapter_ns") / number_of(cell, "strings");
            bool is_direct = json_is_true(json_object_get(runner, "direct"));
            any_direct |= is_direct && is_short(cell);
            any_peer |=
                is_kind(runner, "peer") && !is_direct && is_short(cell) && json_object_get(runner, "differs") == NULL;
            least = each > 0 && (least == 0 || each < least) ? each : least;
            most = each > most ? each : most;
        }
    }
    if (most > 0)
        print_sentence(
            "  peers: less %.2f to %.2f ns a string, which an adapter takes: an empty peer, less an empty codec", least,
            most);
    else if (any_peer)
        print_sentence("  peers: with what their adapters take, which was not measured");
    if (any_direct)
        print_sentence("  direct peers: as measured");
}

/* True if a codec or a peer is faster than the limit by an amount that a ratio with two digits shows. A peer from whose
 * time an adapter's was subtracted cannot show that. */
static bool is_limit_beaten(const json_t *cell)
{
    const double seen = 1.005;
    const json_t *limit = bench_best_of(cell, "limit"), *runners = json_object_get(cell, "runners");
    for (size_t i = 0; i < json_array_size(runners); i++) {
        const json_t *runner = json_array_get(runners, i);
        if (!is_kind(runner, "limit") && !is_noisy(runner) && number_of(runner, "adapter_ns") <= 0 &&
            ratio(runner, limit) >= seen)
            return true;
    }
    return false;
}

static void print_of_limit(const json_t *cell, const json_t *runner)
{
    if (is_limit_beaten(cell))
        printf("%*s", RATIO_WIDTH, "no limit");
    else
        print_ratio(ratio(runner, bench_best_of(cell, "limit")));
}

/* Prints as much of the name of a text as the column has room for, in whole characters. */
static void print_text(const char *name)
{
    int columns = 0;
    size_t length = 0;
    for (; name[length] != '\0'; length++) {
        bool begins = ((uint8_t)name[length] & 0xC0) != 0x80;
        if (begins && columns == NAME_WIDTH)
            break;
        columns += begins;
    }
    printf("  %.*s%*s", (int)length, name, NAME_WIDTH - columns, "");
}

static void print_figure(const json_t *cell, const char *column)
{
    const json_t *runner = find_runner(cell, column);
    int width = width_of(column);
    if (runner == NULL)
        printf("%*s", width, "-");
    else if (json_object_get(runner, "differs") != NULL || is_noisy(runner))
        printf("%*s", width, is_noisy(runner) ? "noisy" : "differs");
    else
        printf("%*.*f", width, figure(cell, runner) < 10 ? 2 : 1, figure(cell, runner));
}

/* Prints the columns from `first` to before `end` of all rows, and the ratios. */
static void print_columns(const struct table *table, size_t first, size_t end, bool with_ratios)
{
    printf("  %-*s", NAME_WIDTH, "text");
    for (size_t i = first; i < end; i++)
        printf("%*s", width_of(table->columns[i]), table->columns[i]);
    if (with_ratios)
        printf("%*s%*s", RATIO_WIDTH, "x peer", RATIO_WIDTH, "x limit");
    putchar('\n');
    for (size_t i = 0; i < table->cell_count; i++) {
        const json_t *cell = table->cells[i], *best = bench_best_of(cell, "codec");
        print_text(text_of(cell, "text"));
        for (size_t j = first; j < end; j++)
            print_figure(cell, table->columns[j]);
        if (with_ratios) {
            print_ratio(ratio(best, bench_best_of(cell, "peer")));
            print_of_limit(cell, best);
        }
        putchar('\n');
    }
}

/* What does not fit the terminal is printed below, with the names of the texts again; the ratios are last. */
static void print_table(const struct table *table)
{
    const json_t *cell = table->cells[0];
    printf("%s, %s bytes: %s\n", text_of(cell, "operation"), text_of(cell, "size"),
           is_short(cell) ? "ns a string" : "GB/s");
    bool has_ratios = false;
    for (size_t first = 0, end; !has_ratios; first = end) {
        size_t width = 2 + NAME_WIDTH;
        for (end = first; end < table->column_count; end++) {
            size_t column = (size_t)width_of(table->columns[end]);
            if (end > first && width + column > cli_columns())
                break;
            width += column;
        }
        has_ratios = end == table->column_count && (end == first || width + 2 * RATIO_WIDTH <= cli_columns());
        print_columns(table, first, end, has_ratios);
    }
    print_adapter(table);
    putchar('\n');
}

static void print_all_figures(const json_t *report, const json_t *cell)
{
    const json_t *runners = json_object_get(cell, "runners");
    double bytes = number_of(cell, "bytes"), ghz = number_of(json_object_get(report, "machine"), "ghz");
    printf("%s of %s, %s bytes (%.0f in %.0f strings)\n", text_of(cell, "operation"), text_of(cell, "text"),
           text_of(cell, "size"), bytes, number_of(cell, "strings"));
    printf("  %-16s%10s%10s%12s%12s%10s%10s%7s%9s\n", "runner", "GB/s", "median", "cycles/byte", "ns/string", "x peer",
           "x limit", "GHz", "samples");
    for (size_t i = 0; i < json_array_size(runners); i++) {
        const json_t *runner = json_array_get(runners, i);
        double least = number_of(runner, "minimum_ns");
        if (json_object_get(runner, "differs") != NULL) {
            printf("  %-16s differs from the reference: not timed\n", text_of(runner, "name"));
            continue;
        }
        printf("  %-16s%10.2f%10.2f%12.3f%12.2f", text_of(runner, "name"), bytes / least,
               bytes / number_of(runner, "median_ns"), least * ghz / bytes, least / number_of(cell, "strings"));
        print_ratio(ratio(runner, bench_best_of(cell, "peer")));
        print_of_limit(cell, runner);
        printf("%7.2f%9.0f%s\n", number_of(runner, "clock_ghz"), number_of(runner, "samples"),
               is_noisy(runner) ? " noisy" : "");
    }
    print_adapter(&(struct table){.cells = {cell}, .cell_count = 1});
    putchar('\n');
}

static double fewest_turns(const json_t *cells)
{
    double fewest = 0;
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *runners = json_object_get(json_array_get(cells, i), "runners");
        for (size_t j = 0; j < json_array_size(runners); j++) {
            /* a runner whose answer differs has no turns */
            double turns = number_of(json_array_get(runners, j), "samples");
            if (turns > 0 && (fewest == 0 || turns < fewest))
                fewest = turns;
        }
    }
    return fewest;
}

/* Prints how many of the turns were quiet, and how many figures are refused since too few were. */
static void print_quiet(const json_t *cells)
{
    double sum = 0, count = 0;
    size_t noisy = 0;
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *runners = json_object_get(json_array_get(cells, i), "runners");
        for (size_t j = 0; j < json_array_size(runners); j++) {
            const json_t *quiet = json_object_get(json_array_get(runners, j), "quiet");
            if (quiet == NULL) /* it was not timed */
                continue;
            count++;
            sum += json_number_value(quiet);
            noisy += is_noisy(json_array_get(runners, j));
        }
    }
    if (count > 0)
        print_sentence("%.0f %% of the turns were quiet: no neighbour took part of the core.", 100 * sum / count);
    if (noisy > 0)
        print_sentence(
            "noisy: %zu of %.0f figures are refused, since a neighbour took part of the core nearly always, or the clock changed; measure again when the machine has "
            "no other work, with more --seconds, or with --rounds; --long prints them",
            noisy, count);
}

/* Prints how many limits a codec or a peer was faster than. */
static void print_beaten(const json_t *cells)
{
    size_t beaten = 0, count = json_array_size(cells);
    for (size_t i = 0; i < count; i++)
        beaten += is_limit_beaten(json_array_get(cells, i));
    if (beaten > 0)
        print_sentence(
            "no limit: in %zu of %zu cells a codec or a peer was faster than the loop that was to be the limit.",
            beaten, count);
}

void bench_print_tables(const json_t *report, bool all_figures)
{
    const json_t *cells = json_object_get(report, "cells"), *machine = json_object_get(report, "machine");
    print_sentence("%s, %.2f GHz measured; built with %s; seed %.0f; best of %.0f turns or more",
                   text_of(machine, "processor"), number_of(machine, "ghz"), text_of(machine, "compiler"),
                   number_of(report, "seed"), fewest_turns(cells));
    putchar('\n');
    for (size_t at = 0; at < json_array_size(cells);) {
        if (all_figures) {
            print_all_figures(report, json_array_get(cells, at++));
            continue;
        }
        struct table table = table_from(cells, at);
        print_table(&table);
        at += table.cell_count;
    }
    if (json_object_get(report, "calibrator") != NULL)
        print_sentence(
            "The readings of the calibrator were replaced, as tests do: nothing says whether a turn was quiet, or at which clock.");
    print_sentence(
        "x peer: our best against the best peer. x limit: our best against the limit, which is the last column.");
    print_beaten(cells);
    print_quiet(cells);
}

/* ---- comparing with an earlier report ----------------------------------------------------------------- */

/* True if the object has a text for each of these keys. */
static bool has_texts(const json_t *object, const char *const keys[])
{
    for (; *keys != NULL; keys++)
        if (text_of(object, *keys) == NULL)
            return false;
    return true;
}

json_t *bench_read_report(const char *path, const char *encoding)
{
    static const char *const cell_keys[] = {"operation", "size", "text", NULL}, *const runner_keys[] = {"name", "kind",
                                                                                                        NULL};
    json_t *report = cli_load_json(path);
    const json_t *cells = json_object_get(report, "cells");
    if (json_integer_value(json_object_get(report, "assay_bench")) != 1 || !json_is_array(cells))
        cli_fail("--compare: %s is no report that `assay bench --json` wrote", path);
    const char *old_encoding = text_of(report, "encoding");
    if (old_encoding == NULL || strcmp(old_encoding, encoding) != 0)
        cli_fail("--compare: %s is of %s, not of %s", path, old_encoding == NULL ? "no encoding" : old_encoding,
                 encoding);
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *runners = json_object_get(json_array_get(cells, i), "runners");
        if (!has_texts(json_array_get(cells, i), cell_keys) || !json_is_array(runners))
            cli_fail("--compare: cell %zu of %s has no operation, size, text or runners", i, path);
        for (size_t j = 0; j < json_array_size(runners); j++)
            if (!has_texts(json_array_get(runners, j), runner_keys))
                cli_fail("--compare: runner %zu of cell %zu of %s has no name or kind", j, i, path);
    }
    return report;
}

static const json_t *find_cell(const json_t *report, const json_t *like)
{
    const json_t *cells = json_object_get(report, "cells");
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *cell = json_array_get(cells, i);
        if (is_of(cell, like) && strcmp(text_of(cell, "text"), text_of(like, "text")) == 0)
            return cell;
    }
    return NULL;
}

/* Rates change with the machine, so the ratio to the limit that was measured beside a codec is compared. Noisy figures
 * are not compared. */
struct nearness {
    double before, now; /* 0: no figure */
};

static struct nearness nearness_of(const json_t *cell, const json_t *old_cell, const json_t *runner)
{
    const json_t *old_runner = find_runner(old_cell, text_of(runner, "name"));
    if (!is_kind(runner, "codec") || is_noisy(runner) || is_noisy(old_runner))
        return (struct nearness){0};
    return (struct nearness){ratio(old_runner, bench_best_of(old_cell, "limit")),
                             ratio(runner, bench_best_of(cell, "limit"))};
}

static bool is_comparable(struct nearness nearness)
{
    return nearness.before > 0 && nearness.now > 0;
}

static bool is_slower(struct nearness nearness, double margin_percent)
{
    return is_comparable(nearness) && nearness.now < nearness.before * (1 - margin_percent / 100);
}

bool bench_has_slower(const json_t *cell, const json_t *old, double margin_percent)
{
    const json_t *old_cell = find_cell(old, cell), *runners = json_object_get(cell, "runners");
    for (size_t i = 0; old_cell != NULL && i < json_array_size(runners); i++)
        if (is_slower(nearness_of(cell, old_cell, json_array_get(runners, i)), margin_percent))
            return true;
    return false;
}

void bench_keep_best(json_t *cell, const json_t *again)
{
    json_t *runners = json_object_get(cell, "runners");
    for (size_t i = 0; i < json_array_size(runners); i++) {
        json_t *runner = json_array_get(runners, i);
        const json_t *faster = find_runner(again, text_of(runner, "name"));
        if (faster == NULL || number_of(faster, "minimum_ns") <= 0 || (is_noisy(faster) && !is_noisy(runner)))
            continue;
        if (number_of(faster, "minimum_ns") < number_of(runner, "minimum_ns") || is_noisy(runner) != is_noisy(faster)) {
            json_object_del(runner, "noisy");
            json_object_update(runner, (json_t *)faster);
        }
    }
}

static void report_slower(const json_t *cell, const json_t *runner, struct nearness nearness)
{
    fprintf(stderr,
            "slower: %s, %s of %s, %s bytes: %.3f of the limit, was %.3f (%.1f %% lost, looked at %.0f times)\n",
            text_of(runner, "name"), text_of(cell, "operation"), text_of(cell, "text"), text_of(cell, "size"),
            nearness.now, nearness.before, 100 * (1 - nearness.now / nearness.before), number_of(cell, "looks"));
}

bool bench_compare(const json_t *report, const json_t *old, const char *old_path, double margin_percent)
{
    const json_t *cells = json_object_get(report, "cells");
    const char *processor = text_of(json_object_get(report, "machine"), "processor");
    const char *old_processor = text_of(json_object_get(old, "machine"), "processor");
    size_t compared = 0, slower = 0, again = 0, noisy = 0;
    if (number_of(old, "seed") != number_of(report, "seed"))
        fprintf(stderr, "assay bench: %s is of seed %.0f, so of other strings of the same texts\n", old_path,
                number_of(old, "seed"));
    if (old_processor != NULL && strcmp(processor, old_processor) != 0)
        fprintf(stderr, "assay bench: %s is of another processor: %s\n", old_path, old_processor);
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *cell = json_array_get(cells, i), *old_cell = find_cell(old, cell);
        const json_t *runners = json_object_get(cell, "runners");
        again += json_object_get(cell, "looks") != NULL;
        noisy += bench_is_noisy(cell);
        for (size_t j = 0; old_cell != NULL && j < json_array_size(runners); j++) {
            const json_t *runner = json_array_get(runners, j);
            struct nearness nearness = nearness_of(cell, old_cell, runner);
            compared += is_comparable(nearness);
            if (!is_slower(nearness, margin_percent))
                continue;
            slower++;
            report_slower(cell, runner, nearness);
        }
    }
    if (compared == 0 && noisy > 0)
        cli_fail(
            "--compare: nothing could be compared: a neighbour took part of the core in %zu of %zu cells; measure again when the machine has no other work",
            noisy, json_array_size(cells));
    if (compared == 0)
        cli_fail("--compare: %s has no figure for anything that was measured now", old_path);
    fprintf(stderr, "assay bench: %zu figure%s compared with %s, %zu slower by more than %.0f %%", compared,
            compared == 1 ? "" : "s", old_path, slower, margin_percent);
    if (again > 0)
        fprintf(stderr, "; %zu cell%s measured again", again, again == 1 ? " was" : "s were");
    if (noisy > 0)
        fprintf(stderr, "; %zu cell%s noisy, and not compared as a whole", noisy, noisy == 1 ? " was" : "s were");
    fputc('\n', stderr);
    return slower > 0;
}
