/* SPDX-License-Identifier: MIT
 *
 * Throughput: our codecs, whatever peers there are, and the limits of the machine, measured in turn in one run.
 */
#include "../provenance.h"
#include "bench.h"

#include <dirent.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *encoding = "utf-8", *codec_globs, *operation_list, *text_list, *size_list = "1..64,128K";
static const char *seconds_text = "60", *seed_text = "1", *rounds_text = "1", *peer_list, *direct_globs, *old_path,
                  *floors_path, *margin_text = "15";
static bool no_peers, all_figures, as_json;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "whose codecs are measured (default utf-8)", &encoding, NULL},
    {"codec-name", 'c', "GLOB,...", "only codecs whose name matches, peers too (default: all but the reference)",
     &codec_globs, NULL},
    {"operation", 0, "NAME,...", "only these operations (see below)", &operation_list, NULL},
    {"text", 0, "NAME,...", "only these texts (see below)", &text_list, NULL},
    {"size", 0, "SIZE,...", "only these sizes (see below)", &size_list, NULL},
    {"seconds", 0, "N",
     "total time (default 60); each codec gets a few turns even if that takes longer; up to three times as long if other processes disturb",
     &seconds_text, NULL},
    {"rounds", 0, "N", "measure everything N times, a part of the time each; the best figures hold (default 1)",
     &rounds_text, NULL},
    {"seed", 0, "N", "seed of random cuts and damage (default 1)", &seed_text, NULL},
    {"peer", 0, "LIB,...", "measure loadable codecs beside ours, as peers", &peer_list, NULL},
    {"direct", 0, "GLOB,...",
     "peers that are kernels themselves, not adapters over a library: nothing is subtracted from their times",
     &direct_globs, NULL},
    {"no-peers", 0, NULL, "without the peers that were built beside this program", NULL, &no_peers},
    {"long", 'l', NULL, "all figures of all codecs, one line each", NULL, &all_figures},
    {"json", 0, NULL, "the same as JSON", NULL, &as_json},
    {"compare", 0, "OLD.json",
     "fail (exit 1) where a codec lost against the limit since that run, and still does when measured again", &old_path,
     NULL},
    {"check", 0, "FLOORS",
     "fail (exit 1) where our best codec falls below the ratio to the best peer that a file demands (see below)",
     &floors_path, NULL},
    {"margin", 0, "PERCENT", "the loss that is allowed, in percent (default 15)", &margin_text, NULL},
    {0},
};

