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
    double seconds;       /* for any other */
    size_t restarts;      /* after which no more is asked */
    size_t fruitless;     /* the same, in succession without an answer */
    size_t reply_bytes;
};

struct process {
    char *const *command;
    struct limits limits;
    struct offer offer;
    struct child child;
    struct byte_string to, from,
        errors;         /* what is still to be sent; what came; the end of what it said on standard error */
    size_t head_id;     /* of the oldest request that has no reply */
    size_t restarts;    /* so far */
    size_t fruitless;   /* restarts without an answer since the last one */
    size_t unexplained; /* ends of the process after which no request ended it again when asked alone */
    bool has_given_up;
};

/* Starts the subject and reads its offer. What cannot be started, or speaks no or another protocol, ends the program with exit code 2. */
void process_start(struct process *process, char *const *command, const struct limits *limits);

/* Asks all of them, and notes how each ended. `on_progress`, if not NULL, is called now and then. */
void process_ask(struct process *process, struct request *requests, size_t count,
                 void (*on_progress)(size_t done, size_t count));

/* Asks one request, which is without ID and end of line. *reply, for the caller to free, is the reply without ID; or, with false,
 * what the subject did instead of replying, and then it is started again. */
bool process_ask_one(struct process *process, const char *request, char **reply);

void process_end(struct process *process);

/* Reads a reply to hello; NULL, or what is wrong with it. (offer.c) */
const char *offer_read(struct offer *offer, const char *line, size_t length);
void offer_free(struct offer *offer);

#endif
