/* SPDX-License-Identifier: MIT
 *
 * Finds a shorter input for a failure: asks the subject about parts of the input, in fewer pieces, as long as it fails
 * in the same way. The expected answer for a part is the reference's. A cause is named after the first error of an
 * input, which may have others: so what follows it is asked, too, and may fail for another cause, which is the mistake.
 */
#include "run.h"
#include "reply.h"

#include "../../../codecs/registry.h"
#include "../../core/compare.h"

#include <stdlib.h>
#include <string.h>

/* An input, and a request for it made from the request `model`. */
struct attempt {
    struct run *run;
    const struct request *model;
    const struct assay_codec *reference;
    struct seat *seats[ASSAY_POLICY_COUNT]; /* each has the expected answer under its policy */
    uint8_t *bytes;
    size_t count;
    size_t *cuts;
    size_t cut_count;
    struct vector_case test;
    struct probe probes[ASSAY_POLICY_COUNT];
    struct request request;
    size_t asked;
    double deadline; /* cli_now_ns */
};

/* True for requests for which the reference can answer about any part of the input, and to which the subject
 * answered. */
static bool can_be_shrunk(const struct request *request)
{
    return request->outcome == OUTCOME_ANSWERED &&
           (request->ask == ASK_VALIDATE || request->ask == ASK_DECODE || request->ask == ASK_STREAM);
}

/* Asks the reference under each policy that the model's case has. Returns false if the reference does not offer one of
 * them. */
static bool expect(struct attempt *attempt)
{
    struct request *request = &attempt->request;
    *request = (struct request){.category = attempt->model->category,
                                .test = &attempt->test,
                                .encoding = attempt->model->encoding,
                                .ask = attempt->model->ask,
                                .policy = attempt->model->policy};
    attempt->test = (struct vector_case){.id = attempt->model->test->id, .comment = "", .probes = attempt->probes};
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        struct expectation expectation;
        if (!request_expects(attempt->model, policy, &expectation))
            continue;
        struct probe *probe = &attempt->probes[attempt->test.probe_count++];
        *probe = (struct probe){.question = expectation.probe->question};
        struct question *question = &probe->question;
        question->input = attempt->bytes;
        question->input_count = attempt->count;
        question->cuts = attempt->cuts;
        question->cut_count = attempt->cut_count;
        struct question asked = *question;
        asked.capacity = capacity_for(asked.operation, asked.input_count);
        probe->expected = ask(attempt->seats[policy], attempt->reference, &asked, AT_END);
        if (probe->expected.absent)
            return false;
        if (expectation.probe == attempt->model->probe)
            request->probe = probe;
    }
    return request->probe != NULL;
}

static void ask_subject(struct attempt *attempt)
{
    struct requests alone = {.all = &attempt->request, .count = 1, .capacity = 1};
    if (attempt->run->settings.is_plain)
        plain_ask(attempt->run, &alone, false);
    else
        process_ask(&attempt->run->process, &attempt->request, 1, NULL);
    attempt->asked++;
}

/* True if the subject answers about the input, and wrongly. */
static bool fails(struct attempt *attempt)
{
    if (cli_now_ns() > attempt->deadline)
        return false;
    free(attempt->request.reply);
    if (!expect(attempt))
        return false;
    ask_subject(attempt);
    return attempt->request.outcome == OUTCOME_ANSWERED && request_failed(attempt->run, &attempt->request);
}

/* True if it fails as it does in the model: the same field of the answer differs, and the first error has the same
 * fault. */
static bool fails_alike(struct attempt *attempt)
{
    const struct run *run = attempt->run;
    return fails(attempt) && request_difference(run, &attempt->request) == request_difference(run, attempt->model) &&
           request_first_error(&attempt->request, 0)->fault == request_first_error(attempt->model, 0)->fault;
}

static void remove_bytes(struct attempt *attempt, size_t at, size_t count)
{
    memmove(attempt->bytes + at, attempt->bytes + at + count, attempt->count - at - count);
    attempt->count -= count;
    for (size_t i = 0; i < attempt->cut_count; i++)
        if (attempt->cuts[i] > at)
            attempt->cuts[i] = attempt->cuts[i] < at + count ? at : attempt->cuts[i] - count;
}

/* Removes one cut after the other. Returns true if one was superfluous. */
static bool remove_cuts(struct attempt *attempt)
{
    size_t before = attempt->cut_count;
    for (size_t i = attempt->cut_count; i-- > 0;) {
        size_t cut = attempt->cuts[i], after = attempt->cut_count - i - 1;
        memmove(&attempt->cuts[i], &attempt->cuts[i + 1], after * sizeof *attempt->cuts);
        attempt->cut_count--;
        if (fails_alike(attempt))
            continue;
        memmove(&attempt->cuts[i + 1], &attempt->cuts[i], after * sizeof *attempt->cuts);
        attempt->cuts[i] = cut;
        attempt->cut_count++;
    }
    return attempt->cut_count < before;
}

