/* SPDX-License-Identifier: MIT
 *
 * Requests are sent ahead of the replies, and replies are read whenever there are any, so that neither side waits for
 * the other while both pipes are full. If a subject dies or hangs with several requests under way, these are asked
 * again one by one, so that only the one that causes it fails.
 *
 * The machine may be busy, so a subject that does not reply within the time limit has as long again. That is to wait
 * for the same process, not to ask another one: a subject that hangs at its 500th request, whatever that is, would
 * answer this request after a restart. The second period begins when the end of the first is noticed, so that a machine
 * that stood still for longer than both accuses nobody.
 */
#include "process.h"

#include "../cli.h"
#include "reply.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WINDOW = 1024,         /* requests under way */
    AHEAD_BYTES = 1 << 16, /* most bytes that are not yet sent */
    ID_MAX = 20,
};

/* ---- the pipes ------------------------------------------------------------------------------------------ */

enum moved { MOVED, EXPIRED, ENDED };

/* Reads standard error, and keeps its end. */
static void read_errors(struct process *process)
{
    if (!child_read(process->child.err, &process->errors)) {
        close(process->child.err);
        process->child.err = -1;
    }
    trim_errors(&process->errors);
}

/* Sends and receives what is possible, or waits for that until `deadline` (cli_now_ns). */
static enum moved move_bytes(struct process *process, double deadline)
{
    struct child *child = &process->child;
    double left = (deadline - cli_now_ns()) / 1e6;
    struct pollfd polled[] = {{.fd = child->out, .events = POLLIN},
                              {.fd = child->err, .events = POLLIN},
                              {.fd = process->to.length > 0 ? child->in : -1, .events = POLLOUT}};
    if (poll(polled, 3, left <= 0 ? 0 : left < 1000 ? (int)left + 1 : 1000) < 0)
        return MOVED;
    if (left <= 0 && polled[0].revents == 0) /* a reply that came in time counts, however late it is read */
        return EXPIRED;
    if (polled[1].revents != 0)
        read_errors(process);
    if (polled[0].revents != 0 && !child_read(child->out, &process->from))
        return ENDED;
    if (polled[2].revents != 0 && !child_write(child->in, &process->to))
        child_close_input(child); /* what the subject still has to say is read until it ends */
    return MOVED;
}

/* Waits for the end of the first line. Returns NULL if it does not come, or the line is too long; *moved says which. */
static const char *wait_for_line(struct process *process, double seconds, enum moved *moved)
{
    double deadline = cli_now_ns() + seconds * 1e9;
    const char *end = NULL;
    for (*moved = MOVED; *moved == MOVED && end == NULL && process->from.length <= process->limits.reply_bytes &&
                         cli_interruption == 0;) {
        *moved = move_bytes(process, deadline);
        end = process->from.length > 0 ? memchr(process->from.bytes, '\n', process->from.length) : NULL;
    }
    return end;
}

/* ---- hello ----------------------------------------------------------------------------------------------- */

/* Waits for the greeting as wait_for_line() does. On a terminal, says after some seconds what it waits for. */
static const char *wait_for_greeting(struct process *process, enum moved *moved)
{
    enum { SILENT_SECONDS = 3 };
    double seconds = process->limits.start_seconds, first = seconds < SILENT_SECONDS ? seconds : SILENT_SECONDS;
    const char *end = wait_for_line(process, first, moved);
    if (*moved != EXPIRED || first == seconds)
        return end;
    if (isatty(STDERR_FILENO))
        cli_print_progress(0, 1, 0, "no reply to hello yet, for up to %g s (is it a plain program? then --plain)",
                           seconds);
    end = wait_for_line(process, seconds - first, moved);
    cli_clear_progress();
    return end;
}

