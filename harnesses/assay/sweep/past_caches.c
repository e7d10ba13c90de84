/* SPDX-License-Identifier: MIT
 *
 * Texts of 32 to 33 MiB, decoded. Where a text is larger than most caches, a codec may decode pieces of it that are
 * mostly ASCII into a buffer, and copy these to the output past the caches; other pieces, which are longer, without a
 * buffer. Four texts have tokens around each place where a codec may cut them. Four of ASCII end soon after such a
 * place. Of the others, a codec decodes only the first pieces: up to an error, or as far as there is room.
 */
#include "sweep.h"

#include "../../core/dice.h"

#include <stdlib.h>
#include <string.h>

/* A piece ends at the last boundary of its first PIECE bytes, or PLAIN_PIECE after a piece that is not mostly ASCII: of
 * which more than a sixteenth of the bytes begin no unit. */
enum { MANY = 33 << 20, PIECE = 4096, PLAIN_PIECE = 1 << 16, LENGTH_MAX = MANY + 4 * PIECE };

/* Whether stray continuation bytes come before the end of a piece, as far back as a codec may look from there. The last
 * bytes of the piece are others: with ALWAYS two, with SOMETIMES zero to four. */
enum strays { SOMETIMES, ALWAYS, NEVER };

/* What is in a text that is decoded whole, and how it is decoded. lacks_room: the room ends with the last piece.
 * last_strays: those of the last piece, if there is room for it. */
static const struct kind {
    enum operation operation;
    enum assay_policy policy;
    bool has_errors, lacks_room;
    enum strays strays, last_strays;
} kinds[] = {{OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, true, true, SOMETIMES, SOMETIMES},
             {OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, false, false, NEVER, ALWAYS},
             {OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, true, false, ALWAYS, NEVER},
             {OP_DECODE_UTF32, ASSAY_POLICY_STRICT, false, false, NEVER, NEVER}};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

/* A text, its tokens, which are the encoding's characters, or all tokens, and how much of it is filled. */
struct filling {
    const struct sweep *sweep;
    const struct token *tokens[UINT8_MAX + 1];
    size_t token_count;
    struct dice dice;
    uint8_t *text;
    size_t at;
};

static void choose_tokens(struct filling *filling, bool with_errors)
{
    const struct token_set *set = tokens_for(filling->sweep);
    struct assay_span error;
    for (size_t i = 0; i < set->count; i++)
        if (with_errors ||
            registry_reference(set->encoding)->validate(set->tokens[i].bytes, set->tokens[i].length, &error))
            filling->tokens[filling->token_count++] = &set->tokens[i];
}

/* Fills the text up to `end`, or somewhat further, with runs of less than `longest` bytes of ASCII, and a random token
 * after each. */
static void put_runs(struct filling *filling, size_t end, size_t longest)
{
    for (;;) {
        size_t begin = filling->at + dice_roll(&filling->dice, longest);
        if (begin >= end)
            return;
        const struct token *token = filling->tokens[dice_roll(&filling->dice, filling->token_count)];
        filling->at = begin + put_token(filling->text + begin, token);
    }
}

/* Fills the text up to `end`, where a piece may end, and puts tokens on both sides of `end`. Returns where the codec
 * may start the next piece. */
static size_t put_piece(struct filling *filling, size_t end, bool is_dense, enum strays strays)
{
    enum { RUN_MAX = 400, BEFORE = 32, NEAR_END = 16, AFTER = 72, STEP = 8, HALF = 2, NOT_STRAY = 2, SOME = 5 };
    static const size_t dense[] = {1, 8}, sparse[] = {128, RUN_MAX};
    size_t number = dice_roll(&filling->dice, sizeof dense / sizeof dense[0]);
    put_runs(filling, end - BEFORE - STEP, is_dense ? dense[number] : sparse[number]);
    if (filling->at < end - BEFORE - STEP)
        filling->at = end - BEFORE - dice_roll(&filling->dice, STEP);
    put_runs(filling, end - NEAR_END, 1);
    if (strays == ALWAYS || (strays == SOMETIMES && dice_roll(&filling->dice, HALF) == 0)) {
        size_t stop = end - (strays == ALWAYS ? NOT_STRAY : dice_roll(&filling->dice, SOME));
        memset(filling->text + filling->at, 0x80, stop - filling->at);
        filling->at = stop;
    }
    put_runs(filling, end + AFTER, 1);
    return registry_reference(filling->sweep->comparer.encoding)->boundary(filling->text, LENGTH_MAX, end);
}

/* Fills a text with pieces. If the text lacks room, the last piece is ASCII, ends where the room ends, and has one byte
 * after it. Else the last piece has few units, and the text ends soon after it. Returns the length. */
static size_t fill_pieces(struct filling *filling, struct kind kind)
{
    /* 1 of RARE pieces is not mostly ASCII, and 1 of LESS_RARE after such a piece. */
    enum { RARE = 16, LESS_RARE = 4 };
    size_t begin = 0;
    fill(filling->sweep, filling->text, LENGTH_MAX, SPACES);
    for (bool was_dense = false; begin < MANY;) {
        bool is_dense = dice_roll(&filling->dice, was_dense ? LESS_RARE : RARE) == 0 && begin < MANY - 2 * PLAIN_PIECE;
        begin = put_piece(filling, begin + (was_dense ? PLAIN_PIECE : PIECE), is_dense, kind.strays);
        was_dense = is_dense;
    }
    if (kind.lacks_room)
        return begin + 2 * PIECE + 1;
    put_piece(filling, begin + PIECE, true, kind.last_strays);
    return filling->at;
}

