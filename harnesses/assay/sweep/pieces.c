/* SPDX-License-Identifier: MIT
 *
 * All pairs of tokens, fed in pieces; some of these pieces validated as two texts.
 */
#include "sweep.h"

enum { EMPTY_MAX = 2, PIECE_GAPS = 4, CUTS_MAX = 2 * LONGEST_TOKEN + PIECE_GAPS };

/* Chooses cuts: one at `cut`, and after it, up to `end`: none; some that leave one or two empty pieces; one that leaves
 * a short piece; or one after each byte. */
static size_t choose_cuts(size_t cuts[CUTS_MAX], size_t cut, size_t end, size_t variant)
{
    size_t count = 0, to_end = end - cut;
    cuts[count++] = cut;
    switch (variant % 4) {
    case 0: break;
    case 1:
        for (size_t empty = 0; empty <= variant / 4 % EMPTY_MAX; empty++)
            cuts[count++] = cut;
        break;
    case 2: cuts[count++] = cut + (to_end > 0 ? 1 + variant / 4 % to_end : 0); break;
    default:
        while (cut < end)
            cuts[count++] = ++cut;
    }
    return count;
}

/* Two texts, and what the reference says of each. */
struct halves {
    const uint8_t *input;
    size_t count, cut;
    bool is_well_formed[2];
    struct assay_span errors[2];
};

static bool is_wrong_about(const struct assay_codec *codec, const struct halves *halves, size_t half)
{
    const uint8_t *begin = halves->input + (half == 0 ? 0 : halves->cut);
    size_t count = half == 0 ? halves->cut : halves->count - halves->cut;
    asking_directly(codec, (struct question){.operation = OP_VALIDATE, .input = begin, .input_count = count});
    return has_wrong_verdict(codec, begin, count, halves->is_well_formed[half], &halves->errors[half]);
}

/* A codec that is wrong about the second text only right after the first one keeps something of that. */
static void ask_halves(struct sweep *sweep, const struct assay_codec *codec, const void *context)
{
    const struct halves *halves = context;
    is_wrong_about(codec, halves, 0);
    bool remembers = is_wrong_about(codec, halves, 1) && !is_wrong_about(codec, halves, 1);
    asking_ends();
    sweep->comparer.asked += 2;
    cli_note_answered(codec);
    if (remembers)
        note_failure(sweep, codec, "is wrong about a text only right after another one; input number in hex:", 0,
                     sweep->inputs);
}

/* Validates what is before and after a place, as two texts. */
static void sweep_halves(struct sweep *sweep, const uint8_t *input, size_t count, size_t cut)
{
    const struct comparer *comparer = &sweep->comparer;
    struct halves halves = {.input = input, .count = count, .cut = cut};
    halves.is_well_formed[0] = comparer->panel[0]->validate(input, cut, &halves.errors[0]);
    halves.is_well_formed[1] = comparer->panel[0]->validate(input + cut, count - cut, &halves.errors[1]);
    for (size_t i = 1; i < comparer->panel_size; i++)
        if (comparer_asks(comparer, comparer->panel[i], OP_VALIDATE))
            sweep_survive_codec(sweep, comparer->panel[i], ask_halves, &halves);
}

/* Cuts the input at each place from `begin` to `end`. `variant` selects form, policy, kind of cuts and room, so that
 * each form is combined with each policy and each kind of cuts. */
static void sweep_cuts(struct sweep *sweep, const uint8_t *input, size_t count, size_t begin, size_t end,
                       size_t variant)
{
    enum {
        FORMS = 3 * ASSAY_POLICY_COUNT
    }; /* forms times policies; UTF-16, which has pairs, is asked in two of three */
    for (size_t cut = begin; cut <= end; cut++, variant++) {
        size_t cuts[CUTS_MAX];
        if (variant % 3 == 0)
            sweep_halves(sweep, input, count, cut);
        sweep_compare(sweep, &(struct question){.operation = variant % 3 == 0 ? OP_FEED_UTF32 : OP_FEED_UTF16,
                                                .policy = (enum assay_policy)(variant / 3 % ASSAY_POLICY_COUNT),
                                                .input = input,
                                                .input_count = count,
                                                .capacity = CAPACITY_ANY,
                                                .cuts = cuts,
                                                .cut_count = choose_cuts(cuts, cut, end, variant / FORMS),
                                                .room = variant % 5 == 0 ? ASSAY_HELD_MAX + variant / 5 % 8 : 0});
    }
}

/* Each cut takes the next variant, so that a pair is combined with places in a block and kinds of cuts in a mixed
 * order. */
void sweep_pieces(struct sweep *sweep)
{
    enum { PLACES = 12 };
    static uint8_t input[NEAR + CUTS_MAX + TAIL_MAX];
    const struct token_set *set = tokens_for(sweep);
    size_t variant = 0;
    for (size_t pair = 0; pair < set->count * set->count; pair++) {
        const struct token *first = &set->tokens[pair / set->count], *second = &set->tokens[pair % set->count];
        for (size_t place = 0; place < PLACES; place++) {
            size_t begin = variant % NEAR, count = fill(sweep, input, begin, variant / NEAR % FILLER_COUNT);
            count += put_token(input + count, first);
            count += fill(sweep, input + count, variant / 2 % PIECE_GAPS, 0);
            count += put_token(input + count, second);
            size_t end = count;
            count += fill(sweep, input + count, variant / 3 % TAIL_MAX, variant / 5 % FILLER_COUNT);
            alternate_placement(sweep, variant / NEAR);
            if (count_input(sweep))
                sweep_cuts(sweep, input, count, begin, end, variant);
            variant += end - begin + 1;
        }
        show_progress(sweep, pair, set->count * set->count);
    }
}
