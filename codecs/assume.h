/* SPDX-License-Identifier: MIT
 *
 * assume.h - preconditions that are checked.
 *
 * ASSUME(condition) states a precondition of a function. Where ASSAY_CHECKS_ASSUMPTIONS is defined (preset dev, and all
 * builds with a sanitizer), a condition that is false ends the program with file, line and condition on standard error.
 * In all other builds the condition is compiled, but not evaluated, and costs nothing.
 */
#ifndef ASSAY_ASSUME_H
#define ASSAY_ASSUME_H

#ifdef ASSAY_CHECKS_ASSUMPTIONS
#include <stdio.h>
#include <stdlib.h>

static _Noreturn __attribute__((cold, noinline, unused)) void assumption_is_false(const char *file, int line,
                                                                                  const char *condition)
{
    fprintf(stderr, "%s:%d: false: %s\n", file, line, condition);
    abort();
}

#define ASSUME(condition) ((condition) ? (void)0 : assumption_is_false(__FILE__, __LINE__, #condition))
#else
#define ASSUME(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

#endif
