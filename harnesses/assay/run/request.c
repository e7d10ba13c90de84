/* SPDX-License-Identifier: MIT
 *
 * Makes requests of the cases of the vectors: which ones, how each is written, and what it expects under each
 * policy.
 */
#include "request.h"

#include "../../core/compare.h"
#include "../../core/convert.h"
#include "../cli.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *name;
    unsigned asks, asks_limited; /* the operations, one bit each */
} asks[] = {
#define OF(operation) OPERATION_BIT(operation)
#define REQUEST(id, name, word, fields, reply, asks, asks_limited) {word, word, asks, asks_limited},
#define VARIANT(id, word, name, asks) {word, name, asks, 0},
#include "../requests.def"
#undef OF
};

const char *ask_word(enum ask ask)
{
    return asks[ask].word;
}

const char *ask_name(enum ask ask)
{
    return asks[ask].name;
}

const char *policy_word(unsigned policy)
{
    return policy == POLICY_OWN ? "own" : policy == POLICY_NONE ? "-" : assay_policy_name((enum assay_policy)policy);
}

#define X(id, name) name,
static const char *const outcome_names[] = {OUTCOMES(X)}, *const difference_names[] = {DIFFERENCES(X)};
#undef X

const char *outcome_name(enum outcome_of_request outcome)
{
    return outcome_names[outcome];
}

const char *difference_name(enum difference difference)
{
    return difference_names[difference];
}

/* ---- which requests a case makes ---------------------------------------------------------------- */

bool offer_has(const struct offer *offer, enum ask ask)
{
    return offer->ops[ask] && (offer->in_pieces || (ask != ASK_STREAM && ask != ASK_STOP));
}

bool offer_names(const struct offer *offer, const struct category *category)
{
    size_t length = category_encoding_length(category);
    if (offer->encodings == NULL)
        return true;
    for (const char *at = offer->encodings; (at = strchr(at, ',')) != NULL && at[1] != '\0'; at++)
        if (strncmp(at + 1, category->name, length) == 0 && at[1 + length] == ',')
            return true;
    return false;
}

bool request_is_in_pieces(const struct request *request)
{
    return request->ask == ASK_STREAM || request->ask == ASK_STOP;
}

bool request_is_for_verdict(const struct request *request)
{
    return request->ask == ASK_VALIDATE || request->ask == ASK_STOP ||
           (request->policy == ASSAY_POLICY_STRICT && (request->ask == ASK_DECODE || request->ask == ASK_STREAM));
}

static void add(struct requests *requests, const struct offer *offer, const struct request *request)
{
    if (!offer_names(offer, request->category))
        return;
    if (!offer_has(offer, (enum ask)request->ask) || !offer->policies[request->policy]) {
        requests->not_offered++;
        requests->left_out.pieces += request_is_in_pieces(request);
        requests->left_out.verdicts += request_is_for_verdict(request);
        return;
    }
    requests_push(requests, request);
}

void requests_push(struct requests *requests, const struct request *request)
{
    if (requests->count == requests->capacity) {
        requests->capacity = 2 * requests->capacity + 1024;
        requests->all = realloc(requests->all, requests->capacity * sizeof *requests->all);
        if (requests->all == NULL)
            cli_fail("out of memory (%zu requests)", requests->capacity);
    }
    requests->all[requests->count++] = *request;
}

static bool is_in_pieces(const struct probe *probe)
{
    return probe->question.operation == OP_FEED_UTF32 && probe->question.cuts != NULL;
}

/* Returns the first probe of `reuse` for the policy of `first` whose streams end with a piece of their own. The probes
 * of a policy are in two halves: streams whose last piece is the end, then the same streams with a separate end. */
static const struct probe *find_reuse(const struct vector_case *test, const struct probe *first)
{
    const struct probe *end = first, *all = test->probes + test->probe_count;
    while (end < all && is_in_pieces(end) && end->question.policy == first->question.policy)
        end++;
    return end - test->stream_count;
}

/* True if the probe feeds the case's stream in pieces. Streams of `reuse`, and streams in one piece, have other
 * requests. */
static bool is_asked_in_pieces(const struct vector_case *test, const struct probe *probe)
{
    return is_in_pieces(probe) && test->stream_count == 0 && probe->question.cut_count > 0;
}

