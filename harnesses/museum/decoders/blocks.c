/* SPDX-License-Identifier: MIT
 *
 * Decoders that are wrong at a block's edge, or skip an error on a fast path for ASCII, or have a path for short input.
 */
#include "../mistake.h"

#define OF_BYTES "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf"

/* True if the bytes from `at` to `at` + count are in the input and are ASCII. */
static bool is_ascii(const struct state *state, ptrdiff_t at, ptrdiff_t count)
{
    if (at < 0 || at + count > (ptrdiff_t)state->byte_count)
        return false;
    for (ptrdiff_t i = 0; i < count; i++)
        if (state->bytes[at + i] >= 0x80)
            return false;
    return true;
}

static void drop(struct step *step)
{
    *step = (struct step){.length = step->length, .silent = true};
}

static bool is_error(const struct step *step)
{
    return !step->open && step->fault != ASSAY_FAULT_NONE;
}

/* Forgets an unfinished sequence if `count` ASCII bytes follow. */
static void forget_before_ascii(struct state *state, struct step *step, ptrdiff_t count)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_MISSING_CONTINUATION &&
        is_ascii(state, state->at + (ptrdiff_t)step->length, count))
        drop(step);
}

/* The same if they are a whole block. */
static void forget_before_block(struct state *state, struct step *step, ptrdiff_t block)
{
    if ((state->at + (ptrdiff_t)step->length) % block == 0)
        forget_before_ascii(state, step, block);
}

static void forget_after_block(struct state *state, struct step *step, ptrdiff_t block)
{
    if (is_error(step) && state->at % block == 0 && is_ascii(state, state->at - block, block))
        drop(step);
}

/* Forgets an unfinished sequence at the end if the input is a whole number of blocks. */
static void forget_at_end(struct state *state, struct step *step, size_t block)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_TRUNCATED && state->byte_count % block == 0)
        drop(step);
}

static void forget_at_block_end(struct state *state, struct step *step, ptrdiff_t block)
{
    if (is_error(step) && step->length == 1 && state->at >= 0 && state->at % block == block - 1)
        drop(step);
}

#define WITH_BLOCK(name, does, block) \
    static void name(struct state *state, struct step *step) \
    { \
        does(state, step, block); \
    }

WITH_BLOCK(before_8, forget_before_ascii, 8)
WITH_BLOCK(before_16, forget_before_ascii, 16)
WITH_BLOCK(before_64, forget_before_ascii, 64)
WITH_BLOCK(before_128, forget_before_ascii, 128)
WITH_BLOCK(before_256, forget_before_ascii, 256)
WITH_BLOCK(before_block_16, forget_before_block, 16)
WITH_BLOCK(before_block_32, forget_before_block, 32)
WITH_BLOCK(before_block_64, forget_before_block, 64)
WITH_BLOCK(before_block_128, forget_before_block, 128)
WITH_BLOCK(after_block_8, forget_after_block, 8)
WITH_BLOCK(after_block_16, forget_after_block, 16)
WITH_BLOCK(after_block_32, forget_after_block, 32)
WITH_BLOCK(after_block_64, forget_after_block, 64)
WITH_BLOCK(at_end_8, forget_at_end, 8)
WITH_BLOCK(at_end_16, forget_at_end, 16)
WITH_BLOCK(at_end_64, forget_at_end, 64)
WITH_BLOCK(at_end_128, forget_at_end, 128)
WITH_BLOCK(at_block_end_64, forget_at_block_end, 64)
WITH_BLOCK(at_block_end_128, forget_at_block_end, 128)

static void short_input_unchecked(struct state *state, struct step *step)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_MISSING_CONTINUATION && state->byte_count < 16)
        *step = (struct step){.length = 1, .code_point = state->here[0]};
}

static void long_input_unchecked(struct state *state, struct step *step)
{
    if (is_error(step) && step->length == 1 && state->byte_count >= 64)
        *step = (struct step){.length = 1, .code_point = state->here[0]};
}

static void last_bytes_unchecked(struct state *state, struct step *step)
{
    if (is_error(step) && state->byte_count >= 32 && state->at >= (ptrdiff_t)(state->byte_count / 32 * 32) &&
        state->byte_count % 32 == 1)
        drop(step);
}

static void zero_after_ascii(struct state *state, uint32_t *code_point)
{
    if (*code_point >= 0x80 && *code_point != 0xFFFD && state->at % 16 == 0 && is_ascii(state, state->at - 16, 16))
        *code_point &= 0x7F;
}

