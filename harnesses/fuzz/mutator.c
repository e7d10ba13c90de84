/* SPDX-License-Identifier: MIT
 *
 * The mutator changes inputs where decoders have bugs: at the edges of sequences, of blocks and of the input. libFuzzer
 * targets contain it; AFL++ loads it as a library (AFL_CUSTOM_MUTATOR_LIBRARY).
 *
 * It inserts the tokens of one encoding: the target's, or for AFL++ that of the environment variable ASSAY_ENCODING.
 * One third of the calls goes to libFuzzer's own mutation, which knows the dictionary; with ASSAY_MUTATOR=off, all
 * calls do.
 */
#include "mutator.h"
#include "../core/bytes.h"
#include "../core/dice.h"
#include "../core/tokens.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define UNPOISON(begin, size) __msan_unpoison(begin, size)
#endif
#endif
#ifndef UNPOISON
#define UNPOISON(begin, size) ((void)0)
#endif

/* An input under change: `count` bytes of a buffer. No operation writes past `capacity` bytes. `count` may exceed
 * `capacity` only until shorten() has run: libFuzzer minimises by passing such an input. */
struct input {
    uint8_t *bytes;
    size_t count, capacity;
    size_t unit; /* bytes of a code unit: 2 for UTF-16, else 1 */
    const struct token_set *tokens;
    struct dice dice;
};

static size_t roll(struct input *input, size_t sides)
{
    return dice_roll(&input->dice, sides);
}

static const struct token *random_token(struct input *input)
{
    return &input->tokens->tokens[roll(input, input->tokens->count)];
}

/* Returns the random offset of a code unit, or of the end. */
static size_t random_offset(struct input *input)
{
    return roll(input, input->count / input->unit + 1) * input->unit;
}

/* Replaces `removed` bytes by a gap of `added` bytes; false if there is no room. */
static bool resize_gap(struct input *input, size_t at, size_t removed, size_t added)
{
    if (input->count - removed + added > input->capacity)
        return false;
    memmove(input->bytes + at + added, input->bytes + at + removed, input->count - at - removed);
    input->count = input->count - removed + added;
    return true;
}

/* Replaces `removed` bytes by `added` others; false if there is no room. */
static bool splice(struct input *input, size_t at, size_t removed, const uint8_t *bytes, size_t added)
{
    if (!resize_gap(input, at, removed, added))
        return false;
    if (added > 0) /* if nothing is added, `bytes` may be NULL */
        memcpy(input->bytes + at, bytes, added);
    return true;
}

/* Writes the same bytes repeatedly, up to `end`. */
static void write_repeated(struct input *input, size_t at, size_t end, const uint8_t *run, size_t length)
{
    for (; at < end; at += length)
        bytes_copy(input->bytes + at, run, length);
}

/* ---- sequences, well-formed or not: a lead and its continuations, or one code unit -------------------- */

static bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

static size_t sequence_begin(const struct input *input, size_t at)
{
    size_t begin = at;
    while (input->unit == 1 && begin > 0 && at - begin < 5 && is_continuation(input->bytes[begin]))
        begin--;
    return input->bytes[begin] >= 0xC0 ? begin : at;
}

static size_t sequence_length(const struct input *input, size_t at)
{
    size_t left = input->count - at, length = input->unit < left ? input->unit : left;
    if (input->unit == 1 && input->bytes[at] >= 0xC0)
        while (length < left && length < 6 && is_continuation(input->bytes[at + length]))
            length++;
    return length;
}

/* Chooses a sequence; false if the input is empty. */
static bool random_sequence(struct input *input, size_t *at, size_t *length)
{
    if (input->count < input->unit)
        return false;
    *at = sequence_begin(input, roll(input, input->count / input->unit) * input->unit);
    *length = sequence_length(input, *at);
    return true;
}

/* ---- operations; each returns whether it changed the input ------------------------------------------ */

static bool insert(struct input *input)
{
    const struct token *token = random_token(input);
    return splice(input, random_offset(input), 0, token->bytes, token->length);
}

static bool append(struct input *input)
{
    const struct token *token = random_token(input);
    return splice(input, input->count, 0, token->bytes, token->length);
}

/* Appends the beginning of a token: a decoder must not read past the end to complete it. */
static bool append_beginning(struct input *input)
{
    const struct token *token = random_token(input);
    return splice(input, input->count, 0, token->bytes, 1 + roll(input, token->length));
}

static bool delete_sequence(struct input *input)
{
    size_t at, length;
    return random_sequence(input, &at, &length) && splice(input, at, length, NULL, 0);
}

static bool replace(struct input *input)
{
    size_t at, length;
    const struct token *token = random_token(input);
    return random_sequence(input, &at, &length) && splice(input, at, length, token->bytes, token->length);
}

