/* SPDX-License-Identifier: MIT
 *
 * two_subjects.h - inputs under two subjects, for `assay diff --subject A --subject B`, and for minimise.
 */
#ifndef ASSAY_RUN_TWO_SUBJECTS_H
#define ASSAY_RUN_TWO_SUBJECTS_H

#include "../cli.h"

struct two_subjects {
    /* Each a row of harnesses/subjects/subjects.def, a shell command that speaks the protocol, or "--plain PROGRAM..."
     * The first is NULL if no --subject is given. */
    const char *named[CLI_SUBJECTS];
    const char *start_limit, *time_limit; /* of these options; NULL: not given */
    const char *encoding;                 /* by the protocol's name */
    const char *again;                    /* the command that shows it again; NULL: letters have no such line */
};

/* The options beside --subject, of each command that has it. */
/* clang-format off */
#define TWO_SUBJECTS_LIMITS(two)                                                                                   \
    {"start-limit", 0, "SECONDS",                                                                                  \
     "time limit of a subject's reply to hello (default 20; 300 if it has an adapter, which may have to be compiled)", \
     &(two).start_limit, NULL},                                                                                    \
    {"time-limit", 0, "SECONDS", "time limit of each other reply of a subject (default 20)", &(two).time_limit, NULL}
/* clang-format on */

/* Ends the program with exit code 2 if one of these options is given without --subject. */
void two_subjects_require_no_limits(const struct two_subjects *settings);

/* Writes --subject and these options as they were given, each after a space. */
void two_subjects_write(FILE *out, const struct two_subjects *settings);

/* Two subjects that run, and their answers about the last input. */
struct comparison;

/* Starts both, for inputs of at most `byte_count` bytes. Ends the program with exit code 2 if one is not named or
 * cannot be started, if a request has no room for as many bytes, or if codecs are loaded, which would not be asked.
 * The settings must outlive what is returned; two_subjects_end() frees it. */
struct comparison *two_subjects_start(const struct two_subjects *settings, size_t byte_count);

/* Asks both, and returns the letters by their keys, such as "decode whatwg: output"; NULL: nothing could be compared.
 * They belong to the comparison, and are valid until the next call. */
json_t *two_subjects_ask(struct comparison *comparison, const uint8_t *bytes, size_t byte_count);

/* Ends the program with exit code 2, and says why nothing could be compared. */
_Noreturn void two_subjects_fail(const struct comparison *comparison);

void two_subjects_end(struct comparison *comparison);

/* Starts and asks both, prints the answers and a letter for each difference, and returns the exit code. */
int two_subjects_differ(const struct two_subjects *settings, const uint8_t *bytes, size_t byte_count, bool as_json);

#endif