/* Returns the kind of request that asks the probe; ASK_COUNT if the protocol has none, or if another request asks the
 * same. */
static enum ask ask_of(const struct vector_case *test, const struct probe *probe)
{
    bool is_limited = probe->question.capacity != CAPACITY_ANY;
    if (operation_shape(probe->question.operation) == SHAPE_FEED)
        return is_asked_in_pieces(test, probe) ? ASK_STREAM : ASK_COUNT;
    for (enum ask ask = 0; ask < ASK_COUNT; ask++)
        if (((is_limited ? asks[ask].asks_limited : asks[ask].asks) >> probe->question.operation & 1) != 0)
            return ask;
    return ASK_COUNT;
}

/* Returns the signature that the category's encoding removes; NULL: none. */
static const struct signature *signature_of_category(const struct category *category)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)category_encoding_length(category), category->name);
    return signature_find(name);
}

/* Returns true for requests that a subject may answer under a policy of its own, which has no name (POLICY_OWN). */
static bool may_use_own_policy(enum ask ask)
{
    return ask == ASK_DECODE || ask == ASK_STREAM || ask == ASK_REUSE || ask == ASK_WELL_FORMED;
}

static void add_probe(struct requests *requests, const struct offer *offer, struct request *request)
{
    const struct question *question = &request->probe->question;
    add(requests, offer, request);
    bool knows_pieces = request->probe->expected.written_after != NULL; /* which bring how much, also of an error */
    if (request->ask == ASK_STREAM && question->policy == ASSAY_POLICY_STRICT && knows_pieces) {
        struct request stop = *request;
        stop.ask = ASK_STOP;
        stop.policy = POLICY_NONE;
        add(requests, offer, &stop);
    }
    if (offer->policies[POLICY_OWN] && may_use_own_policy(request->ask) && question->policy == ASSAY_POLICY_WHATWG) {
        request->policy = POLICY_OWN;
        add(requests, offer, request);
    }
}

void requests_of_case(struct requests *requests, const struct category *category, const struct vector_case *test,
                      const struct offer *offer)
{
    unsigned reused = 0; /* policies whose streams are already requested, one bit each */
    for (size_t i = 0; i < test->probe_count; i++) {
        const struct probe *probe = &test->probes[i];
        struct request request = {.category = category,
                                  .test = test,
                                  .probe = probe,
                                  .ask = (uint8_t)ask_of(test, probe),
                                  .policy = (uint8_t)probe->question.policy};
        if (test->stream_count > 0 && is_in_pieces(probe) && !(reused >> probe->question.policy & 1)) {
            reused |= 1u << probe->question.policy;
            request.ask = ASK_REUSE;
            request.probe = find_reuse(test, probe);
        }
        if (request.ask == ASK_COUNT || (request.ask == ASK_WELL_FORMED && signature_of_category(category) != NULL))
            continue;
        if (!operation_has_policy(probe->question.operation))
            request.policy = POLICY_NONE;
        add_probe(requests, offer, &request);
    }
    for (size_t i = 0; i < test->conversion_count; i++)
        add(requests, offer,
            &(struct request){.category = category,
                              .test = test,
                              .conversion = &test->conversions[i],
                              .ask = ASK_TRANSCODE,
                              .policy = (uint8_t)test->conversions[i].policy});
}

void requests_free(struct requests *requests)
{
    for (size_t i = 0; i < requests->count; i++)
        free(requests->all[i].reply);
    free(requests->all);
    *requests = (struct requests){0};
}

/* ---- writing a request ---------------------------------------------------------------------------- */

const uint8_t *piece_of(const struct question *question, size_t index, size_t *length)
{
    size_t begin = index > 0 ? question->cuts[index - 1] : 0;
    size_t end = index < question->cut_count ? question->cuts[index] : question->input_count;
    *length = end - begin;
    return begin > 0 ? (const uint8_t *)question->input + begin : question->input;
}

static void write_pieces(struct byte_string *out, const struct question *question)
{
    for (size_t i = 0; i <= question->cut_count; i++) {
        size_t length;
        const uint8_t *piece = piece_of(question, i, &length);
        if (i > 0)
            byte_string_add_char(out, ',');
        byte_string_add_hex(out, piece, length);
    }
}