static bool duplicate(struct input *input)
{
    uint8_t copy[8];
    size_t at, length;
    if (!random_sequence(input, &at, &length))
        return false;
    memcpy(copy, input->bytes + at, length);
    return splice(input, at, 0, copy, length);
}

/* Replaces the lead: by the first or last of a row of Table 3-7, or by a byte that begins no sequence. */
static bool swap_lead(struct input *input)
{
    static const uint8_t leads[] = {0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
                                    0xEF, 0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF};
    size_t at, length;
    if (!random_sequence(input, &at, &length) || input->bytes[at] < 0x80)
        return false;
    input->bytes[at] = leads[roll(input, sizeof leads)];
    return true;
}

/* Moves a continuation to an edge of the ranges of second bytes, or one beyond it. */
static bool move_continuation(struct input *input)
{
    static const uint8_t edges[] = {0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0};
    size_t at, length;
    if (!random_sequence(input, &at, &length) || length < 2)
        return false;
    input->bytes[at + 1 + roll(input, length - 1)] = edges[roll(input, sizeof edges)];
    return true;
}

/* Flips the two bits that make a byte a lead, a continuation or ASCII. */
static bool flip_kind(struct input *input)
{
    static const uint8_t bits[] = {0x40, 0x80, 0xC0};
    if (input->count == 0)
        return false;
    input->bytes[roll(input, input->count)] ^= bits[roll(input, sizeof bits)];
    return true;
}

/* The code point of the payload bits of a sequence of up to 4 bytes, whether valid or not. */
static uint32_t code_point(const uint8_t *bytes, size_t length)
{
    uint32_t value = length == 1 ? bytes[0] & 0x7Fu : bytes[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++)
        value = value << 6 | (bytes[i] & 0x3Fu);
    return value;
}

static void write_sequence(uint32_t value, size_t length, uint8_t *bytes)
{
    for (size_t i = length - 1; i > 0; i--, value >>= 6)
        bytes[i] = (uint8_t)(0x80 | (value & 0x3F));
    bytes[0] = (uint8_t)((0xF00u >> length & 0xFF) | value);
}

/* Writes the same code point with one byte more. */
static bool make_overlong(struct input *input)
{
    uint8_t bytes[4];
    size_t at, length;
    if (!random_sequence(input, &at, &length) || length > 3)
        return false;
    write_sequence(code_point(input->bytes + at, length), length + 1, bytes);
    return splice(input, at, length, bytes, length + 1);
}

/* Replaces a 4-byte sequence by the two 3-byte surrogates that it is in CESU-8. */
static bool split_into_surrogates(struct input *input)
{
    uint8_t bytes[6];
    size_t at, length;
    if (!random_sequence(input, &at, &length) || length != 4)
        return false;
    uint32_t value = code_point(input->bytes + at, length) - 0x10000;
    write_sequence(0xD800 | (value >> 10 & 0x3FF), 3, bytes);
    write_sequence(0xDC00 | (value & 0x3FF), 3, bytes + 3);
    return splice(input, at, length, bytes, sizeof bytes);
}

static bool truncate_text(struct input *input)
{
    if (input->count == 0)
        return false;
    input->count = roll(input, 2) == 0 ? roll(input, input->count)
                                       : input->count - 1 - roll(input, input->count < 8 ? input->count : 8);
    return true;
}

/* Writes well-formed input: ASCII, or sequences of 2 or 3 bytes whose last one ends at `end`. */
static void fill_with_well_formed(struct input *input, size_t begin, size_t end)
{
    static const char *const fillers[] = {"a", "a", "a", "\xC3\xA9", "\xE8\x9A\xA7"};
    const char *filler = input->unit == 1 ? fillers[roll(input, sizeof fillers / sizeof fillers[0])] : "\x20\x20";
    size_t length = strlen(filler), ascii = (end - begin) % length;
    bytes_fill(input->bytes + begin, 'a', ascii);
    write_repeated(input, begin + ascii, end, (const uint8_t *)filler, length);
}

/* Returns the edge of a block; half of the time one of the first eight, where most bugs show. */
static size_t random_edge(struct input *input)
{
    size_t block = (size_t)16 << roll(input, input->capacity < 32 ? 1 : input->capacity < 64 ? 2 : 3);
    size_t most = input->capacity / block;
    return block * (1 + roll(input, roll(input, 2) == 0 && most > 8 ? 8 : most));
}

/* Writes a token over the edge of a block: half of the time after input without errors, a quarter after one block
 * without errors. Sometimes the input ends after the token. */