const struct bench_operation bench_operations[] = {
#define X(id, name, operation, policy, limit, sentence) \
    {name, operation, ASSAY_POLICY_##policy, LIMIT_##limit, sentence},
    BENCH_OPERATIONS(X)
#undef X
        {0},
};
enum {
    OPERATIONS_ROOM = sizeof bench_operations / sizeof bench_operations[0],
    CODECS_MAX = RUNNERS_MAX - LIMIT_VARIANTS - EMPTY_RUNNERS
};

/* One measurement of all runners, which becomes one object of the report. */
struct cell {
    const struct bench_operation *operation;
    const struct text *text;
    const struct size *size;
};

/* What was chosen on the command line, and which codecs take part. */
struct plan {
    const struct bench_operation *operations[OPERATIONS_ROOM];
    size_t operation_count;
    struct text *texts;
    size_t text_count;
    struct size *sizes;
    size_t size_count;
    struct runner runners[RUNNERS_MAX]; /* codecs, then peers */
    size_t runner_count;
    struct cell *cells;
    size_t cell_count;
    uint64_t seed;
    size_t rounds;
    double cell_ns; /* time for each cell of a round */
};

/* ---- choosing what is measured ----------------------------------------------------------------------- */

static void choose_operations(struct plan *plan)
{
    char word[64];
    if (operation_list == NULL)
        for (const struct bench_operation *row = bench_operations; row->name != NULL; row++)
            plan->operations[plan->operation_count++] = row;
    for (const char *list = operation_list; cli_next_word("operation", &list, word, sizeof word);) {
        const struct bench_operation *row = bench_operations;
        struct cli_nearest nearest = {.wanted = word};
        for (; row->name != NULL && strcmp(row->name, word) != 0; row++)
            cli_consider(&nearest, row->name);
        if (row->name == NULL)
            cli_fail("--operation: there is no operation '%s'%s; see assay bench --help", word,
                     cli_did_you_mean(&nearest, ""));
        if (plan->operation_count == OPERATIONS_ROOM)
            cli_fail("--operation: no more than %d operations at once", OPERATIONS_ROOM);
        plan->operations[plan->operation_count++] = row;
    }
}

static bool is_among(const char *option, const char *globs, const char *name)
{
    char word[128];
    while (cli_next_word(option, &globs, word, sizeof word))
        if (fnmatch(word, name, 0) == 0)
            return true;
    return false;
}

static bool is_chosen(const char *name)
{
    return is_among("codec-name", codec_globs, name) || (codec_globs == NULL && strcmp(name, "reference") != 0);
}

/* Each word of --direct must be the name of a peer. A word that is not would change nothing, unnoticed. */
static void check_direct_names(const struct plan *plan)
{
    char word[128];
    for (const char *list = direct_globs; cli_next_word("direct", &list, word, sizeof word);) {
        size_t found = 0;
        for (size_t i = 0; i < plan->runner_count; i++)
            found += plan->runners[i].is_peer && fnmatch(word, plan->runners[i].name, 0) == 0;
        if (found == 0)
            cli_fail("--direct: no peer that is measured is called '%s'", word);
    }
}

static bool is_measured(const void *none, const struct registry_row *row)
{
    (void)none;
    return strcmp(row->encoding, encoding) == 0 && registry_runs(row) && !cpu_emulates(row->needs) &&
           is_chosen(row->name);
}

/* Loads the codecs beside the program that were made from harnesses/subjects/. One that does not load is reported and
 * left out. */
static void load_built_peers(void)
{
    const char *folder = cli_data("subjects");
    struct dirent **entries;
    int count = folder != NULL ? scandir(folder, &entries, NULL, alphasort) : -1;
    for (int i = 0; i < count; i++) {
        char path[4096];
        const char *suffix = strrchr(entries[i]->d_name, '.');
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        const char *complaint = suffix != NULL && strcmp(suffix, ".so") == 0 ? registry_load(path) : NULL;
        if (complaint != NULL)
            fprintf(stderr, "assay bench: without a peer: %s\n", complaint);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* In builds where throughput means nothing, no peers are missed (see harnesses/subjects/). */
#ifndef ASSAY_SUBJECTS
#define ASSAY_SUBJECTS NULL
#endif

/* Reports peers whose packages are missing, or that were not built: otherwise a short table would look complete. */
static void report_absent_peers(void)
{
    char name[64];
    const char *separator = "assay bench: without the peers";
    if (strcmp(encoding, "utf-8") != 0)
        return; /* all peers decode UTF-8 */
    for (const char *list = ASSAY_SUBJECTS; cli_next_word("peer", &list, name, sizeof name);) {
        if (!is_chosen(name) || registry_find(encoding, name) != NULL)
            continue;
        fprintf(stderr, "%s %s", separator, name);
        separator = ",";
    }
    if (separator[0] == ',')
        fputs(
            ": `cmake --preset dev && cmake --build build` makes those whose packages are there (harnesses/assay/bench/README.md names them)\n",
            stderr);
}

/* Fails if a loaded codec has the name of a limit or of an empty runner, since runners are found by name, or that of a
 * verdict. */
static void check_names(void)
{
    for (size_t i = 0; i < registry_count(); i++) {
        const char *name = registry_at(i)->name;
        bool is_word_of_table = strcmp(name, "noisy") == 0 || strcmp(name, "differs") == 0;
        if (limit_is_called(name) || bench_is_empty(name) || is_word_of_table)
            cli_fail("a codec cannot be called '%s' here: in the report, that is something else", name);
    }
}

static void load_peers(void)
{
    char path[4096];
    if (!no_peers) {
        load_built_peers();
        report_absent_peers();
    }
    for (const char *list = peer_list; cli_next_word("peer", &list, path, sizeof path);)
        cli_load("peer", path);
    check_names();
}

static void choose_runners(struct plan *plan)
{
    size_t own_count = registry_count();
    load_peers();
    cli_require_loaded_chosen(is_measured, NULL);
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (!is_measured(NULL, row))
            continue;
        if (plan->runner_count == CODECS_MAX)
            cli_fail("more than %d codecs; choose with -c", CODECS_MAX);
        bool is_peer = i >= own_count;
        plan->runners[plan->runner_count++] =
            (struct runner){.name = row->name,
                            .codec = row->codec,
                            .is_peer = is_peer,
                            .is_direct = is_peer && is_among("direct", direct_globs, row->name)};
    }
    if (plan->runner_count == 0)
        cli_fail("no codec of %s that runs here is called '%s'%s; see assay list --long", encoding,
                 codec_globs != NULL ? codec_globs : "*",
                 codec_globs != NULL ? cli_did_you_mean_codec(codec_globs, encoding)
                                     : " (-c reference for the reference)");
    check_direct_names(plan);
}

/* False if the operation stops at an error and the text has errors: only the part before the first error would be
 * timed. */
static bool can_be_timed(const struct bench_operation *operation, const struct text *text)
{
    bool is_ill_formed = text->dirty_percent > 0 || !text->is_well_formed;
    bool is_encoding = operation_input_unit(operation->operation) > 1;
    return !is_ill_formed || (operation->policy != ASSAY_POLICY_STRICT && !is_encoding);
}

/* Reports operations that were asked for and are not measured. */
static void report_left_out(const struct plan *plan)
{
    const char *separator = "assay bench: left out of what is ill-formed, since they stop at the first error:";
    for (size_t i = 0; i < plan->operation_count; i++) {
        bool is_left_out = false;
        for (size_t j = 0; j < plan->text_count; j++)
            is_left_out |= !can_be_timed(plan->operations[i], &plan->texts[j]);
        if (is_left_out)
            fprintf(stderr, "%s %s", separator, plan->operations[i]->name);
        if (is_left_out)
            separator = ",";
    }
    if (separator[0] == ',')
        fputc('\n', stderr);
}

/* Cells of one operation and size are adjacent: each such group is a table. */
static void make_cells(struct plan *plan)
{
    plan->cells = cli_alloc(plan->operation_count * plan->size_count * plan->text_count, sizeof *plan->cells);
    for (size_t i = 0; i < plan->operation_count; i++)
        for (size_t j = 0; j < plan->size_count; j++)
            for (size_t k = 0; k < plan->text_count; k++)
                if (can_be_timed(plan->operations[i], &plan->texts[k]))
                    plan->cells[plan->cell_count++] =
                        (struct cell){plan->operations[i], &plan->texts[k], &plan->sizes[j]};
}

static void make_plan(struct plan *plan)
{
    cli_encoding(encoding);
    plan->seed = cli_number("seed", seed_text, 0, UINT32_MAX);
    choose_operations(plan);
    plan->sizes = bench_sizes(size_list, &plan->size_count);
    plan->texts = bench_texts(text_list, &plan->text_count);
    choose_runners(plan);
    make_cells(plan);
    if (plan->cell_count == 0)
        cli_fail("nothing to measure: these operations stop at the first error, and the texts are ill-formed");
    if (text_list != NULL)
        report_left_out(plan);
    bool any_peer = false;
    for (size_t i = 0; i < plan->runner_count; i++)
        any_peer |= plan->runners[i].is_peer;
    if (floors_path != NULL && !any_peer)
        cli_fail(
            "--check: a floor is a ratio to the best peer, and no peer is measured: name one with --peer, or build those of harnesses/subjects/");
}

/* ---- measuring ---------------------------------------------------------------------------------------- */

static json_t *runner_as_json(const struct runner *runner)
{
    const char *kind = runner->codec == NULL ? "limit" : runner->is_peer ? "peer" : "codec";
    if (runner->differs)
        return json_pack("{s:s, s:s, s:b}", "name", runner->name, "kind", kind, "differs", true);
    json_t *row = json_pack("{s:s, s:s, s:f, s:f, s:I, s:f, s:f}", "name", runner->name, "kind", kind, "minimum_ns",
                            runner->minimum_ns, "median_ns", runner->median_ns, "samples", (json_int_t)runner->samples,
                            "quiet", runner->quiet, "clock_ghz", runner->clock_ghz);
    if (runner->is_noisy)
        json_object_set_new(row, "noisy", json_true());
    if (runner->is_peer)
        json_object_set_new(row, "adapter_ns", json_real(runner->adapter_ns));
    if (runner->is_direct)
        json_object_set_new(row, "direct", json_true());
    return row;
}

/* For strings so short that a call costs more than its work, the limit is a call that does nothing. */
static enum limit limit_of(const struct cell *cell)
{
    enum { SHORT = 256 };
    return cell->size->high <= SHORT ? LIMIT_CALL : cell->operation->limit;
}

/* The last runners are the variants of the machine's limit. Keeps only the fastest of them; returns the new number of
 * runners. */
static size_t keep_limit(struct runner *runners, size_t count)
{
    size_t own = 0;
    while (own < count && runners[own].codec != NULL)
        own++;
    for (size_t i = own + 1; i < count; i++)
        if (runners[i].minimum_ns < runners[own].minimum_ns)
            runners[own] = runners[i];
    return own + 1;
}

static size_t add_limit(struct runner *runners, size_t count, enum limit limit, size_t byte_count)
{
    limit_function *functions[LIMIT_VARIANTS];
    size_t variants = limit_variants(limit, byte_count, functions);
    for (size_t i = 0; i < variants; i++)
        runners[count++] = (struct runner){.name = limit_name(limit), .limit = functions[i]};
    return count;
}

/* The longest strings from whose times that of an adapter is subtracted, in bytes: 2 ns are 3 % of the 60 ns that the
 * fastest validation of 4 KiB takes. Of longer strings they are a smaller share than what figures vary by. */
enum { ADAPTED_MOST = 4096 };

static json_t *run_cell(const struct plan *plan, struct measure *measure, const struct cell *cell, bool *diverges)
{
    struct runner runners[RUNNERS_MAX];
    const struct bench_operation *operation = cell->operation;
    const struct text *text = cell->text;
    const struct size *size = cell->size;
    memcpy(runners, plan->runners, sizeof runners);
    size_t count = plan->runner_count;
    if (size->low <= ADAPTED_MOST)
        count = bench_add_empty(runners, count);
    count = add_limit(runners, count, limit_of(cell), size->high);
    measure->end_ns = cli_now_ns() + plan->cell_ns;
    struct workload workload = workload_make(encoding, operation, text, size, plan->seed);
    count = bench_subtract_adapter(runners, measure_cell(measure, &workload, runners, count));
    count = keep_limit(runners, count);
    json_t *rows = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(rows, runner_as_json(&runners[i]));
        cli_note_answered(runners[i].codec);
        if (runners[i].differs && !runners[i].is_peer) {
            fprintf(stderr, "assay bench: %s differs from the reference: %s of %s, %s; not timed\n", runners[i].name,
                    operation->name, text->name, size->name);
            *diverges = true;
        }
    }
    json_t *reported = json_pack("{s:s, s:s, s:s, s:I, s:I, s:o}", "operation", operation->name, "text", text->name,
                                 "size", size->name, "bytes", (json_int_t)workload.byte_count, "strings",
                                 (json_int_t)workload.slice_count, "runners", rows);
    if (measure_follows_clock(&workload))
        json_object_set_new(reported, "ghz", json_real(1 / measure->cycle_ns));
    workload_free(&workload);
    return reported;
}

/* Fails if there are only limits: they alone are no table. */
static void require_codecs(const json_t *cells)
{
    size_t index;
    json_t *cell;
    bool any = false;
    json_array_foreach (cells, index, cell)
        any |= json_array_size(json_object_get(cell, "runners")) > 1;
    if (!any)
        cli_fail("nothing to measure: none of these codecs offers any of these operations");
}

/* Shows progress: for each cell on a terminal, once a minute elsewhere. */
static void show_progress(const struct plan *plan, size_t done, double begin, double *shown_at)
{
    const struct cell *cell = &plan->cells[done % plan->cell_count];
    size_t all = plan->rounds * plan->cell_count;
    if (isatty(STDERR_FILENO) || cli_progress_is_due(shown_at))
        cli_print_progress(done, all, begin, "%zu %%, %s, %s", 100 * done / all, cell->operation->name,
                           cell->text->name);
}

/* Measures a cell once more, and keeps the best figures of all times. */
static void remeasure_cell(const struct plan *plan, struct measure *measure, json_t *cell, size_t number,
                           bool *diverges)
{
    json_t *again = run_cell(plan, measure, &plan->cells[number], diverges);
    bench_keep_best(cell, again);
    json_decref(again);
}

static volatile sig_atomic_t is_interrupted;

static void on_interrupt(int number)
{
    is_interrupted = 1;
    signal(number, SIG_DFL); /* a second interrupt ends the program at once */
}

bool bench_is_interrupted(void)
{
    return is_interrupted != 0;
}

static json_t *run_cells(const struct plan *plan, struct measure *measure, bool *diverges)
{
    json_t *cells = json_array();
    double begin = cli_now_ns(), shown_at = begin;
    for (size_t i = 0; i < plan->rounds * plan->cell_count && !is_interrupted; i++) {
        size_t number = i % plan->cell_count;
        show_progress(plan, i, begin, &shown_at);
        if (i == number)
            json_array_append_new(cells, run_cell(plan, measure, &plan->cells[number], diverges));
        else
            remeasure_cell(plan, measure, json_array_get(cells, number), number, diverges);
    }
    cli_clear_progress();
    return cells;
}

/* What figures are compared with; NULL where there is nothing. */
struct demands {
    json_t *old;
    double margin_percent;
    struct floors *floors;
};

static bool falls_short(const struct demands *demands, const json_t *cell)
{
    bool is_held = demands->old != NULL || demands->floors != NULL;
    return (is_held && bench_is_noisy(cell)) ||
           (demands->old != NULL && bench_has_slower(cell, demands->old, demands->margin_percent)) ||
           (demands->floors != NULL && bench_is_below(cell, demands->floors));
}

/* Other programs slow a shared machine at times. A cell that falls short or is noisy is measured again, and the best
 * times count. */
static void measure_again(const struct plan *plan, struct measure *measure, json_t *cells,
                          const struct demands *demands, bool *diverges)
{
    enum { LOOKS = 3 };
    double begin = cli_now_ns(), shown_at = begin;
    for (size_t i = 0; i < plan->cell_count; i++) {
        json_t *cell = json_array_get(cells, i);
        for (int look = 2; !is_interrupted && look <= LOOKS && falls_short(demands, cell); look++) {
            show_progress(plan, i, begin, &shown_at);
            remeasure_cell(plan, measure, cell, i, diverges);
            json_object_set_new(cell, "looks", json_integer(look));
        }
    }
    cli_clear_progress();
}

/* ---- the command ----------------------------------------------------------------------------------------- */

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

static json_t *machine_as_json(double cycle_ns)
{
    char line[256], processor[128] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "model name : %127[^\n]", processor) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return json_pack("{s:s, s:f, s:s}", "processor", processor, "ghz", 1 / cycle_ns, "compiler", COMPILER);
}

