/* SPDX-License-Identifier: MIT
 *
 * Decoders that are wrong where the input ends.
 */
#include "../mistake.h"

static void incomplete_end_is_fine(struct state *state, struct step *step)
{
    (void)state;
    if (step->fault == ASSAY_FAULT_TRUNCATED && !step->open)
        *step = (struct step){.length = step->length, .silent = true};
}

const struct mistake mistakes_ends[] = {
    {"incomplete-end-is-fine", "drops a truncated sequence at the end of input", "haskell/text#61",
     .step = incomplete_end_is_fine},
    END_OF_MISTAKES,
};
