/* SPDX-License-Identifier: MIT
 *
 * process.h - a subject that speaks the protocol: many requests are under way at once. If it crashes, hangs or
 * answers nonsense, a request fails, and the run continues.
 */
#ifndef ASSAY_RUN_PROCESS_H
#define ASSAY_RUN_PROCESS_H

#include "child.h"
#include "request.h"

struct limits {
    double start_seconds; /* for the reply to hello */
    double seconds;       /* for any other; one that comes within as long again is late */
    size_t restarts;      /* after these nothing more is asked */
    size_t fruitless;     /* after as many in succession without an answer, the next category is asked */
    size_t reply_bytes;
};

struct process {
    char *const *command;
    struct limits limits;
    struct offer offer;
    struct child child;
    struct byte_string to, from, errors; /* bytes still to be sent; received; the end of standard error */
    size_t head_id;                      /* of the oldest request without a reply */
    size_t restarts;                     /* so far */
    size_t fruitless;                    /* consecutive restarts without an answer */
    size_t unexplained;     /* ends and hangs after which no request, asked alone, brought that about again */
    size_t late;            /* replies that came after the time limit, but within as long again */
    char *last_trouble;     /* what it did before the last restart; NULL: nothing yet */
    size_t left_categories; /* how often the rest of one was left for that */
    bool has_given_up;
};

/* Starts the subject and reads its offer. If it cannot be started, or speaks another protocol or none, ends the program
 * with exit code 2, and says so of `name`. */
void process_start(struct process *process, const char *name, char *const *command, const struct limits *limits);

/* Asks all requests, and records how each ended. `on_progress`, if not NULL, is called from time to time. */
void process_ask(struct process *process, struct request *requests, size_t count,
                 void (*on_progress)(size_t done, size_t count));

/* Asks one request, given without ID and end of line. Returns true and sets *reply to the reply without ID; or returns
 * false, sets *reply to what the subject did instead, and starts it again. The caller frees *reply. */
bool process_ask_one(struct process *process, const char *request, char **reply);

/* Forgets restarts, and starts a subject that was given up: another input follows, about which it may do better. Ends
 * the program with exit code 2 if it does not start. */
void process_renew(struct process *process);

void process_end(struct process *process);

/* Reads a reply to hello. Returns NULL, or what is wrong with it. (offer.c) */
const char *offer_read(struct offer *offer, const char *line, size_t length);
void offer_free(struct offer *offer);

#endif
