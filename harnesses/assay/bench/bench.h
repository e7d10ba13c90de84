/* SPDX-License-Identifier: MIT
 *
 * bench.h - the parts of `assay bench`: texts become workloads, a workload is measured, figures are reported.
 *
 * Times are in nanoseconds, rates in 10^9 bytes of input a second.
 */
#ifndef ASSAY_BENCH_H
#define ASSAY_BENCH_H

#include "../../core/compare.h"
#include "../../core/dice.h"
#include "../cli.h"

/* What the machine can do at best, measured beside the codecs on the same input. */
#define LIMITS(X) \
    X(CALL, "call", "a call that does nothing") \
    X(LOAD, "load", "every byte is loaded, and nothing stored") \
    X(MOVE, "move", "every byte is loaded, and as many stored as the output has")

enum limit {
#define X(id, name, sentence) LIMIT_##id,
    LIMITS(X)
#undef X
};

const char *limit_name(enum limit limit);

/* True if a limit has this name. */
bool limit_is_called(const char *name);

/* Reads `byte_count` bytes; if the limit is one of moving, writes `out_count` bytes to `out`. */
typedef void limit_function(const uint8_t *bytes, size_t byte_count, uint8_t *out, size_t out_count);

/* A loop that crosses a cache line of code takes up to a fifth longer. Aligned, it is as fast wherever the linker puts
 * it. */
#define AT_A_LINE __attribute__((aligned(64)))

/* Strings of this many bytes or more mostly do not fit in the second-level cache. */
enum { BEYOND_CACHES = 1 << 20 };

/* Writes the limits for strings of up to `byte_count` bytes to `functions`: with the vectors of each width that this
 * CPU has, the widest first, and with two orders of loads and stores; beyond the caches also without prefetches, and
 * with stores that bypass the caches. Returns their number. The fastest is the limit. */
enum { LIMIT_VARIANTS = 6 };
size_t limit_variants(enum limit limit, size_t byte_count, limit_function *functions[LIMIT_VARIANTS]);

/* ---- the calibrator (neighbour.c) ------------------------------------------------------------------ */

/* Returns the nanoseconds that NEIGHBOUR_ADDITIONS independent additions take, as many at once as the core can do. */
enum { NEIGHBOUR_ADDITIONS = 16384 };
double neighbour_reading(void);

/* Returns the nanoseconds of a cycle now: those of an addition in a chain of dependent ones, which a neighbour does not
 * lengthen. */
double clock_cycle(void);

/* Returns the longest reading that a core without neighbours can have, if `least` is the shortest one seen and a cycle
 * takes `cycle_ns`. If a neighbour is always there, the shortest one is too long; then the result is what every
 * processor of this kind can do. */
double neighbour_absent(double least, double cycle_ns);

/* Returns how often another process took the core from this one until now. */
long neighbour_preemptions(void);

/* True if the environment replaces the readings, as tests do. */
bool neighbour_is_replaced(void);

/* Returns the nanoseconds that CLOCK_READINGS readings of the clock take. Each measured time contains one reading. */
enum { CLOCK_READINGS = 64 };
double clock_readings(void);

/* Identifier, name, operation, policy, the limit it is compared with, sentence. */
#define BENCH_OPERATIONS(X) \
    X(VALIDATE, "validate", OP_VALIDATE, STRICT, LOAD, "is it well-formed") \
    X(COUNT, "count", OP_COUNT, STRICT, LOAD, "how many UTF-16 and UTF-32 units it decodes to") \
    X(TO_UTF16, "to-utf16", OP_DECODE_UTF16, STRICT, MOVE, "decode, and stop at an error") \
    X(TO_UTF32, "to-utf32", OP_DECODE_UTF32, STRICT, MOVE, "decode, and stop at an error") \
    X(LOSSY_UTF16, "lossy-utf16", OP_DECODE_UTF16, WHATWG, MOVE, "decode, one U+FFFD for each maximal subpart") \
    X(LOSSY_UTF32, "lossy-utf32", OP_DECODE_UTF32, WHATWG, MOVE, "decode, one U+FFFD for each maximal subpart") \
    X(TO_WELL_FORMED, "to-well-formed", OP_TO_WELL_FORMED, WHATWG, MOVE, "copy, one U+FFFD for each maximal subpart") \
    X(FROM_UTF16, "from-utf16", OP_ENCODE_UTF16, STRICT, MOVE, "encode UTF-16 units; rates are of their bytes") \
    X(FROM_UTF32, "from-utf32", OP_ENCODE_UTF32, STRICT, MOVE, "encode code points; rates are of their four bytes each")

