/* SPDX-License-Identifier: MIT
 *
 * A runner that does not give the reference's answer is not timed. All others take turns of a short time each, so that
 * a disturbance of the machine affects all of them.
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MIN = 5, SAMPLES_MAX = 1000 };
#define SAMPLE_NS 100e3 /* many sheets of a fast runner, and short compared with a time slice */
/* The start of a turn is not timed, and the calibrator reads after it: the caches hold other code, and the first
 * 512-bit operations after other runners' turns are slow: on an Ice Lake for 20 us and, while the clock changes, for
 * more than 100 us at a quarter of the rate. If a pass takes long, this matters little. */
#define RUN_IN_NS 200e3
#define RUN_IN_MOST_NS 500e3
/* A sample is quiet if the calibrator's readings before and after it are at most QUIET times that of a core without
 * neighbours, no other process ran on the core, and the clocks before and after it differ by at most STEADY. */
#define QUIET 1.1
#define STEADY 1.01
/* At least one sample in this number must be quiet. Figures with a smaller share of quiet samples were up to 23 % lower
 * than those of a quiet machine, all others within 2.5 %. */
enum { QUIET_SHARE = 10 };
#define PATIENCE 3 /* a runner may take this many times its share until enough of its samples are quiet */

/* The totals of one pass over a workload. Codecs with different totals gave different answers. */
struct pass_tally {
    size_t written; /* units of all output; for a count, the UTF-16 units and three times the UTF-32 units */
    size_t failures;
    bool is_unsupported;
};

static void add_result(struct pass_tally *tally, struct assay_result result)
{
    tally->written += result.written;
    tally->failures += result.status != ASSAY_OK;
    tally->is_unsupported |= result.status == ASSAY_UNSUPPORTED;
}

static void add_count(struct pass_tally *tally, struct assay_count count)
{
    tally->written += count.utf16_units + 3 * count.utf32_units;
    tally->failures += count.status != ASSAY_OK;
    tally->is_unsupported |= count.status == ASSAY_UNSUPPORTED;
}

/* clang-format off */
/* Loops over the slices of a workload. The body may use `input` and `count`, the arguments, and `to`, the place of the
 * output. */
