/* SPDX-License-Identifier: MIT
 *
 * The mutator: changes inputs as decoders are wrong, at the edges of sequences, of blocks and of the input. One source
 * for both engines: libFuzzer finds it in the target, AFL++ as a library (AFL_CUSTOM_MUTATOR_LIBRARY).
 *
 * Tokens are the witness's for the encoding: of the target, or for AFL++ of the environment variable ASSAY_ENCODING.
 * A third of libFuzzer's calls are its own mutations, that know the dictionary; ASSAY_MUTATOR=off leaves it all calls.
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

/* An input under change: `count` bytes of a buffer; no operation writes past `capacity` bytes. `count` may exceed `capacity` only
 * until shorten() has run: that is how libFuzzer minimises. */
struct text {
    uint8_t *bytes;
    size_t count, capacity;
    size_t unit; /* bytes of a code unit: 1, or 2 of UTF-16 */
    const struct token_set *tokens;
    struct dice dice;
};

static size_t roll(struct text *text, size_t sides)
{
    return dice_roll(&text->dice, sides);
}

static const struct token *any_token(struct text *text)
{
    return &text->tokens->tokens[roll(text, text->tokens->count)];
}

/* Where a code unit begins, the end included. */
static size_t any_place(struct text *text)
{
    return roll(text, text->count / text->unit + 1) * text->unit;
}

/* Makes the place of some bytes as large as others need; false if there is no room. */
static bool make_place(struct text *text, size_t at, size_t removed, size_t added)
{
    if (text->count - removed + added > text->capacity)
        return false;
    memmove(text->bytes + at + added, text->bytes + at + removed, text->count - at - removed);
    text->count = text->count - removed + added;
    return true;
}

/* Puts bytes in the place of others; false if there is no room. */
static bool put(struct text *text, size_t at, size_t removed, const uint8_t *bytes, size_t added)
{
    if (!make_place(text, at, removed, added))
        return false;
    if (added > 0) /* else there may be no address */
        memcpy(text->bytes + at, bytes, added);
    return true;
}

/* Puts the same few bytes again and again, up to `end`. */
static void put_runs(struct text *text, size_t at, size_t end, const uint8_t *run, size_t length)
{
    for (; at < end; at += length)
        bytes_copy(text->bytes + at, run, length);
}

/* ---- sequences as they stand in the text: a lead and the continuations behind it, or a code unit ------ */

static bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

static size_t sequence_begin(const struct text *text, size_t at)
{
    size_t begin = at;
    while (text->unit == 1 && begin > 0 && at - begin < 5 && is_continuation(text->bytes[begin]))
        begin--;
    return text->bytes[begin] >= 0xC0 ? begin : at;
}

static size_t sequence_length(const struct text *text, size_t at)
{
    size_t left = text->count - at, length = text->unit < left ? text->unit : left;
    if (text->unit == 1 && text->bytes[at] >= 0xC0)
        while (length < left && length < 6 && is_continuation(text->bytes[at + length]))
            length++;
    return length;
}

/* A sequence anywhere; false if the text is empty. */
static bool any_sequence(struct text *text, size_t *at, size_t *length)
{
    if (text->count < text->unit)
        return false;
    *at = sequence_begin(text, roll(text, text->count / text->unit) * text->unit);
    *length = sequence_length(text, *at);
    return true;
}

/* ---- operations: each says whether it changed the text --------------------------------------------- */

static bool insert(struct text *text)
{
    const struct token *token = any_token(text);
    return put(text, any_place(text), 0, token->bytes, token->length);
}

static bool append(struct text *text)
{
    const struct token *token = any_token(text);
    return put(text, text->count, 0, token->bytes, token->length);
}

/* The beginning of a token at the end: what a decoder must not read on from. */
static bool append_beginning(struct text *text)
{
    const struct token *token = any_token(text);
    return put(text, text->count, 0, token->bytes, 1 + roll(text, token->length));
}

static bool drop(struct text *text)
{
    size_t at, length;
    return any_sequence(text, &at, &length) && put(text, at, length, NULL, 0);
}

