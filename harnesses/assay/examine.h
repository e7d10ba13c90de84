/* SPDX-License-Identifier: MIT
 *
 * examine.h - what `diff` and `minimise` ask about an input: every claim, or, if the input is large, every operation
 * once.
 */
#ifndef ASSAY_EXAMINE_H
#define ASSAY_EXAMINE_H

#include "../core/claim.h"

/* In bytes. A claim asks each codec about 2,000 questions, each a pass over the input: more than a minute for a
 * megabyte. */
enum { EXAMINE_THOROUGH_MAX = 1 << 16 };

struct examination {
    struct examiner *examiner;
    const uint8_t *bytes;
    size_t byte_count;
    bool is_thorough;         /* check every claim, however large the input */
    bool shows_progress;      /* for a large input */
    const struct claim *only; /* the only claim to check, unless the input is large; NULL: all */
    /* set by examine(): the claim that is being checked; NULL: none, each operation is asked once */
    const struct claim *under_way;
};

/* Asks all questions. Sets the examiner's effort to THOROUGH if the claims were checked. */
void examine(struct examination *examination);

#endif
