/* SPDX-License-Identifier: MIT
 *
 * junit.h - a report as JUnit XML: a suite a category, a testcase a case.
 */
#ifndef ASSAY_JUNIT_H
#define ASSAY_JUNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct junit_case {
    const char *id, *comment;
    bool failed, skipped;
    const char *letters; /* of a case that failed */
};

struct junit_counts {
    size_t cases, failed, skipped;
};

void junit_put_case(FILE *out, const struct junit_case *one);
/* `vectors_version` may be NULL: not known. The suite has it, and the version of this program, as properties. */
void junit_put_suite(FILE *out, const char *name, const char *vectors_version, const struct junit_counts *counts,
                     double seconds, const char *cases);

/* Ends the program with exit code 2 if the report could not be written: to be known before the run, not after. To be called before
 * anything is printed: with the path "-", the report alone goes to standard output, and what is printed goes to standard error. */
void junit_try(const char *path);

/* Writes the report of a program: its suites, as they were put. junit_try() was called with the same path. */
void junit_write(const char *path, const char *program, const struct junit_counts *counts, const char *suites);

#endif