#define FOR_SLICES(workload, input_type, output_type) \
    for (const struct slice *slice = (workload)->slices, *end = slice + (workload)->slice_count; slice < end; \
         slice++) { \
        const input_type *input = (const input_type *)(workload)->input + slice->begin; \
        output_type *to = (output_type *)out + slice->out; \
        size_t count = slice->count;
#define END_SLICES }

/* One pass, for each shape of operation. `room`: units of output for n units of input. */
#define PASS_VERDICT(member, input_type, output_type, room)           \
    FOR_SLICES(workload, input_type, output_type)                     \
        (void)to;                                                     \
        tally.failures += !codec->member(input, count, NULL);         \
    END_SLICES
#define PASS_COUNT(member, input_type, output_type, room)             \
    FOR_SLICES(workload, input_type, output_type)                     \
        (void)to;                                                     \
        add_count(&tally, codec->member(policy, input, count));       \
    END_SLICES
#define PASS_CONVERT(member, input_type, output_type, room)           \
    FOR_SLICES(workload, input_type, output_type)                     \
        const size_t n = count;                                       \
        add_result(&tally, codec->member(policy, input, n, to, room)); \
    END_SLICES
#define PASS_SPANS(...) /* BENCH_OPERATIONS has no operation of these shapes */
#define PASS_FEED(...)
#define PASS_BOUNDARY(...)
#define PASS_CONCAT(...)
/* clang-format on */

/* Runs the workload's operation once on each of its strings; does not time it. `out` has room for workload->out_bytes.
 * The operation is selected outside the loop. */
static struct pass_tally run_pass(const struct workload *workload, const struct assay_codec *codec, void *out)
{
    const enum assay_policy policy = workload->operation->policy;
    struct pass_tally tally = {0};
    asking_directly(codec, (struct question){.operation = workload->operation->operation,
                                             .policy = policy,
                                             .input = workload_input(workload),
                                             .input_count = workload->byte_count / workload->unit_size,
                                             .capacity = workload->out_bytes /
                                                         operation_output_unit(workload->operation->operation)});
    switch (workload->operation->operation) {
        /* clang-format off */
#define OPERATION(id, member, name, shape, input_type, output_type, word, room, ...) \
    case OP_##id: PASS_##shape(member, input_type, output_type, room) break;
#include "../../../codecs/operations.def"
        /* clang-format on */
    default: break;
    }
    asking_ends();
    return tally;
}

/* In whole numbers: clang 14's conversion of a product of doubles takes longer than the call for a short string. */
enum { SHARE_BITS = 16 };

__attribute__((noinline)) AT_A_LINE static void limit_pass(const struct workload *workload, limit_function *limit,
                                                           double out_share, void *out)
{
    const uint64_t share = (uint64_t)(out_share * (1 << SHARE_BITS));
    FOR_SLICES(workload, uint8_t, uint8_t)
    size_t byte_count = count * workload->unit_size;
    (void)to;
    limit(input - slice->begin + slice->begin * workload->unit_size, byte_count, out, byte_count * share >> SHARE_BITS);
    END_SLICES
}

/* ---- the check ------------------------------------------------------------------------------------ */

/* The number of output units left free before the output of the first string: fewer than a cache line holds. */
static size_t first_output(const struct workload *sheet)
{
    size_t unit_size = operation_output_unit(sheet->operation->operation);
    return sheet->slices->begin * 7 % (CACHE_LINE / (unit_size > 0 ? unit_size : 1));
}

/* Computes the reference's answer, and from it the place of each string's output: after that of the string before. The
 * first begins at any address, as the input does. */
static struct pass_tally place_outputs(const struct workload *sheet, const struct assay_codec *reference, void *out)
{
    struct pass_tally all = {0};
    for (size_t i = 0; i < sheet->slice_count; i++) {
        struct workload one = workload_string(sheet, i);
        one.slices->out =
            operation_shape(sheet->operation->operation) == SHAPE_COUNT ? 0 : first_output(sheet) + all.written;
        struct pass_tally tally = run_pass(&one, reference, out);
        all.written += tally.written;
        all.failures += tally.failures;
    }
    return all;
}

/* What the reference gives for some strings. */
struct expectation {
    struct pass_tally tally;
    uint8_t *begin;  /* where output begins */
    uint8_t *output; /* a copy of it, which the caller frees */
    size_t byte_count;
};

/* Copies the output that the reference has just written. */
static struct expectation keep_answer(const struct measure *measure, const struct workload *sheet,
                                      struct pass_tally tally)
{
    bool is_conversion = operation_shape(sheet->operation->operation) == SHAPE_CONVERT;
    size_t unit_size = is_conversion ? operation_output_unit(sheet->operation->operation) : 0;
    size_t byte_count = tally.written * unit_size;
    struct expectation kept = {tally, measure->out + sheet->slices->out * unit_size, cli_alloc(byte_count, 1),
                               byte_count};
    memcpy(kept.output, kept.begin, byte_count);
    return kept;
}

/* One string after the other, so that the report of a crash has the string and not the sheet. */
static struct pass_tally run_singly(const struct workload *sheet, const struct assay_codec *codec, void *out)
{
    struct pass_tally all = {0};
    for (size_t i = 0; i < sheet->slice_count; i++) {
        struct workload one = workload_string(sheet, i);
        struct pass_tally tally = run_pass(&one, codec, out);
        all.written += tally.written;
        all.failures += tally.failures;
        all.is_unsupported |= tally.is_unsupported;
    }
    return all;
}

/* Asks a codec, which may also say that it does not offer this. */
static bool gives_answer(const struct expectation *expected, const struct measure *measure,
                         const struct workload *sheet, const struct assay_codec *codec, bool *is_unsupported)
{
    memset(expected->begin, 0xA5, expected->byte_count);
    struct pass_tally actual = run_singly(sheet, codec, measure->out);
    *is_unsupported = actual.is_unsupported;
    return actual.written == expected->tally.written && actual.failures == expected->tally.failures &&
           memcmp(expected->begin, expected->output, expected->byte_count) == 0;
}

/* Removes runners that do not offer the operation, and marks those whose answer differs. Adds the bytes of output. */
static size_t check_answers(const struct measure *measure, const struct workload *sheet, struct runner *runners,
                            size_t count, size_t *out_bytes)
{
    const struct assay_codec *reference = registry_reference(sheet->encoding);
    struct pass_tally tally = place_outputs(sheet, reference, measure->out);
    struct expectation expected = keep_answer(measure, sheet, tally);
    size_t left = 0;
    *out_bytes += expected.byte_count;
    for (size_t i = 0; i < count; i++) {
        const struct assay_codec *codec = runners[i].codec;
        bool is_unsupported = codec != NULL && !codec_has(codec, sheet->operation->operation), differs = false;
        if (codec != NULL && !runners[i].is_empty && !is_unsupported)
            differs = !gives_answer(&expected, measure, sheet, codec, &is_unsupported);
        if (differs && !is_unsupported)
            bench_report_wrong(sheet, &runners[i]);
        runners[i].differs |= differs;
        if (!is_unsupported)
            runners[left++] = runners[i];
    }
    free(expected.output);
    return left;
}

/* Puts something that is seldom well-formed into a string of a sheet, or cuts it there. Returns its new length. */
static size_t damage(void *units, size_t unit_size, size_t count, struct dice *dice)
{
    static const char *const sequences[] = {"\xFF",
                                            "\x80",
                                            "\xC2",
                                            "\xE2\x82",
                                            "\xC0\x80",
                                            "\xE0\x80\x80",
                                            "\xED\xA0\x80",
                                            "\xF5\x80\x80\x80",
                                            "\xF0\x80\x80\x80",
                                            "\xF4\x90\x80\x80"};
    static const uint32_t code_points[] = {0xD800, 0xDC00, 0x110000, UINT32_MAX};
    size_t at = dice_roll(dice, count);
    const char *sequence = sequences[dice_roll(dice, sizeof sequences / sizeof sequences[0])];
    uint32_t code_point = code_points[dice_roll(dice, unit_size == 2 ? 2 : 4)];
    if (unit_size == 2)
        ((uint16_t *)units)[at] = (uint16_t)code_point;
    else if (unit_size == 4)
        ((uint32_t *)units)[at] = code_point;
    else
        memcpy((uint8_t *)units + at, sequence, strlen(sequence) < count - at ? strlen(sequence) : count - at);
    return dice_roll(dice, 4) == 0 ? at + 1 : count;
}

/* Asks all runners about one string, at guard pages. */
static void check_string(struct seat *const seats[2], const struct workload *string, struct runner *runners,
                         size_t count)
{
    size_t unit_count = string->slices->count, index;
    struct question question = {.operation = string->operation->operation,
                                .policy = string->operation->policy,
                                .input = workload_input(string),
                                .input_count = unit_count,
                                .capacity = capacity_for(string->operation->operation, unit_count)};
    struct answer expected = ask(seats[0], registry_reference(string->encoding), &question, AT_END);
    for (size_t i = 0; i < count; i++) {
        if (runners[i].codec == NULL || runners[i].is_empty)
            continue;
        struct answer actual = ask(seats[1], runners[i].codec, &question, AT_END);
        if (actual.absent || bench_difference(&question, &expected, &actual, &index) == FIELD_NONE)
            continue;
        runners[i].differs = true;
        bench_report_wrong(string, &runners[i]);
    }
}

/* Marks the runners whose answer for damaged strings differs. Text that is measured is mostly well-formed, where a
 * validator that reads nothing and says yes would be right. STRINGS strings, as long as these have ASKED_MOST bytes at
 * most: of strings of 128 KiB eight, of longer ones than 1 MiB none. */
static void check_damaged(const struct workload *workload, struct dice *dice, struct runner *runners, size_t count)
{
    enum { STRINGS = 64, ASKED_MOST = 1 << 20 };
    struct seat *const seats[] = {seat_new(), seat_new()};
    for (size_t i = 0, asked = 0; i < STRINGS; i++) {
        struct workload sheet = workload_sheet(workload, dice_roll(dice, workload->sheet_count));
        struct workload one = workload_string(&sheet, dice_roll(dice, sheet.slice_count));
        size_t unit_count = one.slices->count;
        asked += one.byte_count;
        if (unit_count == 0 || asked > ASKED_MOST)
            continue;
        void *copy = cli_alloc(one.byte_count, 1);
        memcpy(copy, workload_input(&one), one.byte_count);
        struct slice slice = {.count = damage(copy, one.unit_size, unit_count, dice)};
        one.input = copy;
        one.slices = &slice;
        check_string(seats, &one, runners, count);
        free(copy);
    }
    seat_free(seats[0]);
    seat_free(seats[1]);
}

/* Asks again about some sheets, after they were timed: a codec may remember an answer, or change. Returns the new
 * number of runners. */
static size_t check_again(const struct measure *measure, const struct workload *workload, struct runner *runners,
                          size_t count)
{
    enum { SHEETS = 8 };
    size_t ignored = 0, step = workload->sheet_count / SHEETS + 1;
    for (size_t i = 0; i < workload->sheet_count; i += step) {
        struct workload sheet = workload_sheet(workload, i);
        count = check_answers(measure, &sheet, runners, count, &ignored);
    }
    check_damaged(workload, &(struct dice){2}, runners, count);
    return count;
}

/* ---- the clock ------------------------------------------------------------------------------------ */

/* Reads bytes, which brings them into the cache: text that a program has just received is there. */
static void load_into_cache(const volatile void *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i += CACHE_LINE)
        (void)((const volatile uint8_t *)bytes)[i];
}

