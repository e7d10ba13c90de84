/* SPDX-License-Identifier: MIT
 *
 * compare.h - asks every codec of an encoding that this CPU runs the same question, and compares each answer with the
 * reference's. Fuzzers, replay, enumeration and `assay diff` are thin layers over it.
 */
#ifndef ASSAY_COMPARE_H
#define ASSAY_COMPARE_H

#include "../../codecs/registry.h"
#include "question.h"

/* The fields of an answer in the order in which they are compared: identifier, and the word used in keys. */
/* clang-format off */
#define FIELDS(X) \
    X(NONE, "none") X(BOUNDS, "bounds") X(PROGRESS, "progress") X(NO_ERROR, "no-error") \
    X(VERDICT, "verdict") X(OFFSET, "offset") X(LENGTH, "length") X(FAULT, "fault") X(INCOMPLETE, "incomplete") \
    X(TIMING, "timing") X(OUTPUT, "output") X(WRITTEN, "written") X(READ, "read")

enum field {
#define X(id, name) FIELD_##id,
    FIELDS(X)
#undef X
    FIELD_COUNT
};
/* clang-format on */

struct divergence {
    const struct assay_codec *reference, *codec;
    const struct question *question; /* with the capacity of the question */
    const struct answer *expected, *actual;
    enum field field;
    size_t index; /* the output unit (OUTPUT) or the piece (TIMING) that differs */
};

struct comparer {
    const char *encoding;
    void (*on_divergence)(void *context, const struct divergence *divergence);
    void *context;
    void (*on_answer)(const struct assay_codec *codec); /* called for each answer; may be NULL */
    /* True for codec and operation pairs to skip: known to crash or hang. NULL: none is skipped. */
    bool (*should_skip)(void *context, const struct assay_codec *codec, enum operation operation);
    bool keep_going; /* after a divergence, ask the other codecs, too */
    bool once;       /* ask once, in `placement`, instead of in each placement with exact and with ample room */
    enum placement placement;
    size_t shifts; /* further placements that each question is asked in, unless `once` (shift_for); 0 to SHIFT_MAX */
    unsigned left_out; /* operations that are not asked, one bit each */
    size_t half;      /* 1, 2: of the built-in codecs, ask only those at even, at odd places of the panel; 0: ask all */
    uint64_t asked;   /* answers compared with the reference's */
    uint64_t skipped; /* questions that a codec does not offer, or is not asked */
    uint64_t diverged;

    /* Made by comparer_begin: the codecs, the reference first, and their buffers. */
    const struct assay_codec **panel;
    size_t panel_size;
    struct seat *reference_seat, *other_seat;
};

/* A value of question.capacity: at each of the two guard pages, ask with exactly as much room as the reference needs,
 * and again with plenty of room; with one of the two in each further placement. With `once`, one of the two, which
 * depends on the number of units of the answer. */
#define CAPACITY_ANY SIZE_MAX

/* True if questions about the operation are asked, and the codec has it. */
bool comparer_asks(const struct comparer *comparer, const struct assay_codec *codec, enum operation operation);

/* Asks all codecs. Returns true if no answer differs from the reference's. */
bool compare(struct comparer *comparer, const struct question *question);

/* Looks up the codecs and makes the buffers. Optional: the first question does it. */
void comparer_begin(struct comparer *comparer);

/* Asks the codec nothing more. Returns false if it is none of those that are asked, or is the reference. */
bool comparer_leave_out(struct comparer *comparer, const struct assay_codec *codec);

/* Frees the list of codecs and the buffers. The counts remain. */
void comparer_end(struct comparer *comparer);

/* Returns the first field that differs, and sets *index as in struct divergence; FIELD_NONE if none does. */
enum field compare_answers(const struct question *question, const struct answer *expected, const struct answer *actual,
                           size_t *index);

/* Compares two spans. A figure that a codec does not know (ASSAY_UNKNOWN) counts as equal. */
enum field compare_spans(const struct assay_span *expected, const struct assay_span *actual);

const char *field_name(enum field field);

#endif