static bool replace(struct text *text)
{
    size_t at, length;
    const struct token *token = any_token(text);
    return any_sequence(text, &at, &length) && put(text, at, length, token->bytes, token->length);
}

static bool duplicate(struct text *text)
{
    uint8_t copy[8];
    size_t at, length;
    if (!any_sequence(text, &at, &length))
        return false;
    memcpy(copy, text->bytes + at, length);
    return put(text, at, 0, copy, length);
}

/* Another lead for the same continuations: first and last of each row, and those that begin nothing. */
static bool swap_lead(struct text *text)
{
    static const uint8_t leads[] = {0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
                                    0xEF, 0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF};
    size_t at, length;
    if (!any_sequence(text, &at, &length) || text->bytes[at] < 0x80)
        return false;
    text->bytes[at] = leads[roll(text, sizeof leads)];
    return true;
}

/* A continuation at, or one beyond, an edge of the ranges that a second byte may have. */
static bool move_continuation(struct text *text)
{
    static const uint8_t edges[] = {0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0};
    size_t at, length;
    if (!any_sequence(text, &at, &length) || length < 2)
        return false;
    text->bytes[at + 1 + roll(text, length - 1)] = edges[roll(text, sizeof edges)];
    return true;
}

/* The two bits that make a byte a lead, a continuation or ASCII. */
static bool flip_kind(struct text *text)
{
    static const uint8_t bits[] = {0x40, 0x80, 0xC0};
    if (text->count == 0)
        return false;
    text->bytes[roll(text, text->count)] ^= bits[roll(text, sizeof bits)];
    return true;
}

/* The code point of a sequence of up to four bytes, whatever it is worth. */
static uint32_t code_point(const uint8_t *bytes, size_t length)
{
    uint32_t value = length == 1 ? bytes[0] & 0x7Fu : bytes[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++)
        value = value << 6 | (bytes[i] & 0x3Fu);
    return value;
}

static void spell(uint32_t value, size_t length, uint8_t *bytes)
{
    for (size_t i = length - 1; i > 0; i--, value >>= 6)
        bytes[i] = (uint8_t)(0x80 | (value & 0x3F));
    bytes[0] = (uint8_t)((0xF00u >> length & 0xFF) | value);
}

/* The same code point in one byte more. */
static bool lengthen(struct text *text)
{
    uint8_t bytes[4];
    size_t at, length;
    if (!any_sequence(text, &at, &length) || length > 3)
        return false;
    spell(code_point(text->bytes + at, length), length + 1, bytes);
    return put(text, at, length, bytes, length + 1);
}

/* A sequence of four as the two surrogates of three bytes each that it is in CESU-8. */
static bool split(struct text *text)
{
    uint8_t bytes[6];
    size_t at, length;
    if (!any_sequence(text, &at, &length) || length != 4)
        return false;
    uint32_t value = code_point(text->bytes + at, length) - 0x10000;
    spell(0xD800 | (value >> 10 & 0x3FF), 3, bytes);
    spell(0xDC00 | (value & 0x3FF), 3, bytes + 3);
    return put(text, at, length, bytes, sizeof bytes);
}

static bool truncate_text(struct text *text)
{
    if (text->count == 0)
        return false;
    text->count = roll(text, 2) == 0 ? roll(text, text->count) : text->count - 1 - roll(text, text->count < 8 ? text->count : 8);
    return true;
}

/* Text without errors, in ASCII or in sequences of two or three bytes that end where it does. */
static void fill(struct text *text, size_t begin, size_t end)
{
    static const char *const fillers[] = {"a", "a", "a", "\xC3\xA9", "\xE8\x9A\xA7"};
    const char *filler = text->unit == 1 ? fillers[roll(text, sizeof fillers / sizeof fillers[0])] : "\x20\x20";
    size_t length = strlen(filler), ascii = (end - begin) % length;
    bytes_fill(text->bytes + begin, 'a', ascii);
    put_runs(text, begin + ascii, end, (const uint8_t *)filler, length);
}

