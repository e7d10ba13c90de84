/* SPDX-License-Identifier: MIT
 *
 * Texts of 33 MiB, decoded. Where a text is larger than most caches, a codec may decode pieces of it that are mostly
 * ASCII into a buffer, and copy these to the output past the caches; other pieces, which are longer, without a buffer.
 */
#include "sweep.h"

#include "../../core/dice.h"

#include <stdlib.h>

enum { LENGTH = 33 << 20, ERROR_AT = 17 << 20 };

/* What is in the text, and how it is decoded. */
static const struct kind {
    enum operation operation;
    enum assay_policy policy;
    bool has_errors, lacks_room;
    size_t error_at; /* where an error is put, or 0 */
} kinds[] = {{OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, true, false, 0},
             {OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, true, true, 0},
             {OP_DECODE_UTF16, ASSAY_POLICY_STRICT, false, false, ERROR_AT},
             {OP_DECODE_UTF32, ASSAY_POLICY_STRICT, false, false, 0}};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

/* The tokens of the encoding that are characters, or all. */
struct chosen_tokens {
    const struct token *of[UINT8_MAX + 1];
    size_t count;
};

static struct chosen_tokens choose_tokens(const struct sweep *sweep, bool with_errors)
{
    const struct token_set *set = tokens_for(sweep);
    struct chosen_tokens chosen = {.count = 0};
    struct assay_span error;
    for (size_t i = 0; i < set->count; i++)
        if (with_errors ||
            ask_well_formed(sweep->comparer.panel[0], set->tokens[i].bytes, set->tokens[i].length, &error))
            chosen.of[chosen.count++] = &set->tokens[i];
    return chosen;
}

/* Fills the text with runs of ASCII and a random token after each. In some sections more than a sixteenth of the bytes
 * begin no character, in others less; one section in nine has tokens alone, without runs. */
static void fill_with_tokens(const struct sweep *sweep, bool with_errors, uint8_t *text)
{
    enum { RUN_MAX = 400, END = LENGTH - RUN_MAX - LONGEST_TOKEN, SECTION = 3 << 15 };
    static const size_t runs[] = {64, 24, 32, RUN_MAX, 48, 28, 12, 40, 1};
    struct chosen_tokens tokens = choose_tokens(sweep, with_errors);
    struct dice dice = dice_from((const uint8_t[]){with_errors}, 1);
    fill(sweep, text, LENGTH, SPACES);
    for (size_t at = 0; at < END; at += put_token(text + at, tokens.of[dice_roll(&dice, tokens.count)]))
        at += dice_roll(&dice, runs[at / SECTION % (sizeof runs / sizeof runs[0])]);
}

static void ask_kind(struct sweep *sweep, struct kind kind, uint8_t *text)
{
    struct question question = {.operation = kind.operation,
                                .policy = kind.policy,
                                .input = text,
                                .input_count = LENGTH,
                                .capacity = CAPACITY_ANY};
    fill_with_tokens(sweep, kind.has_errors, text);
    if (kind.error_at > 0)
        put_error(sweep, text + kind.error_at);
    if (kind.lacks_room)
        question.capacity = needed_for(&sweep->comparer, question) - 1;
    sweep_compare(sweep, &question);
}

void sweep_past_caches(struct sweep *sweep)
{
    uint8_t *text = cli_alloc(LENGTH, 1);
    for (size_t number = 0; number < KIND_COUNT; number++) {
        alternate_placement(sweep, number);
        if (count_input(sweep))
            ask_kind(sweep, kinds[number], text);
    }
    free(text);
}
