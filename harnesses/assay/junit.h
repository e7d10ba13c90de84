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
    const char *reason;  /* of a case that was skipped; NULL: not stated */
};

struct junit_counts {
    size_t cases, failed, skipped;
};

void junit_put_case(FILE *out, const struct junit_case *one);
/* Writes a suite. Its properties are the version of the vectors (NULL: unknown) and of this program. */
void junit_put_suite(FILE *out, const char *name, const char *vectors_version, const struct junit_counts *counts,
                     double seconds, const char *cases);

/* Writes the report of a program: its suites, as they were put. cli_output_try("junit", path) was called. */
void junit_write(const char *path, const char *program, const struct junit_counts *counts, const char *suites);

#endif
