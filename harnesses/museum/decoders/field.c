/* SPDX-License-Identifier: MIT
 *
 * Mistakes of decoders that ship, as corpus/field has them.
 */
#include "../mistake.h"

#define OF_BYTES "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf"

/* The number of bytes of the sequence that a lead of UTF-8 begins; 1 for other bytes. */
static size_t asked_by(uint8_t lead)
{
    return lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

static bool is_error(const struct step *step)
{
    return step->fault != ASSAY_FAULT_NONE && !step->open;
}

static void notes_held(struct state *state)
{
    state->memory->own = state->memory->held_count > 0;
}

static void drops_signature_after_held(struct state *state, struct step *step)
{
    if (state->memory->own != 0 && step->fault == ASSAY_FAULT_NONE && step->code_point == 0xFEFF)
        step->silent = true;
}

static void offender_goes_along(struct state *state, struct step *step)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_MISSING_CONTINUATION && step->length < state->ahead)
        step->length++;
}

static void short_end_goes_along(struct state *state, struct step *step)
{
    if (is_error(step) && asked_by(state->here[0]) > state->ahead)
        step->length = state->ahead;
}

static void error_as_latin_1(struct state *state, struct step *step)
{
    if (is_error(step))
        *step = (struct step){.length = 1, .code_point = state->here[0]};
}

static void control_is_replaced(struct state *state, uint32_t *code_point)
{
    (void)state;
    bool is_space = *code_point >= 0x09 && *code_point <= 0x0D && *code_point != 0x0B;
    if ((*code_point > 0 && *code_point < 0x20 && !is_space) || (*code_point >= 0x7F && *code_point < 0xA0))
        *code_point = 0xFFFD;
}

const struct mistake mistakes_field[] = {
    {"signature-after-held", "drops a U+FEFF in a piece that begins within a character", "Node 24 to 26, TextDecoder",
     "utf-8", .offers = OFFERS_FEED, .begin = notes_held, .step = drops_signature_after_held},
    {"offender-goes-along", "takes the byte that is no continuation for a part of the error", "Boost.Nowide 1.74",
     OF_BYTES, .step = offender_goes_along},
    {"short-end-goes-along", "takes all bytes up to the end for a part of the error, where a lead asks for more",
     "cmark 0.30, jq 1.6", "utf-8", .step = short_end_goes_along},
    {"error-as-latin-1", "gives each ill-formed byte as a character of Latin-1", "Xapian 1.4, Tcl 8.6", OF_BYTES,
     .step = error_as_latin_1},
    {"control-is-replaced", "gives U+FFFD for a control", "Gumbo 0.10", OF_BYTES " utf-16le utf-16be",
     .put = control_is_replaced},
    END_OF_MISTAKES,
};
