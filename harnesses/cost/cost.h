/* SPDX-License-Identifier: MIT
 *
 * cost.h - what the parts of the program `cost` share: patterns (patterns.c), cells (cost.c), the report (report.c).
 */
#ifndef ASSAY_COST_H
#define ASSAY_COST_H

#include "../assay/cli.h"
#include "../core/arena.h"
#include "../core/question.h"
#include "../core/tokens.h"
#include "blocks.h"

/* ---- patterns -------------------------------------------------------------------------------------------- */

/* A pattern, as units of one size. It has no units if the pattern decodes to none. */
struct form {
    uint8_t *units;
    size_t count;
};

enum { OF_BYTES, OF_UTF16, OF_UTF32, FORM_COUNT };
struct pattern {
    struct form forms[FORM_COUNT];
};

struct patterns {
    struct pattern *all;
    size_t count;
};

/* Returns the tokens of an encoding, those of generalized UTF-8, in which every code point can be written, and the
 * files of the folder `seeds`/`encoding`, if `seeds` is not NULL. */
struct patterns patterns_of(const char *encoding, const char *seeds);
void patterns_free(struct patterns *patterns);

/* ---- measurements ---------------------------------------------------------------------------------------- */

enum way { WHOLE, IN_PIECES, IN_LITTLE_ROOM, WAY_COUNT };
const char *way_name(enum way way);

/* The result for one codec, operation and way, over all patterns. */
struct cell {
    const struct assay_codec *codec;
    enum operation operation;
    enum assay_policy policy;
    enum way way;
    size_t patterns; /* asked */
    size_t
        unconfirmed; /* of these, ratios above 2.5 at the report's units that are not above it at four times as many */
    const struct pattern *worst; /* NULL if none took a block */
    size_t units;                /* once */
    uint64_t once, twice;        /* the blocks for the worst pattern */
};
bool cell_is_quadratic(const struct cell *cell);

struct desk {
    size_t units; /* of input, once */
    struct arena input, output;
};

/* ---- the report ------------------------------------------------------------------------------------------ */

struct report {
    bool is_json;
    size_t units;
    size_t cells, quadratic, patterns, unconfirmed;
    size_t skipped;       /* operations and ways that a codec does not offer */
    size_t not_counted;   /* codecs */
    struct cell worst;    /* of the cells that pass */
    json_t *rows, *names; /* for JSON; the names of codecs that are not counted */
};
void report_begins(struct report *report, size_t units);
void report_cell(struct report *report, const struct cell *cell);
void report_not_counted(struct report *report, const struct assay_codec *codec);

/* Prints the summary, and returns the exit code. Fails if nothing was measured. */
int report_ends(struct report *report);

#endif
