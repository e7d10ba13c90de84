/* SPDX-License-Identifier: MIT
 *
 * vectors.h - the golden vectors (format: vectors/FORMAT.md): each case as questions to a codec and expected
 * answers.
 */
#ifndef ASSAY_VECTORS_H
#define ASSAY_VECTORS_H

#include "../../core/question.h"

/* A question and its expected answer. A capacity of CAPACITY_ANY: the answer is the same with any room that suffices
 * for `expected.result.written` units. */
struct probe {
    struct question question;
    struct answer expected;
    size_t stop_piece; /* feeding: the piece that makes certain the error at which `strict` stops */
    unsigned variants; /* the variants that are asked (ask.h), one bit each; 0: all */
};

/* A conversion from the category's encoding to another, and its expected output. */
struct conversion {
    const char *to;
    enum assay_policy policy;
    const uint8_t *input;
    size_t input_count;
    bool stops; /* the conversion stops at `error` */
    struct assay_span error;
    const uint8_t *output;
    size_t output_count;
};

struct vector_case {
    const char *id; /* "utf-8/overlong/c080" */
    const char *comment;
    const struct probe *probes;
    size_t probe_count;
    const struct conversion *conversions;
    size_t conversion_count;
    size_t stream_count; /* for a `reuse` case: its probes in pieces are in adjacent groups of this size; else 0 */
    const struct line
        *line; /* for a case of the positions tier (positions.h), which has no probes or conversions; else NULL */
};

struct category {
    const char *name;           /* "utf-8-sig/bom" */
    const char *codec_encoding; /* the encoding whose codecs are asked: "utf-8" */
    const struct vector_case *cases;
    size_t case_count;
};

/* The length of the encoding's name in the requests of a category: "utf-8-sig". */
size_t category_encoding_length(const struct category *category);

struct vectors {
    const struct category *categories; /* in the order of their files */
    size_t category_count;
    const char *version; /* of the first file; NULL if none was read: the positions tier has none */
    struct pool *pool;   /* the memory of everything that the categories point to */
};

/* Returns the folder of the vectors that belong to this program: in its checkout if it runs from a build folder, else
 * where they were installed with it. Ends the program with exit code 2 if there are none. Static storage. */
const char *vectors_folder(void);

/* The globs that choose cases by id; all are chosen if there are none. */
struct choice {
    char **globs;
    int glob_count;
    bool without_positions; /* leaves out the positions tier, whose lines only some commands ask */
    bool with_long_texts;   /* adds a category of long texts for each encoding (long_texts.h) */
};

/* Loads every ENCODING/CATEGORY.json of a folder, except categories in which `choice` has no case. A file that violates
 * the format ends the program with exit code 2 and a message that names file, case and field. */
struct vectors vectors_load(const char *folder, const struct choice *choice);
void vectors_free(struct vectors *vectors);

/* True if a glob matches an id, or a folder of the id: "utf-8/overlong" stands for all cases in it. */
bool choice_matches(const char *glob, const char *id);
bool choice_has(const struct choice *choice, const char *id);
bool vectors_have_match(const struct vectors *vectors, const char *glob);

/* Ends the program with exit code 2 if a glob matches nothing: it is misspelt, and a run without cases must not
 * pass. */
void choice_require_matches(const struct choice *choice, const struct vectors *vectors, const char *folder);

#endif