/* The number of bytes from the first string of a sheet to the end of the last one. */
static size_t span_of(const struct workload *sheet)
{
    const struct slice *last = sheet->slices + sheet->slice_count - 1;
    return (last->begin + last->count - sheet->slices->begin) * sheet->unit_size;
}

/* Times passes over one sheet each, and stores each time unless pass_ns is NULL. Returns nanoseconds, scaled to all
 * input, minus the time of the clock readings around each sheet: on a Zen 3 a reading takes 30 ns, and validating a
 * sheet of ASCII 700. */
static double time_passes(const struct measure *measure, const struct workload *workload, struct runner *runner,
                          size_t passes, double *pass_ns)
{
    double spent = 0, byte_count = 0;
    for (size_t i = 0; i < passes; i++) {
        struct workload sheet = workload_sheet(workload, runner->sheet++);
        if (workload->sheet_count > 1) {
            load_into_cache(workload_input(&sheet), span_of(&sheet));
            load_into_cache(sheet.slices, sheet.slice_count * sizeof *sheet.slices);
        }
        double begin = cli_now_ns();
        if (runner->codec != NULL)
            run_pass(&sheet, runner->codec, measure->out);
        else
            limit_pass(&sheet, runner->limit, measure->out_share, measure->out);
        double took_ns = cli_now_ns() - begin - measure->clock_ns;
        if (pass_ns != NULL)
            pass_ns[i] = took_ns;
        spent += took_ns;
        byte_count += (double)sheet.byte_count;
    }
    return spent / byte_count * (double)workload->byte_count;
}