struct bench_operation {
    const char *name;
    enum operation operation;
    enum assay_policy policy;
    enum limit limit;
    const char *sentence;
};

/* The operations, in order; ends with a row without name. */
extern const struct bench_operation bench_operations[];

/* ---- texts --------------------------------------------------------------------------------------- */

/* A text in UTF-8, and how many percent of its bytes are then damaged. */
struct text {
    char name[64]; /* "ru-cyrillic", "ru-cyrillic~10" */
    unsigned dirty_percent;
    bool is_well_formed; /* before it is damaged */
    struct cli_input content;
};

/* Returns the texts that a comma-separated list names (see bench_text_help); for NULL, the usual ones. */
struct text *bench_texts(const char *list, size_t *count);
void bench_texts_free(struct text *texts, size_t count);
extern const char bench_text_help[];

/* Returns some 1 to 4 MB of text, the same for the same seed. The caller frees it. */
struct cli_input bench_random_text(uint64_t seed);

/* Lengths of strings, in bytes. */
struct size {
    char name[32];
    size_t low, high; /* all strings are equally long, unless it is a distribution */
    bool
        /* for a distribution: as many strings of 1 to 2 bytes as of 32K to 64K; else all lengths are equally
         * frequent */
        by_doublings;
};

struct size *bench_sizes(const char *list, size_t *count);
extern const char bench_size_help[];

/* One string of a workload: where it begins in the input, in units, and where its output goes. */
struct slice {
    size_t begin, count, out;
};

/* The input of a codec: strings of one encoding, or of UTF-16 or UTF-32 units to be encoded. A pass uses one sheet of
 * them; all sheets have the same number of strings. */
struct workload {
    const struct bench_operation *operation;
    const char *encoding;
    struct arena
        memory; /* of the input, which cannot be written to: a codec that changed it would change others' text */
    const void *input;
    size_t byte_count; /* of all input */
    size_t unit_size;
    struct slice *slices;
    size_t slice_count, sheet_count;
    size_t out_bytes; /* enough room for the output of one sheet by any codec, and OUT_SLACK bytes more */
};
enum { OUT_SLACK = 256, CACHE_LINE = 64 };

/* Returns memory that begins at a cache line, not cleared. The caller frees it. */
void *bench_alloc_lines(size_t byte_count);

/* Deterministic for a seed. The caller frees it. */
struct workload workload_make(const char *encoding, const struct bench_operation *operation, const struct text *text,
                              const struct size *size, uint64_t seed);

/* Returns one sheet as a workload by itself. After the last one comes the first again. */
struct workload workload_sheet(const struct workload *workload, size_t number);

/* Returns one string of a sheet as a workload by itself. */
struct workload workload_string(const struct workload *sheet, size_t number);

/* Returns the input of the first string. */
const uint8_t *workload_input(const struct workload *workload);
void workload_free(struct workload *workload);

/* ---- measuring ------------------------------------------------------------------------------------ */

/* One turn of a runner: the time of all input at the turn's rate, and the longer neighbour_reading() of those before
 * and after it; infinity if another process took the core in between, or the clock changed. */
struct sample {
    double ns, reading_ns;
    double cycle_ns; /* a cycle of the faster of the clocks before and after it */
};

/* What is measured: a codec, or a limit of the machine. */
struct runner {
    const char *name;
    const struct assay_codec *codec; /* NULL: a limit */
    bool is_peer;
    bool is_direct; /* a peer that is the decoder itself, not an adapter over a library, so nothing is subtracted */
    bool is_empty;  /* it does nothing (adapter.c): it is timed, and its answers are not compared */
    bool differs;   /* its answer was not the reference's: it is not timed */
    double minimum_ns,
        /* for all input: the sum of each sheet's shortest quiet pass; and at the rate of the median quiet turn */
        median_ns;
    double adapter_ns; /* for peers: what was subtracted from both as the time of an adapter */
    size_t samples;    /* the number of samples behind these figures */
    double clock_ghz;  /* the average clock of these samples: a codec may lower it */
    double quiet;      /* the share of quiet turns, 0 to 1: no neighbour, no other process, a steady clock */
    bool is_noisy;     /* too few turns were quiet: the figures are those of all turns, and must not be compared */

