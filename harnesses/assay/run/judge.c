/* SPDX-License-Identifier: MIT
 *
 * Judges a subject: which policy its answers follow, which answers no policy explains, and which failures have one
 * cause.
 */
#include "run.h"
#include "reply.h"

#include <stdlib.h>
#include <string.h>

enum assay_policy request_profile(const struct run *run, const struct request *request)
{
    return request->policy < POLICY_NONE ? run->encodings[request->encoding].fits[request->policy].profile
                                         : ASSAY_POLICY_STRICT;
}

const char *request_compared_with(const struct run *run, const struct request *request)
{
    enum assay_policy policy = reply_expected_policy(request, request_profile(run, request));
    return request->policy == POLICY_NONE || request->policy == policy ? NULL : assay_policy_name(policy);
}

enum difference request_difference(const struct run *run, const struct request *request)
{
    return (enum difference)request->differences[request_profile(run, request)];
}

bool request_failed(const struct run *run, const struct request *request)
{
    if (request->outcome == OUTCOME_ANSWERED)
        return request_difference(run, request) != DIFFERS_NONE;
    return request->outcome != OUTCOME_SKIPPED && request->outcome != OUTCOME_NOT_ASKED;
}

bool run_is_troubled(const struct run *run)
{
    return run->process.unexplained > 0 || run->total.not_asked > 0;
}

/* ---- policies ------------------------------------------------------------------------------------------- */

/* True if the request shows the subject's policy. Encoding does not: it has errors of its own, which few subjects treat
 * like errors of decoding. */
static bool depends_on_policy(const struct request *request)
{
    return request->policy < POLICY_NONE && request->outcome == OUTCOME_ANSWERED &&
           (request->ask == ASK_DECODE || request->ask == ASK_STREAM || request->ask == ASK_REUSE);
}

static bool has_error(const struct request *request)
{
    for (size_t i = 0; i < request_stream_count(request); i++)
        if (request_first_error(request, i)->length > 0)
            return true;
    return false;
}

static void count_policy(struct fit *fit, enum assay_policy policy, const struct request *request)
{
    struct expectation expectation;
    bool is_expected = request_expects(request, policy, &expectation),
         differs = request->differences[policy] != DIFFERS_NONE;
    fit->left_over[policy] += differs;
    fit->expected[policy] += is_expected;
    fit->met[policy] += is_expected && !differs;
}

static void count_fits(struct run *run, const struct request *requests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        if (!depends_on_policy(request))
            continue;
        struct fit *fit = &run->encodings[request->encoding].fits[request->policy];
        fit->asked++;
        fit->ill_formed += has_error(request);
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            count_policy(fit, policy, request);
    }
}

/* Another policy than whatwg must leave over at least a tenth less than whatwg does. A decoder that follows none of
 * them is a little nearer to one or another by accident: the layer :utf8 of PerlIO, of which whatwg leaves over 6,996
 * answers, and `skip` 6,693. The failures are then stated against the policy that the standard recommends, and that the
 * letters describe. The margin is not larger, because decoders that do follow another policy, but have faults of their
 * own, fail under both: SQLite's UTF-8, which accepts what is not shortest, cuts as per-sequence does, and leaves over
 * 2,314 answers under it, 3,064 under whatwg. */
static enum assay_policy best_fit(const struct fit *fit)
{
    enum assay_policy best = ASSAY_POLICY_WHATWG;
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (fit->left_over[policy] < fit->left_over[best])
            best = policy;
    bool is_clear = 10 * fit->left_over[best] <= 9 * fit->left_over[ASSAY_POLICY_WHATWG];
    return is_clear ? best : ASSAY_POLICY_WHATWG;
}

/* Chooses the policy with which answers are compared: the one that the subject names, however another fits, because it
 * is promised; for `own`, the one that fits best. With --profile, all answers except those under `strict` are compared
 * with that one. */
static void choose_profiles(struct run *run)
{
    for (size_t i = 0; i < POLICY_NONE * run->encoding_count; i++) {
        unsigned policy = (unsigned)(i % POLICY_NONE);
        struct fit *fit = &run->encodings[i / POLICY_NONE].fits[policy];
        if (fit->is_chosen)
            continue;
        fit->is_chosen = fit->ill_formed > 0;
        fit->profile = policy < ASSAY_POLICY_COUNT ? (enum assay_policy)policy : best_fit(fit);
        if (run->settings.profile != NULL && policy != ASSAY_POLICY_STRICT)
            fit->profile = assay_policy_parse(run->settings.profile);
    }
}