static bool put_over_edge(struct input *input)
{
    if (input->capacity < 16)
        return false;
    const struct token *token = random_token(input);
    size_t edge = random_edge(input), before = roll(input, token->length / input->unit + 1) * input->unit,
           at = edge - before;
    if (at + token->length > input->capacity)
        return false;
    size_t clean = roll(input, 4), from = at < input->count ? at : input->count;
    if (clean < 2)
        from = 0;
    else if (clean == 2 && at > 64 && from > at - 64)
        from = at - 64;
    fill_with_well_formed(input, from, at);
    memcpy(input->bytes + at, token->bytes, token->length);
    if (input->count < at + token->length || roll(input, 3) == 0)
        input->count = at + token->length;
    return true;
}

/* Moves the rest of the input relative to the blocks. */
static bool shift(struct input *input)
{
    uint8_t filler[16];
    size_t length = input->unit * (1 + roll(input, sizeof filler / input->unit));
    memset(filler, 'a', sizeof filler);
    if (roll(input, 2) == 0)
        return splice(input, 0, 0, filler, length);
    return length < input->count && splice(input, 0, length, NULL, 0);
}

/* Repeats a run up to 2^11 times, or as often as there is room. */
static bool repeat(struct input *input)
{
    uint8_t run[64];
    size_t at, length;
    if (!random_sequence(input, &at, &length))
        return false;
    size_t whole = input->count - at, longest = whole < sizeof run ? whole : sizeof run;
    if (roll(input, 2) == 0)
        length = (1 + roll(input, longest / input->unit)) * input->unit;
    if (length == 0 || length > longest)
        return false;
    memcpy(run, input->bytes + at, length);
    size_t times = (size_t)1 << roll(input, 12), most = (input->capacity - input->count) / length;
    size_t added = (times < most ? times : most) * length;
    resize_gap(input, at, 0, added);
    write_repeated(input, at, at + added, run, length);
    return true;
}

static const struct operation_row {
    bool (*change)(struct input *input);
    bool in_bytes; /* only for encodings with leads and continuations */
} operations[] = {
    {insert, false},          {append, false},        {append_beginning, false},
    {delete_sequence, false}, {replace, false},       {replace, false},
    {duplicate, false},       {swap_lead, true},      {move_continuation, true},
    {flip_kind, false},       {make_overlong, true},  {split_into_surrogates, true},
    {truncate_text, false},   {put_over_edge, false}, {put_over_edge, false},
    {put_over_edge, false},   {shift, false},         {repeat, false},
};

static const struct token_set *tokens_for(const char *encoding)
{
    const struct token_set *tokens = tokens_of(encoding);
    if (tokens == NULL) {
        fprintf(stderr, "mutator: ASSAY_ENCODING: no encoding is called '%s'; `assay list` prints their names\n",
                encoding);
        exit(2);
    }
    return tokens;
}

/* Limits the growth of an input to 64 bytes, 128 bytes, ... or the engine's limit, each equally often: most bugs show
 * in short inputs, and these run faster. */
static struct input input_begin(uint8_t *bytes, size_t count, size_t capacity, const struct token_set *tokens,
                                uint64_t seed)
{
    enum { SHORTEST = 64 };
    struct input input = {bytes, count, capacity, tokens->unit, tokens, {seed}};
    size_t doublings = 0;
    while ((size_t)SHORTEST << doublings < capacity)
        doublings++;
    size_t reach = (size_t)SHORTEST << roll(&input, doublings + 1);
    if (reach < input.count)
        reach = input.count;
    if (reach < capacity)
        input.capacity = reach;
    return input;
}

/* Removes the excess over the capacity at a random place, and half of the time more. Truncating would not do: an engine
 * that minimises passes an input 1 byte longer than the result may be, and its last bytes may be the important ones.
 * Removes whole code units, so that the others stay aligned. */
static void shorten(struct input *input)
{
    size_t removed = input->count - input->capacity;
    if (roll(input, 2) == 0)
        removed += roll(input, input->count - removed);
    removed += input->unit - 1;
    removed -= removed % input->unit;
    if (removed > input->count)
        removed = input->count;
    size_t at = roll(input, (input->count - removed) / input->unit + 1) * input->unit;
    splice(input, at, removed, NULL, 0);
}

/* Writes a token, cut to the capacity, into an empty input: engines take an empty result for a failure. */
static void put_random_token(struct input *input)
{
    const struct token *token = random_token(input);
    splice(input, 0, 0, token->bytes, token->length < input->capacity ? token->length : input->capacity);
}

/* Applies one to four operations; half of the time none if the input was too long, since minimising should change
 * nothing else. The capacity is at least 1 byte. */
