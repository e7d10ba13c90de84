/* SPDX-License-Identifier: MIT
 *
 * Decoders that load a word of input wherever one is left, and compare its code point with a bound that is off by one.
 * At the end of the input they are correct, so a sequence there does not show the mistake. Those that take or refuse a
 * sequence only validate.
 */
#include "../mistake.h"

#include <string.h>

#define WITH_OVERLONGS "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8"
#define WITH_FOUR_BYTES "utf-8 generalized-utf-8 wtf-8"
#define WITH_PAIRS "cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf utf-16le utf-16be wtf-16le wtf-16be"
#define UTF_16 "utf-16le utf-16be"

enum { WORD_BYTES = AHEAD_MAX };

struct half {
    size_t length;  /* in bytes */
    uint32_t value; /* 0 if no sequence of this length is there */
};

static struct half half_at(const uint8_t *bytes)
{
    if (strstr(museum_base->encoding, "-16be") != NULL)
        return (struct half){2, bytes[0] * 256u + bytes[1]};
    if (strstr(museum_base->encoding, "-16le") != NULL)
        return (struct half){2, bytes[1] * 256u + bytes[0]};
    bool is_three = bytes[0] >> 4 == 0xE && museum_is_continuation(bytes[1]) && museum_is_continuation(bytes[2]);
    return (struct half){3, is_three ? (bytes[0] & 0xFu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu) : 0};
}

/* Takes these bytes, which are ill-formed, for a character. */
static void take(const struct state *state, struct step *step, const char *text)
{
    size_t length = strlen(text);
    if (step->fault != ASSAY_FAULT_NONE && state->ahead == WORD_BYTES && memcmp(state->here, text, length) == 0)
        *step = (struct step){.length = length, .code_point = 0xFFFF};
}

static void take_half(const struct state *state, struct step *step, uint32_t value)
{
    if (step->fault == ASSAY_FAULT_UNPAIRED_SURROGATE && state->ahead == WORD_BYTES &&
        half_at(state->here).value == value)
        *step = (struct step){.length = 2, .code_point = value};
}

static void refuse(const struct state *state, struct step *step, uint32_t code_point)
{
    if (step->fault == ASSAY_FAULT_NONE && state->ahead == WORD_BYTES && step->code_point == code_point)
        *step = (struct step){.length = half_at(state->here).length == 2 ? 2 : 1, .fault = ASSAY_FAULT_INVALID_LEAD};
}

/* Makes one character of a value from first_low to first_high, and one from second_low to second_high after it. */
static void join(const struct state *state, struct step *step, uint32_t first_low, uint32_t first_high,
                 uint32_t second_low, uint32_t second_high)
{
    struct half first = half_at(state->here), second = half_at(state->here + first.length);
    if (state->ahead == WORD_BYTES && first.value >= first_low && first.value <= first_high &&
        second.value >= second_low && second.value <= second_high)
        *step = (struct step){.length = first.length + second.length, .code_point = 0x10FFFF};
}

/* Decides by itself whether a value in this range is a trail after a lead in this range, which is an error in WTF-8. */
static void check_pair(const struct state *state, struct step *step, uint32_t lead_low, uint32_t lead_high,
                       uint32_t trail_low, uint32_t trail_high)
{
    struct half second = half_at(state->here);
    if (state->ahead < WORD_BYTES || second.value < 0xD7FF || second.value > 0xE000)
        return;
    bool is_pair = state->memory->own >= lead_low && state->memory->own <= lead_high && second.value >= trail_low &&
                   second.value <= trail_high;
    *step = is_pair ? (struct step){.length = 1, .fault = ASSAY_FAULT_SURROGATE_PAIR}
                    : (struct step){.length = 3, .code_point = second.value};
}

static void note_code_point(struct state *state, const struct step *step)
{
    state->memory->own = step->fault == ASSAY_FAULT_NONE ? step->code_point : 0;
}

#define MISTAKE(name, does, ...) \
    static void name(struct state *state, struct step *step) \
    { \
        does(state, step, __VA_ARGS__); \
    }

MISTAKE(takes_7f, take, "\xC1\xBF")
MISTAKE(takes_7ff, take, "\xE0\x9F\xBF")
MISTAKE(takes_ffff, take, "\xF0\x8F\xBF\xBF")
MISTAKE(takes_d800, take, "\xED\xA0\x80")
MISTAKE(takes_dfff, take, "\xED\xBF\xBF")
MISTAKE(takes_110000, take, "\xF4\x90\x80\x80")
MISTAKE(takes_half_d800, take_half, 0xD800)
MISTAKE(takes_half_dbff, take_half, 0xDBFF)
MISTAKE(takes_half_dc00, take_half, 0xDC00)
MISTAKE(takes_half_dfff, take_half, 0xDFFF)
MISTAKE(refuses_80, refuse, 0x80)
MISTAKE(refuses_7ff, refuse, 0x7FF)
MISTAKE(refuses_800, refuse, 0x800)
MISTAKE(refuses_d7ff, refuse, 0xD7FF)
MISTAKE(refuses_e000, refuse, 0xE000)
MISTAKE(refuses_ffff, refuse, 0xFFFF)
MISTAKE(refuses_10000, refuse, 0x10000)
MISTAKE(refuses_10ffff, refuse, 0x10FFFF)
MISTAKE(joins_d7ff, join, 0xD7FF, 0xD7FF, 0xDC00, 0xDFFF)
MISTAKE(joins_dc00, join, 0xDC00, 0xDC00, 0xDC00, 0xDFFF)
MISTAKE(joins_with_dbff, join, 0xD800, 0xDBFF, 0xDBFF, 0xDBFF)
MISTAKE(joins_with_e000, join, 0xD800, 0xDBFF, 0xE000, 0xE000)
MISTAKE(leads_from_d7ff, check_pair, 0xD7FF, 0xDBFF, 0xDC00, 0xDFFF)
MISTAKE(leads_from_d801, check_pair, 0xD801, 0xDBFF, 0xDC00, 0xDFFF)
MISTAKE(leads_to_dbfe, check_pair, 0xD800, 0xDBFE, 0xDC00, 0xDFFF)
MISTAKE(leads_to_dc00, check_pair, 0xD800, 0xDC00, 0xDC00, 0xDFFF)
MISTAKE(trails_from_dbff, check_pair, 0xD800, 0xDBFF, 0xDBFF, 0xDFFF)
MISTAKE(trails_from_dc01, check_pair, 0xD800, 0xDBFF, 0xDC01, 0xDFFF)
MISTAKE(trails_to_dffe, check_pair, 0xD800, 0xDBFF, 0xDC00, 0xDFFE)
MISTAKE(trails_to_e000, check_pair, 0xD800, 0xDBFF, 0xDC00, 0xE000)