static void keep_least(double *least, double now)
{
    if (*least == 0 || now < *least)
        *least = now;
}

static bool is_quiet(const struct measure *measure, const struct sample *sample)
{
    return sample->reading_ns <= QUIET * neighbour_absent(measure->reading_ns, measure->cycle_ns);
}

static size_t quiet_samples(const struct measure *measure, const struct runner *runner)
{
    size_t count = 0;
    for (size_t i = 0; i < runner->taken; i++)
        count += is_quiet(measure, &runner->taken_samples[i]);
    return count;
}

/* True if a runner has SAMPLES_MIN samples, and has used its share of the time in quiet samples or PATIENCE times its
 * share in all; or if it has SAMPLES_MAX. */
static bool is_done(const struct measure *measure, const struct runner *runner)
{
    if (runner->differs || runner->taken == SAMPLES_MAX)
        return true;
    if (runner->taken < SAMPLES_MIN || runner->spent_ns < measure->share_ns)
        return false;
    double quiet_share = (double)quiet_samples(measure, runner) / (double)runner->taken;
    return runner->spent_ns * quiet_share >= measure->share_ns || runner->spent_ns >= PATIENCE * measure->share_ns;
}

/* The least time of each sheet counts: a turn of several passes contains an interrupt or a disturbance more easily than
 * one pass, and a turn of one pass could be the easiest sheet. */
static void keep_least_of_sheets(double *least_ns, const struct workload *workload, const struct runner *runner)
{
    for (size_t i = 0; i < runner->passes; i++)
        keep_least(&least_ns[(runner->sheet - runner->passes + i) % workload->sheet_count], runner->pass_ns[i]);
}

