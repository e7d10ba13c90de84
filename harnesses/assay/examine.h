/* SPDX-License-Identifier: MIT
 *
 * examine.h - what `diff` and `minimise` ask about an input: every claim, or, if the input is large, every operation once.
 */
#ifndef ASSAY_EXAMINE_H
#define ASSAY_EXAMINE_H

#include "../core/claim.h"

/* In bytes. A claim asks every codec about 2,000 passes over the input: more than a minute for a megabyte. */
enum { EXAMINE_THOROUGH_MAX = 1 << 16 };

struct examination {
    struct examiner *examiner;
    const uint8_t *bytes;
    size_t byte_count;
    bool is_thorough;              /* every claim, however large the input */
    bool shows_progress;           /* of a large input, on a terminal */
    const struct claim *only;      /* the one claim to check, unless the input is large; NULL: all */
    const struct claim *under_way; /* set by examine(): the claim that asks; NULL: none, each operation is asked once */
};

/* Asks, and sets the examiner's effort: THOROUGH if the claims were checked. */
void examine(struct examination *examination);

#endif
