/* SPDX-License-Identifier: MIT
 *
 * Decoders and encoders that take several characters at a time: one wrong entry in a table of windows, a check that one
 * lane lacks, a count that a lane of 8 bits cannot hold, a note that is not made when a block is passed. Another author
 * wrote the mistakes, which the vectors did not find.
 */
#include "../mistake.h"

#include <string.h>

#define WITH_OVERLONGS "utf-8 wtf-8 generalized-utf-8 cesu-8 cesu-8-jdk mutf-8"
#define OF_BYTES "utf-8 wtf-8 generalized-utf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf"
#define WITH_FOUR_BYTES "utf-8 wtf-8 generalized-utf-8"

/* ---- decoding ------------------------------------------------------------------------------------------- */

/* True if a first byte of this many bytes and continuation bytes are at `at`. */
static bool has_shape(const struct state *state, ptrdiff_t at, ptrdiff_t length)
{
    if (at < 0 || at + length > (ptrdiff_t)state->byte_count)
        return false;
    uint8_t lead = state->bytes[at], least = (uint8_t)(0xF00u >> length), most = (uint8_t)(least | 0x7Fu >> length);
    bool shaped = length == 1 ? lead < 0x80 : lead >= least && lead <= most;
    for (ptrdiff_t i = 1; i < length; i++)
        shaped &= museum_is_continuation(state->bytes[at + i]);
    return shaped;
}

/* Takes an overlong form of `length` bytes, between others of this length, as one of the `lanes` of a window of
 * four. */
static void take_overlong(const struct state *state, struct step *step, ptrdiff_t length, unsigned lanes)
{
    ptrdiff_t before = 0;
    if (step->fault != ASSAY_FAULT_OVERLONG || !has_shape(state, state->at, length))
        return;
    while (has_shape(state, state->at - (before + 1) * length, length))
        before++;
    for (ptrdiff_t after = 1; after < 4 - before % 4; after++)
        if (!has_shape(state, state->at + after * length, length))
            return;
    if (lanes >> before % 4 & 1)
        *step = (struct step){.length = (size_t)length, .code_point = 0x7FF};
}

static void overlong_third_of_four(struct state *state, struct step *step)
{
    take_overlong(state, step, 3, 1u << 2);
}

static void overlong_second_of_fours(struct state *state, struct step *step)
{
    take_overlong(state, step, 4, 1u << 1);
}

/* Decodes the last character of such a window wrongly. The window is at the beginning of the input. */
static void decode_window(const struct state *state, struct step *step, const char *lengths)
{
    ptrdiff_t at = 0, last = 0;
    for (size_t i = 0; lengths[i] != '\0'; at += last, i++) {
        last = lengths[i] - '0';
        if (!has_shape(state, at, last))
            return;
    }
    if (state->at == at - last && step->fault == ASSAY_FAULT_NONE)
        step->code_point ^= 1;
}

static void window_of_six(struct state *state, struct step *step)
{
    decode_window(state, step, "121122");
}

static void window_of_long_text(struct state *state, struct step *step)
{
    enum { BLOCK = 64, WINDOW = 12 };
    if (state->byte_count >= BLOCK + WINDOW)
        decode_window(state, step, "1123");
}

/* Of well-formed text, counts the continuation bytes in eight lanes of 8 bits, which are added up after 256 words: one
 * too late. */
static struct assay_count count_in_lanes(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    enum { WORD = 8, WORDS = 256 };
    struct assay_count count = museum_base->count(policy, bytes, byte_count);
    bool is_well_formed = museum_base->validate(bytes, byte_count, NULL);
    for (size_t lane = 0; lane < WORD && is_well_formed; lane++)
        for (size_t first = 0; first + WORD * WORDS <= byte_count; first += WORD * WORDS) {
            size_t word = 0;
            while (word < WORDS && museum_is_continuation(bytes[first + word * WORD + lane]))
                word++;
            if (word == WORDS)
                count.utf32_units += WORDS;
        }
    return count;
}

static bool has_lead_surrogate(const struct state *state, ptrdiff_t at)
{
    return has_shape(state, at, 3) && state->bytes[at] == 0xED && state->bytes[at + 1] >= 0xA0 &&
           state->bytes[at + 1] < 0xB0;
}

/* After a lead and whole blocks of 16 ASCII bytes, a trail is still said to follow the lead. */
static void lead_kept_over_ascii(struct state *state, struct step *step)
{
    enum { BLOCK = 16 };
    ptrdiff_t at = state->at;
    if (step->fault != ASSAY_FAULT_NONE || step->code_point < 0xDC00 || step->code_point > 0xDFFF)
        return;
    while (has_shape(state, at - 1, 1))
        at--;
    if (at < state->at && (state->at - at) % BLOCK == 0 && has_lead_surrogate(state, at - 3))
        *step = (struct step){.length = 1, .fault = ASSAY_FAULT_SURROGATE_PAIR};
}

