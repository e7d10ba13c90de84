/* SPDX-License-Identifier: MIT
 *
 * Claim: the mutator keeps the contracts of both engines for all sizes that they may pass, stays within its buffers,
 * and gives the same result for the same seed. It makes inputs that the engines alone rarely make: with an ill-formed
 * sequence over the edge of a block, and with one after 4,200 bytes.
 *
 * usage: mutator_test [CALLS]: the number of calls of each kind for each encoding, 20000 by default.
 */
#include "mutator.h"
#include "../../codecs/registry.h"
#include "../core/arena.h"
#include "../core/bytes.h"
#include "../core/dice.h"
#include "../core/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20000, CAPACITY_MAX = 8192, MARGIN = 64, MARK = 0xA5 };

const char *mutator_encoding = "utf-8";

static void require(bool holds, const char *claim)
{
    if (!holds) {
        fprintf(stderr, "mutator_test: this does not hold: %s\n", claim);
        exit(1);
    }
}

/* ---- the contract: sizes of all kinds, at both guard pages ---------------------------------------------- */

static size_t engine_calls;

/* Replaces libFuzzer's own mutation: requires the same room, and writes all bytes that it may write. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    require(max_size > 0, "the engine's mutation gets room");
    engine_calls++;
    bytes_fill(data, 'e', size > max_size ? size : max_size);
    return max_size;
}

/* A size near one at which behaviour changes: 0, a unit, a block. */
static size_t any_size(struct dice *dice)
{
    switch (dice_roll(dice, 8)) {
    case 0: return dice_roll(dice, 4);
    case 1: return 14 + dice_roll(dice, 6);
    case 2: return 62 + dice_roll(dice, 6);
    case 3: return dice_roll(dice, 700);
    default: return dice_roll(dice, 130);
    }
}

/* A max_size that an engine may pass: the input's size, 1 byte less (as when it minimises), or any other. */
static size_t any_room(struct dice *dice, size_t size)
{
    switch (dice_roll(dice, 8)) {
    case 0: return size;
    case 1:
    case 2: return size > 0 ? size - 1 : 0;
    case 3: return dice_roll(dice, 3);
    case 4: return size + 1;
    default: return any_size(dice);
    }
}

/* A buffer that ends or begins at a guard page, with a margin on its other side that must not change. */
struct guarded {
    struct arena arena;
    uint8_t *bytes;
    size_t count;
    bool at_end;
};

static uint8_t *margin_of(const struct guarded *guarded)
{
    return guarded->at_end ? guarded->bytes - MARGIN : guarded->bytes + guarded->count;
}

static void place(struct guarded *guarded, size_t count, struct dice *dice)
{
    guarded->count = count;
    guarded->at_end = dice_roll(dice, 2) == 0;
    arena_reserve(&guarded->arena, count + MARGIN);
    guarded->bytes = guarded->at_end ? arena_at_end(&guarded->arena, count) : arena_at_begin(&guarded->arena, count);
    bytes_fill(margin_of(guarded), MARK, MARGIN);
}

static void require_margin(const struct guarded *guarded)
{
    require(bytes_are(margin_of(guarded), MARK, MARGIN), "nothing is written beside the buffer");
}

/* Writes tokens and letters, so that operations find sequences. */
static void write_input(uint8_t *bytes, size_t count, const struct token_set *tokens, struct dice *dice)
{
    for (size_t at = 0; at < count;) {
        const struct token *token = &tokens->tokens[dice_roll(dice, tokens->count)];
        bool fits = token->length <= count - at && dice_roll(dice, 3) > 0;
        bytes_copy(bytes + at, fits ? token->bytes : (const uint8_t *)"a", fits ? token->length : 1);
        at += fits ? token->length : 1;
    }
}

