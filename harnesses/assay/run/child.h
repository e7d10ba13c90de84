/* SPDX-License-Identifier: MIT
 *
 * child.h - a subject's process and its three pipes. It leads a process group, so that processes that it starts end
 * with it. If this program is interrupted, its children are, too.
 */
#ifndef ASSAY_RUN_CHILD_H
#define ASSAY_RUN_CHILD_H

#include "byte_string.h"

#include <stdbool.h>
#include <sys/types.h>

struct child {
    pid_t pid;        /* 0: no process */
    int in, out, err; /* this program's ends, which do not block; -1 if closed */
    bool has_status;
    int status;     /* as waitpid() returns it */
    bool is_killed; /* child_end() had to kill it */
};

/* Starts a command. Returns 0, or the errno of the failure. */
int child_start(struct child *child, char *const *command);

/* Ends the program with exit code 2: says that `name` does not start, why, and what to do. `failed`: that errno;
 * `program`: the first word of the command. */
_Noreturn void child_fail_to_start(const char *name, const char *program, int failed);

void child_close_input(struct child *child);

/* Appends the available bytes to `text`. Returns false at the end of the stream. */
bool child_read(int descriptor, struct byte_string *text);

/* Writes as much of `text` as the pipe accepts, and removes it from `text`. Returns false if the reader is gone. */
bool child_write(int descriptor, struct byte_string *text);

/* Waits briefly for the child to end, then kills it and all that it has started, and closes the pipes. */
void child_end(struct child *child);

/* Prints why a child that has not been ended does not answer, as far as that shows: "; it is stopped by signal 19
 * (Stopped (signal))", "; it has ended (exit code 0), but a process that it started holds its output open". */
void child_print_standstill(FILE *out, struct child *child);

/* Prints how it ended: "exit code 3", "signal 11 (Segmentation fault)", "closed its output, but did not end". */
void child_print_end(FILE *out, const struct child *child);

#endif