void judge_policies(struct run *run, const struct request *requests, size_t count)
{
    count_fits(run, requests, count);
    choose_profiles(run);
}

/* ---- cases ------------------------------------------------------------------------------------------------ */

static void judge_case(struct run *run, struct tried *tried)
{
    size_t answered = 0, failed = 0, not_asked = tried->test->line != NULL && tried->request_count == 0;
    for (size_t i = 0; i < tried->request_count; i++) {
        const struct request *request = &run->requests.all[tried->first + i];
        size_t count = 1 + request->others;
        bool has_failed = request_failed(run, request);
        answered += request->outcome == OUTCOME_ANSWERED;
        failed += has_failed;
        not_asked += request->outcome == OUTCOME_NOT_ASKED;
        run->total.answered += request->outcome == OUTCOME_ANSWERED ? count : 0;
        run->total.skipped += request->outcome == OUTCOME_SKIPPED ? count : 0;
        run->total.not_asked += request->outcome == OUTCOME_NOT_ASKED ? count : 0;
        run->total.troubled += has_failed && request->outcome != OUTCOME_ANSWERED ? count : 0;
        run->total.failed += has_failed ? count : 0;
    }
    bool is_cut = cli_interruption != 0 && not_asked > 0 && failed == 0 && tried->verdict != SKIPPED_BY_WISH;
    if (tried->verdict != SKIPPED_BY_WISH)
        tried->verdict = failed > 0 ? FAILED : answered > 0 && !is_cut ? PASSED : SKIPPED;
    run->total.cases_not_asked += is_cut;
    run->total.cases[tried->verdict]++;
}

/* ---- causes ----------------------------------------------------------------------------------------------- */

size_t request_stream(const struct run *run, const struct request *request)
{
    return request->streams[request_profile(run, request)];
}

const struct assay_span *request_first_error(const struct request *request, size_t stream)
{
    static const struct assay_span none;
    struct expectation expectation;
    if (request->conversion != NULL)
        return request->conversion->error.length > 0 ? &request->conversion->error : &none;
    if (request_expects(request, ASSAY_POLICY_STRICT, &expectation) &&
        expectation.probe[stream].expected.result.error.length > 0)
        return &expectation.probe[stream].expected.result.error;
    /* with little room, `strict` may not come to the error, or not have been asked */
    const struct question *question = &request->probe[stream].question;
    for (size_t i = 0; i < request->test->probe_count; i++) {
        const struct probe *probe = &request->test->probes[i];
        if (probe->question.policy == ASSAY_POLICY_STRICT && probe->question.operation == question->operation &&
            probe->question.input == question->input && probe->question.input_count == question->input_count &&
            probe->expected.result.error.length > 0)
            return &probe->expected.result.error;
    }
    return &none;
}

static size_t input_size(const struct request *request)
{
    return request->conversion != NULL ? request->conversion->input_count : request->probe->question.input_count;
}

/* True for requests that decode a whole input: these fail for the same reason. */
static bool reads_whole(const struct request *request)
{
    return request->ask == ASK_VALIDATE || request->ask == ASK_DECODE || request->ask == ASK_INTO;
}

static bool reads_pieces(const struct request *request)
{
    return request->ask == ASK_STREAM || request->ask == ASK_STOP || request->ask == ASK_REUSE;
}

/* "utf-8 reading: accepted, first error overlong". */
static void describe_cause(char *key, size_t room, const struct run *run, const struct request *request,
                           const char *what)
{
    enum difference difference = request_difference(run, request);
    int length = snprintf(key, room, "%.*s %s: ", (int)category_encoding_length(request->category),
                          request->category->name, what);
    if (request->outcome != OUTCOME_ANSWERED)
        snprintf(key + length, room - (size_t)length, "%s", outcome_name(request->outcome));
    else
        snprintf(key + length, room - (size_t)length, "%s%s, first error %s%s", difference_name(difference),
                 difference == DIFFERS_ACCEPTED || difference == DIFFERS_REFUSED ? "" : " differs",
                 assay_fault_name(request_first_error(request, request_stream(run, request))->fault),
                 request_stream(run, request) > 0 ? ", in a stream after another" : "");
}

