/* SPDX-License-Identifier: MIT
 *
 * Each block of loops that few texts reach.
 */
#include "far.h"

#include "../../core/dice.h"

#include <stdlib.h>
#include <string.h>

/* In two blocks, at each place of a register a continuation byte follows a lead, and there is one error: C0 B6. A codec
 * that ORs up what it finds in several blocks, and asks one bit about leads, others about pairs, may choose the wrong
 * one. The characters are such that each of these bits is 1 at each place, in the sum for the place of the error all
 * but its own. */
static void put_everywhere(uint8_t *block)
{
    static const uint8_t bytes[] = {
        0xDF, 0xB5, 0xDE, 0x84, 0xC2, 0x86, 0xC7, 0x92, 0xDF, 0x9C, 0xD7, 0x95, 0xD2, 0x91, 0xCD, 0x80, 0xCE,
        0xA8, 0xD1, 0x90, 0xDD, 0x88, 0xDF, 0xB1, 0xCA, 0x90, 0xDF, 0x94, 0xDD, 0x8F, 0xD0, 0xB0, 0xDB, 0x90,
        0xD6, 0x84, 0xCB, 0x8F, 0xD0, 0xBE, 0xCF, 0xB8, 0xD7, 0x84, 0xC8, 0x88, 0xCF, 0xB6, 0xDD, 0x9D, 0xD2,
        0x82, 0xCD, 0x89, 0xCF, 0x90, 0xCD, 0x8E, 0xD9, 0xBC, 0xDD, 0x88, 0xC7, 0x8A, 0x72, 0xCD, 0xBE, 0xD4,
        0x90, 0xD6, 0x96, 0xDB, 0x83, 0xCC, 0x84, 0xC7, 0x9A, 0xD5, 0xA5, 0xC8, 0xBE, 0xD8, 0x90, 0xD5, 0x84,
        0xC9, 0x8C, 0xD3, 0x90, 0xDB, 0x86, 0xDD, 0x8C, 0xD7, 0x88, 0xC8, 0xBB, 0xC0, 0xB6, 0xDC, 0x82, 0xCF,
        0xB8, 0xD6, 0xAE, 0xC9, 0xB7, 0xD4, 0x90, 0xDA, 0x80, 0xCF, 0xAC, 0xCF, 0xB0, 0xD3, 0x84, 0xDB, 0xBB,
        0xD4, 0x98, 0xD7, 0x88, 0xCD, 0xB5, 0xD8, 0xB5, 0xDA, 0x92};
    memcpy(block - 1, bytes, sizeof bytes); /* the first lead is before the block */
}

/* ASCII of 8 MiB, a stride and four strides that begin with characters, and an error in one of the next four blocks: a
 * stray byte, a lead, or as many as the block has bytes; or an error that ends before one, and a character that makes
 * its stride not ASCII; or put_everywhere(). A codec may have a loop for less than a step at the end of such texts.
 * These are few, as all of each is read. */