/* Reads the greeting. Returns NULL, or the reason why there is no subject. */
static const char *read_greeting(struct process *process)
{
    static char why[600];
    enum moved moved;
    byte_string_add(&process->to, "hello assay/1\n");
    const char *end = wait_for_greeting(process, &moved);
    size_t length = end != NULL ? (size_t)(end - process->from.bytes) : process->from.length;
    char *line = escaped(process->from.length > 0 ? process->from.bytes : "", length, 200);
    struct offer offer = {0};
    const char *wrong = end == NULL ? moved == EXPIRED ? "it does not answer"
                                      : moved == ENDED ? "it ends without an answer"
                                                       : "its answer does not end"
                                    : offer_read(&offer, process->from.bytes, length);
    if (wrong != NULL)
        snprintf(why, sizeof why, "%s (to `hello assay/1`%s%.200s%s)", wrong, length > 0 ? " it said: " : "", line,
                 length > 0 ? "" : " it said nothing");
    free(line);
    if (wrong == NULL)
        byte_string_drop(&process->from, length + 1);
    if (process->offer.name[0] == '\0')
        process->offer = offer;
    else
        offer_free(&offer);
    return wrong != NULL ? why : NULL;
}

static _Noreturn void fail_start(struct process *process, const char *name, const char *why)
{
    child_end(&process->child);
    struct byte_string *errors = &process->errors;
    while (errors->length > 0 && errors->bytes[errors->length - 1] == '\n')
        errors->length--;
    char *lines = byte_string_end(errors);
    if (strchr(lines, '\n') != NULL)
        cli_fail_quoting(lines, "%s is no subject: %s; on standard error:", name, why);
    cli_fail("%s is no subject: %s%s%s", name, why,
             lines[0] != '\0' ? "; on standard error: "
                              : "; a program that reads bytes and writes text is tested with --plain",
             lines);
}

void process_start(struct process *process, const char *name, char *const *command, const struct limits *limits)
{
    *process = (struct process){.command = command, .limits = *limits, .head_id = 1};
    int failed = child_start(&process->child, command);
    if (failed != 0)
        child_fail_to_start(name, command[0], failed);
    const char *why = read_greeting(process);
    if (why != NULL)
        fail_start(process, name, why);
}

void process_end(struct process *process)
{
    child_end(&process->child);
    byte_string_free(&process->to);
    byte_string_free(&process->from);
    byte_string_free(&process->errors);
    offer_free(&process->offer);
    free(process->last_trouble);
}

/* ---- asking ---------------------------------------------------------------------------------------------- */

/* Requests under way are those from head to next; those before alone_until are asked one by one. */
struct asking_all {
    struct request *requests;
    size_t count, head, next, alone_until;
    double since;      /* the time for the head's reply has begun */
    bool is_explained; /* the reason why requests are asked one by one was printed */
    bool is_late;      /* the time limit of the head is over, and it has as long again */
};

static void stop_child(struct process *process)
{
    child_end(&process->child);
    process->to.length = process->from.length = 0;
}

/* Starts it again; gives up after too many restarts, or if it greets no more. */
static void restart(struct process *process)
{
    const char *why = "";
    process->fruitless++;
    for (size_t starts = 1; why != NULL && !process->has_given_up && cli_interruption == 0; starts++) {
        process->errors.length = 0;
        process->has_given_up = ++process->restarts > process->limits.restarts || starts > process->limits.fruitless;
        if (process->has_given_up || child_start(&process->child, process->command) != 0)
            continue;
        why = read_greeting(process);
        if (why != NULL)
            stop_child(process);
    }
}

/* True if a line begins with this ID. */
static bool is_reply_to(const char *line, size_t length, size_t id)
{
    char word[ID_MAX + 4];
    size_t word_length = (size_t)snprintf(word, sizeof word, "%zu ", id);
    return length >= word_length && memcmp(line, word, word_length) == 0;
}

/* Stops a subject that died, hung, or cannot be understood any more. Returns what it did; the caller frees it.
 * `wrong`: what it printed that cannot be understood, or NULL. */
