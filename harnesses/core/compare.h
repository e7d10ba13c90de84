/* SPDX-License-Identifier: MIT
 *
 * compare.h - asks every codec of an encoding that this CPU runs the same question, and holds its answer
 * against the reference's. Fuzzers, replay, enumeration and `assay diff` are all glue over this.
 */
#ifndef ASSAY_COMPARE_H
#define ASSAY_COMPARE_H

#include "../../codecs/registry.h"
#include "question.h"

/* The first thing in which two answers differ: identifier, and the word used in keys. */
#define FIELDS(X)                                                                             \
    X(NONE, "none") X(BOUNDS, "bounds") X(PROGRESS, "progress") X(VERDICT, "verdict")         \
    X(OFFSET, "offset") X(LENGTH, "length") X(FAULT, "fault") X(INCOMPLETE, "incomplete")     \
    X(TIMING, "timing") X(OUTPUT, "output") X(WRITTEN, "written") X(READ, "read")

enum field {
#define X(id, name) FIELD_##id,
    FIELDS(X)
#undef X
    FIELD_COUNT
};

struct divergence {
    const struct assay_codec *reference, *codec;
    const struct question *question; /* with the capacity that was given */
    const struct answer *expected, *actual;
    enum field field;
    size_t index; /* of the output unit (OUTPUT) or the piece (TIMING) that differs */
};

struct comparer {
    const char *encoding;
    void (*on_divergence)(void *context, const struct divergence *divergence);
    void *context;
    void (*on_answer)(const struct assay_codec *codec); /* NULL: nobody wants to know who answers */
    /* Whom not to ask that, because no answer comes; NULL: everybody is asked everything. */
    bool (*spares)(void *context, const struct assay_codec *codec, enum operation operation);
    bool keep_going;    /* after a divergence, go on with the other codecs */
    bool once;          /* ask in one placement, `placement`, instead of both */
    enum placement placement;
    uint64_t asked;     /* answers compared with the reference's */
    uint64_t skipped;   /* questions that a codec does not offer */
    uint64_t diverged;

    /* See comparer_begin: who is asked, the reference first, and the buffers they are asked with. */
    const struct assay_codec **panel;
    size_t panel_size;
    struct seat *reference_seat, *other_seat;
};

/* For question.capacity: exactly as much as the reference needs, and again with plenty of room. */
#define CAPACITY_ANY SIZE_MAX

/* Asks all codecs. Returns whether none differs. */
bool compare(struct comparer *comparer, const struct question *question);

/* Looks up who is asked, once for all, and makes the buffers; the first question does it, if it was not done before. */
void comparer_begin(struct comparer *comparer);

/* Frees these; figures stay. */
void comparer_end(struct comparer *comparer);

/* The first field in which an answer is not as expected; *index is then what struct divergence has there. */
enum field compare_answers(const struct question *question, const struct answer *expected,
                           const struct answer *actual, size_t *index);

/* The same of two spans. What a codec does not know of one (ASSAY_UNKNOWN) is not held against it. */
enum field compare_spans(const struct assay_span *expected, const struct assay_span *actual);

const char *field_name(enum field field);

#endif