void far_last_strides(struct sweep *sweep)
{
    enum { BEFORE = FAR_LENGTH + STRIDE + FOUR_STRIDES };
    enum { LENGTH = BEFORE + 3 * STRIDE, BLOCKS = 4, CHARACTER = 2 };
    static const struct {
        uint8_t byte, next;  /* the second one follows */
        size_t begin, count; /* from two bytes before the block on */
    } runs[] = {
        {0x80, ' ', 2, BLOCK}, {0xDF, 0x80, 1, BLOCK + 1}, {0xC1, ' ', 24, 1}, {0xE0, 0xA0, 40, 1}, {0xE0, 0xA0, 0, 1}};
    enum { RUN_COUNT = sizeof runs / sizeof runs[0] };
    static uint8_t input[LENGTH];
    for (size_t number = 0; number < RUN_COUNT * BLOCKS; number++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number);
        fill(sweep, input, LENGTH, SPACES);
        fill(sweep, input + FAR_LENGTH + CHARACTER, CHARACTER, TWO_BYTES);
        fill(sweep, input + FAR_LENGTH + STRIDE + CHARACTER, CHARACTER, TWO_BYTES);
        size_t run = number / BLOCKS;
        if (runs[run].begin == 0)
            fill(sweep, input + BEFORE + CHARACTER, CHARACTER, TWO_BYTES);
        uint8_t *begin = input + BEFORE + number % BLOCKS * BLOCK - 2 + runs[run].begin;
        memset(begin, runs[run].byte, runs[run].count);
        begin[runs[run].count] = runs[run].next;
        far_ask_verdict(sweep, input, LENGTH);
    }
    if (!count_input(sweep))
        return;
    fill(sweep, input, LENGTH, SPACES);
    fill(sweep, input + FAR_LENGTH + CHARACTER, CHARACTER, TWO_BYTES);
    fill(sweep, input + FAR_LENGTH + STRIDE + CHARACTER, CHARACTER, TWO_BYTES);
    put_everywhere(input + BEFORE + 2 * BLOCK);
    far_ask_verdict(sweep, input, LENGTH);
}

/* A codec may have a loop for text with 4-byte characters, and one for other text; each for texts of less than 2 KiB
 * (in Modified UTF-8 alone), for longer ones, and for those that no cache holds; and each of these for the first
 * stride, for four strides or eight, for those that are left, and for half strides of a batch. Here is each of them.
 * Half strides come after four strides or eight, and three half strides of ASCII. The last two loops are of strides
 * after a batch that is ASCII. */
enum { MANY_STEPS = 9 << 20, LIMIT = BLOCK + FOURS_LENGTH };
static const struct loop {
    size_t length, begin; /* of the text; where the loop begins */
    size_t blocks, turns; /* blocks that have instructions of their own; how often these are executed */
    size_t steps; /* four strides each, right before it, that begin with characters, as the stride before does */
} loops[] = {
    {BLOCK + FOUR_STRIDES + 2 * STRIDE, BLOCK, 4, 4, 0},
    {BLOCK + 3 * STRIDE, BLOCK, 4, 1, 0},
    {BLOCK + FOUR_STRIDES + 2 * STRIDE, BLOCK + FOUR_STRIDES + STRIDE + HALF_STRIDE, 2, 1, 0},
    {FIRST_STEP + 2 * FOUR_STRIDES, BLOCK, 4, 1, 0},
    {FIRST_STEP + 2 * FOUR_STRIDES, FIRST_STEP, 4, 8, 0},
    {2 * FOUR_STRIDES, FIRST_STEP, 4, 4, 0}, /* where eight are not left */
    {2 * FOUR_STRIDES, FIRST_STEP + FOUR_STRIDES, 4, 1, 0},
    {FIRST_STEP + FOUR_STRIDES + 4 * STRIDE, FIRST_STEP + FOUR_STRIDES + STRIDE + HALF_STRIDE, 2, 1, 0},
    {FIRST_STEP + 4 * FOUR_STRIDES, FIRST_STEP + 2 * FOUR_STRIDES, 4, 8, 0},
    {FIRST_STEP + 2 * FOUR_STRIDES + 4 * STRIDE, FIRST_STEP + 2 * FOUR_STRIDES + STRIDE + HALF_STRIDE, 2, 1, 0},
    {MANY_STEPS, BLOCK, 4, 1, 0},
    {MANY_STEPS, FIRST_STEP, 4, 8, 0},
    {MANY_STEPS, FIRST_STEP + FOUR_STRIDES, 4, 8, 1},
    {MANY_STEPS, FIRST_STEP + 2 * FOUR_STRIDES + STRIDE + HALF_STRIDE, 2, 1, 0},
    {MANY_STEPS, LIMIT - 7 * STRIDE, 4, 4, 14}, /* the same, as 4-byte characters are expected up to LIMIT */
    {MANY_STEPS, LIMIT - 2 * STRIDE, 4, 1, 5},  /* strides there */
    {MANY_STEPS, FIRST_STEP + FOUR_STRIDES + STRIDE + HALF_STRIDE, 2, 1, 0},
    {FIRST_STEP + FOUR_STRIDES + BATCH + 2 * STRIDE, FIRST_STEP + FOUR_STRIDES + BATCH, 4, 1, 0},
    {FIRST_STEP + EIGHT_STRIDES + BATCH + 2 * STRIDE, FIRST_STEP + EIGHT_STRIDES + BATCH, 4, 1, 0},
};
enum { LOOP_COUNT = sizeof loops / sizeof loops[0] };

