/* SPDX-License-Identifier: MIT
 *
 * question.h - what can be asked of a codec, and its answer in one form for all operations.
 *
 * A question is asked with the input flush against a guard page and the output between canaries.
 */
#ifndef ASSAY_QUESTION_H
#define ASSAY_QUESTION_H

#include "../../codecs/operations.h"

#include <signal.h>

/* The columns of operations.def. */
const char *operation_name(enum operation operation);
enum operation_shape operation_shape(enum operation operation);
size_t operation_input_unit(enum operation operation);  /* bytes */
size_t operation_output_unit(enum operation operation); /* bytes */
const char *operation_unit_word(enum operation operation);
enum operation operation_whole(enum operation operation);
bool operation_has_policy(enum operation operation);

/* Enough units of output for the whole answer, under any policy. */
size_t capacity_for(enum operation operation, size_t input_count);

struct question {
    enum operation operation;
    enum assay_policy policy;
    const void *input;
    bool in_place;       /* the input lies at a guard page already (see seat_input): it is not copied again */
    size_t input_count;  /* units */
    size_t capacity;     /* units of output */
    const size_t *cuts;  /* feeding: where pieces end, ascending; the last one ends with the input; concat: where the
                          * left string ends */
    size_t cut_count;
    size_t room;         /* feeding: at most so many output units a call; 0 = all that is left */
};

/* Where the buffers lie: input and output both end at a guard page, or both begin at one. The two fillings
 * differ, so output that was never written shows. */
enum placement { AT_END, AT_BEGIN, PLACEMENT_COUNT };

struct answer {
    bool absent;                /* the codec does not offer it */
    struct assay_result result; /* of feeding: as if all pieces were one */
    const void *output;         /* result.written units; valid until the same seat asks again */
    const size_t *marks;        /* feeding: how much was written after each piece; cut_count + 1 of them */
    bool overran;               /* a canary beside the output died */
    bool stuck;                 /* feeding: a call neither read nor wrote, with room to do so, or read more than there was */
};

/* Whether there is an answer to go on with. That one is out of bounds or makes no progress is for a comparison to say. */
static inline bool answer_is_usable(const struct answer *answer)
{
    return !answer->absent && !answer->overran && !answer->stuck;
}

/* Buffers that questions are asked with. One seat for the reference, one for whoever is compared with it. */
struct seat;
struct seat *seat_new(void);
void seat_free(struct seat *seat); /* NULL is none */

/* The input of a question, copied to where the placement wants it. Valid until the seat is asked again. */
const void *seat_input(struct seat *seat, const struct question *question, enum placement placement);

/* Who is being asked what at this moment, for whoever has to explain why there will be no answer. */
struct asking {
    const struct assay_codec *codec; /* NULL in between, and the rest means nothing */
    const struct question *question;
    volatile sig_atomic_t seconds; /* since then, where somebody counts them (silence.h) */
};
extern struct asking asking;

/* For those who call a codec themselves: before and after, or before the next. */
void asking_directly(const struct assay_codec *codec, struct question question);
void asking_ends(void);

/* Two that are asked so in many places: `validate`, and `boundary`. */
bool ask_well_formed(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count, struct assay_span *error);
size_t ask_boundary(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count, size_t at);

struct answer ask(struct seat *seat, const struct assay_codec *codec, const struct question *question,
                  enum placement placement);

/* Whether a codec has the operation. */
bool codec_has(const struct assay_codec *codec, enum operation operation);

/* What a function of a codec is called with; which of these it has, its shape says. */
struct arguments {
    enum assay_policy policy;
    const void *input;
    size_t input_count; /* units */
    void *output;
    size_t capacity;    /* units */
    struct assay_stream *stream; /* FEED, in place of the policy */
    bool last;                   /* FEED */
    size_t at;                   /* BOUNDARY */
    const void *right;           /* CONCAT, where `input` is the left string */
    size_t right_count;
};

/* Calls an operation that the codec has. What shapes without a struct assay_result return is put into one: a verdict is its
 * status; spans are counted in `written`; counts, and a boundary, are output units. */
struct assay_result codec_call(const struct assay_codec *codec, enum operation operation, const struct arguments *with);

/* Whether a codec has the operation, and supports the policy, if one matters to it: it is asked with nothing. */
bool codec_offers(const struct assay_codec *codec, enum operation operation, enum assay_policy policy);

/* Whether bytes of an output are as they were before it was asked for: who says that they were written may not have done so. */
bool is_filling(const void *bytes, size_t byte_count);

#endif
