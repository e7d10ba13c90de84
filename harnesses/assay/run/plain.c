/* SPDX-License-Identifier: MIT
 *
 * A plain program, started once for each input: the bytes are its standard input; exit code 0 says well-formed, 1
 * ill-formed; standard output is the text as UTF-8. One start so answers two requests: the verdict and the text.
 */
#include "run.h"

#include "reply.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 1 << 20, OUTPUT_SHOWN = 400, JOBS_MAX = 64, TRIED_FIRST = 100, LONG_SECONDS = 60 };

/* One start of the program, which answers the `count` requests at `requests`, which are about one input. */
struct job {
    struct child child; /* pid 0: free */
    struct byte_string to, from, errors;
    struct request *requests;
    size_t count;
    double deadline;
    bool is_late; /* the time limit is over, and it has as long again, because the machine may be busy */
};

void plain_offer(struct offer *offer, const struct settings *settings)
{
    const char *name = settings->command[0];
    *offer = (struct offer){.in_pieces = false};
    char *shown = escaped(name, strlen(name), 100);
    snprintf(offer->name, sizeof offer->name, "%s", shown);
    free(shown);
    offer->ops[ASK_VALIDATE] = !settings->without_verdict;
    offer->ops[ASK_DECODE] = !settings->without_output;
    offer->policies[POLICY_OWN] = offer->policies[POLICY_NONE] = true;
}

/* ---- one answer ----------------------------------------------------------------------------------------------- */

/* Writes SCALARS of UTF-8. Returns false if the bytes are ill-formed, by the reference. */
static bool add_scalars(struct byte_string *out, const struct byte_string *text)
{
    const struct assay_codec *reference = registry_reference("utf-8");
    size_t capacity = ASSAY_DECODED_MAX(text->length);
    uint32_t *scalars = cli_alloc(capacity, sizeof *scalars);
    struct assay_result result =
        reference->decode_utf32(ASSAY_POLICY_STRICT, (const uint8_t *)text->bytes, text->length, scalars, capacity);
    for (size_t i = 0; i < result.written; i++) {
        if (i > 0)
            byte_string_add_char(out, ',');
        byte_string_add_scalar(out, scalars[i]);
    }
    if (result.written == 0)
        byte_string_add_char(out, '-');
    free(scalars);
    return result.status == ASSAY_OK;
}

/* A program that stops at an error may have written the output before it, or nothing. Both count as `strict`. */
static bool is_strict_prefix(const struct request *request, const struct byte_string *output)
{
    struct expectation strict;
    struct byte_string expected = {0}, actual = {0};
    if (!request_expects(request, ASSAY_POLICY_STRICT, &strict) ||
        strict.probe->expected.result.status != ASSAY_ILL_FORMED)
        return false;
    const uint32_t *scalars = strict.probe->expected.output;
    for (size_t i = 0; i < strict.probe->expected.result.written; i++) {
        if (i > 0)
            byte_string_add_char(&expected, ',');
        byte_string_add_scalar(&expected, scalars[i]);
    }
    bool is_prefix = add_scalars(&actual, output) && strcmp(byte_string_end(&actual), byte_string_end(&expected)) == 0;
    byte_string_free(&expected);
    byte_string_free(&actual);
    return is_prefix || output->length == 0;
}

/* Marks the outcome if an output cannot be compared. */
static void note_output(struct request *request, enum outcome_of_request outcome, const struct byte_string *output)
{
    char *shown = escaped(output->bytes, output->length, OUTPUT_SHOWN);
    reply_note(request, outcome, shown, strlen(shown));
    free(shown);
}

static void judge_output(const struct run *run, struct request *request, const struct job *job, bool is_refused)
{
    struct byte_string reply = {0};
    byte_string_add(&reply, "ok ");
    if (!add_scalars(&reply, &job->from)) {
        note_output(request, OUTCOME_NOT_UTF_8, &job->from);
    } else {
        bool is_strict = (is_refused || run->settings.without_verdict) && is_strict_prefix(request, &job->from);
        reply_judge(request, reply.bytes, reply.length, &run->process.offer);
        if (is_strict)
            request->differences[ASSAY_POLICY_STRICT] = DIFFERS_NONE;
    }
    byte_string_free(&reply);
}