/* Where a text of MANY_STEPS has an error, so that a codec need not look farther; in other texts this is after the
 * end. */
static size_t end_of_loop(const struct loop *loop)
{
    return loop->begin + 2 * FOUR_STRIDES;
}

/* The reference is asked about no more than the error after the loop. */
static void ask_about_loop(struct sweep *sweep, uint8_t *bytes, const struct loop *loop, const bool *reads_on)
{
    size_t enough = end_of_loop(loop) + BLOCK;
    struct far_text text = {
        .bytes = bytes, .count = loop->length, .left_out = loop->length == MANY_STEPS ? reads_on : NULL};
    text.is_well_formed =
        ask_well_formed(sweep->comparer.panel[0], bytes, enough < loop->length ? enough : loop->length, &text.error);
    far_ask_all(sweep, &text);
}

/* Writes a token that ends before a block of the first turn, or at a place of it; or tokens all over that block of
 * every turn, and some units of continuation bytes after it: some mistakes show only where no byte of it is right. */
static void put_in_loop(const struct token_set *set, const struct token *token, size_t number, const struct loop *loop,
                        uint8_t *block, size_t variant)
{
    enum { PLACES = 8, SHIFTS = 4 };
    if (variant < PLACES) {
        size_t at = variant * BLOCK / PLACES + number % PLACES;
        put_token(variant == 0 ? block - token->length : block + at / set->unit * set->unit, token);
        return;
    }
    for (size_t turn = 0; turn < loop->turns; turn++, block += STRIDE) {
        uint8_t *at = block - variant % SHIFTS * set->unit;
        while (at < block + BLOCK)
            at += put_token(at, token);
        memset(at, 0x80, variant / SHIFTS % SHIFTS * set->unit);
    }
}

enum { REGISTER = 16, REGISTERS = BLOCK / REGISTER };

/* Errors that a wrong instruction accepts if a register has no other byte that is not ASCII: a lookup by leads that
 * gives the bytes of its table by place; the same of a lookup by second bytes; a test for leads of three that takes
 * each byte from 80 on for one; a fourth byte that is looked for one place later; leads that are looked up as ASCII; a
 * lookup by low nibbles that gives bytes by place; leads of three that are not found; leads of three that are taken for
 * leads of four; leads of four whose fourth byte is not looked for. All of these refuse right text, which is then
 * decided in another way. */
static const struct {
    size_t at, count;
    uint8_t bytes[5];
} mistaken[] = {{11, 5, {0xF2, 0x82, 0x82, 0x82, 0x82}},
                {7, 4, {0xC3, 0xC3, 0xC3, 0xC3}},
                {13, 3, {0xC3, 0xA9, 0x80}},
                {9, 5, {0xF0, 0x90, 0x80, ' ', 0x80}},
                {9, 2, {0xC3, ' '}},
                {9, 2, {0xC0, 0x80}},
                {9, 3, {0xE3, 0x81, ' '}},
                {9, 4, {0xE3, 0x81, 0x82, 0x80}},
                {12, 4, {0xF0, 0x9F, 0x98, ' '}}};
enum { MISTAKEN_COUNT = sizeof mistaken / sizeof mistaken[0] };