/* An edge of a block: most mistakes show at one of the first, some only far from the start. */
static size_t any_edge(struct text *text)
{
    size_t block = (size_t)16 << roll(text, text->capacity < 32 ? 1 : text->capacity < 64 ? 2 : 3);
    size_t most = text->capacity / block;
    return block * (1 + roll(text, roll(text, 2) == 0 && most > 8 ? 8 : most));
}

/* A token over the edge of a block, with nothing wrong in the block before it, or before it at all; sometimes the last. */
static bool astride(struct text *text)
{
    if (text->capacity < 16)
        return false;
    const struct token *token = any_token(text);
    size_t edge = any_edge(text), before = roll(text, token->length / text->unit + 1) * text->unit, at = edge - before;
    if (at + token->length > text->capacity)
        return false;
    size_t clean = roll(text, 4), from = at < text->count ? at : text->count;
    if (clean < 2)
        from = 0;
    else if (clean == 2 && at > 64 && from > at - 64)
        from = at - 64;
    fill(text, from, at);
    memcpy(text->bytes + at, token->bytes, token->length);
    if (text->count < at + token->length || roll(text, 3) == 0)
        text->count = at + token->length;
    return true;
}

/* Moves all that follows against the blocks. */
static bool shift(struct text *text)
{
    uint8_t filler[16];
    size_t length = text->unit * (1 + roll(text, sizeof filler / text->unit));
    memset(filler, 'a', sizeof filler);
    if (roll(text, 2) == 0)
        return put(text, 0, 0, filler, length);
    return length < text->count && put(text, 0, length, NULL, 0);
}

/* A run again and again, as often as there is room or until it is long enough. */
static bool repeat(struct text *text)
{
    uint8_t run[64];
    size_t at, length;
    if (!any_sequence(text, &at, &length))
        return false;
    size_t whole = text->count - at, longest = whole < sizeof run ? whole : sizeof run;
    if (roll(text, 2) == 0)
        length = (1 + roll(text, longest / text->unit)) * text->unit;
    if (length == 0 || length > longest)
        return false;
    memcpy(run, text->bytes + at, length);
    size_t times = (size_t)1 << roll(text, 12), most = (text->capacity - text->count) / length;
    size_t added = (times < most ? times : most) * length;
    make_place(text, at, 0, added);
    put_runs(text, at, at + added, run, length);
    return true;
}

static const struct operation_row {
    bool (*change)(struct text *text);
    bool in_bytes; /* it knows leads and continuations */
} operations[] = {
    {insert, false}, {append, false}, {append_beginning, false}, {drop, false}, {replace, false}, {replace, false}, {duplicate, false},
    {swap_lead, true}, {move_continuation, true}, {flip_kind, false}, {lengthen, true}, {split, true},
    {truncate_text, false}, {astride, false}, {astride, false}, {astride, false}, {shift, false}, {repeat, false},
};

static const struct token_set *tokens_for(const char *encoding)
{
    const struct token_set *tokens = tokens_of(encoding);
    if (tokens == NULL) {
        fprintf(stderr, "mutator: there are no tokens of '%s'; ASSAY_ENCODING names an encoding of `assay list`\n", encoding);
        exit(2);
    }
    return tokens;
}

/* An input may grow to 64 bytes, or twice that, and so on up to what the engine allows, each as often: most mistakes show in
 * short ones, of which there are many in the time of one that is long. */
static struct text text_begin(uint8_t *bytes, size_t count, size_t capacity, const struct token_set *tokens, uint64_t seed)
{
    enum { SHORTEST = 64 };
    struct text text = {bytes, count, capacity, strncmp(tokens->encoding, "utf-16", 6) == 0 ? 2 : 1, tokens, {seed}};
    size_t doublings = 0;
    while ((size_t)SHORTEST << doublings < capacity)
        doublings++;
    size_t reach = (size_t)SHORTEST << roll(&text, doublings + 1);
    if (reach < text.count)
        reach = text.count;
    if (reach < capacity)
        text.capacity = reach;
    return text;
}

/* Removes what exceeds the capacity, at a random place, and half the time more. An engine that minimises passes an input one byte
 * longer than the result may be, and the bytes that matter may be the last. Removes whole code units, so that the others stay
 * aligned. */