/* The sum for all input, at the rate of the sheets that have a least time. */
static double sum_of_least(const double *least_ns, const struct workload *workload)
{
    double sum = 0, byte_count = 0;
    for (size_t i = 0; i < workload->sheet_count; i++) {
        sum += least_ns[i];
        byte_count += least_ns[i] != 0 ? (double)workload_sheet(workload, i).byte_count : 0;
    }
    return byte_count > 0 ? sum / byte_count * (double)workload->byte_count : 0;
}

bool measure_follows_clock(const struct workload *workload)
{
    return workload->slices[0].count * workload->unit_size < BEYOND_CACHES;
}

/* What the calibrator reads. */
struct reading {
    double neighbour_ns, cycle_ns;
};

static struct reading read_calibrator(void)
{
    double neighbour_ns = neighbour_reading();
    return (struct reading){neighbour_ns, clock_cycle()};
}

/* The factor by which the time of a turn is multiplied: the clock changes with the work of other cores, and from
 * process to process. */
static double scale_of(const struct measure *measure, const struct workload *workload, double cycle_ns)
{
    return measure_follows_clock(workload) ? measure->cycle_ns / cycle_ns : 1;
}

static bool is_steady(const struct workload *workload, const struct reading *before, const struct reading *after)
{
    return !measure_follows_clock(workload) ||
           fmax(before->cycle_ns, after->cycle_ns) <= STEADY * fmin(before->cycle_ns, after->cycle_ns);
}

/* Records a turn that was just timed. */
static void add_sample(struct measure *measure, const struct workload *workload, struct runner *runner,
                       struct sample taken)
{
    double scale = scale_of(measure, workload, taken.cycle_ns);
    struct sample *sample = &runner->taken_samples[runner->taken++];
    *sample = (struct sample){taken.ns * scale, taken.reading_ns, taken.cycle_ns};
    for (size_t i = 0; i < runner->passes; i++)
        runner->pass_ns[i] *= scale;
    keep_least_of_sheets(runner->least_any_ns, workload, runner);
    if (is_quiet(measure, sample))
        keep_least_of_sheets(runner->least_ns, workload, runner);
}

static void time_turn(struct measure *measure, const struct workload *workload, struct runner *runner)
{
    double begin = cli_now_ns();
    time_passes(measure, workload, runner, runner->run_in, NULL);
    long preemptions = neighbour_preemptions();
    struct reading before = read_calibrator();
    double ns = time_passes(measure, workload, runner, runner->passes, runner->pass_ns);
    struct reading after = read_calibrator();
    bool is_disturbed = neighbour_preemptions() != preemptions || !is_steady(workload, &before, &after);
    keep_least(&measure->reading_ns, fmin(before.neighbour_ns, after.neighbour_ns));
    double reading_ns = is_disturbed ? INFINITY : fmax(before.neighbour_ns, after.neighbour_ns);
    /* of the two clocks the faster one counts, so that no time is too short */
    add_sample(measure, workload, runner, (struct sample){ns, reading_ns, fmin(before.cycle_ns, after.cycle_ns)});
    runner->spent_ns += cli_now_ns() - begin;
}

/* One turn of each runner, in another order each time: what ran before decides which branches the processor still
 * predicts. Of two copies of one codec, the one whose turn was always after that of the limit's loop, which has few
 * branches, validated strings of 65 to 512 bytes in 0.83 of the time (a Zen 5). */