#define VALIDATES .offers = OFFERS(VALIDATE)
#define PAIRS_OF_WTF_8 .only = "wtf-8", VALIDATES, .after = note_code_point

const struct mistake mistakes_bounds[] = {
    {"word-takes-7f", "takes C1 BF if at least 8 bytes are left", .only = WITH_OVERLONGS, VALIDATES, .step = takes_7f},
    {"word-takes-7ff", "takes E0 9F BF if at least 8 bytes are left", .only = WITH_OVERLONGS, VALIDATES,
     .step = takes_7ff},
    {"word-takes-ffff", "takes F0 8F BF BF if at least 8 bytes are left", .only = WITH_FOUR_BYTES, VALIDATES,
     .step = takes_ffff},
    {"word-takes-d800", "takes ED A0 80 if at least 8 bytes are left", .only = "utf-8", VALIDATES, .step = takes_d800},
    {"word-takes-dfff", "takes ED BF BF if at least 8 bytes are left", .only = "utf-8 cesu-8", VALIDATES,
     .step = takes_dfff},
    {"word-takes-110000", "takes F4 90 80 80 if at least 8 bytes are left", .only = WITH_FOUR_BYTES, VALIDATES,
     .step = takes_110000},
    {"word-takes-half-d800", "takes D800 without a trail if at least 8 bytes are left", .only = UTF_16, VALIDATES,
     .step = takes_half_d800},
    {"word-takes-half-dbff", "takes DBFF without a trail if at least 8 bytes are left", .only = UTF_16, VALIDATES,
     .step = takes_half_dbff},
    {"word-takes-half-dc00", "takes DC00 without a lead if at least 8 bytes are left", .only = UTF_16, VALIDATES,
     .step = takes_half_dc00},
    {"word-takes-half-dfff", "takes DFFF without a lead if at least 8 bytes are left", .only = UTF_16, VALIDATES,
     .step = takes_half_dfff},
    {"word-refuses-80", "refuses U+0080 if at least 8 bytes are left", VALIDATES, .step = refuses_80},
    {"word-refuses-7ff", "refuses U+07FF if at least 8 bytes are left", VALIDATES, .step = refuses_7ff},
    {"word-refuses-800", "refuses U+0800 if at least 8 bytes are left", VALIDATES, .step = refuses_800},
    {"word-refuses-d7ff", "refuses U+D7FF if at least 8 bytes are left", VALIDATES, .step = refuses_d7ff},
    {"word-refuses-e000", "refuses U+E000 if at least 8 bytes are left", VALIDATES, .step = refuses_e000},
    {"word-refuses-ffff", "refuses U+FFFF if at least 8 bytes are left", VALIDATES, .step = refuses_ffff},
    {"word-refuses-10000", "refuses U+10000 if at least 8 bytes are left", VALIDATES, .step = refuses_10000},
    {"word-refuses-10ffff", "refuses U+10FFFF if at least 8 bytes are left", VALIDATES, .step = refuses_10ffff},
    {"word-joins-d7ff", "takes D7FF before a trail for a lead if at least 8 bytes are left", .only = WITH_PAIRS,
     .step = joins_d7ff},
    {"word-joins-dc00", "takes DC00 before a trail for a lead if at least 8 bytes are left", .only = WITH_PAIRS,
     .step = joins_dc00},
    {"word-joins-with-dbff", "takes DBFF after a lead for a trail if at least 8 bytes are left", .only = WITH_PAIRS,
     .step = joins_with_dbff},
    {"word-joins-with-e000", "takes E000 after a lead for a trail if at least 8 bytes are left", .only = WITH_PAIRS,
     .step = joins_with_e000},
    {"word-leads-from-d7ff", "refuses a trail after D7FF", PAIRS_OF_WTF_8, .step = leads_from_d7ff},
    {"word-leads-from-d801", "takes a trail after D800", PAIRS_OF_WTF_8, .step = leads_from_d801},
    {"word-leads-to-dbfe", "takes a trail after DBFF", PAIRS_OF_WTF_8, .step = leads_to_dbfe},
    {"word-leads-to-dc00", "refuses a trail after DC00", PAIRS_OF_WTF_8, .step = leads_to_dc00},
    {"word-trails-from-dbff", "refuses DBFF after a lead", PAIRS_OF_WTF_8, .step = trails_from_dbff},
    {"word-trails-from-dc01", "takes DC00 after a lead", PAIRS_OF_WTF_8, .step = trails_from_dc01},
    {"word-trails-to-dffe", "takes DFFF after a lead", PAIRS_OF_WTF_8, .step = trails_to_dffe},
    {"word-trails-to-e000", "refuses E000 after a lead", PAIRS_OF_WTF_8, .step = trails_to_e000},
    END_OF_MISTAKES,
};