static void shorten(struct text *text)
{
    size_t removed = text->count - text->capacity;
    if (roll(text, 2) == 0)
        removed += roll(text, text->count - removed);
    removed += text->unit - 1;
    removed -= removed % text->unit;
    if (removed > text->count)
        removed = text->count;
    size_t at = roll(text, (text->count - removed) / text->unit + 1) * text->unit;
    put(text, at, removed, NULL, 0);
}

/* Puts a token, cut to the capacity, into an empty text: an engine takes an empty result for none. */
static void put_any_token(struct text *text)
{
    const struct token *token = any_token(text);
    put(text, 0, 0, token->bytes, token->length < text->capacity ? token->length : text->capacity);
}

/* One to four operations; half the time none on an input that was too long, since minimising should change nothing else. The
 * capacity is at least 1 byte. */
static size_t mutate(struct text *text)
{
    bool was_too_long = text->count > text->capacity;
    if (was_too_long)
        shorten(text);
    size_t wanted = was_too_long && roll(text, 2) == 0 ? 0 : 1 + roll(text, 4), tries = 16;
    while (wanted > 0 && tries-- > 0) {
        const struct operation_row *row = &operations[roll(text, sizeof operations / sizeof operations[0])];
        if ((text->unit == 1 || !row->in_bytes) && row->change(text))
            wanted--;
    }
    if (text->count == 0)
        put_any_token(text);
    return text->count;
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
    static const struct token_set *tokens;
    if (tokens == NULL)
        tokens = tokens_for(mutator_encoding);
    struct text text = text_begin(data, size, max_size, tokens, seed);
    if (LLVMFuzzerMutate != NULL && (is_off() || roll(&text, 3) == 0)) {
        size_t count = LLVMFuzzerMutate(data, size, max_size);
        UNPOISON(data, count);
        return count;
    }
    return mutate(&text);
}

/* The blocks of one input up to an edge, and those of another from one. */
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
    if (first > 0) /* else there may be no address */
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

/* AFL++ offers a megabyte and cuts off what is more than its -G; to write that much takes longer than to run it. */
static size_t longest_for_afl(void)
{
    const char *value = getenv("ASSAY_MAX_LENGTH");
    if (value == NULL)
        return SIZE_MAX;
    char *end;
    unsigned long longest = strtoul(value, &end, 10);
    if (longest == 0 || *end != '\0') {
        fprintf(stderr, "mutator: ASSAY_MAX_LENGTH is a number of bytes, AFL++'s -G, not '%s'\n", value);
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
    *mutator = (struct afl_mutator){.tokens = tokens_for(encoding != NULL ? encoding : "utf-8"), .state = seed,
                                    .longest = longest_for_afl()};
    return mutator;
}

/* Makes the buffer at least this large; false if the system has no memory. */
static bool make_room(struct afl_mutator *mutator, size_t capacity)
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

size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t count, uint8_t **out, uint8_t *other, size_t other_count, size_t max_size)
{
    struct afl_mutator *mutator = data;
    if (max_size > mutator->longest)
        max_size = mutator->longest;
    *out = bytes;
    if (max_size == 0)
        return 0;
    if (!make_room(mutator, count > max_size ? count : max_size))
        return count < max_size ? count : max_size;
    *out = mutator->bytes;
    struct text text = text_begin(mutator->bytes, count, max_size, mutator->tokens, mutator->state);
    size_t changed = 0;
    if (other != NULL && other_count > 0 && roll(&text, 8) == 0)
        changed = LLVMFuzzerCustomCrossOver(bytes, count, other, other_count, mutator->bytes, max_size, (unsigned)roll(&text, 1u << 31));
    if (changed == 0) {
        if (count > 0) /* else there may be no address */
            memcpy(mutator->bytes, bytes, count);
        changed = mutate(&text);
    }
    mutator->state = text.dice.state;
    return changed;
}

void afl_custom_deinit(void *data)
{
    struct afl_mutator *mutator = data;
    free(mutator->bytes);
    free(mutator);
}
