/* SPDX-License-Identifier: MIT
 *
 * golden.h - INPUT as the id of a golden case.
 */
#ifndef ASSAY_VECTORS_GOLDEN_H
#define ASSAY_VECTORS_GOLDEN_H

#include "../cli.h"

struct golden {
    char *id, *comment, *encoding;
    struct cli_input input; /* for a case that encodes: the expected bytes; of several streams, the first */
    size_t stream_count;    /* of a `reuse` case; else 0 */
};

/* Finds the case that an INPUT names, if it looks like an id, ENCODING/CATEGORY/NAME, and not like a path or another
 * form of INPUT: loads it from the vectors that belong to this program, and sets *encoding to its encoding: that of the
 * protocol, for subjects, or that of codecs, which have no utf-8-sig. Otherwise `id` is NULL. Fails with exit code 2 if
 * there is no such id, if the case has no bytes, or if *encoding is another one, and not utf-8, which
 * it is if none was named. golden_free() frees everything but the input, which the caller owns; *encoding is part of
 * it. */
struct golden golden_find(char *input, bool by_protocol, const char **encoding);
void golden_free(struct golden *golden);

/* Returns the input of the case; if there is none, that of cli_input(). */
struct cli_input golden_input(const struct golden *golden, const char *input);

/* The same. Fails with exit code 2 if the case has several streams: an answer about one of them is none about it. */
struct cli_input golden_whole_input(const struct golden *golden, const char *input);

#endif