/* Writes one of these to register `reg` of each of the first `blocks` blocks, in the first `turns` turns of a loop. */
static void put_mistaken(uint8_t *begin, size_t number, size_t reg, size_t turns, size_t blocks)
{
    for (size_t turn = 0; turn < turns; turn++)
        for (size_t block = 0; block < blocks; block++)
            memcpy(begin + turn * STRIDE + block * BLOCK + reg * REGISTER + mistaken[number].at, mistaken[number].bytes,
                   mistaken[number].count);
}

/* These, amid ASCII, at each place of a half stride near the begin or of the last one, or in both of its blocks: of a
 * text of less than 2,048 bytes, and of one of less than 65,536. The loops for such texts that begin with ASCII are
 * others than those of loops[]. */
void far_mistaken(struct sweep *sweep)
{
    enum { MIDDLE = 1000, PROSE = 4000, PLACES = HALF_STRIDE + BLOCK, WAYS = 2 * 2 * 2 * 2 };
    static uint8_t input[PROSE];
    for (size_t i = 0; i < (size_t)MISTAKEN_COUNT * PLACES * WAYS; i++) {
        if (!count_input(sweep))
            continue;
        size_t number = i / WAYS % MISTAKEN_COUNT, place = i / WAYS / MISTAKEN_COUNT;
        size_t length = i % 2 == 0 ? MIDDLE : PROSE, count = mistaken[number].count;
        uint8_t *half = input + (i / 2 % 2 == 0 ? 2 * STRIDE : length - HALF_STRIDE + 1 - count);
        fill(sweep, input, length, i / 4 % 2 == 0 ? 0 : SPACES);
        memcpy(half + place % HALF_STRIDE, mistaken[number].bytes, count);
        if (place >= HALF_STRIDE)
            memcpy(half + place % HALF_STRIDE + BLOCK, mistaken[number].bytes, count);
        alternate_placement(sweep, i / 8);
        far_ask_verdict(sweep, input, length);
    }
}

/* Blocks for loops that look up another register than the right one: put_everywhere(); 16 leads in a row, each before a
 * place that is said to continue it; or, in each 16 bytes, leads of four and of two bytes before four such places. For
 * those that look up all bytes as leads: the last block or the one before it filled with 82, after the letter B. */
enum { PATTERN_COUNT = 5 };

static void put_pattern(uint8_t *begin, const struct loop *loop, size_t pattern, const struct sweep *sweep)
{
    enum { PART = 16, LEADS = 31, LEAD_OF_4 = 10, LEAD_OF_2 = 13 };
    uint8_t *block = begin + (loop->blocks - 2) * BLOCK;
    if (pattern == 0)
        put_everywhere(block);
    if (pattern == 1) {
        fill(sweep, begin, BLOCK, SPACES);
        memset(begin + LEADS, 0xC3, PART);
    }
    for (size_t at = 0; pattern == 2 && at < BLOCK; at += PART) {
        block[at + LEAD_OF_4] = 0xF1;
        block[at + LEAD_OF_2] = 0xC3;
    }
    if (pattern >= 3) {
        block += (pattern - 3) * BLOCK;
        block[-1] = 'B';
        memset(block, 0x82, BLOCK);
    }
}

/* One token again and again, from the last bytes of the first block on, or from a place of the second block on: through
 * a step, or more of them. A wrong loop may refuse every other text, which is then decided in another way. */
void far_repeated(struct sweep *sweep)
{
    enum { PLACES = 6, LENGTHS = 4, LONGEST = FIRST_STEP + EIGHT_STRIDES + FOUR_STRIDES };
    static const size_t lengths[LENGTHS] = {BLOCK + STRIDE, LONG_LENGTH - BLOCK, FIRST_STEP + EIGHT_STRIDES, LONGEST};
    static uint8_t input[LONGEST + LONGEST_TOKEN];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * PLACES * LENGTHS; number++) {
        if (!count_input(sweep))
            continue;
        const struct token *token = &set->tokens[number / PLACES / LENGTHS];
        size_t begin = BLOCK + set->unit - number / LENGTHS % PLACES * set->unit;
        size_t end = lengths[number % LENGTHS];
        fill(sweep, input, begin, SPACES);
        for (size_t at = begin; at < end;)
            at += put_token(input + at, token);
        alternate_placement(sweep, number);
        far_ask_verdict(sweep, input, end);
    }
}

