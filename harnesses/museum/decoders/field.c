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

static void stray_is_dropped(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_STRAY_CONTINUATION && state->ahead > 1)
        *step = (struct step){.length = 1, .silent = true};
}

/* The length of the sequence at `bytes` if its lead is E0..F4 and all its other bytes are continuation bytes, else
 * 0. */
static size_t long_sequence(const uint8_t *bytes, size_t byte_count)
{
    size_t length = byte_count > 0 ? asked_by(bytes[0]) : 0, at = 1;
    while (at < length && at < byte_count && museum_is_continuation(bytes[at]))
        at++;
    return length > 2 && at == length ? length : 0;
}

static void bad_byte_takes_neighbour(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_STRAY_CONTINUATION || step->fault == ASSAY_FAULT_INVALID_LEAD)
        step->length += long_sequence(state->here + 1, state->ahead - 1);
}

static void high_lead_is_dropped(struct state *state, struct step *step)
{
    bool is_high = state->here[0] >= 0xF5 && state->here[0] <= 0xF7 && state->ahead >= 4;
    for (size_t i = 1; i < 4 && is_high; i++)
        is_high = museum_is_continuation(state->here[i]);
    if (is_error(step) && is_high && state->at > 32)
        *step = (struct step){.length = 4, .silent = true};
}

static void cut_signature_is_dropped(struct state *state, struct step *step)
{
    bool is_first = state->memory->position == 0 && state->at <= 0;
    bool is_cut = state->here[0] == 0xEF && (state->ahead == 1 || (state->ahead == 2 && state->here[1] == 0xBB));
    if (is_first && is_cut && step->fault == ASSAY_FAULT_TRUNCATED && !step->open)
        *step = (struct step){.length = step->length, .silent = true};
}

static void nul_at_end_is_dropped(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_NONE && step->code_point == 0 && step->length == state->ahead && state->last)
        step->silent = true;
}

static uint32_t utf16_unit(const uint8_t *bytes)
{
    return museum_has_word("utf-16be", museum_base->encoding) ? bytes[0] * 256u + bytes[1] : bytes[1] * 256u + bytes[0];
}

static void half_comes_with_next_byte(struct state *state, struct step *step)
{
    if (step->open && state->ahead == 3)
        *step = (struct step){.length = 2, .code_point = utf16_unit(state->here)};
}

static void any_unit_is_a_trail(struct state *state, struct step *step)
{
    if (!is_error(step) || state->ahead < 4)
        return;
    uint32_t lead = utf16_unit(state->here), next = utf16_unit(state->here + 2);
    if (lead >= 0xD800 && lead <= 0xDBFF && next >= 0xE000)
        *step = (struct step){.length = 4, .code_point = 0x10000 + ((lead & 0x3FF) << 10) + (next & 0x3FF)};
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
    {"short-end-goes-along",
     "counts all bytes up to the end of input as part of the error, if the lead needs more bytes than these",
     "cmark 0.30, jq 1.6", "utf-8", .step = short_end_goes_along},
    {"error-as-latin-1", "gives each ill-formed byte as a character of Latin-1", "Xapian 1.4, Tcl 8.6", OF_BYTES,
     .step = error_as_latin_1},
    {"control-is-replaced", "gives U+FFFD for a control character", "Gumbo 0.10", OF_BYTES " utf-16le utf-16be",
     .put = control_is_replaced},
    {"stray-is-dropped", "drops a stray continuation byte that is not the last byte", "CLISP 2.49.93+", OF_BYTES,
     .step = stray_is_dropped},
    {"bad-byte-takes-neighbour",
     "counts a 3- or 4-byte character as part of the error of the byte before it, which begins no character",
     "Perl 5.36, Cpanel::JSON::XS 4.40", OF_BYTES, .step = bad_byte_takes_neighbour},
    {"high-lead-is-dropped", "drops F5..F7 and three continuation bytes after more than 32 bytes", "Xerces-C++ 3.2.4",
     "utf-8", .step = high_lead_is_dropped},
    {"cut-signature-is-dropped", "gives neither output nor error for an input that is the beginning of a signature",
     "CPython 3.13, utf-8-sig", "utf-8", .step = cut_signature_is_dropped},
    {"nul-at-end-is-dropped", "drops a U+0000 that is the last byte", "jq 1.6", "utf-8", .step = nul_at_end_is_dropped},
    {"half-comes-with-next-byte", "gives the lead of a pair as soon as the first byte of its trail arrives",
     "Node 26, StringDecoder", "utf-16le utf-16be", .offers = OFFERS_FEED, .step = half_comes_with_next_byte},
    {"any-unit-is-a-trail", "takes any unit from E000 on for the trail of a lead", "POCO 1.11, UTF16Encoding",
     "utf-16le utf-16be", .step = any_unit_is_a_trail},
    END_OF_MISTAKES,
};