static void print_more(FILE *out)
{
    fputs("operations (default: all):\n", out);
    for (const struct bench_operation *row = bench_operations; row->name != NULL; row++)
        fprintf(out, "  %-24s %s\n", row->name, row->sentence);
    fprintf(out, "\n%s\n%s\n%s", bench_text_help, bench_size_help, bench_floors_help);
}

static void print_report(json_t *report)
{
    if (as_json) {
        cli_print_json(report);
        return;
    }
    bench_print_tables(report, all_figures);
    json_decref(report);
}

/* Prints what was measured before the interrupt, compared with nothing. */
static int end_interrupted(json_t *report, size_t cell_count)
{
    fprintf(stderr, "assay bench: interrupted: %zu of %zu cells were measured%s\n",
            json_array_size(json_object_get(report, "cells")), cell_count,
            old_path != NULL || floors_path != NULL ? ", and nothing was compared" : "");
    print_report(report);
    return EXIT_INTERRUPTED;
}

static int run(int argc, char **argv)
{
    int count;
    cli_parse(&command_bench, argc, argv, &count);
    double seconds = (double)cli_number("seconds", seconds_text, 0, 86400);
    double margin = (double)cli_number("margin", margin_text, 1, 99);
    struct plan plan = {0};
    make_plan(&plan);
    struct demands demands = {old_path != NULL ? bench_read_report(old_path, encoding) : NULL, margin,
                              floors_path != NULL ? bench_read_floors(floors_path) : NULL};

    plan.rounds = (size_t)cli_number("rounds", rounds_text, 1, 1000);
    plan.cell_ns = seconds * 1e9 / (double)(plan.rounds * plan.cell_count);
    struct measure measure = {0};
    bool diverges = false;
    signal(SIGINT, on_interrupt);
    json_t *cells = run_cells(&plan, &measure, &diverges);
    require_codecs(cells);
    cli_require_loaded_answered();
    measure_again(&plan, &measure, cells, &demands, &diverges);
    json_t *report = json_pack("{s:i, s:s, s:o, s:s, s:I, s:o, s:o}", "assay_bench", 1, "version", ASSAY_VERSION,
                               "made", provenance_as_json(), "encoding", encoding, "seed", (json_int_t)plan.seed,
                               "machine", machine_as_json(measure.cycle_ns), "cells", cells);
    if (neighbour_is_replaced())
        json_object_set_new(report, "calibrator", json_string("replaced"));
    measure_end(&measure);
    bench_texts_free(plan.texts, plan.text_count);
    free(plan.sizes);
    free(plan.cells);
    if (is_interrupted) {
        json_object_set_new(report, "interrupted", json_true());
        json_decref(demands.old);
        free(demands.floors);
        return end_interrupted(report, plan.cell_count);
    }
    bool regressed = demands.old != NULL && bench_compare(report, demands.old, old_path, margin);
    bool is_below = demands.floors != NULL && bench_check_floors(report, demands.floors, floors_path);
    json_decref(demands.old);
    free(demands.floors);
    print_report(report);
    return diverges || regressed || is_below ? EXIT_DIVERGENCE : EXIT_CLEAN;
}

const struct command command_bench = {
    .name = "bench",
    .sentence = "throughput: our codecs, peers and the limits of the machine, in one run",
    .print_more = print_more,
    .options = options,
    .run = run,
};