static size_t mutate(struct input *input)
{
    bool was_too_long = input->count > input->capacity;
    if (was_too_long)
        shorten(input);
    size_t wanted = was_too_long && roll(input, 2) == 0 ? 0 : 1 + roll(input, 4), tries = 16;
    while (wanted > 0 && tries-- > 0) {
        const struct operation_row *row = &operations[roll(input, sizeof operations / sizeof operations[0])];
        if ((input->unit == 1 || !row->in_bytes) && row->change(input))
            wanted--;
    }
    if (input->count == 0)
        put_random_token(input);
    return input->count;
}

/* ---- libFuzzer ----------------------------------------------------------------------------------- */

static bool is_off(void)
{
    static int off = -1;
    if (off < 0) {
        const char *value = getenv("ASSAY_MUTATOR");
        off = value != NULL && strcmp(value, "off") == 0;
    }
    return off;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    if (max_size == 0)
        return 0;
    static const char *encoding;
    static const struct token_set *tokens;
    if (encoding != mutator_encoding) {
        encoding = mutator_encoding;
        tokens = tokens_for(encoding);
    }
    struct input input = input_begin(data, size, max_size, tokens, seed);
    if (LLVMFuzzerMutate != NULL && (is_off() || roll(&input, 3) == 0)) {
        size_t count = LLVMFuzzerMutate(data, size, max_size);
        UNPOISON(data, count);
        return count;
    }
    return mutate(&input);
}

/* Writes the first blocks of one input, then the last blocks of another. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned int seed)
{
    struct dice dice = {seed};
    size_t block = (size_t)16 << dice_roll(&dice, 3);
    size_t first = dice_roll(&dice, size1 / block + 1) * block, from = dice_roll(&dice, size2 / block + 1) * block;
    if (is_off())
        return 0;
    if (first > max_out_size)
        first = max_out_size;
    size_t second = size2 - from < max_out_size - first ? size2 - from : max_out_size - first;
    if (first > 0) /* if it is empty, `data1` may be NULL */
        memcpy(out, data1, first);
    if (second > 0)
        memcpy(out + first, data2 + from, second);
    return first + second;
}

/* ---- AFL++ --------------------------------------------------------------------------------------- */

struct afl_mutator {
    const struct token_set *tokens;
    uint64_t state;
    uint8_t *bytes;
    size_t capacity, longest;
};

/* AFL++ passes a limit of 1 MiB, but truncates results to its -G. Writing 1 MiB takes longer than running it. */
static size_t longest_for_afl(void)
{
    const char *value = getenv("ASSAY_MAX_LENGTH");
    if (value == NULL)
        return SIZE_MAX;
    char *end;
    unsigned long longest = strtoul(value, &end, 10);
    if (longest == 0 || *end != '\0') {
        fprintf(stderr, "mutator: ASSAY_MAX_LENGTH must be a number of bytes (AFL++'s -G), not '%s'\n", value);
        exit(2);
    }
    return longest;
}

void *afl_custom_init(void *afl, unsigned int seed)
{
    (void)afl;
    const char *encoding = getenv("ASSAY_ENCODING");
    struct afl_mutator *mutator = calloc(1, sizeof *mutator);
    if (mutator == NULL)
        return NULL;
    *mutator = (struct afl_mutator){
        .tokens = tokens_for(encoding != NULL ? encoding : "utf-8"), .state = seed, .longest = longest_for_afl()};
    return mutator;
}

/* Grows the buffer to at least `capacity` bytes; false if there is no memory. */
static bool reserve(struct afl_mutator *mutator, size_t capacity)
{
    if (mutator->capacity >= capacity)
        return true;
    uint8_t *larger = realloc(mutator->bytes, capacity);
    if (larger == NULL)
        return false;
    mutator->bytes = larger;
    mutator->capacity = capacity;
    return true;
}

size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t count, uint8_t **out, uint8_t *other, size_t other_count,
                       size_t max_size)
{
    struct afl_mutator *mutator = data;
    if (max_size > mutator->longest)
        max_size = mutator->longest;
    *out = bytes;
    if (max_size == 0)
        return 0;
    if (!reserve(mutator, count > max_size ? count : max_size))
        return count < max_size ? count : max_size;
    *out = mutator->bytes;
    struct input input = input_begin(mutator->bytes, count, max_size, mutator->tokens, mutator->state);
    size_t changed = 0;
    if (other != NULL && other_count > 0 && roll(&input, 8) == 0)
        changed = LLVMFuzzerCustomCrossOver(bytes, count, other, other_count, mutator->bytes, max_size,
                                            (unsigned)roll(&input, 1u << 31));
    if (changed == 0) {
        if (count > 0) /* if it is empty, `bytes` may be NULL */
            memcpy(mutator->bytes, bytes, count);
        changed = mutate(&input);
    }
    mutator->state = input.dice.state;
    return changed;
}

void afl_custom_deinit(void *data)
{
    struct afl_mutator *mutator = data;
    free(mutator->bytes);
    free(mutator);
}
