/* SPDX-License-Identifier: MIT
 *
 * English prose of 8 MiB, with errors and without. As it comes from memory, a codec may check it by half strides, until
 * too many in a row are not ASCII.
 */
#include "far.h"

#include "../../core/dice.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH = FAR_LENGTH, CHARACTERS = 12 };

/* How many half strides in a row have characters. */
static const size_t others[] = {0, 1, 2, 15, 16, 17};
enum { OTHERS_COUNT = sizeof others / sizeof others[0] };

/* Writes characters at the begin of each of these half strides, and of the text if that is wanted: then half strides
 * are those after the first block. `late`: from the second half of a stride on. Returns where they end. */
static uint8_t *begin_prose(struct sweep *sweep, uint8_t *text, bool at_begin, bool late, size_t other_count)
{
    uint8_t *half = text + STRIDE + (at_begin ? BLOCK : STRIDE) + (late ? HALF_STRIDE : 0);
    if (at_begin)
        fill(sweep, text, CHARACTERS, TWO_BYTES);
    for (size_t i = 0; i < other_count; i++, half += HALF_STRIDE)
        fill(sweep, half, CHARACTERS, TWO_BYTES);
    return half;
}

/* Asks about a text of spaces after its first bytes, up to `end`; then they are spaces, too. An error is before `end`,
 * so that the codecs need not look farther; the reference does not. Those that read on are asked about one text of 101,
 * as one that does may just have missed an error. */
static void ask_prose(struct sweep *sweep, uint8_t *text, const uint8_t *end, const bool *reads_on, size_t number)
{
    struct far_text asked = {.bytes = text, .count = LENGTH, .left_out = number % 101 == 0 ? NULL : reads_on};
    asked.is_well_formed = ask_well_formed(sweep->comparer.panel[0], text, (size_t)(end - text), &asked.error);
    far_ask_all(sweep, &asked);
    fill(sweep, text, (size_t)(end - text), SPACES);
}

/* Where a token is put in a half stride: at its begin, at its end, across its end, or where the number says. */
static size_t place_of(const struct token_set *set, const struct token *token, size_t variant, size_t number)
{
    switch (variant) {
    case 0: return 0;
    case 1: return HALF_STRIDE - token->length;
    case 2: return HALF_STRIDE - set->unit;
    default: return number % HALF_STRIDE / set->unit * set->unit;
    }
}

/* Each token in a half stride after such; an error comes soon after it, after ASCII. */
static void ask_in_halves(struct sweep *sweep, uint8_t *text, const bool *reads_on)
{
    enum { VARIANTS = 4, WAYS = 2 * OTHERS_COUNT * VARIANTS, AFTER = 2 * HALF_STRIDE };
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * WAYS; number++) {
        if (!count_input(sweep))
            continue;
        const struct token *token = &set->tokens[number / WAYS];
        size_t variant = number / 2 / OTHERS_COUNT % VARIANTS;
        uint8_t *half =
            begin_prose(sweep, text, number % 2 == 1, number / WAYS % 2 == 1, others[number / 2 % OTHERS_COUNT]);
        put_token(half + place_of(set, token, variant, number), token);
        put_error(sweep, half + AFTER);
        ask_prose(sweep, text, half + AFTER + BLOCK, reads_on, number);
    }
}

/* Each token at each place of the first block, amid NULs or spaces. */
static void ask_in_first_block(struct sweep *sweep, uint8_t *text, const bool *reads_on)
{
    const struct token_set *set = tokens_for(sweep);
    size_t places = BLOCK / set->unit;
    for (size_t number = 0; number < set->count * places * ASCII_COUNT; number++) {
        if (!count_input(sweep))
            continue;
        fill(sweep, text, BLOCK, number % ASCII_COUNT);
        put_token(text + number / ASCII_COUNT % places * set->unit, &set->tokens[number / ASCII_COUNT / places]);
        put_error(sweep, text + 2 * STRIDE);
        ask_prose(sweep, text, text + 2 * STRIDE + BLOCK, reads_on, number);
    }
}

/* Random characters in the first block, and a token where the text begins or at a place of that block: a codec may take
 * bytes at the end of a register for those before its first. */
static void ask_at_random(struct sweep *sweep, uint8_t *text, const bool *reads_on)
{
    enum { TIMES = 3000 };
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < TIMES; number++) {
        struct dice dice = dice_from((const uint8_t[]){(uint8_t)(number >> 8), (uint8_t)number}, 2);
        if (!count_input(sweep))
            continue;
        fill_at_random(sweep, &dice, text, BLOCK);
        size_t place = dice_roll(&dice, BLOCK / set->unit) * set->unit;
        put_token(text + (number % 2 == 0 ? 0 : place), &set->tokens[dice_roll(&dice, set->count)]);
        put_error(sweep, text + 2 * STRIDE);
        ask_prose(sweep, text, text + 2 * STRIDE + BLOCK, reads_on, number);
    }
}

/* A guard page is before the text: a codec may look back at bytes before its begin. */
void far_prose(struct sweep *sweep)
{
    struct arena arena = {0};
    uint8_t *text = arena_at_begin(&arena, LENGTH);
    bool *reads_on = far_who_reads_on(sweep);
    fill(sweep, text, LENGTH, SPACES);
    ask_in_halves(sweep, text, reads_on);
    ask_in_first_block(sweep, text, reads_on);
    ask_at_random(sweep, text, reads_on);
    free(reads_on);
    arena_release(&arena);
}

/* The first long text of the process: a codec may find out then for whose processor it is to be tuned. */
void far_first(struct sweep *sweep)
{
    if (!count_input(sweep))
        return;
    struct arena arena = {0};
    uint8_t *text = arena_at_begin(&arena, LENGTH);
    fill(sweep, text, LENGTH, SPACES);
    put_error(sweep, text + BLOCK + STRIDE);
    ask_prose(sweep, text, text + FIRST_STEP + BLOCK, NULL, 0);
    arena_release(&arena);
}

/* A character across the place 2,048 bytes before the end, from where a codec may check what is left in another way. */
static void ask_across_long(struct sweep *sweep, uint8_t *text)
{
    enum { BEFORE = 4 };
    uint8_t *begin = text + LENGTH - LONG_LENGTH - BEFORE;
    for (size_t number = 0; number < (size_t)2 * BEFORE; number++) {
        if (number / 2 % tokens_for(sweep)->unit != 0 || !count_input(sweep))
            continue;
        const uint8_t *end = begin_prose(sweep, text, number % 2 == 1, false, 1);
        put_filler(sweep, THREE_BYTES, begin + number / 2);
        far_ask_all(sweep, &(struct far_text){.bytes = text, .count = LENGTH, .is_well_formed = true});
        fill(sweep, begin, BLOCK, SPACES);
        fill(sweep, text, (size_t)(end - text), SPACES);
    }
}

/* Texts without a token or an error. */
void far_well_formed_prose(struct sweep *sweep)
{
    struct arena arena = {0};
    uint8_t *text = arena_at_begin(&arena, LENGTH);
    fill(sweep, text, LENGTH, SPACES);
    for (size_t number = 0; number < OTHERS_COUNT * 2; number++) {
        if (!count_input(sweep))
            continue;
        const uint8_t *end = begin_prose(sweep, text, number % 2 == 1, false, others[number / 2]);
        far_ask_all(sweep, &(struct far_text){.bytes = text, .count = LENGTH, .is_well_formed = true});
        fill(sweep, text, (size_t)(end - text), SPACES);
    }
    ask_across_long(sweep, text);
    arena_release(&arena);
}
