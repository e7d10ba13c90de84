/* SPDX-License-Identifier: MIT
 *
 * museum.h - the kill matrix: a row for each exhibit (a decoder with one mistake, harnesses/museum/decoders/), a column for
 * each way to ask it. A cell says if an answer was wrong, and after how many answers.
 */
#ifndef ASSAY_MUSEUM_MUSEUM_H
#define ASSAY_MUSEUM_MUSEUM_H

#include "../../museum/kill.h"
#include "../cli.h"
#include "../prove/prove.h"
#include "../sweep/sweep.h"

enum fate {
    NOT_ASKED, /* the exhibit offers nothing that the column asks */
    SURVIVED,  /* all answers were right */
    KILLED,
    FATE_COUNT
};

/* In memory that parent and children share. */
struct cell {
    enum fate fate;
    uint64_t cases; /* answers, or cases of a theorem, with the one that kills */
    double seconds;
    char by[160];    /* what kills: a file of vectors, an operation, or the theorem's reason */
    char field[16];  /* of the answer that differs; or "crash", or "refuted" */
    uint64_t digest; /* of the column `vectors` with --kill-sets: of all questions that kill */
};

struct exhibit {
    const struct mistake *mistake;
    const char *encoding; /* in which it is asked */
    struct trials *trials;
};

/* One cell's work, in a child process. */
struct visit {
    const struct exhibit *exhibit;
    const struct assay_codec *codec; /* with the mistake */
    const struct column *column;
    struct cell *cell;
    size_t stride;
    bool has_kill_sets;
    const char *vectors_folder;
    double begun;
    const uint64_t *cases; /* counts while the column is asked; for a crash */
};

enum group { VECTORS, ENUMERATION, PROOF, GROUP_COUNT };

struct column {
    const char *name;
    enum group group;
    const char *encoding; /* the only encoding of the column; "": all */
    const char *sentence;
    void (*ask)(struct visit *visit);
    void (*part)(struct sweep *sweep);                /* ENUMERATION */
    bool (*applies)(const struct assay_codec *codec); /* PROOF */
    void (*prove)(struct proof *proof);
};
extern const struct column columns[];
extern const size_t column_count;

/* What a cell was asked with, and the whole matrix, row by row. */
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

/* The first column of a group that kills; column_count if none does. */
size_t first_kill(const struct matrix *matrix, size_t exhibit, enum group group);

/* True if an exhibit survives the vectors and the enumeration. */
bool is_survivor(const struct matrix *matrix, size_t exhibit);

/* Writes what ended the visit, and ends the child. */
_Noreturn void visit_end(struct visit *visit, enum fate fate, uint64_t cases, const char *by, const char *field);

/* tiers.c: asks the strings of complete/ENCODING-TIER.txt for their verdict and first error. Ends the visit if an answer is wrong. */
void ask_tiers(struct visit *visit);

/* children.c: fills all cells, `at_once` at a time. Fails if a column cannot be asked. */
void fill_cells(struct matrix *matrix, const char *vectors_folder, size_t at_once);

/* report.c */
void print_matrix(const struct matrix *matrix);
void print_matrix_as_json(const struct matrix *matrix);

#endif
