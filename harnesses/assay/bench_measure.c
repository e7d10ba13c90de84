/* SPDX-License-Identifier: MIT
 *
 * Whoever is measured gives the reference's answer first, or is not timed. Then all take turns, a short while each,
 * so that what disturbs the machine disturbs everybody.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MIN = 5, SAMPLES_MAX = 1000 };
#define SAMPLE_NS 100e3 /* long beside the clock's own cost, short beside a time slice */

/* What a pass over a workload came to: enough to see that somebody did something else. */
struct tally {
    size_t written; /* units of all output; of a count, what it counted */
    size_t failures;
    bool is_unsupported;
};

static void add_result(struct tally *tally, struct assay_result result)
{
    tally->written += result.written;
    tally->failures += result.status != ASSAY_OK;
    tally->is_unsupported |= result.status == ASSAY_UNSUPPORTED;
}

static void add_count(struct tally *tally, struct assay_count count)
{
    tally->written += count.utf16_units + 3 * count.utf32_units;
    tally->failures += count.status != ASSAY_OK;
    tally->is_unsupported |= count.status == ASSAY_UNSUPPORTED;
}

/* For each slice of a workload: `input` and `count` are what to ask with, `to` is where its output goes. */
#define FOR_SLICES(workload, input_type, output_type)                                                          \
    for (const struct slice *slice = (workload)->slices, *end = slice + (workload)->slice_count; slice < end; slice++) { \
        const input_type *input = (const input_type *)(workload)->input + slice->begin;                         \
        output_type *to = (output_type *)out + slice->out;                                                      \
        size_t count = slice->count;
#define END_SLICES }

/* One pass of a codec; the operation is picked outside the loop. */
static struct tally pass(const struct workload *workload, const struct assay_codec *codec, void *out)
{
    const enum assay_policy policy = workload->operation->policy;
    struct tally tally = {0};
    asking_directly(codec, (struct question){.operation = workload->operation->operation, .policy = policy, .input = workload->input,
                                             .input_count = workload->byte_count / workload->unit_size,
                                             .capacity = workload->out_bytes / operation_output_unit(workload->operation->operation)});
    switch (workload->operation->operation) {
    case OP_VALIDATE:
        FOR_SLICES(workload, uint8_t, uint8_t)
            (void)to;
            tally.failures += !codec->validate(input, count, NULL);
        END_SLICES
        break;
    case OP_COUNT:
        FOR_SLICES(workload, uint8_t, uint8_t)
            (void)to;
            add_count(&tally, codec->count(policy, input, count));
        END_SLICES
        break;
    case OP_DECODE_UTF16:
        FOR_SLICES(workload, uint8_t, uint16_t)
            add_result(&tally, codec->decode_utf16(policy, input, count, to, ASSAY_DECODED_MAX(count)));
        END_SLICES
        break;
    case OP_DECODE_UTF32:
        FOR_SLICES(workload, uint8_t, uint32_t)
            add_result(&tally, codec->decode_utf32(policy, input, count, to, ASSAY_DECODED_MAX(count)));
        END_SLICES
        break;
    case OP_TO_WELL_FORMED:
        FOR_SLICES(workload, uint8_t, uint8_t)
            add_result(&tally, codec->to_well_formed(policy, input, count, to, ASSAY_ENCODED_MAX(count)));
        END_SLICES
        break;
    case OP_ENCODE_UTF16:
        FOR_SLICES(workload, uint16_t, uint8_t)
            add_result(&tally, codec->encode_utf16(policy, input, count, to, ASSAY_ENCODED_MAX(count)));
        END_SLICES
        break;
    default:
        FOR_SLICES(workload, uint32_t, uint8_t)
            add_result(&tally, codec->encode_utf32(policy, input, count, to, ASSAY_ENCODED_MAX(count)));
        END_SLICES
    }
    asking_ends();
    return tally;
}

__attribute__((noinline)) AT_A_LINE static void limit_pass(const struct workload *workload, limit_function *limit, void *out)
{
    FOR_SLICES(workload, uint8_t, uint8_t)
        (void)to;
        limit(input - slice->begin + slice->begin * workload->unit_size, count * workload->unit_size, out);
    END_SLICES
}

static bool is_offered(const struct assay_codec *codec, enum operation operation)
{
    switch (operation) {
    case OP_VALIDATE: return codec->validate != NULL;
    case OP_COUNT: return codec->count != NULL;
    case OP_DECODE_UTF16: return codec->decode_utf16 != NULL;
    case OP_DECODE_UTF32: return codec->decode_utf32 != NULL;
    case OP_TO_WELL_FORMED: return codec->to_well_formed != NULL;
    case OP_ENCODE_UTF16: return codec->encode_utf16 != NULL;
    default: return codec->encode_utf32 != NULL;
    }
}

/* ---- the check ------------------------------------------------------------------------------------ */

/* Says where the output of each string goes: behind that of the one before, by the reference. */
static void place_outputs(const struct workload *workload, const struct assay_codec *reference, void *out)
{
    size_t at = 0;
    for (size_t i = 0; i < workload->slice_count; i++) {
        struct slice *slice = &workload->slices[i];
        struct slice alone = *slice;
        alone.out = 0;
        struct workload one = *workload;
        one.slices = &alone;
        one.slice_count = 1;
        slice->out = at;
        at += workload->operation->operation == OP_COUNT ? 0 : pass(&one, reference, out).written;
    }
}

/* Takes off whoever does not offer the operation, and marks whoever answers something else. */
static size_t check(const struct measure *measure, const struct workload *workload, struct runner *runners, size_t count)
{
    const struct assay_codec *reference = registry_reference(workload->encoding);
    place_outputs(workload, reference, measure->out);
    struct tally expected = pass(workload, reference, measure->out);
    bool has_output = workload->operation->operation != OP_VALIDATE && workload->operation->operation != OP_COUNT;
    size_t size = has_output ? expected.written * operation_output_unit(workload->operation->operation) : 0, left = 0;
    uint8_t *output = cli_alloc(size, 1);
    memcpy(output, measure->out, size);
    for (size_t i = 0; i < count; i++) {
        const struct assay_codec *codec = runners[i].codec;
        if (codec != NULL && !is_offered(codec, workload->operation->operation))
            continue;
        if (codec != NULL) {
            memset(measure->out, 0xA5, size);
            struct tally actual = pass(workload, codec, measure->out);
            if (actual.is_unsupported)
                continue;
            runners[i].differs = actual.written != expected.written || actual.failures != expected.failures ||
                                 memcmp(measure->out, output, size) != 0;
        }
        runners[left++] = runners[i];
    }
    free(output);
    return left;
}

/* ---- the clock ------------------------------------------------------------------------------------ */

static double time_passes(const struct measure *measure, const struct workload *workload, const struct runner *runner)
{
    double begin = cli_now_ns();
    for (size_t i = 0; i < runner->passes; i++)
        if (runner->codec != NULL)
            pass(workload, runner->codec, measure->out);
        else
            limit_pass(workload, runner->limit, measure->out);
    return cli_now_ns() - begin;
}

/* A runner that had its share of the time, and enough samples, sits out. */
static bool is_done(const struct measure *measure, const struct runner *runner)
{
    return runner->differs || runner->samples == SAMPLES_MAX ||
           (runner->samples >= SAMPLES_MIN && runner->spent_ns >= measure->share_ns);
}

static bool take_turns(struct measure *measure, const struct workload *workload, struct runner *runners, size_t count)
{
    bool goes_on = false;
    double chain = clock_chain() / CLOCK_STEPS;
    if (measure->cycle_ns == 0 || chain < measure->cycle_ns)
        measure->cycle_ns = chain;
    for (size_t i = 0; i < count; i++) {
        struct runner *runner = &runners[i];
        if (is_done(measure, runner))
            continue;
        double spent = time_passes(measure, workload, runner);
        runner->times[runner->samples++] = spent / (double)runner->passes;
        runner->spent_ns += spent;
        goes_on = true;
    }
    return goes_on;
}

static int by_time(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

size_t measure_cell(struct measure *measure, const struct workload *workload, struct runner *runners, size_t count)
{
    if (workload->out_bytes > measure->out_room) {
        free(measure->out);
        measure->out_room = workload->out_bytes;
        measure->out = cli_alloc(measure->out_room, 1);
    }
    count = check(measure, workload, runners, count);
    for (size_t i = 0; i < count; i++) {
        struct runner *runner = &runners[i];
        runner->times = cli_alloc(SAMPLES_MAX, sizeof *runner->times);
        runner->passes = 1;
        double once = runner->differs ? SAMPLE_NS : time_passes(measure, workload, runner);
        runner->passes = once < SAMPLE_NS ? (size_t)(SAMPLE_NS / (once + 1)) + 1 : 1;
    }
    while (take_turns(measure, workload, runners, count)) {
    }
    for (size_t i = 0; i < count; i++) {
        struct runner *runner = &runners[i];
        qsort(runner->times, runner->samples, sizeof *runner->times, by_time);
        if (runner->samples > 0) {
            runner->minimum_ns = runner->times[0];
            runner->median_ns = runner->times[runner->samples / 2];
        }
        free(runner->times);
    }
    return count;
}

void measure_end(struct measure *measure)
{
    free(measure->out);
    measure->out = NULL;
    measure->out_room = 0;
}
