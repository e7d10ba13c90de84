/* SPDX-License-Identifier: MIT
 *
 * two_subjects.h - one input under two subjects, for `assay diff --subject A --subject B`.
 */
#ifndef ASSAY_RUN_TWO_SUBJECTS_H
#define ASSAY_RUN_TWO_SUBJECTS_H

#include "../cli.h"

struct two_subjects {
    const char *const
        /* two subjects: each a row of harnesses/subjects/subjects.def, a shell command that speaks the protocol, or
         * "--plain PROGRAM..." */
        *named;
    const char *encoding; /* by the protocol's name */
    const struct cli_input *input;
    const char *again; /* the command that shows it again; NULL: letters have no such line */
    bool as_json;
};

/* Asks both, prints the answers and a letter for each difference, and returns the exit code. Ends the program with exit
 * code 2 if a subject cannot be started or nothing could be compared. */
int two_subjects_differ(const struct two_subjects *settings);

#endif