/* Each byte F0..F4 with each second byte and a third one, but no fourth, amid 2-byte characters. Bit 0 of their leads
 * and second bytes, and of the third byte, is 0 or 1. A loop that XORs bytes with entries of tables must use only the
 * top bit of the result; if it uses bit 0, too, the parity of the bytes decides what it accepts. */
void far_cut_fours(struct sweep *sweep)
{
    enum { AT = FIRST_STEP + 2 * STRIDE, LENGTH = AFTER_STEP + STRIDE, LEADS = 5, SECONDS = 64, PARITIES = 8 };
    static uint8_t input[LENGTH];
    for (size_t number = 0; number < (size_t)LEADS * SECONDS * PARITIES; number++) {
        if (!count_input(sweep))
            continue;
        size_t parities = number % PARITIES;
        for (size_t at = 0; at < LENGTH; at += 2) {
            input[at] = (uint8_t)(0xC2 + parities % 2);
            input[at + 1] = (uint8_t)(0xA0 + parities / 2 % 2);
        }
        input[AT] = ' ';
        input[AT + 1] = (uint8_t)(0xF0 + number / PARITIES / SECONDS);
        input[AT + 2] = (uint8_t)(0x80 + number / PARITIES % SECONDS);
        input[AT + 3] = (uint8_t)(0x80 + parities / 4);
        alternate_placement(sweep, number);
        far_ask_verdict(sweep, input, LENGTH);
    }
}

/* The first block ends with D0, each continuation byte, and a lead. Then each continuation byte and an A are repeated
 * through eight strides. A loop that tests the wrong bits may refuse nearly all text, which is then checked in another
 * way; it is wrong only where each byte of a step passes its test. */
void far_alternating(struct sweep *sweep)
{
    enum { END = BLOCK + EIGHT_STRIDES, LENGTH = END + BLOCK, CONTINUATIONS = 64 };
    static const uint8_t leads[] = {0xC3, 0xE0, 0xED, 0xF1};
    static uint8_t input[LENGTH];
    fill(sweep, input, LENGTH, SPACES);
    input[BLOCK - 3] = 0xD0;
    for (size_t number = 0; number < sizeof leads * CONTINUATIONS * CONTINUATIONS; number++) {
        if (!count_input(sweep))
            continue;
        input[BLOCK - 2] = (uint8_t)(0x80 + number % CONTINUATIONS);
        input[BLOCK - 1] = leads[number / CONTINUATIONS / CONTINUATIONS];
        for (size_t at = BLOCK; at < END; at += 2) {
            input[at] = (uint8_t)(0x80 + number / CONTINUATIONS % CONTINUATIONS);
            input[at + 1] = 'A';
        }
        alternate_placement(sweep, number);
        far_ask_verdict(sweep, input, LENGTH);
    }
}

enum { CHARACTERS = 12, UNIT_MAX = 2 };

/* Writes characters at the begin of a stride: of one kind, or, with dice, some of all kinds. */
static void put_characters(struct sweep *sweep, uint8_t *stride, size_t filler, struct dice *dice)
{
    enum { MOST = 40 };
    if (dice == NULL) {
        fill(sweep, stride + UNIT_MAX, CHARACTERS, filler);
        return;
    }
    size_t unit = tokens_for(sweep)->unit;
    fill(sweep, stride + UNIT_MAX, MOST, SPACES);
    fill_at_random(sweep, dice, stride + UNIT_MAX, (1 + dice_roll(dice, MOST / unit)) * unit);
}

/* Writes characters before a loop: at the begin of the first stride, where they are of one kind, of the strides after
 * that, and of those that loops[] names. */