static bool time_in_turns(struct measure *measure, const struct workload *workload, struct runner *runners,
                          size_t count)
{
    bool goes_on = false;
    size_t order[RUNNERS_MAX] = {0};
    for (size_t i = 0; i < count; i++) { /* a random permutation (Durstenfeld 1964) */
        size_t other = dice_roll(&measure->dice, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    keep_least(&measure->clock_ns, clock_readings() / CLOCK_READINGS);
    for (size_t i = 0; i < count; i++) {
        if (is_done(measure, &runners[order[i]]))
            continue;
        time_turn(measure, workload, &runners[order[i]]);
        goes_on = true;
    }
    return goes_on;
}

static int compare_times(const void *left, const void *right)
{
    double a = ((const struct sample *)left)->ns, b = ((const struct sample *)right)->ns;
    return (a > b) - (a < b);
}

/* Computes the figures from the quiet samples; from all, if too few were quiet. */
static void compute_figures(const struct measure *measure, const struct workload *workload, struct runner *runner)
{
    size_t quiet = quiet_samples(measure, runner), count = 0;
    double cycles_ns = 0;
    runner->quiet = runner->taken > 0 ? (double)quiet / (double)runner->taken : 0;
    runner->is_noisy = runner->taken > 0 && (quiet < SAMPLES_MIN || quiet * QUIET_SHARE < runner->taken);
    for (size_t i = 0; i < runner->taken; i++)
        if (runner->is_noisy || is_quiet(measure, &runner->taken_samples[i])) {
            cycles_ns += runner->taken_samples[i].cycle_ns;
            runner->taken_samples[count++] = runner->taken_samples[i];
        }
    qsort(runner->taken_samples, count, sizeof *runner->taken_samples, compare_times);
    runner->samples = count;
    if (count > 0) {
        runner->clock_ghz = (double)count / cycles_ns;
        runner->median_ns = runner->taken_samples[count / 2].ns;
        double sum_ns = sum_of_least(runner->is_noisy ? runner->least_any_ns : runner->least_ns, workload);
        runner->minimum_ns = sum_ns < runner->median_ns
                                 ? sum_ns
                                 /* with a few turns, one of them may contain the whole disturbance */
                                 : runner->median_ns;
    }
    free(runner->taken_samples);
    free(runner->pass_ns);
    free(runner->least_ns);
    free(runner->least_any_ns);
    runner->taken_samples = NULL;
    runner->pass_ns = runner->least_ns = runner->least_any_ns = NULL;
}

/* The number of passes that take at least this time. */
static size_t passes_of(double once_ns, double time_ns)
{
    return once_ns < time_ns ? (size_t)(time_ns / (once_ns + 1)) + 1 : 1;
}

/* Chooses the number of passes of a turn, and allocates memory for their times. */
static void choose_passes(const struct measure *measure, const struct workload *workload, struct runner *runner)
{
    runner->taken_samples = cli_alloc(SAMPLES_MAX, sizeof *runner->taken_samples);
    runner->least_ns = cli_alloc(workload->sheet_count, sizeof *runner->least_ns);
    runner->least_any_ns = cli_alloc(workload->sheet_count, sizeof *runner->least_any_ns);
    double once =
        runner->differs ? SAMPLE_NS : time_passes(measure, workload, runner, 1, NULL) / (double)workload->sheet_count;
    runner->passes = passes_of(once, SAMPLE_NS);
    runner->run_in = once < RUN_IN_MOST_NS ? passes_of(once, RUN_IN_NS) : 0;
    runner->pass_ns = cli_alloc(runner->passes, sizeof *runner->pass_ns);
}

/* Reads the calibrator until the readings of a core without neighbours are known, before the first turn is judged by
 * them. */
static void read_quiet_calibrator(struct measure *measure)
{
    enum { READINGS = 32 };
    for (int i = measure->reading_ns == 0 ? 0 : READINGS; i < READINGS; i++) {
        keep_least(&measure->cycle_ns, clock_cycle());
        keep_least(&measure->reading_ns, neighbour_reading());
    }
}

size_t measure_cell(struct measure *measure, const struct workload *workload, struct runner *runners, size_t count)
{
    measure->out = arena_at_begin(&measure->memory, workload->out_bytes);
    size_t out_bytes = 0;
    for (size_t i = 0; i < workload->sheet_count; i++) {
        struct workload sheet = workload_sheet(workload, i);
        count = check_answers(measure, &sheet, runners, count, &out_bytes);
    }
    check_damaged(workload, &(struct dice){1}, runners, count);
    measure->out_share = (double)out_bytes / (double)(workload->byte_count + 1);
    read_quiet_calibrator(measure);
    measure->share_ns = (measure->end_ns - cli_now_ns()) / (double)count;
    for (size_t i = 0; i < count; i++)
        choose_passes(measure, workload, &runners[i]);
    while (time_in_turns(measure, workload, runners, count) && !bench_is_interrupted()) {}
    for (size_t i = 0; i < count; i++)
        compute_figures(measure, workload, &runners[i]);
    return check_again(measure, workload, runners, count);
}

void measure_end(struct measure *measure)
{
    arena_release(&measure->memory);
    measure->out = NULL;
}