static char *stop_after_trouble(struct process *process, enum outcome_of_request outcome, const char *wrong,
                                size_t *length)
{
    enum { BEGUN_SHOWN = 60 };
    char *said,
        *begun = escaped(process->from.length > 0 ? process->from.bytes : "", process->from.length, BEGUN_SHOWN);
    FILE *out = cli_open_text(&said, length);
    if (process->child.err >= 0)
        read_errors(process);
    if (outcome == OUTCOME_TIMED_OUT) {
        fprintf(out, "no reply in %g s, nor in as long again", process->limits.seconds);
        child_print_standstill(out, &process->child);
    }
    stop_child(process);
    if (wrong != NULL)
        fputs(wrong, out);
    else if (outcome == OUTCOME_CRASHED)
        child_print_end(out, &process->child);
    if (wrong == NULL && begun[0] != '\0')
        fprintf(out, "; its reply ended in the middle of the line: %s", begun);
    print_errors(out, &process->errors);
    fclose(out);
    free(begun);
    return said;
}

/* Handles a subject that died, hung, or cannot be understood any more. */
static void handle_trouble(struct process *process, struct asking_all *all, enum outcome_of_request outcome,
                           const char *text, size_t length)
{
    size_t under_way = all->next - all->head;
    bool is_twice = outcome == OUTCOME_OUT_OF_STEP && all->head > 0 &&
                    (under_way == 0 || is_reply_to(text, length, process->head_id - 1));
    char *copy = text != NULL ? escaped(text, length, 400) : NULL;
    size_t said_length;
    char *said = stop_after_trouble(process, outcome, copy, &said_length);
    process->head_id += under_way;
    bool is_doubtful = under_way > 1 && (outcome == OUTCOME_CRASHED || outcome == OUTCOME_TIMED_OUT);
    all->is_late = false;
    if (is_doubtful) {
        all->alone_until = all->next > all->alone_until ? all->next : all->alone_until;
        all->is_explained = false;
    } else {
        all->is_explained = true;
        reply_note(&all->requests[is_twice ? all->head - 1 : all->head++], outcome, said, said_length);
    }
    all->next = all->head;
    free(process->last_trouble);
    process->last_trouble = said;
    free(copy);
    restart(process);
    all->since = cli_now_ns();
}

/* Leaves the other requests of the head's category. None is under way. */
static void leave_category(struct process *process, struct asking_all *all)
{
    const struct category *category = all->head < all->count ? all->requests[all->head].category : NULL;
    while (all->head < all->count && all->requests[all->head].category == category)
        all->head++;
    all->next = all->head;
    process->left_categories += category != NULL;
    process->fruitless = 0;
}

static void send_ahead(struct process *process, struct asking_all *all)
{
    size_t window = all->head < all->alone_until ? 1 : WINDOW;
    while (all->next < all->count && all->next - all->head < window && process->to.length < AHEAD_BYTES) {
        byte_string_add_number(&process->to, process->head_id + (all->next - all->head));
        byte_string_add_char(&process->to, ' ');
        request_write(&process->to, &all->requests[all->next++]);
        byte_string_add_char(&process->to, '\n');
    }
}

/* Takes a line as a reply. Returns false if it does not belong to the head. */
static bool take_line(struct process *process, struct asking_all *all, const char *line, size_t length)
{
    if (length > 0 && line[length - 1] == '\r')
        length--;
    if (all->head == all->next || !is_reply_to(line, length, process->head_id))
        return false;
    size_t id_length = (size_t)((const char *)memchr(line, ' ', length) - line) + 1;
    reply_judge(&all->requests[all->head], line + id_length, length - id_length, &process->offer);
    all->head++;
    process->late += all->is_late;
    all->is_late = false;
    process->head_id++;
    process->fruitless = 0;
    if (all->head == all->alone_until && !all->is_explained) {
        process->unexplained++;
        all->is_explained = true;
    }
    return true;
}

/* Gives the head as long again, the first time. Returns false the second time. */
static bool wait_longer(struct asking_all *all)
{
    bool is_first = !all->is_late;
    if (is_first)
        all->since = cli_now_ns();
    all->is_late = true;
    return is_first;
}