/* Returns the keys of requests that fail without pieces. */
static json_t *whole_causes(const struct run *run)
{
    json_t *keys = json_object();
    for (size_t i = 0; i < run->requests.count; i++) {
        const struct request *request = &run->requests.all[i];
        char key[CAUSE_KEY_MAX];
        if (!reads_whole(request) || !request_failed(run, request))
            continue;
        describe_cause(key, sizeof key, run, request, "reading");
        json_object_set_new(keys, key, json_true());
    }
    return keys;
}

/* A request that fails in pieces exactly as it fails whole has the same cause. */
static void key_of_cause(char *key, size_t room, const struct run *run, const struct request *request, json_t *whole)
{
    bool in_pieces = reads_pieces(request);
    describe_cause(key, room, run, request, in_pieces || reads_whole(request) ? "reading" : ask_name(request->ask));
    if (in_pieces && json_object_get(whole, key) == NULL)
        describe_cause(key, room, run, request, "reading in pieces");
}

const struct cause *cause_of(const struct run *run, const struct request *request)
{
    char key[CAUSE_KEY_MAX];
    describe_cause(key, sizeof key, run, request, "reading");
    for (const struct cause *cause = run->causes; cause < run->causes + run->cause_count; cause++)
        if (strcmp(cause->key, key) == 0)
            return cause;
    return NULL;
}

static struct cause *find_cause(struct run *run, const char *key, json_t *indexes)
{
    json_t *index = json_object_get(indexes, key);
    if (index != NULL)
        return &run->causes[json_integer_value(index)];
    if (run->cause_count % 64 == 0) {
        run->causes = realloc(run->causes, (run->cause_count + 64) * sizeof *run->causes);
        if (run->causes == NULL)
            cli_fail("out of memory");
    }
    json_object_set_new(indexes, key, json_integer((json_int_t)run->cause_count));
    struct cause *cause = &run->causes[run->cause_count++];
    if (run->cause_count > UINT16_MAX)
        cli_fail("more than %d causes", UINT16_MAX);
    *cause = (struct cause){.number = run->cause_count - 1};
    snprintf(cause->key, sizeof cause->key, "%s", key);
    return cause;
}

static int by_count(const void *one, const void *other)
{
    const struct cause *a = one, *b = other;
    if (a->request_count != b->request_count)
        return a->request_count < b->request_count ? 1 : -1;
    return strcmp(a->key, b->key);
}

/* True if a request shows a cause better: fewer bytes, a simpler operation, fewer pieces. */
static bool is_smaller(const struct request *request, const struct request *other)
{
    if (input_size(request) != input_size(other))
        return input_size(request) < input_size(other);
    if (request->ask != other->ask)
        return request->ask < other->ask;
    return request->probe != NULL && other->probe != NULL &&
           request->probe->question.cut_count < other->probe->question.cut_count;
}

static void add_to_cause(struct cause *cause, const struct tried *tried, struct request *request)
{
    request->cause = (uint16_t)cause->number;
    cause->request_count += 1 + request->others;
    cause->case_count += cause->last != tried;
    cause->last = tried;
    cause->asked[request->ask][request->policy] = true;
    if (cause->request == NULL || is_smaller(request, cause->request)) {
        cause->smallest = tried;
        cause->request = request;
    }
}

static void find_causes(struct run *run)
{
    json_t *indexes = json_object(), *whole = whole_causes(run);
    for (const struct tried *tried = run->tried; tried < run->tried + run->tried_count; tried++) {
        for (size_t i = 0; i < tried->request_count; i++) {
            char key[CAUSE_KEY_MAX];
            struct request *request = &run->requests.all[tried->first + i];
            if (!request_failed(run, request))
                continue;
            key_of_cause(key, sizeof key, run, request, whole);
            add_to_cause(find_cause(run, key, indexes), tried, request);
        }
    }
    json_decref(whole);
    json_decref(indexes);
    if (run->cause_count > 0)
        qsort(run->causes, run->cause_count, sizeof *run->causes, by_count);
}

void judge(struct run *run)
{
    for (size_t i = 0; i < run->tried_count; i++)
        judge_case(run, &run->tried[i]);
    find_causes(run);
}