static void put_before_loop(struct sweep *sweep, uint8_t *input, const struct loop *loop, size_t filler,
                            struct dice *dice)
{
    put_characters(sweep, input + BLOCK, filler, NULL);
    put_characters(sweep, input + FIRST_STEP, filler, dice);
    for (size_t i = 1; i <= loop->steps; i++)
        put_characters(sweep, input + loop->begin - i * FOUR_STRIDES, filler, dice);
    if (loop->steps > 0)
        put_characters(sweep, input + loop->begin - loop->steps * FOUR_STRIDES - STRIDE, filler, dice);
}

/* A loop, and how it is asked about. */
struct loop_text {
    uint8_t *input; /* ASCII, characters before the loop, and an error after it or the end */
    const struct loop *loop;
    size_t ascii, filler, reg;               /* the ASCII, the characters in the loop, and the register that has them */
    const bool *reads_on;                    /* far_who_reads_on() */
    uint8_t kept[2 * BLOCK + EIGHT_STRIDES]; /* the input from a block before the loop on */
};
typedef void ask_loop(struct sweep *sweep, const struct loop_text *text);

/* Asks about the loop as it is written now, and writes it as it was before. */
static void ask_and_restore(struct sweep *sweep, const struct loop_text *text)
{
    ask_about_loop(sweep, text->input, text->loop, text->reads_on);
    memcpy(text->input + text->loop->begin - BLOCK, text->kept, sizeof text->kept);
}

/* Each token, and a continuation byte that no token has, in each block of a loop: the quarter of these questions that
 * has its characters in this register. They are in the first block of the loop, or every second time in the next block
 * after the token's, since the right answer about them can hide a wrong one about the token. */
static void ask_tokens_in_loop(struct sweep *sweep, const struct loop_text *text)
{
    enum { VARIANTS = 24 };
    const struct loop *loop = text->loop;
    const struct token_set *set = tokens_for(sweep);
    const struct token stray = {.length = (uint8_t)set->unit, .bytes = {0xA0, 0xA0}};
    uint8_t *begin = text->input + loop->begin;
    for (size_t i = 0; i < (set->count + 1) * loop->blocks * VARIANTS; i++) {
        size_t number = i / VARIANTS / loop->blocks, block = i / VARIANTS % loop->blocks;
        if ((i + i / VARIANTS) % REGISTERS != text->reg || !count_input(sweep))
            continue;
        size_t other = i / REGISTERS % 2 == 0 ? 0 : (block + 1) % loop->blocks;
        put_characters(sweep, begin + other * BLOCK + text->reg * REGISTER, text->filler, NULL);
        put_in_loop(set, number < set->count ? &set->tokens[number] : &stray, number, loop, begin + block * BLOCK,
                    i % VARIANTS);
        ask_and_restore(sweep, text);
    }
}

static void ask_patterns_in_loop(struct sweep *sweep, const struct loop_text *text)
{
    uint8_t *begin = text->input + text->loop->begin;
    for (size_t pattern = 0; pattern < PATTERN_COUNT; pattern++) {
        if (!count_input(sweep))
            continue;
        put_characters(sweep, begin + text->reg * REGISTER, text->filler, NULL);
        put_pattern(begin, text->loop, pattern, sweep);
        ask_and_restore(sweep, text);
    }
}

/* A continuation byte amid the ASCII of a loop, and random characters before it, half of the time in the loop, too. A
 * codec may take a register for another one, which has what it computed of these. */
static void ask_loop_at_random(struct sweep *sweep, const struct loop_text *text)
{
    enum { TIMES = 200 };
    _Static_assert(TIMES <= UINT8_MAX, "one byte of a seed");
    const struct loop *loop = text->loop;
    const size_t unit = tokens_for(sweep)->unit, loop_bytes = loop->blocks * BLOCK;
    uint8_t *begin = text->input + loop->begin;
    for (size_t number = 0; number < TIMES; number++) {
        struct dice dice =
            dice_from((const uint8_t[]){(uint8_t)text->filler, (uint8_t)text->ascii, (uint8_t)number}, 3);
        if (!count_input(sweep))
            continue;
        fill(sweep, begin, loop_bytes, text->ascii);
        put_before_loop(sweep, text->input, loop, text->filler, &dice);
        size_t at = dice_roll(&dice, loop_bytes / unit) * unit;
        if (dice_roll(&dice, 2) == 0)
            put_characters(sweep, begin + (at / BLOCK + 1) % loop->blocks * BLOCK, text->filler, &dice);
        memset(begin + at, (int)(0x80 + dice_roll(&dice, 0x40)), unit);
        ask_about_loop(sweep, text->input, loop, text->reads_on);
    }
}

