/* SPDX-License-Identifier: MIT
 *
 * Claim: no codec is quadratic. For each pattern, operation and policy, twice the input takes at most 2.5 times the
 * blocks, from N to 2N units or, if it takes more there, from 4N to 8N (blocks.h says why blocks stand for
 * instructions). The report counts the ratios that are greater at N alone.
 *
 *   cost [-e ENCODING] [--units N] [--codec LIBRARY] [--json] [SEEDS]
 *
 * Patterns are the tokens of harnesses/core/tokens.h and the files of SEEDS/ENCODING, each repeated to N units and to
 * twice as many. Codecs that are not compiled to be counted are skipped, and named.
 *
 * Exit codes: 0 = the claim holds, 1 = a codec breaks it, 2 = could not run.
 */
#include "cost.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* The room of a call and the pieces of a stream are small, so that work that each call repeats adds up. */
enum { LITTLE_ROOM_UNITS = 64, PIECE_BYTES = 7 };

/* A ratio that is too large is confirmed with inputs that are this many times as long. */
enum { LONGER = 4 };

static const char *const way_names[WAY_COUNT] = {
    [WHOLE] = "in one call",
    [IN_PIECES] = "in pieces of 7 bytes",
    [IN_LITTLE_ROOM] = "in calls with room for 64 units",
};

const char *way_name(enum way way)
{
    return way_names[way];
}

static bool has_way(enum operation operation, enum way way)
{
    enum operation_shape shape = operation_shape(operation);
    return way == WHOLE || shape == SHAPE_FEED || (way == IN_LITTLE_ROOM && shape == SHAPE_CONVERT);
}

/* ---- one measurement ------------------------------------------------------------------------------------- */

/* Calls the operation with the rest of the input, in pieces and with room of these sizes, until everything is read or a
 * call makes no progress. */
static uint64_t blocks_of_calls(const struct cell *cell, const uint8_t *input, size_t count, size_t piece, size_t room,
                                void *output)
{
    struct assay_stream stream;
    assay_stream_start(&stream, cell->policy);
    size_t unit = operation_input_unit(cell->operation);
    uint64_t before = blocks_run();
    for (;;) {
        bool last = piece >= count;
        struct assay_result result = codec_call(cell->codec, cell->operation,
                                                &(struct arguments){.policy = cell->policy,
                                                                    .stream = &stream,
                                                                    .last = last,
                                                                    .input = input,
                                                                    .input_count = last ? count : piece,
                                                                    .output = output,
                                                                    .capacity = room});
        input += result.read * unit;
        count -= result.read;
        bool goes_on = result.status == ASSAY_OUTPUT_FULL || (result.status == ASSAY_OK && !last);
        if (!goes_on || (result.read == 0 && result.written == 0))
            return blocks_run() - before;
    }
}

/* Asks about every offset, because each call looks at only a few bytes. */
static uint64_t blocks_of_boundaries(const struct cell *cell, const uint8_t *input, size_t count, void *output)
{
    uint64_t before = blocks_run();
    for (size_t at = 0; at <= count; at++)
        codec_call(cell->codec, cell->operation,
                   &(struct arguments){.input = input, .input_count = count, .at = at, .output = output});
    return blocks_run() - before;
}

/* Two parts, each of whole patterns: as many as fit in half of the cell's units; for twice the input, twice as many. */
static uint64_t blocks_of_concat(const struct cell *cell, const uint8_t *input, size_t count, size_t pattern,
                                 void *output)
{
    size_t half = cell->units / 2 / pattern * pattern * (count / cell->units);
    uint64_t before = blocks_run();
    codec_call(cell->codec, cell->operation,
               &(struct arguments){.input = input,
                                   .input_count = half,
                                   .right = input + half,
                                   .right_count = half,
                                   .output = output,
                                   .capacity = count});
    return blocks_run() - before;
}

/* Returns the blocks that the cell's operation takes for the pattern, repeated to `count` units. */
static uint64_t blocks_of(struct desk *desk, const struct cell *cell, const struct form *form, size_t count)
{
    size_t unit = operation_input_unit(cell->operation), capacity = capacity_for(cell->operation, count);
    uint8_t *input = arena_at_end(&desk->input, count * unit);
    for (size_t i = 0; i < count; i++)
        memcpy(input + i * unit, form->units + i % form->count * unit, unit);
    void *output = arena_at_end(&desk->output, capacity * operation_output_unit(cell->operation));
    switch (operation_shape(cell->operation)) {
    case SHAPE_BOUNDARY: return blocks_of_boundaries(cell, input, count, output);
    case SHAPE_CONCAT: return blocks_of_concat(cell, input, count, form->count, output);
    default:
        return blocks_of_calls(cell, input, count, cell->way == IN_PIECES ? PIECE_BYTES : count,
                               cell->way == IN_LITTLE_ROOM ? LITTLE_ROOM_UNITS : capacity, output);
    }
}

/* ---- all measurements ----------------------------------------------------------------------------------- */

static const struct form *form_for(const struct pattern *pattern, enum operation operation)
{
    size_t unit = operation_input_unit(operation);
    return &pattern->forms[unit == 1 ? OF_BYTES : unit == 2 ? OF_UTF16 : OF_UTF32];
}

