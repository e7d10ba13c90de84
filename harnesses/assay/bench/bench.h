/* SPDX-License-Identifier: MIT
 *
 * bench.h - the parts of `assay bench`: texts become workloads, a workload is measured, figures are reported.
 *
 * Times are in nanoseconds, rates in 10^9 bytes of input a second.
 */
#ifndef ASSAY_BENCH_H
#define ASSAY_BENCH_H

#include "../../core/question.h"
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

/* Reads `byte_count` bytes; writes `out_count` bytes to `out` if it is to move. */
typedef void limit_function(const uint8_t *bytes, size_t byte_count, uint8_t *out, size_t out_count);

/* A limit's loop that crosses a line of code takes up to a fifth longer: it must not matter where the linker puts it. */
#define AT_A_LINE __attribute__((aligned(64)))

/* Strings of this many bytes or more mostly do not fit in the second-level cache. */
enum { BEYOND_CACHES = 1 << 20 };

/* For strings of up to `byte_count` bytes, with the vectors of each width that this CPU has, the widest first, in two orders of loads and
 * stores; beyond the caches also without prefetches, and with stores that go past the caches. Returns how many there are. The fastest is the limit. */
enum { LIMIT_VARIANTS = 6 };
size_t limit_variants(enum limit limit, size_t byte_count, limit_function *functions[LIMIT_VARIANTS]);

/* ---- the calibrator (neighbour.c) ------------------------------------------------------------------ */

/* Nanoseconds that NEIGHBOUR_ADDITIONS independent additions take: as many at once as the core can do. */
enum { NEIGHBOUR_ADDITIONS = 16384 };
double neighbour_reading(void);

/* Nanoseconds that a cycle takes now: that of an addition in a chain of dependent ones, which a neighbour does not lengthen. */
double clock_cycle(void);

/* What a reading is at most on a core without neighbours, if `least` is the shortest seen and a cycle takes `cycle_ns`. With a
 * neighbour that is always there, the shortest is too long: then what every processor of this kind can do counts. */
double neighbour_absent(double least, double cycle_ns);

/* How often another process took the core from this one until now. */
long neighbour_preemptions(void);

/* Nanoseconds that CLOCK_READINGS readings of the clock take. Each measured time contains one reading. */
enum { CLOCK_READINGS = 64 };
double clock_readings(void);

/* Identifier, name, what is asked, under which policy, what it is held against, sentence. */
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

/* The texts that a comma-separated list names (see bench_text_help); NULL stands for the usual ones. */
struct text *bench_texts(const char *list, size_t *count);
void bench_texts_free(struct text *texts, size_t count);
extern const char bench_text_help[];

/* The same for the same seed; some 1 to 4 MB. The caller frees it. */
struct cli_input bench_random_text(uint64_t seed);

/* Lengths of strings, in bytes. */
struct size {
    char name[32];
    size_t low, high; /* equal, but for a distribution */
    bool
        by_doublings; /* of a distribution: as many strings from 1 to 2 bytes as from 32K to 64K; else all lengths alike */
};

struct size *bench_sizes(const char *list, size_t *count);
extern const char bench_size_help[];

/* One string of a workload: where it begins in the input, in units, and where its output goes. */
struct slice {
    size_t begin, count, out;
};

/* What a codec is given: strings of one encoding, or of UTF-16 or UTF-32 units to be encoded. A pass takes one sheet of
 * them; all sheets have as many strings. */
struct workload {
    const struct bench_operation *operation;
    const char *encoding;
    const void *input;
    size_t byte_count; /* of all input */
    size_t unit_size;
    struct slice *slices;
    size_t slice_count, sheet_count;
    size_t
        checked_count; /* sheets on which codecs must give the reference's answer; a further one is one string, of the same text */
    size_t out_bytes; /* room that is enough for all output of anybody, from one sheet, and OUT_SLACK bytes more */
};
enum { OUT_SLACK = 256, CACHE_LINE = 64 };

/* Memory that begins at a cache line, not cleared. The caller frees it. */
void *bench_alloc_lines(size_t byte_count);

/* Deterministic for a seed. The caller frees it. */
struct workload workload_make(const char *encoding, const struct bench_operation *operation, const struct text *text,
                              const struct size *size, uint64_t seed);

/* One of its sheets as a workload by itself; after the last one comes the first again. */
struct workload workload_sheet(const struct workload *workload, size_t number);
void workload_free(struct workload *workload);

/* ---- measuring ------------------------------------------------------------------------------------ */

