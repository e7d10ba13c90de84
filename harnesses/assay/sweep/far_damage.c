/* SPDX-License-Identifier: MIT
 *
 * Texts with many errors, and what replacements of errors absorb.
 */
#include "far.h"

#include <string.h>

/* Each token, after an error, in each of 64 stretches of 61 bytes (62 of UTF-16). A codec that decodes damaged text by
 * windows of 60 bytes meets it at each place of a window, and may decide for many windows at once whether they have
 * 4-byte characters: every third stretch begins with such, or every twentieth from the tenth on.
 */
void far_damaged(struct sweep *sweep)
{
    enum { STRETCH_MAX = 62, STRETCHES = 64, FOURS = 12 };
    static const struct {
        size_t first, each; /* stretches that begin with 4-byte characters */
    } kinds[] = {{0, 3}, {10, 20}};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    static uint8_t input[STRETCH_MAX * STRETCHES];
    const struct token_set *set = tokens_for(sweep);
    uint8_t error[2];
    size_t unit = put_error(sweep, error), stretch = 60 + unit;
    for (size_t number = 0; number < set->count * FILLER_COUNT * KINDS; number++) {
        size_t kind = number % KINDS, filler = number / KINDS % FILLER_COUNT;
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number / KINDS);
        for (size_t i = 0; i < STRETCHES; i++) {
            size_t count = stretch * i, end = count + stretch;
            if (i % kinds[kind].each == kinds[kind].first)
                count += fill(sweep, input + count, FOURS, FOUR_BYTES);
            memcpy(input + count, error, unit);
            count += unit;
            count += put_token(input + count, &set->tokens[number / KINDS / FILLER_COUNT]);
            fill(sweep, input + count, end - count, filler);
        }
        far_ask_about_errors(sweep, input, stretch * STRETCHES);
    }
}

/* Each token, which ends 0 to 3 units before the end of a block; ASCII up to that end, and 0, 1, 64 or 128 units of it
 * beyond; then more than a block of continuation bytes; under each policy. Every second text begins with an error.
 * A codec may carry from block to block how many bytes a replacement still absorbs. */
void far_absorbed(struct sweep *sweep)
{
    enum { EDGE = 2 * BLOCK, AROUND = 4, STRAYS = BLOCK + 6, UNIT_MAX = 2 };
    static const size_t gaps[] = {0, 1, BLOCK, 2 * BLOCK};
    enum { GAP_COUNT = sizeof gaps / sizeof gaps[0] };
    static uint8_t input[EDGE + 2 * BLOCK * UNIT_MAX + STRAYS + 2 * BLOCK];
    const struct token_set *set = tokens_for(sweep);
    uint8_t error[UNIT_MAX];
    size_t unit = put_error(sweep, error);
    for (size_t number = 0; number < set->count * AROUND * GAP_COUNT * 2; number++) {
        const struct token *token = &set->tokens[number / 2 / GAP_COUNT / AROUND];
        size_t around = number / 2 / GAP_COUNT % AROUND, gap = gaps[number / 2 % GAP_COUNT];
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number);
        size_t count = fill(sweep, input, EDGE - around * unit - token->length, SPACES);
        if (number % 2 != 0)
            memcpy(input, error, unit);
        count += put_token(input + count, token);
        count += fill(sweep, input + count, (around + gap) * unit, SPACES);
        memset(input + count, 0x80, STRAYS);
        count += STRAYS;
        count += fill(sweep, input + count, 2 * BLOCK, SPACES);
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            for (size_t i = 0; i < REPLACING_COUNT; i++)
                ask_all(sweep, replacing[i], policy, input, count);
    }
}

/* ASCII with an error in every PERIOD bytes, in which are a 2-byte character and, BETWEEN units later, a token, at each
 * place of one of the first blocks. A codec may decode each byte of such text by itself, but not one that continues a
 * character. */