static void block_of_fours(struct state *state, struct step *step)
{
    ptrdiff_t from = state->at / 64 * 64;
    if (is_error(step) || step->fault != ASSAY_FAULT_NONE || from + 64 > (ptrdiff_t)state->byte_count || state->at < 0)
        return;
    for (ptrdiff_t i = 0; i < 64; i += 4)
        if (state->bytes[from + i] != 0xF0 || state->bytes[from + i + 1] >= 0xA0)
            return;
    step->code_point ^= 0x10000;
}

static void stray_after_four(struct state *state, struct step *step)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_STRAY_CONTINUATION && state->memory->own == 4)
        drop(step);
}

static void notes_length(struct state *state, const struct step *step)
{
    state->memory->own = step->fault == ASSAY_FAULT_NONE ? step->length : 0;
}

const struct mistake mistakes_blocks[] = {
    {"forgets-before-8-ascii", "forgets an unfinished sequence before 8 bytes of ASCII", NULL, OF_BYTES,
     .step = before_8},
    {"forgets-before-16-ascii", "forgets an unfinished sequence before 16 bytes of ASCII", "simdutf PR 381", OF_BYTES,
     .step = before_16},
    {"forgets-before-64-ascii", "forgets an unfinished sequence before 64 bytes of ASCII", "zwegner fa3753f", OF_BYTES,
     .step = before_64},
    {"forgets-before-128-ascii", "forgets an unfinished sequence before 128 bytes of ASCII", "haskell/text#490",
     OF_BYTES, .step = before_128},
    {"forgets-before-256-ascii", "forgets an unfinished sequence before 256 bytes of ASCII", NULL, OF_BYTES,
     .step = before_256},
    {"forgets-before-ascii-block-16", "forgets the carry where a block of 16 is ASCII", NULL, OF_BYTES,
     .step = before_block_16},
    {"forgets-before-ascii-block-32", "forgets the carry where a block of 32 is ASCII", NULL, OF_BYTES,
     .step = before_block_32},
    {"forgets-before-ascii-block-64", "forgets the carry where a block of 64 is ASCII", "simdutf#454", OF_BYTES,
     .step = before_block_64},
    {"forgets-before-ascii-block-128", "forgets the carry where a block of 128 is ASCII", "haskell/text#490", OF_BYTES,
     .step = before_block_128},
    {"forgets-after-ascii-block-8", "does not look at the byte after a block of 8 that is ASCII", NULL, OF_BYTES,
     .step = after_block_8},
    {"forgets-after-ascii-block-16", "does not look at the byte after a block of 16 that is ASCII", NULL, OF_BYTES,
     .step = after_block_16},
    {"forgets-after-ascii-block-32", "does not look at the byte after a block of 32 that is ASCII", NULL, OF_BYTES,
     .step = after_block_32},
    {"forgets-after-ascii-block-64", "does not look at the byte after a block of 64 that is ASCII", NULL, OF_BYTES,
     .step = after_block_64},
    {"no-check-at-end-8", "does not check the end of an input of whole blocks of 8", .step = at_end_8},
    {"no-check-at-end-16", "does not check the end of an input of whole blocks of 16", .step = at_end_16},
    {"no-check-at-end-64", "does not check the end of an input of whole blocks of 64", "simdjson#1169, simdutf#458",
     .step = at_end_64},
    {"no-check-at-end-128", "does not check the end of an input of whole blocks of 128", .step = at_end_128},
    {"last-byte-of-64", "forgets an error of one byte at the end of a block of 64", "simdjson PR 1346", OF_BYTES,
     .step = at_block_end_64},
    {"last-byte-of-128", "forgets an error of one byte at the end of a block of 128", NULL, OF_BYTES,
     .step = at_block_end_128},
    {"short-input-unchecked", "on its path for short input takes a lead for a character", "msgpackr#177", OF_BYTES,
     .step = short_input_unchecked},
    {"long-input-unchecked", "on its path for 64 bytes and more takes any byte for a character", NULL, OF_BYTES,
     .step = long_input_unchecked},
    {"one-byte-tail-unchecked", "does not look at a single byte after blocks of 32", NULL, OF_BYTES,
     .step = last_bytes_unchecked},
    {"masks-after-ascii", "takes a character right after a block of 16 ASCII bytes for ASCII", NULL, OF_BYTES,
     .offers = OFFERS_WHOLE, .put = zero_after_ascii},
    {"block-of-fours", "decodes a block of 64 wrong if all its characters begin with F0 90..9F", NULL,
     "utf-8 generalized-utf-8 wtf-8", .step = block_of_fours},
    {"stray-after-four", "drops a stray continuation right after a character of four bytes", "coreclr PR 24235",
     "utf-8 generalized-utf-8 wtf-8", .step = stray_after_four, .after = notes_length},
    END_OF_MISTAKES,
};
