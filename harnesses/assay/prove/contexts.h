/* SPDX-License-Identifier: MIT
 *
 * contexts.h - what a kernel that looks at four bytes should say of the last of them: the rules, as a function of
 * kinds.
 *
 * A kernel refuses a byte that begins nothing (C0, F5) together with the byte after it. So here, too, such a byte
 * passes and every byte after it is refused. The end of the input after it is always an error.
 */
#ifndef ASSAY_PROVE_CONTEXTS_H
#define ASSAY_PROVE_CONTEXTS_H

#include "prove.h"

enum { LOOK_BACK = 3, CONTEXTS_MAX = KINDS_MAX * KINDS_MAX * KINDS_MAX };

enum context_verdict { CANNOT_BE, RIGHT, WRONG };

/* For each three bytes, by their kinds: whether text without an error can end in them; if so, whether a byte of each
 * kind is an error after them, and whether the text may end there. */
struct contexts {
    struct kinds kinds;
    bool can_be[CONTEXTS_MAX];
    bool ends_well[CONTEXTS_MAX];
    enum context_verdict verdicts[CONTEXTS_MAX][KINDS_MAX];
    size_t count;
};

size_t context_of(const struct contexts *contexts, const uint8_t bytes[LOOK_BACK]);

/* Searches every state that a text without an error can reach. If three bytes do not decide which, refutes the proof
 * and returns NULL; else the caller frees the result. */
struct contexts *contexts_of(struct proof *proof);

#endif
