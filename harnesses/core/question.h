/* SPDX-License-Identifier: MIT
 *
 * question.h - a question to a codec, and its answer, in one form for all operations.
 *
 * The input and the output each touch a guard page; the output's other side has a canary. So the length of a text
 * decides its address modulo 64, or that is 0; a question may also be asked at other addresses, `shift` bytes from the
 * pages.
 */
#ifndef ASSAY_QUESTION_H
#define ASSAY_QUESTION_H

#include "arena.h"
#include "operation.h"

#include <signal.h>

/* Bytes between a guard page and the input, and between a guard page and the output: multiples of what a unit is
 * aligned to, less than SHIFT_MAX. At the guard pages before them, these are the addresses modulo SHIFT_MAX. */
struct shift {
    size_t input, output;
};
enum { SHIFT_MAX = 64 };

struct question {
    enum operation operation;
    enum assay_policy policy;
    const void *input;
    void *placed;       /* a copy of the input at a guard page (seat_input), which ask() uses; NULL: ask() makes one */
    size_t input_count; /* units */
    size_t capacity;    /* units of output */
    const size_t *cuts; /* feeding: the ends of all pieces but the last, ascending; concat: the end of the left
                          * string */
    size_t cut_count;
    /* feeding: 0: all room that is left; else the most output units for each call, at least 2. Then the first call for
     * each piece has no room, the second room for one unit, and another stream is started between pieces */
    size_t room;
    bool without_error; /* validating: `error` is NULL */
    struct shift shift;
};

/* Returns a shift that depends on the text, its length, the operation and the policy; different ones for each `number`
 * below SHIFT_MAX, for all inputs and outputs of bytes together all that there are. */
struct shift shift_for(const struct question *question, size_t number);

bool is_shifted(const struct question *question);

/* What the shift of a buffer of such units must be a multiple of. */
size_t alignment_of(size_t unit);

struct answer {
    bool absent;                 /* the codec does not offer the operation or the policy */
    struct assay_result result;  /* feeding: as if all pieces were one */
    const void *output;          /* result.written units; valid until the same seat asks again */
    const size_t *written_after; /* feeding: how much was written after each piece; cut_count + 1 of them */
    bool overran;                /* the canary next to the output changed, or the input did */
    bool changed_input;
    bool wavers; /* validating: with `error` NULL, the verdict is different */
    bool stuck;  /* feeding: a call with enough room neither read nor wrote, or read more than there was */
};

/* True if the answer can be used for further questions. A comparison reports an answer that is out of bounds or makes
 * no progress. */
static inline bool answer_is_usable(const struct answer *answer)
{
    return !answer->absent && !answer->overran && !answer->stuck;
}

/* The buffers for questions to one codec: one seat for the reference, one for the codec that is compared with it. */
struct seat;
struct seat *seat_new(void);
void seat_free(struct seat *seat); /* NULL is allowed */

/* Copies the input of a question to its place. Valid until the next question to the seat. */
void *seat_input(struct seat *seat, const struct question *question, enum placement placement);

/* The current question, for reports of codecs that crash or hang. */
struct asking {
    const struct assay_codec *codec; /* NULL: no question is under way, and the other members are undefined */
    const struct question *question;
    volatile sig_atomic_t seconds; /* seconds since it began, if silence.h counts them */
};
extern struct asking asking;

/* A copy of the current question, in memory that another process reads. */
enum { SHOWN_INPUT_BYTES = 256, SHOWN_CUTS = 16 };
struct shown_question {
    volatile bool is_under_way;
    volatile unsigned number, seconds; /* questions so far; the seconds that silence.h has counted of all of them */
    const struct assay_codec *of;      /* no address of the other process */
    char codec[160];                   /* ENCODING/NAME */
    struct question question;
    bool is_whole; /* input and cuts have room below; else the question has none */
    uint32_t input[SHOWN_INPUT_BYTES / sizeof(uint32_t)];
    size_t cuts[SHOWN_CUTS];
};
extern struct shown_question *shown_question; /* NULL: no process reads it */

/* For callers that call a codec directly: asking_directly() before each call, or once before a series, asking_ends()
 * after the last one. A report of a crash names the question that was given last. */
void asking_directly(const struct assay_codec *codec, struct question question);
void asking_ends(void);

/* Short forms of asking `validate` and `boundary`. */
bool ask_well_formed(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count,
                     struct assay_span *error);
size_t ask_boundary(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count, size_t at);

/* Input and output both end at a guard page, or both begin at one, but for the question's shift. The two placements
 * fill the output with different patterns, so output that was never written differs. */
struct answer ask(struct seat *seat, const struct assay_codec *codec, const struct question *question,
                  enum placement placement);

/* True if the codec has the operation and supports the policy; this is tried with an empty input. */
bool codec_offers(const struct assay_codec *codec, enum operation operation, enum assay_policy policy);

/* The policies under which the codec offers the operation, one bit each, as an empty input shows; 0 if it does not have
 * the operation. Comparisons skip what is not offered, so they do not find that a codec offers less than before. */
unsigned codec_policies(const struct assay_codec *codec, enum operation operation);

/* True if the output still holds the fill pattern. */
bool is_filling(const void *bytes, size_t byte_count);

#endif
