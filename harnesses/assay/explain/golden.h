/* SPDX-License-Identifier: MIT
 *
 * golden.h - the bytes of a golden case, found by its id.
 */
#ifndef ASSAY_EXPLAIN_GOLDEN_H
#define ASSAY_EXPLAIN_GOLDEN_H

#include "../cli.h"

struct golden {
    char *id, *comment, *encoding;
    struct cli_input input; /* for a case that encodes: the expected bytes */
};

/* True if a word looks like an id, ENCODING/CATEGORY/NAME, and not like other forms of INPUT, nor is the
 * path of a file. */
bool golden_is_id(const char *word);

/* Loads the case from the vectors that belong to this program. Fails with exit code 2 if there is no such id, or if it
 * has no bytes to explain. golden_free() frees everything but the input, which the caller owns. */
struct golden golden_find(char *id);
void golden_free(struct golden *golden);

#endif