void far_amid_singles(struct sweep *sweep)
{
    enum { PERIOD = 40, BLOCKS = 13, BETWEEN = 10, UNIT_MAX = 2 };
    static uint8_t input[(BLOCKS + 4) * BLOCK + BETWEEN * UNIT_MAX];
    const struct token_set *set = tokens_for(sweep);
    uint8_t error[UNIT_MAX];
    size_t unit = put_error(sweep, error);
    for (size_t number = 0; number < set->count * BLOCK; number += unit) {
        const struct token *token = &set->tokens[number / BLOCK];
        size_t character = number / BLOCK % BLOCKS * BLOCK + number % BLOCK;
        size_t begin = character + BETWEEN * unit, end = begin + token->length;
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number / BLOCK);
        fill(sweep, input, sizeof input, SPACES);
        for (size_t at = 0; at + unit <= sizeof input; at += PERIOD)
            if (at + unit <= character || at >= end)
                memcpy(input + at, error, unit);
        fill(sweep, input + character, 2, TWO_BYTES);
        put_token(input + begin, token);
        far_ask_about_errors(sweep, input, sizeof input);
    }
}

/* An error, blocks of ASCII, then characters of one kind, in which is a token at each place of a block; under each of
 * the policies in turn. A codec may use one loop after an error, and another after clean text. */
void far_after_clean(struct sweep *sweep)
{
    enum { BEFORE = 4 * BLOCK, TAIL = 2 * BLOCK, UNIT_MAX = 2 };
    static uint8_t input[BEFORE + 3 * BLOCK + LONGEST_TOKEN + TAIL];
    const struct token_set *set = tokens_for(sweep);
    uint8_t error[UNIT_MAX];
    size_t unit = put_error(sweep, error);
    for (size_t number = 0; number < set->count * FILLER_COUNT * BLOCK; number += unit) {
        const struct token *token = &set->tokens[number / BLOCK / FILLER_COUNT];
        size_t filler = number / BLOCK % FILLER_COUNT, offset = number % BLOCK;
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number / BLOCK);
        size_t count = fill(sweep, input, BEFORE, SPACES);
        memcpy(input, error, unit);
        count += fill(sweep, input + count, 2 * BLOCK + offset, filler);
        count += put_token(input + count, token);
        count += fill(sweep, input + count, TAIL, filler);
        enum assay_policy policy = (enum assay_policy)((number / BLOCK + offset / unit) % ASSAY_POLICY_COUNT);
        for (size_t i = 0; i < REPLACING_COUNT; i++)
            ask_all(sweep, replacing[i], policy, input, count);
    }
}

/* Each two tokens, one after the other, amid 2-byte characters, from 4 units before the end of a block to 3 after it. A
 * codec may have a loop for such text, which checks less than others. */
void far_amid_twos(struct sweep *sweep)
{
    enum {
        EDGE = LONG_LENGTH + BLOCK,
        BEFORE = 4,
        AFTER = 4,
        OFFSETS = BEFORE + AFTER,
        TAIL = 2 * BLOCK,
        UNIT_MAX = 2
    };
    static const enum operation operations[] = {OP_DECODE_UTF16, OP_DECODE_UTF32};
    enum { QUESTIONS = OFFSETS * sizeof operations / sizeof operations[0] };
    static uint8_t input[UNIT_MAX * (EDGE + AFTER + TAIL) + 2 * LONGEST_TOKEN];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * set->count * QUESTIONS; number++) {
        if (!count_input(sweep))
            continue;
        size_t pair = number / QUESTIONS, question = number % QUESTIONS, unit = set->unit;
        size_t count = fill(sweep, input, (EDGE - BEFORE + question % OFFSETS) * unit, TWO_BYTES);
        count += put_token(input + count, &set->tokens[pair / set->count]);
        count += put_token(input + count, &set->tokens[pair % set->count]);
        count += fill(sweep, input + count, TAIL * unit, TWO_BYTES);
        alternate_placement(sweep, pair + question);
        ask_all(sweep, operations[question / OFFSETS], (enum assay_policy)((pair + question) % ASSAY_POLICY_COUNT),
                input, count);
    }
}

