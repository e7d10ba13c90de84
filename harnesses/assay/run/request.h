/* SPDX-License-Identifier: MIT
 *
 * request.h - the cases of the vectors as requests of the protocol (vectors/PROTOCOL.md), and the answers that they expect.
 */
#ifndef ASSAY_RUN_REQUEST_H
#define ASSAY_RUN_REQUEST_H

#include "../vectors/vectors.h"
#include "text.h"

/* What is asked: the verbs of the protocol, and `decode` in pieces by itself. */
enum ask {
#define VERB(id, name, word, fields, reply, asks, asks_limited) ASK_##id,
#define VARIANT(id, word, name, asks) ASK_##id,
#include "../verbs.def"
    ASK_COUNT
};

/* The verb in a request, and the name in reports. */
const char *ask_word(enum ask ask);
const char *ask_name(enum ask ask);

/* The policy that a request names: one of ours, or what the subject does by itself, or none. */
enum { POLICY_OWN = ASSAY_POLICY_COUNT, POLICY_NONE, POLICY_WORDS };
const char *policy_word(unsigned policy);

/* What a subject offers, by its answer to hello. What it does not mention is asked. */
struct offer {
    char name[128], version[128]; /* escaped; "" if not stated */
    char *encodings;              /* joined by commas, with a comma at both ends; NULL: not stated */
    bool ops[ASK_COUNT];
    bool policies[POLICY_WORDS];
    bool in_pieces;               /* it takes several chunks */
    bool is_late;                 /* it may emit later than it could: only the whole is compared */
};

/* How a request ended. */
#define OUTCOMES(X)                                                              \
    X(NOT_ASKED, "not asked") X(ANSWERED, "answered") X(SKIPPED, "skipped")      \
    X(MALFORMED, "malformed reply") X(NOT_UTF_8, "output is not UTF-8")          \
    X(OUT_OF_STEP, "reply out of step")                                          \
    X(TOO_LONG, "reply too long") X(CRASHED, "crashed") X(TIMED_OUT, "timeout")

enum outcome_of_request {
#define X(id, name) OUTCOME_##id,
    OUTCOMES(X)
#undef X
};
const char *outcome_name(enum outcome_of_request outcome);

/* In what an answer differs. */
#define DIFFERENCES(X)                                                                                         \
    X(NONE, "none") X(ACCEPTED, "accepted") X(REFUSED, "refused") X(OFFSET, "offset") X(LENGTH, "length")      \
    X(FAULT, "fault") X(OUTPUT, "output") X(TIMING, "timing") X(READ, "read") X(STATUS, "status") X(PIECE, "piece")

enum difference {
#define X(id, name) DIFFERS_##id,
    DIFFERENCES(X)
#undef X
    DIFFERENCE_COUNT
};
const char *difference_name(enum difference difference);

struct request {
    const struct category *category;
    const struct vector_case *test;
    const struct probe *probe;           /* under the policy that is named; of `reuse`, that of the first stream */
    const struct conversion *conversion; /* instead, of `transcode` */
    uint8_t encoding;                    /* which one of those that the run asks for */
    uint8_t ask, policy;                 /* enum ask; a policy, POLICY_OWN or POLICY_NONE */
    uint8_t outcome;                     /* enum outcome_of_request */
    uint8_t differences[ASSAY_POLICY_COUNT]; /* of an answer from what is expected under each policy */
    char *reply;                         /* without its ID, where it differs from what any policy expects; cut where it is long */
    size_t reply_length;
};

/* Requests of all cases that are chosen and that the subject offers. */
struct requests {
    struct request *all;
    size_t count, capacity;
    size_t not_offered; /* that an offer leaves out */
};

void requests_of_case(struct requests *requests, const struct category *category, const struct vector_case *test,
                      const struct offer *offer);
void requests_free(struct requests *requests);

/* The encoding that a category's requests name: "utf-8-sig". */
size_t category_encoding_length(const struct category *category);

/* Appends the request, without ID and end of line. */
void request_write(struct text *out, const struct request *request);

/* What the request expects under a policy of ours; NULL where the vectors do not have that policy. Exactly one of the two,
 * probe and conversion, is set. */
struct expectation {
    const struct probe *probe;
    const struct conversion *conversion;
};
bool request_expects(const struct request *request, enum assay_policy policy, struct expectation *expectation);

/* Expected scalars of a probe, without the signature that the encoding takes away; `dropped` is 1 if there was one. */
const uint32_t *expected_scalars(const struct request *request, const struct probe *probe, size_t *count, size_t *dropped);

/* Of `reuse`: the probes of its streams lie side by side. Of others: 1. */
size_t request_stream_count(const struct request *request);

/* Input of one piece after the other; the piece at `index` of cut_count + 1. */
const uint8_t *piece_of(const struct question *question, size_t index, size_t *length);

#endif
