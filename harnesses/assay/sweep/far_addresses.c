/* SPDX-License-Identifier: MIT
 *
 * Texts of each length up to a stride more than LONG_LENGTH, at each address modulo 64. A codec may begin its loads at
 * a cache line, and so treat each address in another way.
 */
#include "far.h"

#include "../../core/dice.h"

#include <string.h>

enum { LINE = 64, LENGTH_MAX = LONG_LENGTH + STRIDE };

/* Where the error is, and of which characters the text is: of one filler, or ALL of them. CUT is a 4-byte character at
 * the end, of which some bytes are there; CUT_LAST, the last character of the text without its last unit. */
enum place { ANYWHERE, EARLY, LAST, CUT, CUT_LAST, NOWHERE };
enum { ALL = FILLER_COUNT };
static const struct kind {
    enum place place;
    size_t filler;
} kinds[] = {
    {ANYWHERE, SPACES}, {EARLY, SPACES},       {ANYWHERE, ALL},         {EARLY, ALL},           {LAST, ALL},
    {CUT, ALL},         {CUT_LAST, TWO_BYTES}, {CUT_LAST, THREE_BYTES}, {CUT_LAST, FOUR_BYTES}, {NOWHERE, ALL}};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

/* Fills `count` bytes with runs of characters of each length. */
static void fill_with_all(const struct sweep *sweep, struct dice *dice, uint8_t *out, size_t count)
{
    enum { RUN_MAX = 24 };
    size_t unit = tokens_for(sweep)->unit;
    for (size_t at = 0, run; at < count; at += run) {
        run = (1 + dice_roll(dice, RUN_MAX)) * unit;
        run = run < count - at ? run : count - at;
        fill(sweep, out + at, run, dice_roll(dice, FILLER_COUNT));
    }
}

/* Writes an error, or a character without its end. In ASCII, an early one is near the end of the first stride; in other
 * text, in the second line. */
static void put_error_at(const struct sweep *sweep, struct dice *dice, struct kind kind, uint8_t *text, size_t count)
{
    uint8_t error[2], character[ASSAY_ENCODED_MAX(1)];
    size_t unit = put_error(sweep, error), units = count / unit;
    size_t early =
        (kind.filler == SPACES ? STRIDE - LINE + dice_roll(dice, 2 * LINE) : LINE + dice_roll(dice, LINE)) / unit;
    if (kind.place == CUT || kind.place == CUT_LAST) {
        size_t length = put_filler(sweep, kind.place == CUT ? FOUR_BYTES : kind.filler, character);
        size_t cut = kind.place == CUT ? (1 + dice_roll(dice, length / unit - 1)) * unit : length - unit;
        cut = cut < count ? cut : count;
        if (kind.place == CUT_LAST)
            fill(sweep, text, count - cut, kind.filler);
        memcpy(text + count - cut, character, cut);
    } else if (kind.place != NOWHERE) {
        size_t at = kind.place == LAST                     ? units - 1
                    : kind.place == EARLY && early < units ? early
                                                           : dice_roll(dice, units);
        memcpy(text + at * unit, error, unit);
    }
}

/* The bytes before the text would begin a character; those after it would continue one, or begin one at every second
 * address. */
static void ask_at_addresses(struct sweep *sweep, const struct assay_codec *codec, const void *context)
{
    enum { LEAD = 0xF4, CONTINUATION = 0x80 };
    static _Alignas(LINE) uint8_t lines[LINE + LENGTH_MAX + LINE];
    struct far_text text = *(const struct far_text *)context;
    const uint8_t *bytes = text.bytes;
    for (size_t address = 0; address < LINE; address++) {
        text.bytes = memcpy(lines + address, bytes, text.count);
        memset(lines + address + text.count, address % 2 == 0 ? CONTINUATION : LEAD, LINE);
        if (!far_ask(sweep, codec, &text))
            break;
        lines[address] = LEAD;
    }
}

void far_addresses(struct sweep *sweep)
{
    static uint8_t bytes[LENGTH_MAX];
    size_t unit = tokens_for(sweep)->unit;
    for (size_t number = 0; number < LENGTH_MAX / unit * KIND_COUNT; number++) {
        struct far_text text = {.bytes = bytes, .count = (1 + number / KIND_COUNT) * unit};
        struct kind kind = kinds[number % KIND_COUNT];
        struct dice dice = dice_from((const uint8_t[]){(uint8_t)(number >> 8), (uint8_t)number}, 2);
        if (!count_input(sweep))
            continue;
        if (kind.filler == ALL)
            fill_with_all(sweep, &dice, bytes, text.count);
        else
            fill(sweep, bytes, text.count, kind.filler);
        put_error_at(sweep, &dice, kind, bytes, text.count);
        text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], bytes, text.count, &text.error);
        far_ask_each(sweep, ask_at_addresses, &text);
    }
}

/* Texts of about 64, 512 and 2,048 bytes, ASCII but for a token around byte 64 or at the end, and maybe 2-byte
 * characters after it: a codec that checks block by block may forget a character at the end of one, and take
 * another way for each length. Some begin at an odd address or right before a cache line, after a byte that would
 * begin a character; all end before one. Of some, all errors are asked. */
void far_short(struct sweep *sweep)
{
    enum { LEAD = 0xF4, LENGTHS = 10, LESS = 3, AROUND = 7, NEAR_END = 4, PLACES = AROUND + NEAR_END };
    static const size_t abouts[] = {LINE, 8 * LINE, LONG_LENGTH}, shifts[] = {0, LINE - 2, LINE - 1, 1, LINE - 3};
    static const struct {
        uint8_t letter;
        bool has_characters; /* after the token */
    } others[] = {{' ', false}, {'A', false}, {'A', true}};
    enum { ABOUTS = sizeof abouts / sizeof abouts[0], SHIFTS = sizeof shifts / sizeof shifts[0] };
    enum { OTHERS = sizeof others / sizeof others[0] };
    static _Alignas(LINE) uint8_t lines[LINE + LONG_LENGTH + LENGTHS * sizeof(uint16_t) + LINE];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * ABOUTS * LENGTHS * PLACES * OTHERS; number++) {
        const struct token *token = &set->tokens[number / PLACES / LENGTHS / ABOUTS / OTHERS];
        size_t place = number % PLACES, length = number / PLACES % LENGTHS, other = number / PLACES / LENGTHS % OTHERS;
        size_t count = abouts[number / PLACES / LENGTHS / OTHERS % ABOUTS] + (length - LESS) * set->unit;
        size_t end = place < AROUND ? LINE + (place - LESS) * set->unit : count - (place - AROUND) * set->unit;
        if (!count_input(sweep) || end > count)
            continue;
        struct far_text text = {.bytes = lines + shifts[number % SHIFTS], .count = count};
        memset(lines, LEAD, sizeof lines);
        memset(text.bytes, others[other].letter, count);
        if (others[other].letter == 'A') /* with an odd letter above it */
            text.bytes[end - token->length - 1 - number % 2] = 'a';
        put_token(text.bytes + end - token->length, token);
        if (others[other].has_characters)
            fill(sweep, text.bytes + end, count - end, TWO_BYTES);
        text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], text.bytes, count, &text.error);
        far_ask_all(sweep, &text);
        if (others[other].letter != ' ' && count / LINE == 8)
            ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, text.bytes, count);
    }
}