static void judge_job(const struct run *run, struct job *job)
{
    bool has_exited = job->child.has_status && WIFEXITED(job->child.status);
    int code = has_exited ? WEXITSTATUS(job->child.status) : -1;
    bool has_verdict = code == 0 || code == 1;
    for (struct request *request = job->requests; request < job->requests + job->count; request++) {
        if (!has_exited || (!has_verdict && !run->settings.without_verdict)) {
            char *text;
            size_t size;
            FILE *out = cli_open_text(&text, &size);
            child_print_end(out, &job->child);
            print_errors(out, &job->errors);
            fclose(out);
            reply_note(request, OUTCOME_CRASHED, text, size);
            free(text);
        } else if (request->ask == ASK_VALIDATE) {
            reply_judge(request, code == 0 ? "ok" : "error", code == 0 ? 2 : 5, &run->process.offer);
        } else {
            judge_output(run, request, job, code == 1);
        }
    }
}

/* ---- several at once --------------------------------------------------------------------------------------------- */

static bool has_same_input(const struct request *one, const struct request *other)
{
    return one->test == other->test && one->probe->question.input == other->probe->question.input &&
           one->probe->question.input_count == other->probe->question.input_count;
}

static void start(const struct run *run, struct job *job)
{
    const struct question *question = &job->requests->probe->question;
    job->to.length = job->from.length = job->errors.length = 0;
    byte_string_add_bytes(&job->to, question->input, question->input_count);
    int failed = child_start(&job->child, run->settings.command);
    if (failed != 0)
        child_fail_to_start(run->settings.command[0], run->settings.command[0], failed);
    job->deadline = cli_now_ns() + run->settings.limits.seconds * 1e9;
    if (job->to.length == 0)
        child_close_input(&job->child);
}

/* Starts the program for the next input. It answers all requests in a row that are about this input. */
static void start_next(const struct run *run, const struct requests *requests, struct job *job, size_t *next)
{
    job->requests = &requests->all[*next];
    for (job->count = 0; *next < requests->count && has_same_input(job->requests, &requests->all[*next]); job->count++)
        ++*next;
    job->is_late = false;
    start(run, job);
}

static void note_all(struct job *job, enum outcome_of_request outcome, const struct byte_string *output)
{
    child_end(&job->child);
    for (struct request *request = job->requests; request < job->requests + job->count; request++)
        note_output(request, outcome, output);
}

/* Reads and writes without blocking; judges each job that has ended. */
static void serve_job(struct run *run, struct job *job, const struct pollfd polled[3])
{
    static char late[] = "it had not ended when its time was over, nor after as long again";
    if (polled[2].revents != 0 && (!child_write(job->child.in, &job->to) || job->to.length == 0))
        child_close_input(&job->child);
    if (polled[1].revents != 0 && !child_read(job->child.err, &job->errors)) {
        close(job->child.err);
        job->child.err = -1;
    }
    trim_errors(&job->errors);
    bool has_ended = polled[0].revents != 0 && !child_read(job->child.out, &job->from);
    if (job->from.length > OUTPUT_MAX) {
        note_all(job, OUTCOME_TOO_LONG, &job->from);
    } else if (has_ended) {
        child_end(&job->child);
        run->process.late += job->is_late;
        judge_job(run, job);
    } else if (cli_now_ns() > job->deadline && polled[0].revents == 0 && !job->is_late) {
        job->is_late = true;
        job->deadline = cli_now_ns() + run->settings.limits.seconds * 1e9;
    } else if (cli_now_ns() > job->deadline && polled[0].revents == 0) {
        note_all(job, OUTCOME_TIMED_OUT, &(struct byte_string){late, sizeof late - 1, 0});
    }
}