static void write_units(struct byte_string *out, const struct question *question)
{
    const uint16_t *narrow = question->input;
    const uint32_t *wide = question->input;
    for (size_t i = 0; i < question->input_count; i++) {
        if (i > 0)
            byte_string_add_char(out, ',');
        byte_string_add_scalar(out, question->operation == OP_ENCODE_UTF16 ? narrow[i] : wide[i]);
    }
    if (question->input_count == 0)
        byte_string_add_char(out, '-');
}

size_t request_stream_count(const struct request *request)
{
    return request->ask == ASK_REUSE ? request->test->stream_count : 1;
}

static void write_input(struct byte_string *out, const struct request *request)
{
    const struct question *question = &request->probe->question;
    switch (request->ask) {
    case ASK_ENCODE:
    case ASK_ENCODE_UTF16: write_units(out, question); break;
    case ASK_INTO:
        byte_string_add(out, question->operation == OP_DECODE_UTF16 ? "utf-16 " : "utf-32 ");
        byte_string_add_number(out, question->capacity);
        byte_string_add_char(out, ' ');
        byte_string_add_hex(out, question->input, question->input_count);
        break;
    case ASK_VALIDATE:
    case ASK_DECODE:
    case ASK_BOUNDARIES:
    case ASK_WELL_FORMED: byte_string_add_hex(out, question->input, question->input_count); break;
    default: /* in pieces */
        for (size_t i = 0; i < request_stream_count(request); i++) {
            if (i > 0)
                byte_string_add_char(out, ';');
            write_pieces(out, &request->probe[i].question);
        }
    }
}

void request_write(struct byte_string *out, const struct request *request)
{
    byte_string_add(out, ask_word(request->ask));
    byte_string_add_char(out, ' ');
    byte_string_add_bytes(out, request->category->name, category_encoding_length(request->category));
    byte_string_add_char(out, ' ');
    if (request->conversion != NULL) {
        byte_string_add(out, request->conversion->to);
        byte_string_add_char(out, ' ');
    }
    if (request->policy != POLICY_NONE) {
        byte_string_add(out, policy_word(request->policy));
        byte_string_add_char(out, ' ');
    }
    if (request->conversion != NULL)
        byte_string_add_hex(out, request->conversion->input, request->conversion->input_count);
    else
        write_input(out, request);
}

/* ---- the expected answer ---------------------------------------------------------------------------- */

static bool is_same_question(const struct question *one, const struct question *other)
{
    return one->operation == other->operation && one->input == other->input && one->input_count == other->input_count &&
           one->capacity == other->capacity && one->cuts == other->cuts && one->cut_count == other->cut_count;
}

/* The expectations of one question under all policies are about equally far apart in the list. */
static const struct probe *find_probe(const struct request *request, enum assay_policy policy)
{
    const struct vector_case *test = request->test;
    for (size_t i = 0; i < test->probe_count; i++) {
        const struct probe *probe = &test->probes[i];
        if (probe->question.policy == policy && is_same_question(&probe->question, &request->probe->question))
            return request->ask == ASK_REUSE ? find_reuse(test, probe) : probe;
    }
    return NULL;
}

bool request_expects(const struct request *request, enum assay_policy policy, struct expectation *expectation)
{
    *expectation = (struct expectation){0};
    if (request->policy == POLICY_NONE || request->policy == policy) {
        *expectation = (struct expectation){request->probe, request->conversion};
        return true;
    }
    if (request->probe != NULL) {
        expectation->probe = find_probe(request, policy);
        return expectation->probe != NULL;
    }
    for (size_t i = 0; i < request->test->conversion_count; i++)
        if (request->test->conversions[i].policy == policy &&
            request->test->conversions[i].input == request->conversion->input &&
            strcmp(request->test->conversions[i].to, request->conversion->to) == 0)
            expectation->conversion = &request->test->conversions[i];
    return expectation->conversion != NULL;
}

const uint32_t *expected_scalars(const struct request *request, const struct probe *probe, size_t *count,
                                 size_t *dropped)
{
    *count = probe->expected.result.written;
    *dropped = *count > 0 && signature_begins(signature_of_category(request->category), probe->question.input,
                                              probe->question.input_count);
    *count -= *dropped;
    return *dropped > 0 ? (const uint32_t *)probe->expected.output + 1 : probe->expected.output;
}