/* Mutates an input twice from the same seed, in a buffer of the larger of its size and max_size. */
static void call_libfuzzer(const struct token_set *tokens, struct dice *dice)
{
    static struct guarded data;
    static uint8_t input[CAPACITY_MAX], first[CAPACITY_MAX];
    size_t size = any_size(dice), room = any_room(dice, size);
    unsigned seed = (unsigned)dice_roll(dice, 1u << 31);
    write_input(input, size, tokens, dice);
    size_t changed[2];
    for (int i = 0; i < 2; i++) {
        place(&data, size > room ? size : room, dice);
        bytes_fill(data.bytes, 0, data.count);
        bytes_copy(data.bytes, input, size);
        changed[i] = LLVMFuzzerCustomMutator(data.bytes, size, room, seed);
        require(changed[i] <= room, "a mutation is no longer than the engine allows");
        require(changed[i] > 0 || room == 0, "a mutation is not empty if there is room");
        require_margin(&data);
        if (i == 0)
            bytes_copy(first, data.bytes, changed[0]);
    }
    require(changed[0] == changed[1] && bytes_equal(first, data.bytes, changed[0]),
            "the same seed makes the same mutation");
}

static void call_cross_over(const struct token_set *tokens, struct dice *dice)
{
    static struct guarded one, other, out;
    static uint8_t copies[2][CAPACITY_MAX];
    place(&one, any_size(dice), dice);
    place(&other, any_size(dice), dice);
    place(&out, any_room(dice, one.count), dice);
    write_input(one.bytes, one.count, tokens, dice);
    write_input(other.bytes, other.count, tokens, dice);
    bytes_copy(copies[0], one.bytes, one.count);
    bytes_copy(copies[1], other.bytes, other.count);
    size_t crossed =
        LLVMFuzzerCustomCrossOver(one.count > 0 ? one.bytes : NULL, one.count, other.count > 0 ? other.bytes : NULL,
                                  other.count, out.bytes, out.count, (unsigned)dice_roll(dice, 1u << 31));
    require(crossed <= out.count, "a crossover is no longer than the engine allows");
    require(bytes_equal(copies[0], one.bytes, one.count) && bytes_equal(copies[1], other.bytes, other.count),
            "a crossover does not change its inputs");
    require_margin(&out);
}

static void call_afl(void *mutator, const struct token_set *tokens, struct dice *dice)
{
    static struct guarded input, other;
    static uint8_t copy[CAPACITY_MAX];
    place(&input, any_size(dice), dice);
    place(&other, any_size(dice), dice);
    write_input(input.bytes, input.count, tokens, dice);
    write_input(other.bytes, other.count, tokens, dice);
    bytes_copy(copy, input.bytes, input.count);
    size_t room = any_room(dice, input.count);
    uint8_t *out = NULL;
    size_t changed = afl_custom_fuzz(mutator, input.count > 0 ? input.bytes : NULL, input.count, &out,
                                     other.count > 0 ? other.bytes : NULL, other.count, room);
    require(changed <= room, "the result for AFL++ is no longer than it allows");
    require(changed > 0 || room == 0, "the result for AFL++ is not empty if there is room");
    require(changed == 0 || out != NULL, "AFL++ gets the address of the result");
    require(bytes_equal(copy, input.bytes, input.count), "AFL++'s input does not change");
    static volatile uint8_t sum; /* reads each byte, so that AddressSanitizer checks it */
    for (size_t i = 0; i < changed; i++)
        sum = (uint8_t)(sum + out[i]);
}

static void test_contract(const struct token_set *tokens, size_t calls)
{
    struct dice dice = {calls};
    mutator_encoding = tokens->encoding;
    setenv("ASSAY_ENCODING", tokens->encoding, 1);
    void *mutator = afl_custom_init(NULL, 1);
    for (size_t i = 0; i < calls; i++) {
        call_libfuzzer(tokens, &dice);
        call_cross_over(tokens, &dice);
        call_afl(mutator, tokens, &dice);
    }
    afl_custom_deinit(mutator);
}

/* ---- the inputs that it makes --------------------------------------------------------------------------- */

/* Mutates its own results, with the buffer's end at a guard page. Calls `on_input`, if any, with each. */
static size_t mutate_repeatedly(unsigned seed, uint8_t *last, void (*on_input)(const uint8_t *, size_t))
{
    static struct arena arena;
    setenv("ASSAY_ENCODING", "utf-8", 1);
    void *mutator = afl_custom_init(NULL, seed);
    uint8_t *bytes = arena_at_end(&arena, CAPACITY_MAX), *out;
    size_t count = 1;
    bytes[0] = 'a';
    for (size_t round = 0; round < ROUNDS; round++) {
        size_t changed = afl_custom_fuzz(mutator, bytes, count, &out, bytes, count, CAPACITY_MAX);
        require(changed <= CAPACITY_MAX, "the result fits");
        memmove(bytes, out, changed);
        count = round % 16 == 0 ? 1 : changed;
        if (on_input != NULL)
            on_input(bytes, changed);
    }
    memcpy(last, bytes, count);
    afl_custom_deinit(mutator);
    return count;
}

