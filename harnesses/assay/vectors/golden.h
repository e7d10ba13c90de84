/* SPDX-License-Identifier: MIT
 *
 * golden.h - INPUT as the id of a golden case.
 */
#ifndef ASSAY_VECTORS_GOLDEN_H
#define ASSAY_VECTORS_GOLDEN_H

#include "../cli.h"

struct golden {
    char *id, *comment, *encoding;
    struct cli_input input; /* for a case that encodes: the expected bytes */
};

/* Finds the case that an INPUT names, if it looks like an id, ENCODING/CATEGORY/NAME, and not like a path or another
 * form of INPUT: loads it from the vectors that belong to this program, and sets *encoding to its encoding. Otherwise
 * `id` is NULL. Fails with exit code 2 if there is no such id, or if the case has no bytes. golden_free() frees
 * everything but the input, which the caller owns; `encoding` points into it. */
struct golden golden_find(char *input, const char **encoding);
void golden_free(struct golden *golden);

/* Returns the input of the case; if there is none, that of cli_input(). */
struct cli_input golden_input(const struct golden *golden, const char *input);

#endif