/* Waits up to 100 ms for a pipe, then serves each running job once. */
static void serve_jobs(struct run *run, struct job *jobs, size_t count)
{
    enum { PIPES = 3, WAIT_MS = 100 };
    struct pollfd polled[PIPES * JOBS_MAX];
    for (size_t i = 0; i < count; i++) {
        const struct child *child = &jobs[i].child;
        bool is_busy = child->pid != 0;
        polled[PIPES * i] = (struct pollfd){.fd = is_busy ? child->out : -1, .events = POLLIN};
        polled[PIPES * i + 1] = (struct pollfd){.fd = is_busy ? child->err : -1, .events = POLLIN};
        polled[PIPES * i + 2] =
            (struct pollfd){.fd = is_busy && jobs[i].to.length > 0 ? child->in : -1, .events = POLLOUT};
    }
    if (poll(polled, PIPES * count, WAIT_MS) < 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (jobs[i].child.pid != 0)
            serve_job(run, &jobs[i], polled + PIPES * i);
}

/* True if the program ended without a verdict for each of the first requests, also about well-formed text. Then it is
 * not started 8,000 times. */
static bool is_hopeless(const struct requests *requests)
{
    bool any_well_formed = false;
    for (const struct request *request = requests->all; request < requests->all + TRIED_FIRST; request++) {
        if (request->outcome != OUTCOME_CRASHED)
            return false;
        any_well_formed |= request_first_error(request, 0)->fault == ASSAY_FAULT_NONE;
    }
    return any_well_formed;
}

static _Noreturn void give_up(const struct run *run, struct job *jobs)
{
    const struct request *first = run->requests.all;
    char *shown = escaped(first->reply, first->reply_length, OUTPUT_SHOWN);
    for (size_t i = 0; i < run->settings.jobs; i++)
        if (jobs[i].child.pid != 0)
            child_end(&jobs[i].child);
    cli_fail("%s answered none of the first %d of %zu requests, and was not asked more: %s (exit code 0 says "
             "well-formed, 1 ill-formed; --no-verdict ignores it)",
             run->process.offer.name, TRIED_FIRST, run->requests.count, shown);
}

size_t plain_count_starts(const struct requests *requests)
{
    size_t starts = 0;
    for (size_t i = 0; i < requests->count; i++)
        starts += i == 0 || !has_same_input(&requests->all[i - 1], &requests->all[i]);
    return starts;
}

/* Says once, after the first starts of the run, that it will take long, if it will, and what takes less. Where there is
 * no terminal, nothing else is shown for a minute. */
static void warn_of_slowness(const struct run *run, size_t done)
{
    static bool is_estimated;
    if (is_estimated || done < TRIED_FIRST)
        return;
    is_estimated = true;
    double rate = (double)done / (cli_now_ns() - run->begun) * 1e9, seconds = (double)run->to_ask / rate;
    if (seconds <= LONG_SECONDS)
        return;
    cli_clear_progress();
    fprintf(
        stderr,
        "assay run: %.3g starts a second, and one for each of %zu inputs: about %.0f seconds in all; --every %zu asks "
        "a tenth of them, and a program that speaks the line protocol is started once (vectors/PROTOCOL.md)\n",
        rate, run->to_ask, seconds, 10 * run->settings.every);
}

void plain_ask(struct run *run, struct requests *requests, bool shows_progress)
{
    static struct job jobs[JOBS_MAX];
    size_t next = 0, busy = 1, starts = 0;
    while ((next < requests->count || busy > 0) && cli_interruption == 0) {
        busy = 0;
        for (size_t i = 0; i < run->settings.jobs; i++) {
            if (jobs[i].child.pid == 0 && next < requests->count) {
                start_next(run, requests, &jobs[i], &next);
                starts++;
            }
            busy += jobs[i].child.pid != 0;
        }
        if (busy > 0)
            serve_jobs(run, jobs, run->settings.jobs);
        if (requests == &run->requests && next >= TRIED_FIRST && is_hopeless(requests))
            give_up(run, jobs);
        if (shows_progress) {
            warn_of_slowness(run, run->asked + starts - busy);
            run_show_progress(run, starts - busy);
        }
    }
    for (size_t i = 0; i < run->settings.jobs; i++) {
        if (jobs[i].child.pid != 0)
            child_end(&jobs[i].child);
        byte_string_free(&jobs[i].to);
        byte_string_free(&jobs[i].from);
        byte_string_free(&jobs[i].errors);
    }
}
