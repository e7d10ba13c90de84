/* SPDX-License-Identifier: MIT
 *
 * silence.h - codecs that give no answer, because they die or do not end: who was asked what is said all the same.
 */
#ifndef ASSAY_SILENCE_H
#define ASSAY_SILENCE_H

#include "report.h"

#include <setjmp.h>

/* From now on, a signal that a codec dies of prints its letter and the line `finding KEY` on standard error, lets a
 * sanitizer speak that was there before, and then calls `after`, which must not return. So does a codec that ends the process. */
void silence_watch(void (*after)(void));

/* Besides, for a program that no engine watches: the same for SIGABRT, for SIGALRM (`timeout -s ALRM 10 PROGRAM`), and for a
 * question that takes more than ten seconds and one for each mebibyte. */
void silence_watch_alone(void);

/* Somebody who goes on after a silence. `heard` is called in place of the letter on standard error, then the program is back
 * where sigsetjmp filled `back`, which must be a caller of whoever asks. A codec that ends the process, and a signal that another
 * process sent, are the end all the same. */
struct survivor {
    sigjmp_buf back;
    void (*heard)(const struct asking *silent, const char *end, const char *sentence);
};
extern struct survivor *silence_survivor; /* NULL: nobody */

/* Writes the command that shows it again, where somebody knows one; NULL: nobody does. It is a line of the letter. */
extern void (*silence_again)(FILE *out, const struct asking *silent);

/* Whether a codec is known to give no answer to an operation: `is_known` is asked for each key that there may be. */
bool silence_is_known(const struct assay_codec *codec, enum operation operation, bool (*is_known)(const char *key));

#endif
