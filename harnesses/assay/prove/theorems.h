/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_PROVE_THEOREMS_H
#define ASSAY_PROVE_THEOREMS_H

#include "../cli.h"
#include "prove.h"

#include <stdlib.h>

enum {
    CHUNK_BYTES = 64
}; /* after which a walk of an automaton looks at its state; automaton.c compares it with CHUNK */

/* True if both codecs have the same loops. */
bool shares_loops(const struct assay_codec *codec, const struct assay_codec *other);

#define THEOREM(id, holds, sentence, premises, shares) \
    bool applies_##id(const struct assay_codec *codec); \
    void prove_##id(struct proof *proof);
#include "theorems.def"
#undef THEOREM

#endif