/* Each token that ends 0 to 3 units before the end of a block without errors, after a block that begins with an error,
 * and before a block with an error near its end; under each policy. A codec may decode such a block in one way, and the
 * one after it in another, which begins where the first one has half of a character, or just not. */
void far_after_damage(struct sweep *sweep)
{
    enum { AROUND = 4, ERROR_AT = 2 * BLOCK + BLOCK - 4, LENGTH = 5 * BLOCK, UNIT_MAX = 2 };
    static uint8_t input[LENGTH];
    const struct token_set *set = tokens_for(sweep);
    uint8_t error[UNIT_MAX];
    size_t unit = put_error(sweep, error);
    for (size_t number = 0; number < set->count * AROUND; number++) {
        const struct token *token = &set->tokens[number / AROUND];
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number);
        fill(sweep, input, LENGTH, SPACES);
        memcpy(input, error, unit);
        memcpy(input + ERROR_AT, error, unit);
        put_token(input + 2 * BLOCK - number % AROUND * unit - token->length, token);
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            for (size_t i = 0; i < REPLACING_COUNT; i++)
                ask_all(sweep, replacing[i], policy, input, LENGTH);
    }
}

/* Each token at the end of a stride, then a stride of ASCII, then each token: a codec may skip the ASCII, and take what
 * is before it for what is before the second token. Then with an error between the two in place of the ASCII, at each
 * place of a block in turn: a policy may drop it, and what is beside it may then be one character. */
void far_parted(struct sweep *sweep)
{
    enum { AFTER = STRIDE, UNIT_MAX = 2 };
    static uint8_t input[2 * STRIDE + UNIT_MAX + LONGEST_TOKEN + AFTER];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < 2 * set->count * set->count; number++) {
        const struct token *first = &set->tokens[number / 2 / set->count];
        bool has_error = number % 2 != 0;
        size_t place = has_error ? number / 2 % BLOCK / set->unit * set->unit : 0;
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number / 2);
        size_t count = fill(sweep, input, STRIDE + place - first->length, SPACES);
        count += put_token(input + count, first);
        count += has_error ? put_error(sweep, input + count) : fill(sweep, input + count, STRIDE, SPACES);
        count += put_token(input + count, &set->tokens[number / 2 % set->count]);
        count += fill(sweep, input + count, AFTER, SPACES);
        ask_all(sweep, OP_COUNT, ASSAY_POLICY_WHATWG, input, count);
        ask_all(sweep, OP_TO_WELL_FORMED, ASSAY_POLICY_SKIP, input, count);
        ask_all(sweep, OP_TO_WELL_FORMED, (enum assay_policy)(number / 2 % ASSAY_POLICY_COUNT), input, count);
    }
}

/* Four bytes of each kind around the end of a block, amid ASCII: all errors are asked. After a block with errors a
 * codec may take the first bytes of the next one for the rest of a sequence that is none. */
void far_edges(struct sweep *sweep)
{
    static const uint8_t kinds[] = {'A', 0x80, 0x90, 0xA0, 0xC0, 0xC3, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xFF};
    enum { KINDS = sizeof kinds, BLOCKS = 3, BEFORE = 2 };
    uint8_t input[BLOCKS * BLOCK];
    for (size_t number = 0; number < (size_t)KINDS * KINDS * KINDS * KINDS; number++) {
        if (!count_input(sweep))
            continue;
        memset(input, 'A', sizeof input);
        uint8_t *at = input + (1 + number % 2) * BLOCK - BEFORE;
        for (size_t rest = number; at < input + (1 + number % 2) * BLOCK + BEFORE; rest /= KINDS)
            *at++ = kinds[rest % KINDS];
        ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, input, sizeof input);
    }
}