static size_t over_edges, after_many;

static void count_first_error(const uint8_t *bytes, size_t count)
{
    struct assay_span span;
    if (registry_reference("utf-8")->validate(bytes, count, &span))
        return;
    over_edges += span.offset % 64 == 62 && span.length == 2;
    after_many += span.offset >= 4200;
}

/* When libFuzzer minimises, it passes an input one byte longer than the largest size that it allows. Over all seeds,
 * each unit of the input must be removed once: then an input becomes shorter wherever its important bytes are. */
static void require_each_unit_is_removed(const struct token_set *tokens)
{
    enum { SIZE = 8, TRIES = 2000 };
    size_t unit = tokens->unit;
    mutator_encoding = tokens->encoding;
    bool gone[SIZE] = {false};
    for (unsigned seed = 0; seed < TRIES; seed++) {
        uint8_t bytes[SIZE] = {'0', '1', '2', '3', '4', '5', '6', '7'}, input[SIZE];
        memcpy(input, bytes, sizeof input);
        size_t changed = LLVMFuzzerCustomMutator(bytes, SIZE, SIZE - 1, seed);
        size_t at = 0;
        while (at < changed && bytes[at] == input[at])
            at++;
        if (changed == SIZE - unit && memcmp(bytes + at, input + at + unit, SIZE - unit - at) == 0)
            gone[at] = true;
    }
    for (size_t at = 0; at < SIZE; at += unit)
        require(gone[at], "some seed removes each code unit, and nothing else, from an input that is too long");
}

/* Over all seeds, each token of the encoding becomes the only content of an empty input, so the mutator has the tokens
 * of its encoding. */
static void require_own_tokens(const struct token_set *tokens)
{
    enum { TOKENS_MAX = 256, TRIES = 60000 };
    bool made[TOKENS_MAX] = {false};
    require(tokens->count <= TOKENS_MAX, "there is room for all tokens");
    mutator_encoding = tokens->encoding;
    for (unsigned seed = 0; seed < TRIES; seed++) {
        uint8_t bytes[sizeof tokens->tokens->bytes];
        size_t changed = LLVMFuzzerCustomMutator(bytes, 0, sizeof bytes, seed);
        for (size_t i = 0; i < tokens->count; i++)
            made[i] |= changed == tokens->tokens[i].length && memcmp(bytes, tokens->tokens[i].bytes, changed) == 0;
    }
    for (size_t i = 0; i < tokens->count; i++)
        require(made[i], "some seed inserts each token of the encoding, and nothing else, into an empty input");
}

int main(int argc, char **argv)
{
    static uint8_t one[CAPACITY_MAX], two[CAPACITY_MAX];
    size_t calls = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
    require(calls > 0, "CALLS is a number");
    for (size_t i = 0; i < sizeof token_sets / sizeof token_sets[0]; i++) {
        test_contract(&token_sets[i], calls);
        require_each_unit_is_removed(&token_sets[i]);
        require_own_tokens(&token_sets[i]);
    }
    require(engine_calls > calls / 10, "the engine's own mutation is called");
    size_t first = mutate_repeatedly(7, one, count_first_error), second = mutate_repeatedly(7, two, NULL);
    require(first == second && memcmp(one, two, first) == 0, "the same seed makes the same inputs");
    require(over_edges > ROUNDS / 1000, "errors occur at the edge of a block");
    require(after_many > ROUNDS / 1000, "errors occur after 4,200 bytes");
    printf(
        "%zu calls of each kind for each encoding kept the contract; %zu inputs with a first error over the edge of a block, "
        "%zu with one after 4,200 bytes, of %d\n",
        calls, over_edges, after_many, ROUNDS);
    return 0;
}