    limit_function *limit;
    struct sample *taken_samples;
    size_t taken;
    double *pass_ns;                 /* passes of the turn that was just timed */
    double *least_ns, *least_any_ns; /* for each sheet, in quiet turns and in all turns; 0: none yet */
    double spent_ns;
    size_t sheet;  /* the sheet that is next */
    size_t passes; /* in a turn, one sheet each */
    size_t run_in; /* untimed passes before them and before the calibrator's reading */
};

enum { RUNNERS_MAX = 96 }; /* of a cell, with limits and empty runners */

/* Buffers and state of all measurements. The output buffer grows, is reused, and is freed by measure_end(). */
struct measure {
    double end_ns;     /* when the cell should be done, including its check */
    double share_ns;   /* the time for each of its runners */
    double cycle_ns;   /* a cycle when the first cell began: times of strings in the caches are scaled to this clock */
    double clock_ns;   /* the shortest time of a reading of the clock */
    double reading_ns; /* the shortest neighbour_reading() seen so far */
    double out_share;  /* bytes of output for each of input */
    struct dice dice;  /* orders the turns */
    struct arena memory; /* of output; a write past its end crashes */
    uint8_t *out;
};

/* Checks each runner against the reference, then times them in turn. Removes runners that do not offer the operation
 * from the list; returns how many are left. */
size_t measure_cell(struct measure *measure, const struct workload *workload, struct runner *runners, size_t count);
void measure_end(struct measure *measure);

/* Returns what makes an answer different, FIELD_NONE if nothing does, and sets *index as in struct divergence. Not
 * compared are the place of an error and, under the strict policy, output before an error: libraries stop there in ways
 * of their own. (differing.c) */
enum field bench_difference(const struct question *question, const struct answer *expected, const struct answer *actual,
                            size_t *index);

/* Prints the letter of the first of these strings that a runner answers differently, shortened. Only the first time for
 * a codec and an operation. */
void bench_report_wrong(const struct workload *strings, const struct runner *runner);

/* True if the times of its strings are scaled to the first clock of the process. Strings beyond the caches wait for
 * memory, which has its own clock. */
bool measure_follows_clock(const struct workload *workload);

/* True if the user interrupted the program (bench.c): then the current cell is not measured longer. */
bool bench_is_interrupted(void);

/* ---- the time of an adapter ------------------------------------------------------------------------ */

/* Adds an empty peer and an empty codec, EMPTY_RUNNERS in all, if a peer is among the runners. Returns the new number
 * of runners. */
enum { EMPTY_RUNNERS = 2 };
size_t bench_add_empty(struct runner *runners, size_t count);

/* True if one of the two has this name. */
bool bench_is_empty(const char *name);

/* Removes them again. The time by which the empty peer is slower than the empty codec is subtracted from the times of
 * peers. */
size_t bench_subtract_adapter(struct runner *runners, size_t count);

/* ---- figures --------------------------------------------------------------------------------------- */

/* Reports on all cells (made in bench.c). */
void bench_print_tables(const json_t *report, bool all_figures);
bool bench_compare(const json_t *report, const json_t *old, const char *old_path, double margin_percent);

/* True if any codec of a cell lost more than the margin since the old report. */
bool bench_has_slower(const json_t *cell, const json_t *old, double margin_percent);

/* Copies to `cell` the times of runners that were faster when the cell was measured again. */
void bench_keep_best(json_t *cell, const json_t *again);

/* The lines of a floors file: each says the least ratio to the best peer. */
struct floors;
struct floors *bench_read_floors(const char *path);
extern const char bench_floors_help[];

/* True if a cell has a floor, a codec and a peer, and its ratio is below the floor. */
bool bench_is_below(const json_t *cell, const struct floors *floors);

/* Prints which cells are below their floor. Fails if no cell has a floor and a peer, or if all such cells were
 * noisy. */
bool bench_check_floors(const json_t *report, const struct floors *floors, const char *path);

/* Returns the fastest runner of a kind ("codec", "peer", "limit") that was timed in a cell; NULL if there is none, or
 * if one of the kind is noisy, so that the fastest is unknown. */
const json_t *bench_best_of(const json_t *cell, const char *kind);

/* True if any runner of a cell had too few quiet turns. */
bool bench_is_noisy(const json_t *cell);

/* Reads the report of an earlier run; fails if the file is not one. */
json_t *bench_read_report(const char *path, const char *encoding);

#endif