static void note_held(struct state *state)
{
    state->memory->own = state->memory->held_count;
}

/* If the output is full between two held characters, the first is written, and its bytes are not counted. */
static void held_is_not_counted(struct state *state, struct assay_result *result)
{
    if (result->status == ASSAY_OUTPUT_FULL && result->read == 0 && state->memory->held_count < state->memory->own)
        state->memory->position -= state->memory->own - state->memory->held_count;
}

/* ---- encoding ------------------------------------------------------------------------------------------- */

static uint32_t unit_at(const struct encode_state *state, size_t at)
{
    return state->utf32 != NULL ? state->utf32[at] : state->utf16[at];
}

/* Changes the last unit of a window of units with these lengths in bytes. Windows follow each other from the start. */
static void encode_window(const struct encode_state *state, struct encode_step *step, const char *lengths)
{
    static const uint32_t limits[] = {0, 0x80, 0x800, 0xD800};
    size_t count = strlen(lengths), first = state->at + 1 - count;
    if (state->at % count != count - 1)
        return;
    for (size_t i = 0; i < count; i++) {
        uint32_t unit = unit_at(state, first + i), length = (uint32_t)(lengths[i] - '0');
        if (unit < limits[length - 1] || unit >= limits[length])
            return;
    }
    step->bytes[step->length - 1] ^= 1;
}

static void window_of_eight_units(const struct encode_state *state, struct encode_step *step)
{
    encode_window(state, step, "21221121");
}

static void window_of_four_units(const struct encode_state *state, struct encode_step *step)
{
    encode_window(state, step, "2313");
}

/* The mask for four units lacks bit 8 of the second: U+0100..U+017F are written as one byte. */
static void mask_lacks_a_bit(const struct encode_state *state, struct encode_step *step)
{
    size_t first = state->at - 1;
    if (state->at % 4 != 1 || first + 4 > state->unit_count || step->code_point >> 7 != 2)
        return;
    for (size_t i = 0; i < 4; i++)
        if (i != 1 && unit_at(state, first + i) >= 0x80)
            return;
    *step = (struct encode_step){.taken = 1, .bytes = {(uint8_t)(step->code_point & 0x7F)}, .length = 1};
}

static void ascii_below_zero(const struct encode_state *state, struct encode_step *step)
{
    if (step->code_point >> 7 == 0xFFFFFF00 >> 7)
        *step = (struct encode_step){.taken = 1, .bytes = {(uint8_t)(step->code_point & 0x7F)}, .length = 1};
    (void)state;
}

#define ENCODES_UTF_16 .offers = OFFERS(ENCODE_UTF16)

const struct mistake mistakes_windows[] = {
    {"overlong-third-of-four", "takes an overlong form as the third of four characters of three bytes",
     .only = WITH_OVERLONGS, .step = overlong_third_of_four},
    {"overlong-second-of-fours", "takes an overlong form as the second of four characters of four bytes",
     .only = WITH_FOUR_BYTES, .step = overlong_second_of_fours},
    {"window-of-six", "has one wrong entry for six characters of 1 and 2 bytes", .only = "utf-8",
     .step = window_of_six},
    {"window-of-long-text", "has one wrong entry for four characters of 1 to 3 bytes, where more than a block is left",
     .only = "utf-8", .step = window_of_long_text},
    {"count-in-lanes", "counts continuation bytes in lanes of 8 bits, and adds them up one word too late",
     .only = OF_BYTES, .wraps = {.count = count_in_lanes}},
    {"lead-kept-over-ascii",
     "treats a lead surrogate as the character before, although whole blocks of ASCII are between", .only = "wtf-8",
     .step = lead_kept_over_ascii},
    {"held-is-not-counted", "does not count a held character in offsets, if the output is full right after it",
     .only = "cesu-8-jdk mutf-8 mutf-8-readutf", .offers = OFFERS_FEED, .begin = note_held,
     .result = held_is_not_counted},
    {"window-of-eight-units", "has one wrong entry for eight units of 1 and 2 bytes", .only = OF_BYTES, ENCODES_UTF_16,
     .encode = window_of_eight_units},
    {"window-of-four-units", "has one wrong entry for four units of 1 to 3 bytes", .only = OF_BYTES, ENCODES_UTF_16,
     .encode = window_of_four_units},
    {"mask-lacks-a-bit", "passes U+0100..U+017F as ASCII in one lane of four", .only = OF_BYTES, ENCODES_UTF_16,
     .encode = mask_lacks_a_bit},
    {"ascii-below-zero", "writes FFFFFF00..FFFFFF7F as ASCII", .offers = OFFERS(ENCODE_UTF32),
     .encode = ascii_below_zero},
    END_OF_MISTAKES,
};