static void measure_pattern(struct desk *desk, struct cell *cell, const struct pattern *pattern, size_t units)
{
    const struct form *form = form_for(pattern, cell->operation);
    cell->worst = pattern;
    cell->units = units;
    cell->once = blocks_of(desk, cell, form, units);
    cell->twice = blocks_of(desk, cell, form, 2 * units);
}

/* Completes a cell with the pattern that has the greatest ratio, or the first for which it is quadratic. Code that is
 * used only for longer inputs can cause a great ratio at one length; only quadratic code has a greater one at four
 * times the length, too. */
static void measure(struct desk *desk, struct cell *cell, const struct patterns *patterns)
{
    struct cell worst = *cell;
    for (size_t i = 0; i < patterns->count && !cell_is_quadratic(&worst); i++) {
        const struct form *form = form_for(&patterns->all[i], cell->operation);
        if (form->count == 0 || form->count > desk->units / 2)
            continue;
        measure_pattern(desk, cell, &patterns->all[i], desk->units);
        if (cell_is_quadratic(cell)) {
            measure_pattern(desk, cell, &patterns->all[i], LONGER * desk->units);
            cell->unconfirmed += !cell_is_quadratic(cell);
            worst.unconfirmed = cell->unconfirmed;
        }
        cell->patterns++;
        worst.patterns++;
        /* compares fractions: twice / once with that of the worst so far */
        if (cell->once > 0 && (worst.worst == NULL || cell->twice * worst.once > worst.twice * cell->once))
            worst = *cell;
    }
    *cell = worst;
}

bool cell_is_quadratic(const struct cell *cell)
{
    return 2 * cell->twice > 5 * cell->once;
}

static void measure_codec(struct desk *desk, struct report *report, const struct assay_codec *codec,
                          const struct patterns *patterns)
{
    for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
        for (enum assay_policy policy = 0; policy < (operation_has_policy(operation) ? ASSAY_POLICY_COUNT : 1);
             policy++)
            for (enum way way = 0; way < WAY_COUNT; way++) {
                if (!has_way(operation, way))
                    continue;
                if (!codec_offers(codec, operation, policy)) {
                    report->skipped++;
                    continue;
                }
                struct cell cell = {.codec = codec, .operation = operation, .policy = policy, .way = way};
                measure(desk, &cell, patterns);
                report_cell(report, &cell);
            }
}

/* True if the codec's code is compiled to be counted: its first operation takes at least one block. */
static bool is_counted(struct desk *desk, const struct assay_codec *codec)
{
    static uint8_t nul[sizeof(uint32_t)];
    const struct form form = {.units = nul, .count = 1};
    struct cell cell = {.codec = codec, .policy = ASSAY_POLICY_WHATWG, .units = desk->units};
    while (cell.operation < OPERATION_COUNT && !codec_offers(codec, cell.operation, cell.policy))
        cell.operation++;
    uint64_t before = blocks_of_code;
    if (cell.operation < OPERATION_COUNT)
        blocks_of(desk, &cell, &form, desk->units);
    return blocks_of_code > before;
}

static void measure_encoding(struct desk *desk, struct report *report, const char *encoding, const char *seeds)
{
    struct patterns patterns = patterns_of(encoding, seeds);
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (strcmp(row->encoding, encoding) != 0 || !registry_runs(row))
            continue;
        if (is_counted(desk, row->codec))
            measure_codec(desk, report, row->codec, &patterns);
        else
            report_not_counted(report, row->codec);
    }
    patterns_free(&patterns);
}

static _Noreturn void fail_for_usage(void)
{
    fputs("usage: cost [-e ENCODING] [--units N] [--codec LIBRARY] [--json] [SEEDS]\n", stderr);
    exit(EXIT_CANNOT_RUN);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"encoding", required_argument, NULL, 'e'},
                                            {"units", required_argument, NULL, 'u'},
                                            {"codec", required_argument, NULL, 'l'},
                                            {"json", no_argument, NULL, 'j'},
                                            {0}};
    static struct report report;
    struct desk desk = {.units = 4096};
    const char *only = NULL, *complaint;
    cli_start(argv[0]);
    for (int option; (option = getopt_long(argc, argv, "e:", options, NULL)) != -1;) {
        switch (option) {
        case 'e': only = cli_encoding(optarg)->encoding; break;
        case 'u': desk.units = (size_t)cli_number("units", optarg, 64, 1u << 20); break;
        case 'j': report.is_json = true; break;
        case 'l':
            if ((complaint = registry_load(optarg)) != NULL)
                cli_fail("--codec: %s", complaint);
            break;
        default: fail_for_usage();
        }
    }
    if (argc - optind > 1)
        fail_for_usage();
    arena_reserve(&desk.input, LONGER * 2 * desk.units * sizeof(uint32_t));
    for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
        arena_reserve(&desk.output,
                      capacity_for(operation, LONGER * 2 * desk.units) * operation_output_unit(operation));
    report_begins(&report, desk.units);
    for (size_t i = 0; i < sizeof token_sets / sizeof token_sets[0]; i++)
        if (only == NULL || strcmp(only, token_sets[i].encoding) == 0)
            measure_encoding(&desk, &report, token_sets[i].encoding, argv[optind]);
    arena_release(&desk.input);
    arena_release(&desk.output);
    return report_ends(&report);
}