/* Removes runs of `length` bytes, from the end of the input to its beginning. Returns true if some were superfluous. */
static bool drop_runs(struct attempt *attempt, size_t length)
{
    size_t before = attempt->count;
    uint8_t *bytes = cli_alloc(before + 1, 1);
    size_t *cuts = cli_alloc(attempt->cut_count + 1, sizeof *cuts);
    for (size_t end = before; end >= length; end = end > length ? end - length : 0) {
        size_t count = attempt->count;
        memcpy(bytes, attempt->bytes, count);
        memcpy(cuts, attempt->cuts, attempt->cut_count * sizeof *cuts);
        remove_bytes(attempt, end - length, length);
        if (fails_alike(attempt))
            continue;
        attempt->count = count;
        memcpy(attempt->bytes, bytes, count);
        memcpy(attempt->cuts, cuts, attempt->cut_count * sizeof *cuts);
    }
    free(bytes);
    free(cuts);
    return attempt->count < before;
}

static void shrink(struct attempt *attempt)
{
    bool has_shrunk = true;
    while (has_shrunk) {
        has_shrunk = remove_cuts(attempt);
        for (size_t length = attempt->count; length > 0; length /= 2)
            has_shrunk |= drop_runs(attempt, length);
    }
}

/* Keeps an attempt that fails in the same way, as text, because the next one overwrites it. */
static void keep_attempt(struct cause *cause, struct attempt *attempt)
{
    struct byte_string asked = {0};
    char *expected;
    size_t size;
    FILE *out = cli_open_text(&expected, &size);
    reply_write_expected(out, &attempt->request, request_profile(attempt->run, &attempt->request));
    fclose(out);
    request_write(&asked, &attempt->request);
    byte_string_end(&asked);
    const char *got = attempt->request.reply != NULL ? attempt->request.reply : "";
    cause->shrunk = (struct shrunk){asked.bytes,
                                    expected,
                                    escaped(got, attempt->request.reply_length, attempt->request.reply_length),
                                    attempt->count,
                                    attempt->cut_count + 1,
                                    attempt->asked};
}

/* Removes the first error of the input, and what precedes it, as long as there is a rest that fails, too. If the last
 * one that does fails for another cause, notes that. */
static void find_remainder(struct attempt *attempt, struct cause *cause)
{
    const struct run *run = attempt->run;
    while (attempt->cut_count == 0 && attempt->count > 0 && cli_now_ns() < attempt->deadline && fails(attempt)) {
        const struct cause *as = cause_of(run, &attempt->request);
        if (as != NULL && as != cause) {
            free(cause->remainder.hex);
            cause->remainder = (struct remainder){as, cli_hex(attempt->bytes, attempt->count)};
        }
        const struct assay_span *error = request_first_error(&attempt->request, 0);
        if (error->length == 0)
            return;
        remove_bytes(attempt, 0, error->offset + error->length);
    }
}

static void shrink_cause(struct run *run, struct cause *cause, double deadline)
{
    const struct request *model = cause->request;
    if (!can_be_shrunk(model) || registry_reference(model->category->codec_encoding) == NULL)
        return;
    const struct question *question = &model->probe->question;
    struct attempt attempt = {.run = run,
                              .model = model,
                              .reference = registry_reference(model->category->codec_encoding),
                              .count = question->input_count,
                              .cut_count = question->cut_count,
                              .deadline = deadline};
    attempt.bytes = cli_alloc(attempt.count + 1, 1);
    attempt.cuts = cli_alloc(attempt.cut_count + 1, sizeof *attempt.cuts);
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        attempt.seats[policy] = seat_new();
    if (attempt.count > 0)
        memcpy(attempt.bytes, question->input, attempt.count);
    if (attempt.cut_count > 0)
        memcpy(attempt.cuts, question->cuts, attempt.cut_count * sizeof *attempt.cuts);
    if (fails_alike(&attempt)) {
        shrink(&attempt);
        /* to get the last answer again, which is kept */
        attempt.deadline = cli_now_ns() + run->settings.limits.seconds * 1e9;
        if ((attempt.count < question->input_count || attempt.cut_count < question->cut_count) && fails_alike(&attempt))
            keep_attempt(cause, &attempt);
        attempt.deadline = deadline;
        find_remainder(&attempt, cause);
    }
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        seat_free(attempt.seats[policy]);
    free(attempt.request.reply);
    free(attempt.bytes);
    free(attempt.cuts);
}

void shrink_causes(struct run *run)
{
    double deadline = cli_now_ns() + run->settings.shrink_seconds * 1e9;
    const struct process before = run->process;
    run->process.last_trouble = NULL;
    for (size_t i = 0; i < run->cause_count && !run->process.has_given_up && cli_now_ns() < deadline; i++)
        shrink_cause(run, &run->causes[i], deadline);
    run->process.restarts = before.restarts; /* shrinking must not change the counts of the run */
    run->process.unexplained = before.unexplained;
    run->process.late = before.late;
    run->process.has_given_up = before.has_given_up;
    free(run->process.last_trouble);
    run->process.last_trouble = before.last_trouble;
}

void cause_free(struct cause *cause)
{
    free(cause->shrunk.asked);
    free(cause->shrunk.expected);
    free(cause->shrunk.got);
    free(cause->remainder.hex);
}