/* put_mistaken(), in a loop without the characters. */
static void ask_mistaken(struct sweep *sweep, const struct loop_text *text, size_t turns, size_t blocks)
{
    uint8_t *begin = text->input + text->loop->begin;
    for (size_t number = 0; number < MISTAKEN_COUNT; number++) {
        if (!count_input(sweep))
            continue;
        fill(sweep, begin, BLOCK, text->ascii);
        put_mistaken(begin, number, text->reg, turns, blocks);
        ask_and_restore(sweep, text);
    }
}

/* Asks with the characters in each register. `input` is ASCII of one kind, and is so again later. */
static void sweep_loop(struct sweep *sweep, struct loop_text *text, ask_loop *ask_one)
{
    for (text->reg = 0; text->reg < REGISTERS; text->reg++) {
        put_before_loop(sweep, text->input + text->reg * REGISTER, text->loop, text->filler, NULL);
        put_error(sweep, text->input + end_of_loop(text->loop));
        memcpy(text->kept, text->input + text->loop->begin - BLOCK, sizeof text->kept);
        ask_one(sweep, text);
        fill(sweep, text->input, end_of_loop(text->loop) + BLOCK, text->ascii);
    }
}

/* A codec that reads all of a text when it has found an error takes too long, and is not asked about the longest. The
 * ASCII around the loops is spaces or NUL, of which a wrong lookup makes other bits. */
static void sweep_loops(struct sweep *sweep, ask_loop *ask_one)
{
    static _Alignas(BLOCK) uint8_t input[MANY_STEPS];
    bool *reads_on = far_who_reads_on(sweep);
    struct loop_text text = {.input = input, .reads_on = reads_on};
    for (text.ascii = 0; text.ascii < ASCII_COUNT; text.ascii++) {
        fill(sweep, input, MANY_STEPS, text.ascii);
        for (text.loop = loops; text.loop < loops + LOOP_COUNT; text.loop++) {
            text.filler = TWO_BYTES;
            sweep_loop(sweep, &text, ask_one);
            text.filler = FOUR_BYTES;
            sweep_loop(sweep, &text, ask_one);
        }
    }
    free(reads_on);
}

/* A block may be several registers: all characters are in the same one, so that the others are right or wrong by the
 * token alone. Registers 0 and 2 have them amid NULs, 1 and 3 amid spaces. */
static void ask_in_loop(struct sweep *sweep, const struct loop_text *text)
{
    if (text->reg % ASCII_COUNT != text->ascii)
        return;
    ask_tokens_in_loop(sweep, text);
    ask_patterns_in_loop(sweep, text);
    ask_mistaken(sweep, text, text->loop->turns, text->loop->blocks);
    if (text->reg == text->ascii)
        ask_loop_at_random(sweep, text);
}

void far_loops(struct sweep *sweep)
{
    sweep_loops(sweep, ask_in_loop);
}

/* In the first block of the loop alone; and in all blocks, amid the ASCII that ask_in_loop() leaves out. */
static void ask_mistaken_in_loop(struct sweep *sweep, const struct loop_text *text)
{
    ask_mistaken(sweep, text, 1, 1);
    if (text->reg % ASCII_COUNT != text->ascii)
        ask_mistaken(sweep, text, text->loop->turns, text->loop->blocks);
}

void far_mistaken_in_loops(struct sweep *sweep)
{
    sweep_loops(sweep, ask_mistaken_in_loop);
}
