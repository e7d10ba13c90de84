/* SPDX-License-Identifier: MIT
 *
 * Decoders that take U+FEFF away where it is a character: its caller is to do it, once, at the very beginning.
 */
#include "../mistake.h"

static void take_away(const struct step *step, struct step *changed, bool here)
{
    if (here && step->fault == ASSAY_FAULT_NONE && step->code_point == 0xFEFF && !step->open)
        changed->silent = true;
}

static void bom_at_start(struct state *state, struct step *step)
{
    take_away(step, step, state->at == 0 && state->memory->calls == 0);
}

static void bom_in_pieces(struct state *state, struct step *step)
{
    take_away(step, step, state->memory->position == 0 && state->at < 0);
}

static void bom_at_each_piece(struct state *state, struct step *step)
{
    take_away(step, step, state->at == 0 && state->memory->calls > 0);
}

static void bom_anywhere(struct state *state, struct step *step)
{
    take_away(step, step, state->at > 0);
}

static void bom_twice(struct state *state, struct step *step)
{
    take_away(step, step, state->memory->own == 1);
}

static void notes_bom(struct state *state, const struct step *step)
{
    state->memory->own = step->fault == ASSAY_FAULT_NONE && step->code_point == 0xFEFF;
}

static void bom_turned_round(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_NONE && step->code_point == 0xFFFE && state->at == 0 && !step->open)
        step->silent = true;
}

const struct mistake mistakes_bom[] = {
    {"bom-at-start", "removes U+FEFF at the start", "Firefox 1574892", .step = bom_at_start},
    {"bom-in-pieces", "removes U+FEFF at the start of a stream if it arrives in pieces", "Bun#25495",
     .offers = OFFERS_FEED, .step = bom_in_pieces},
    {"bom-at-each-piece", "removes U+FEFF at the start of each piece but the first", "Node#25315",
     .offers = OFFERS_FEED, .step = bom_at_each_piece},
    {"bom-anywhere", "removes each U+FEFF", .step = bom_anywhere},
    {"bom-twice", "removes the second of two U+FEFF", "GNAT 12.2", .step = bom_twice, .after = notes_bom},
    {"bom-turned-round", "removes U+FFFE at the start, as a signature of the other byte order",
     .step = bom_turned_round},
    END_OF_MISTAKES,
};
