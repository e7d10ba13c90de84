/* SPDX-License-Identifier: MIT
 *
 * All pairs of tokens, fed in pieces.
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