/* One turn of a runner: the time of all input at its rate, and the longer neighbour_reading() of those before and after it; infinity
 * if another process took the core in between, or the clock changed. */
struct sample {
    double ns, reading_ns;
};

/* What is measured: a codec, or a limit of the machine. */
struct runner {
    const char *name;
    const struct assay_codec *codec; /* NULL: the limit */
    bool is_peer;
    bool is_direct; /* of a peer: it is the decoder itself, no adapter over a library, so nothing is subtracted */
    bool is_empty;  /* it does nothing (adapter.c): it is timed, and its answers are not looked at */
    bool differs;   /* its answer was not the reference's: it is not timed */
    double minimum_ns,
        median_ns; /* for all input: the sum of each sheet's shortest quiet pass; at the rate of the median quiet turn */
    double adapter_ns; /* what was subtracted from both, as what an adapter takes; of peers */
    size_t samples;    /* that these are of */
    double quiet;      /* share of its turns in which no neighbour took part of the core */
    bool is_noisy;     /* too few turns were quiet: the figures are of all turns, and are not to be compared */

    limit_function *limit;
    struct sample *taken_samples;
    size_t taken;
    double *pass_ns;                 /* of the turn that was just taken */
    double *least_ns, *least_any_ns; /* of each sheet, in quiet turns, in all turns; 0: none */
    double spent_ns;
    size_t sheet;  /* the next one */
    size_t passes; /* in a turn, a sheet each */
    size_t run_in; /* passes before them, which are not timed */
};

/* Where output goes; grows, is used again, and is freed by measure_end. */
struct measure {
    double end_ns;   /* when the cell should be done, its check and all */
    double share_ns; /* time for each of its runners */
    double
        cycle_ns; /* a cycle when the first cell began: times of strings that are in the caches are those at this clock */
    double clock_ns;   /* what a reading of the clock took, at least */
    double reading_ns; /* the shortest neighbour_reading() seen so far */
    double out_share;  /* bytes of output for each of input */
    uint8_t *out;
    size_t out_room;
};

/* Checks each runner against the reference, then times them in turn. Removes a runner that does not offer the
 * operation from the list; returns how many are left. */
size_t measure_cell(struct measure *measure, const struct workload *workload, struct runner *runners, size_t count);
void measure_end(struct measure *measure);

/* Whether the times of its strings are those at the first clock of the process. Strings beyond the caches wait for memory, which has a clock of
 * its own. */
bool measure_follows_clock(const struct workload *workload);

/* Whether the user wants an end (made in bench.c): then the cell under way is not measured longer. */
bool bench_is_interrupted(void);

/* ---- what an adapter takes ------------------------------------------------------------------------- */

/* Adds an empty peer and an empty codec, EMPTY_RUNNERS in all, if a peer is among the runners. Returns how many there are then. */
enum { EMPTY_RUNNERS = 2 };
size_t bench_add_empty(struct runner *runners, size_t count);

/* Removes them again. What the empty peer took longer than the empty codec is subtracted from the times of peers. */
size_t bench_subtract_adapter(struct runner *runners, size_t count);

/* ---- figures --------------------------------------------------------------------------------------- */

/* What is done with the report of all cells (made in bench.c). */
void bench_print_tables(const json_t *report, bool all_figures);
bool bench_compare(const json_t *report, const json_t *old, const char *old_path, double margin_percent);

/* Whether any codec of a cell lost more than the margin since the old report. */
bool bench_has_slower(const json_t *cell, const json_t *old, double margin_percent);

/* Takes over the times of those that were faster when the same cell was measured again. */
void bench_keep_best(json_t *cell, const json_t *again);

/* Lines of a file that say which ratio to the best peer is the least that will do. */
struct floors;
struct floors *bench_read_floors(const char *path);
extern const char bench_floors_help[];

/* Whether a cell has a floor, a codec and a peer, and is below. */
bool bench_is_below(const json_t *cell, const struct floors *floors);

/* Prints which cells are below; fails if none has a floor and a peer, or all that have were noisy. */
bool bench_check_floors(const json_t *report, const struct floors *floors, const char *path);

/* The fastest of a kind ("codec", "peer", "limit") that was timed in a cell; NULL if there is none, or if one of the kind is noisy, so that
 * nobody knows which is. */
const json_t *bench_best_of(const json_t *cell, const char *kind);

/* Whether any runner of a cell had too few quiet turns. */
bool bench_is_noisy(const json_t *cell);

/* A report of an earlier run; fails if the file holds none. */
json_t *bench_read_report(const char *path, const char *encoding);

#endif
