/* SPDX-License-Identifier: MIT
 *
 * museum.h - the kill matrix: a row for each exhibit (a decoder with one mistake, harnesses/museum/decoders/), a column
 * for each way to ask it. A cell says whether an answer was wrong, and after how many answers.
 */
#ifndef ASSAY_MUSEUM_MUSEUM_H
#define ASSAY_MUSEUM_MUSEUM_H

#include "../../museum/kill.h"
#include "../cli.h"
#include "../prove/prove.h"
#include "../sweep/sweep.h"

enum fate {
    NOT_ASKED, /* the exhibit does not offer what the column asks */
    SURVIVED,  /* all answers were right */
    KILLED,
    FATE_COUNT
};

/* In memory that parent and children share. */
struct cell {
    enum fate fate;
    /* the answers (of a theorem, the cases) up to the one that kills; of a fuzzer, the median of the executions */
    uint64_t cases;
    double seconds;
    char by[160];         /* what kills: a file of vectors, an operation, or the theorem's reason */
    char field[16];       /* of the answer that differs; or "crash", or "refuted" */
    uint64_t digest;      /* for the column `vectors` with --kill-sets: a digest of all questions that kill */
    unsigned hits, seeds; /* of a fuzzer: attempts that found the mistake, of how many */
};

struct exhibit {
    const struct mistake *mistake;
    const char *encoding; /* the encoding that the exhibit is asked in */
    struct trials *trials;
};

/* One cell's work, in a child process. */
struct visit {
    const struct exhibit *exhibit;
    const struct assay_codec *codec; /* the codec with the mistake */
    const struct column *column;
    struct cell *cell;
    size_t stride;
    bool has_kill_sets;
    const char *vectors_folder;
    double begun;
    const uint64_t *cases; /* counts answers while the column is asked, in case of a crash */
};

enum group { VECTORS, ENUMERATION, PROOF, FUZZING, GROUP_COUNT };

struct column {
    const char *name;
    enum group group;
    const char *encoding; /* the only encoding of the column; "": it has all */
    const char *sentence;
    void (*ask)(struct visit *visit);                 /* NULL for FUZZING */
    void (*part)(struct sweep *sweep);                /* ENUMERATION */
    bool (*applies)(const struct assay_codec *codec); /* PROOF */
    void (*prove)(struct proof *proof);
};
extern const struct column columns[];
extern const size_t column_count;

/* The settings of a run, and the whole matrix, row by row. */
struct matrix {
    struct exhibit *exhibits;
    size_t exhibit_count;
    struct cell *cells; /* exhibit_count * column_count */
    bool *is_chosen;    /* of each column */
    size_t stride;
    bool has_kill_sets;
    double seconds;
};

static inline const struct cell *cell_at(const struct matrix *matrix, size_t exhibit, size_t column)
{
    return &matrix->cells[exhibit * column_count + column];
}

/* Returns the first column of a group that kills the exhibit; column_count if none does. */
size_t first_kill(const struct matrix *matrix, size_t exhibit, enum group group);

/* True if an exhibit passes the vectors and the enumeration. */
bool is_survivor(const struct matrix *matrix, size_t exhibit);

/* Records the result of the visit, and ends the child process. */
_Noreturn void visit_end(struct visit *visit, enum fate fate, uint64_t cases, const char *by, const char *field);

/* tiers.c: asks for the verdict and first error of the strings of complete/ENCODING-TIER.txt. Ends the visit at a wrong
 * answer. */
void ask_tiers(struct visit *visit);

/* children.c: fills all cells, with `at_once` processes. Fails if a column cannot be asked. */
void fill_cells(struct matrix *matrix, const char *vectors_folder, size_t at_once);

/* fuzzing.c: fills the columns of the fuzzers, which are not run, from ../../museum/fuzzing.def. */
void fill_fuzzing(struct matrix *matrix);

/* fuzzing.c: when, where and how these columns were measured. */
struct fuzzing {
    const char *date, *processor;
    unsigned seconds; /* limit of an attempt */
};
extern const struct fuzzing fuzzing;

/* True if half of the attempts, or more, found nothing, so that there is no median. */
static inline bool is_censored(const struct cell *cell)
{
    return cell->seeds > 0 && cell->cases == 0;
}

/* report.c */
void print_matrix(const struct matrix *matrix);
void print_matrix_as_json(const struct matrix *matrix);

#endif