static void ask_kind(struct sweep *sweep, uint8_t number, uint8_t *text)
{
    struct kind kind = kinds[number];
    struct filling filling = {.sweep = sweep, .dice = dice_from(&number, 1), .text = text};
    choose_tokens(&filling, kind.has_errors);
    struct question question = {
        .operation = kind.operation, .policy = kind.policy, .input = text, .input_count = fill_pieces(&filling, kind)};
    question.capacity = kind.lacks_room ? needed_for(&sweep->comparer, question) - 1
                                        : capacity_for(question.operation, question.input_count);
    sweep_compare(sweep, &question);
}

/* Asks about a text of which only the start is decoded: the room, or an error, ends it. The placement alternates. */
static void ask_begin(struct sweep *sweep, enum operation operation, enum assay_policy policy, const uint8_t *text,
                      size_t capacity)
{
    alternate_placement(sweep, sweep->input_number);
    if (count_input(sweep))
        sweep_compare(
            sweep,
            &(struct question){
                .operation = operation, .policy = policy, .input = text, .input_count = MANY, .capacity = capacity});
}

/* Asks with room that ends with the second piece, at each place in a cache line. */
static void ask_with_room_for_two(struct sweep *sweep, enum operation operation, uint8_t *text)
{
    enum { LINE_UNITS = 32 };
    fill(sweep, text, MANY, SPACES);
    for (size_t fewer = 0; fewer < LINE_UNITS; fewer++) {
        for (size_t time = 0; time < PLACEMENT_COUNT; time++)
            ask_begin(sweep, operation, ASSAY_POLICY_WHATWG, text, 2 * PIECE - fewer);
        put_filler(sweep, TWO_BYTES, text + 2 * fewer);
    }
}

/* Asks about texts that end at a guard page, a few bytes after the last piece: one; one less than a load of 64 bytes
 * needs that starts eight bytes before the cut, and as many; and half a block after an error. */
static void ask_ends(struct sweep *sweep, uint8_t *text)
{
    enum { LEAST = 32 << 20, ERROR_AT = LEAST + 64 };
    static const size_t ends[] = {LEAST + 1, LEAST + 55, LEAST + 56, ERROR_AT + 32};
    fill(sweep, text, MANY, SPACES);
    text[ERROR_AT] = 0x80;
    alternate_placement(sweep, AT_END);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (count_input(sweep))
            sweep_compare(sweep, &(struct question){.operation = OP_DECODE_UTF16,
                                                    .policy = ASSAY_POLICY_WHATWG,
                                                    .input = text,
                                                    .input_count = ends[i],
                                                    .capacity = ends[i] + 1});
}

/* Asks with less room than a piece may need; under each policy, with errors at the end of the first piece; with one
 * error in the first piece, in a longer second piece, or far from the start; and with 4-byte characters at the end of
 * the first piece, after stray continuation bytes. */
static void ask_begins(struct sweep *sweep, uint8_t *text)
{
    enum { FEW = 100, ERRORS = 12, MANY_TWOS = 1000, STRAYS = 8, FOURS = 100 };
    static const size_t errors_at[] = {PIECE - 1, 2 * PIECE, 1 << 20};
    fill(sweep, text, MANY, SPACES);
    ask_begin(sweep, OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, text, FEW);
    ask_begin(sweep, OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, text, PIECE - 1);
    memset(text + PIECE - ERRORS / 2, 0x80, ERRORS);
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        ask_begin(sweep, OP_DECODE_UTF16, policy, text, 3 * PIECE);
    fill(sweep, text + PIECE - ERRORS, 2 * ERRORS, SPACES);
    for (size_t i = 0; i < MANY_TWOS; i++)
        put_filler(sweep, TWO_BYTES, text + 2 * i);
    for (size_t i = 0; i < sizeof errors_at / sizeof errors_at[0]; i++) {
        uint8_t error[2];
        size_t length = put_error(sweep, error);
        memcpy(text + errors_at[i], error, length);
        ask_begin(sweep, OP_DECODE_UTF16, ASSAY_POLICY_STRICT, text, capacity_for(OP_DECODE_UTF16, MANY));
        fill(sweep, text + errors_at[i], length, SPACES);
    }
    memset(text + PIECE - STRAYS, 0x80, STRAYS);
    for (size_t at = PIECE; at > PIECE - STRAYS; at--) {
        fill(sweep, text + at, FOURS, FOUR_BYTES);
        ask_begin(sweep, OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, text, 3 * PIECE);
    }
}

void sweep_past_caches(struct sweep *sweep)
{
    uint8_t *text = cli_alloc(LENGTH_MAX, 1);
    sweep->has_little_room = true;
    ask_begins(sweep, text);
    ask_ends(sweep, text);
    ask_with_room_for_two(sweep, OP_DECODE_UTF16, text);
    ask_with_room_for_two(sweep, OP_DECODE_UTF32, text);
    for (uint8_t number = 0; number < KIND_COUNT; number++) {
        alternate_placement(sweep, kinds[number].lacks_room ? AT_BEGIN : AT_END);
        if (count_input(sweep))
            ask_kind(sweep, number, text);
    }
    free(text);
}
