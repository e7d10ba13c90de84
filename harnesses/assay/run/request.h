/* SPDX-License-Identifier: MIT
 *
 * request.h - the cases of the vectors as requests of the protocol (vectors/PROTOCOL.md), and the answers that they
 * expect.
 */
#ifndef ASSAY_RUN_REQUEST_H
#define ASSAY_RUN_REQUEST_H

#include "../vectors/vectors.h"
#include "byte_string.h"

/* The kinds of requests; `decode` in pieces is a kind of its own. */
enum ask {
#define REQUEST(id, name, word, fields, reply, asks, asks_limited) ASK_##id,
#define VARIANT(id, word, name, asks) ASK_##id,
#include "../requests.def"
    ASK_COUNT
};

/* The word in a request, and the name in reports. */
const char *ask_word(enum ask ask);
const char *ask_name(enum ask ask);

/* The policy that a request names: one of codec.h, the subject's own, or none. */
enum { POLICY_OWN = ASSAY_POLICY_COUNT, POLICY_NONE, POLICY_WORDS };
const char *policy_word(unsigned policy);

/* The offer of a subject, from its reply to hello. A key that it leaves out restricts nothing. */
struct offer {
    char name[128], version[128]; /* escaped; "" if not stated */
    char *encodings;              /* joined by commas, with a comma at both ends; NULL: not stated */
    bool ops[ASK_COUNT];
    bool policies[POLICY_WORDS];
    bool in_pieces;   /* it accepts several chunks */
    bool says_chunks; /* the key is there */
    bool is_late;     /* it may emit output later than possible, so only the whole output is compared */
};

/* True if the offer names the kind of request, and pieces, where it needs these. */
bool offer_has(const struct offer *offer, enum ask ask);

/* How a request ended. */
/* clang-format off */
#define OUTCOMES(X) \
    X(NOT_ASKED, "not asked") X(ANSWERED, "answered") X(SKIPPED, "skipped") \
    X(MALFORMED, "malformed reply") X(NOT_UTF_8, "output is not UTF-8") \
    X(OUT_OF_STEP, "reply out of step") \
    X(TOO_LONG, "reply too long") X(CRASHED, "crashed") X(TIMED_OUT, "timeout")

enum outcome_of_request {
#define X(id, name) OUTCOME_##id,
    OUTCOMES(X)
#undef X
};
/* clang-format on */
const char *outcome_name(enum outcome_of_request outcome);

/* The part of an answer that differs. */
/* clang-format off */
#define DIFFERENCES(X) \
    X(NONE, "none") X(ACCEPTED, "accepted") X(REFUSED, "refused") X(OFFSET, "offset") X(LENGTH, "length") \
    X(FAULT, "fault") X(OUTPUT, "output") X(TIMING, "timing") X(READ, "read") X(STATUS, "status") X(PIECE, "piece")

enum difference {
#define X(id, name) DIFFERS_##id,
    DIFFERENCES(X)
#undef X
    DIFFERENCE_COUNT
};
/* clang-format on */
const char *difference_name(enum difference difference);

/* Of the positions tier, requests that did not fail have neither probe nor conversion (positions.c). */
struct request {
    const struct category *category;
    const struct vector_case *test;
    const struct probe *probe;               /* under the named policy; for `reuse`, that of the first stream */
    const struct conversion *conversion;     /* for `transcode`, instead of a probe */
    uint8_t encoding;                        /* the index of its encoding among those of the run */
    uint8_t ask, policy;                     /* enum ask; a policy, POLICY_OWN or POLICY_NONE */
    uint8_t outcome;                         /* enum outcome_of_request */
    uint16_t cause;                          /* if it failed: the number of its cause */
    uint8_t differences[ASSAY_POLICY_COUNT]; /* how the answer differs from the expected one, for each policy */
    uint8_t streams[ASSAY_POLICY_COUNT];     /* the stream whose answer differs first; 0 for all requests but `reuse` */
    uint32_t others;                         /* of the positions tier: other texts of the line with the same result */
    char *reply; /* the reply without its ID, if it differs from what any policy expects; long ones are cut */
    size_t reply_length;
};

/* The requests of all chosen cases that the subject offers. */
struct requests {
    struct request *all;
    size_t count, capacity;
    size_t not_offered; /* left out because the subject does not offer them, of encodings that it names */
    struct {
        size_t pieces, verdicts; /* of these: texts in pieces, and questions whether a text is well-formed */
    } left_out;
};

/* True if the subject names the category's encoding, or names none. */
bool offer_names(const struct offer *offer, const struct category *category);

void requests_of_case(struct requests *requests, const struct category *category, const struct vector_case *test,
                      const struct offer *offer);
void requests_push(struct requests *requests, const struct request *request);
void requests_free(struct requests *requests);

/* True for requests about a text in pieces, and for those whose answer says whether a text is well-formed. */
bool request_is_in_pieces(const struct request *request);
bool request_is_for_verdict(const struct request *request);

/* Appends the request, without ID and end of line. */
void request_write(struct byte_string *out, const struct request *request);

/* The expected answer to a request under a policy of codec.h: exactly one of the two is set. request_expects() returns
 * false if the vectors do not have that policy. */
struct expectation {
    const struct probe *probe;
    const struct conversion *conversion;
};
bool request_expects(const struct request *request, enum assay_policy policy, struct expectation *expectation);

/* Returns the expected scalars of a probe, without the signature that the encoding removes; *dropped is 1 if there was
 * one. */
const uint32_t *expected_scalars(const struct request *request, const struct probe *probe, size_t *count,
                                 size_t *dropped);

/* Returns the number of streams of a request. The probes of the streams of `reuse` are adjacent; other requests have
 * one. */
size_t request_stream_count(const struct request *request);

/* Returns the piece number `index` of the input, of cut_count + 1 pieces. */
const uint8_t *piece_of(const struct question *question, size_t index, size_t *length);

#endif
