/* SPDX-License-Identifier: MIT
 *
 * silence.h - reports codecs that give no answer because they crash, hang or end the process.
 */
#ifndef ASSAY_SILENCE_H
#define ASSAY_SILENCE_H

#include "report.h"

#include <setjmp.h>

/* After this many questions without an answer, commands do not ask a codec again. */
enum { SILENCES_MAX = 5 };

/* A question has this many seconds, and one more per mebibyte of input. */
enum { SILENCE_SECONDS = 10 };

/* Installs handlers. If a codec crashes or ends the process, its letter and the line `finding KEY` go to standard
 * error; then an earlier handler (a sanitizer's) runs, then `after`, which must not return. */
void silence_watch(void (*after)(void));

/* For a program that no fuzzing engine watches: handles SIGABRT and SIGALRM (`timeout -s ALRM 10 PROGRAM`) too, and
 * limits the time of each question. */
void silence_watch_alone(void);

/* Must be called in a child process: fork() does not copy the timer. */
void silence_start_clock(void);

/* For a program that continues after a crash. `heard` is called instead of printing the letter; then control returns to
 * the sigsetjmp() that filled `back`, in a function that is still active. A signal from another process still ends the
 * program, and so does a codec that ends it by a system call of its own. */
struct survivor {
    sigjmp_buf back;
    void (*heard)(const struct asking *silent, const char *end, const char *sentence);
};
extern struct survivor *silence_survivor; /* NULL: the program ends */

/* Writes the letter's line with the command that shows the crash again; NULL: no such line. */
extern void (*silence_again)(FILE *out, const struct asking *silent);

/* True if `is_known` is true for any key that a crash or hang of the codec in the operation would have. */
bool silence_key_is_known(const struct assay_codec *codec, enum operation operation, bool (*is_known)(const char *key));

#endif