/* Takes all complete lines that have arrived. Returns false if one of them was trouble. */
static bool take_lines(struct process *process, struct asking_all *all)
{
    size_t begin = 0;
    const char *end;
    size_t before = all->head;
    while (process->from.length > begin &&
           (end = memchr(process->from.bytes + begin, '\n', process->from.length - begin)) != NULL) {
        const char *line = process->from.bytes + begin;
        if (!take_line(process, all, line, (size_t)(end - line))) {
            handle_trouble(process, all, OUTCOME_OUT_OF_STEP, line, (size_t)(end - line));
            return false;
        }
        begin += (size_t)(end - line) + 1;
    }
    byte_string_drop(&process->from, begin);
    if (all->head > before)
        all->since = cli_now_ns();
    if (process->from.length <= process->limits.reply_bytes)
        return true;
    handle_trouble(process, all, OUTCOME_TOO_LONG, process->from.bytes, process->from.length);
    return false;
}

void process_ask(struct process *process, struct request *requests, size_t count,
                 void (*on_progress)(size_t done, size_t count))
{
    struct asking_all all = {.requests = requests, .count = count, .since = cli_now_ns(), .is_explained = true};
    double shown_at = all.since;
    while (all.head < count && !process->has_given_up && cli_interruption == 0) {
        bool was_idle = all.head == all.next;
        send_ahead(process, &all);
        if (was_idle)
            all.since = cli_now_ns();
        enum moved moved = move_bytes(process, all.since + process->limits.seconds * 1e9);
        if (take_lines(process, &all) && all.head < count && moved != MOVED && (moved == ENDED || !wait_longer(&all)))
            handle_trouble(process, &all, moved == ENDED ? OUTCOME_CRASHED : OUTCOME_TIMED_OUT, NULL, 0);
        if (process->fruitless >= process->limits.fruitless && !process->has_given_up)
            leave_category(process, &all);
        if (on_progress != NULL && cli_progress_is_due(&shown_at))
            on_progress(all.head, count);
    }
}

/* ---- one request at a time -------------------------------------------------------------------------------- */

/* Stops a subject that gave no reply, starts it again, and returns what it did instead. */
static char *end_after_trouble(struct process *process, enum moved moved, bool has_line, size_t length)
{
    char *said, *got = escaped(process->from.length > 0 ? process->from.bytes : "", length, 400);
    size_t size;
    if (process->child.err >= 0)
        read_errors(process);
    stop_child(process);
    FILE *out = cli_open_text(&said, &size);
    if (has_line)
        fprintf(out, "%s: %s", outcome_name(OUTCOME_OUT_OF_STEP), got);
    else if (moved == ENDED)
        child_print_end(out, &process->child);
    else if (moved == EXPIRED)
        fprintf(out, "no reply in %g s", process->limits.seconds);
    else
        fprintf(out, "%s: %s", outcome_name(OUTCOME_TOO_LONG), got);
    print_errors(out, &process->errors);
    fclose(out);
    free(got);
    restart(process);
    process->has_given_up |= process->fruitless > process->limits.fruitless;
    return said;
}

void process_renew(struct process *process)
{
    process->restarts = process->fruitless = 0;
    if (!process->has_given_up)
        return;
    process->has_given_up = false;
    stop_child(process);
    restart(process);
    process->restarts = process->fruitless = 0;
    if (process->has_given_up)
        cli_fail("'%s' does not start again", process->command[0]);
}

bool process_ask_one(struct process *process, const char *request, char **reply)
{
    enum moved moved;
    if (process->has_given_up) {
        *reply = escaped("given up after restarts", 23, 23);
        return false;
    }
    size_t id = process->head_id++;
    byte_string_add_number(&process->to, id);
    byte_string_add_char(&process->to, ' ');
    byte_string_add(&process->to, request);
    byte_string_add_char(&process->to, '\n');
    const char *end = wait_for_line(process, process->limits.seconds, &moved);
    size_t length = end != NULL ? (size_t)(end - process->from.bytes) : process->from.length;
    if (end == NULL || !is_reply_to(process->from.bytes, length, id)) {
        *reply = end_after_trouble(process, moved, end != NULL, length);
        return false;
    }
    size_t id_length = (size_t)((const char *)memchr(process->from.bytes, ' ', length) - process->from.bytes) + 1;
    bool has_return = process->from.bytes[length - 1] == '\r';
    *reply = cli_alloc(length + 1, 1);
    memcpy(*reply, process->from.bytes + id_length, length - id_length - has_return);
    byte_string_drop(&process->from, length + 1);
    process->fruitless = 0;
    return true;
}
