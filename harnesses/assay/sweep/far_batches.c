/* SPDX-License-Identifier: MIT
 *
 * Tokens and errors amid ASCII. A codec may look for bytes that are not ASCII in much text at once, and then check
 * only where they are.
 */
#include "far.h"

#include "../../core/dice.h"

#include <string.h>

/* Each token at and near the end of a block, followed by more ASCII than a codec reads in one stride. The fifth block
 * ends a half stride of a text that a codec checks all at once. */
void far_strides(struct sweep *sweep)
{
    enum { AROUND = 3, BLOCKS = 5 };
    static uint8_t input[BLOCKS * BLOCK + AROUND + 2 * STRIDE];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count; number++) {
        const struct token *token = &set->tokens[number];
        for (size_t variant = 0; variant < BLOCKS * (2 * AROUND + 1); variant++) {
            size_t end = (variant / (2 * AROUND + 1) + 1) * BLOCK - AROUND + variant % (2 * AROUND + 1);
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, variant);
            size_t count = fill(sweep, input, end - token->length, SPACES);
            count += put_token(input + count, token);
            count += fill(sweep, input + count, STRIDE + BLOCK, SPACES);
            far_ask_about_errors(sweep, input, count);
        }
    }
}

/* What else is in a text with a batch, before which is a step that begins with 2-byte characters: nothing; characters
 * that are not ASCII, in the half-stride before the token's; 4-byte characters at the begin of the step, after which a
 * codec may use another check for some strides. */
enum batch_kind { TOKEN_ALONE, AMID_OTHERS, AFTER_FOURS };

/* Asks about ASCII, a token that ends at `end`, and `after` bytes of ASCII. */
static void ask_about_batch(struct sweep *sweep, const struct token *token, enum batch_kind kind, size_t end,
                            size_t after)
{
    enum { BEFORE = 236, OTHERS = 8 };
    static uint8_t input[AFTER_STEP + BATCH + STRIDE + HALF_STRIDE + 2 * STRIDE];
    size_t count = fill(sweep, input, kind == AMID_OTHERS ? end - BEFORE : end - token->length, SPACES);
    if (kind == AMID_OTHERS) {
        count += fill(sweep, input + count, OTHERS, TWO_BYTES);
        count += fill(sweep, input + count, end - token->length - count, SPACES);
    }
    far_begin_step(sweep, input, kind == AFTER_FOURS ? FOUR_BYTES : TWO_BYTES);
    count += put_token(input + count, token);
    count += fill(sweep, input + count, after, SPACES);
    far_ask_about_errors(sweep, input, count);
}

/* Each token after more ASCII than a stride, near the end of a half-stride. */
void far_batches(struct sweep *sweep)
{
    enum { AROUND = 3, VARIANTS = 2 * AROUND + 1 };
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count; number++)
        for (size_t variant = 0; variant < 3 * VARIANTS; variant++) {
            size_t half_strides = variant / VARIANTS == 0 ? 1 : 3, around = variant % VARIANTS;
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, variant);
            ask_about_batch(sweep, &set->tokens[number], variant / VARIANTS == 2 ? AMID_OTHERS : TOKEN_ALONE,
                            AFTER_STEP + STRIDE + half_strides * HALF_STRIDE - AROUND + around, 2 * STRIDE);
        }
}

/* Each token at the end of a batch of 8 KiB or after it; the text goes on for more than a stride, or for less. */
void far_after_batches(struct sweep *sweep)
{
    static const struct {
        enum batch_kind kind;
        size_t end, after;
    } texts[] = {
        {TOKEN_ALONE, AFTER_STEP + BATCH, 2 * STRIDE},
        {AMID_OTHERS, AFTER_STEP + BATCH, 2 * STRIDE},
        {TOKEN_ALONE, AFTER_STEP + BATCH + HALF_STRIDE, 2 * STRIDE},
        {TOKEN_ALONE, AFTER_STEP + BATCH + STRIDE + 1, 2 * STRIDE},
        {TOKEN_ALONE, AFTER_STEP + BATCH + STRIDE + HALF_STRIDE, BLOCK},
        {AFTER_FOURS, AFTER_STEP + BATCH, 2 * STRIDE},
        {AFTER_FOURS, AFTER_STEP + BATCH + HALF_STRIDE, 2 * STRIDE},
        {AFTER_FOURS, AFTER_STEP + BATCH + STRIDE + 1, 2 * STRIDE},
        {AFTER_FOURS, AFTER_STEP + BATCH + STRIDE + HALF_STRIDE, BLOCK},
    };
    enum { TEXT_COUNT = sizeof texts / sizeof texts[0] };
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * TEXT_COUNT; number++) {
        size_t text = number % TEXT_COUNT;
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number / TEXT_COUNT);
        ask_about_batch(sweep, &set->tokens[number / TEXT_COUNT], texts[text].kind, texts[text].end, texts[text].after);
    }
}

/* Each token in each quarter of a half-stride, over its edges and at its end, in half-strides 2 to 5 of a batch; the
 * first two are ASCII. Batches have numbers of half-strides with each remainder modulo 4. A step with 2-byte or 4-byte
 * characters, in turn, is before the batch. The ASCII is NUL or spaces: some mistakes refuse one, and so hide in it. */
void far_within_batches(struct sweep *sweep)
{
    enum { OTHERS = 8, QUARTERS = 4, HALVES = 4, SHIFTS = 4 };
    static uint8_t input[AFTER_STEP + (4 + 2 * HALVES) * HALF_STRIDE];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count; number++)
        for (size_t variant = 0; variant < 2 * (QUARTERS + 1) * HALVES; variant++) {
            const struct token *token = &set->tokens[number];
            size_t half = variant % HALVES, quarter = variant / HALVES % (QUARTERS + 1);
            size_t beyond = quarter == QUARTERS ? 0 : set->unit * (1 + (number + half) % SHIFTS);
            size_t end = (2 + half) * HALF_STRIDE + quarter * HALF_STRIDE / QUARTERS + beyond, filler = half % 2;
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, number + variant);
            size_t count = fill(sweep, input, AFTER_STEP, filler);
            bool has_fours = variant >= (QUARTERS + 1) * HALVES;
            far_begin_step(sweep, input, has_fours ? FOUR_BYTES : TWO_BYTES);
            count += fill(sweep, input + count, end - token->length, filler);
            count += put_token(input + count, token);
            if (quarter == QUARTERS) { /* ASCII, then others */
                count += fill(sweep, input + count, HALF_STRIDE, filler);
                count += fill(sweep, input + count, OTHERS, half < HALVES / 2 ? TWO_BYTES : filler);
            }
            count += fill(sweep, input + count, (1 + (number + quarter) % HALVES) * HALF_STRIDE, filler);
            far_ask_about_errors(sweep, input, count);
        }
}

/* Texts of up to 20 KiB in which half strides, drawn at random, are not ASCII, and the first, the last or any of these
 * has an error. A codec may keep a bit for each half stride of a batch, and lose one if there is a certain number. In
 * every second text they come after a step with 2-byte characters and a stride of ASCII, where a batch begins. */
void far_scattered(struct sweep *sweep)
{
    enum { TEXTS = 3000, HALVES = 160, PARTS = 8, PLACES = 32, OTHERS = 4, ERRORS = 3, PLACE_OF_ERROR = 96 };
    static uint8_t input[HALVES * HALF_STRIDE];
    uint8_t error[2];
    size_t unit = put_error(sweep, error);
    for (size_t number = 0; number < TEXTS; number++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number / 2 / PARTS / ERRORS);
        struct dice dice = dice_from((const uint8_t[]){(uint8_t)(number >> 8), (uint8_t)number}, 2);
        size_t begin = number % 2 * (AFTER_STEP + STRIDE), parts = 1 + number / 2 % PARTS;
        size_t more = dice_roll(&dice, (sizeof input - begin - HALF_STRIDE) / unit + 1) * unit;
        size_t count = fill(sweep, input, begin + HALF_STRIDE + more, SPACES), others[HALVES], other_count = 0;
        if (begin > 0)
            far_begin_step(sweep, input, TWO_BYTES);
        for (size_t half = begin; count - half >= HALF_STRIDE; half += HALF_STRIDE)
            if (other_count == 0 || dice_roll(&dice, PARTS) < parts) {
                fill(sweep, input + half + dice_roll(&dice, PLACES / unit) * unit, OTHERS, TWO_BYTES);
                others[other_count++] = half;
            }
        const size_t which[ERRORS] = {0, other_count - 1, dice_roll(&dice, other_count)};
        memcpy(input + others[which[number / 2 / PARTS % ERRORS]] + PLACE_OF_ERROR, error, unit);
        far_ask_verdict(sweep, input, count);
    }
}

/* One block of the first stride, of a step, or of a half-stride of a batch, that a repeated token fills, so that each
 * of its bytes is part of an error or right after one; 0 to 3 units of continuation bytes complete the last token. */
void far_full_blocks(struct sweep *sweep)
{
    static const struct {
        size_t stride, filler; /* where its stride begins; of the steps before */
    } kinds[] = {{BLOCK, SPACES},          {FIRST_STEP, TWO_BYTES},          {BLOCK, FOUR_BYTES},
                 {FIRST_STEP, FOUR_BYTES}, {AFTER_STEP + STRIDE, TWO_BYTES}, {AFTER_STEP + STRIDE, FOUR_BYTES}};
    enum { KINDS = sizeof kinds / sizeof kinds[0], BLOCKS = 4, SHIFTS = 4, AFTER = LONG_LENGTH + HALF_STRIDE };
    static uint8_t input[AFTER_STEP + 2 * STRIDE + LONGEST_TOKEN + SHIFTS * sizeof(uint16_t) + AFTER];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * SHIFTS * SHIFTS; number++)
        for (size_t variant = 0; variant < KINDS * BLOCKS; variant++) {
            size_t kind = variant / BLOCKS, begin = kinds[kind].stride + variant % BLOCKS * BLOCK;
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, number + variant);
            size_t count = fill(sweep, input, begin - number % SHIFTS * set->unit, SPACES);
            far_begin_step(sweep, input, kinds[kind].filler);
            while (count < begin + BLOCK)
                count += put_token(input + count, &set->tokens[number / SHIFTS / SHIFTS]);
            size_t more = number / SHIFTS % SHIFTS * set->unit;
            memset(input + count, 0x80, more);
            count += more;
            count += fill(sweep, input + count, AFTER, SPACES);
            far_ask_verdict(sweep, input, count);
        }
}

/* A token and one, two or four equal units after it, at each place of a block, in some blocks of a stride, or in all of
 * a step; all else is ASCII, but for characters at the begin of the first stride. The units are continuation bytes or
 * leads (of UTF-16: U+8282, U+8181, U+C2C2). A codec that looks up a byte by its place in a register may accept such an
 * error, or one in each block. */
void far_runs(struct sweep *sweep)
{
    static const struct {
        size_t strides, first, blocks; /* strides before, and these blocks of the next; after ASCII it is in a batch */
        size_t count;                  /* of strides */
        bool has_fours;
    } places[] = {
        {1, 1, 1, 9, false},  {1, 0, 16, 9, false},  {0, 1, 1, 2, false},   {0, 0, 4, 2, false},   {9, 1, 1, 11, false},
        {9, 0, 4, 11, false}, {10, 0, 1, 12, false}, {10, 1, 1, 12, false}, {10, 0, 2, 12, false}, {1, 1, 1, 9, true},
        {9, 1, 1, 11, true},  {10, 0, 1, 12, true},  {10, 1, 1, 12, true},  {10, 0, 2, 12, true},  {0, 1, 1, 9, false},
        {0, 0, 4, 9, false},  {0, 1, 1, 9, true},
    };
    static const uint8_t bytes[] = {0x82, 0x81, 0xC2};
    enum { RUNS = 3, BYTES = sizeof bytes, PLACES = sizeof places / sizeof places[0] };
    static _Alignas(BLOCK) uint8_t input[BLOCK + 12 * STRIDE];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * RUNS * BYTES * PLACES; number++) {
        const struct token *token = &set->tokens[number / PLACES / RUNS / BYTES];
        size_t place = number % PLACES, run = ((size_t)1 << number / PLACES % RUNS) * set->unit;
        for (size_t at = 0; at < BLOCK; at += set->unit) {
            if (!count_input(sweep))
                continue;
            uint8_t *stride = input + BLOCK + places[place].strides * STRIDE;
            struct far_text text = {.bytes = input, .count = BLOCK + places[place].count * STRIDE};
            fill(sweep, input, text.count, SPACES);
            if (places[place].has_fours || places[place].strides > 0)
                far_begin_step(sweep, input, places[place].has_fours ? FOUR_BYTES : TWO_BYTES);
            for (size_t i = 0; i < places[place].blocks; i++) {
                uint8_t *begin = stride + (places[place].first + i) * BLOCK + at;
                memset(begin + put_token(begin, token), bytes[number / PLACES / RUNS % BYTES], run);
            }
            text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], input, text.count, &text.error);
            far_ask_all(sweep, &text);
            if (place == 0)
                ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, input, text.count);
        }
    }
}

/* Texts of 448 to 4,288 bytes of ASCII, in which one byte fills a part of some blocks: each choice of the four blocks
 * after each half stride, as far as the text has them. Each second length is a block and whole half strides: the last
 * half stride is such blocks, too. */
static void ask_solid(struct sweep *sweep, const uint8_t *bytes, size_t byte_count, size_t first, size_t length)
{
    enum { MOST = 2 * LONG_LENGTH + 3 * BLOCK };
    static const size_t counts[] = {4 * STRIDE - BLOCK / 2, 7 * BLOCK,        LONG_LENGTH,
                                    4 * STRIDE + 3 * BLOCK, MOST - BLOCK / 2, MOST};
    enum { COUNTS = sizeof counts / sizeof counts[0], BLOCKS = 4, CHOICES = 1 << BLOCKS };
    static _Alignas(BLOCK) uint8_t input[MOST];
    for (size_t number = 0; number < COUNTS * byte_count * CHOICES; number++) {
        struct far_text text = {.bytes = input, .count = counts[number % COUNTS]};
        size_t choice = number / COUNTS % CHOICES;
        for (size_t begin = BLOCK; begin + HALF_STRIDE <= text.count; begin += HALF_STRIDE) {
            /* ASCII, or the same text as from the next half stride on, if there is one */
            if (choice == 0 || ((choice & 3) == 0 && begin + 2 * HALF_STRIDE <= text.count))
                continue;
            if (!count_input(sweep))
                continue;
            fill(sweep, input, text.count, SPACES);
            for (size_t i = 0; i < BLOCKS && begin + (i + 1) * BLOCK <= text.count; i++)
                if ((choice >> i & 1) != 0)
                    memset(input + begin + i * BLOCK + first, bytes[number / COUNTS / CHOICES], length);
            text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], input, text.count, &text.error);
            far_ask_all(sweep, &text);
        }
    }
}

/* Whole blocks: a codec that combines blocks by logic may miss a byte that is at each place of a register. */
void far_solid_blocks(struct sweep *sweep)
{
    static const uint8_t bytes[] = {0x80, 0x82, 0x8F, 0x90, 0xA0, 0xBF, 0xC0, 0xC2,
                                    0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF4, 0xFF};
    ask_solid(sweep, bytes, sizeof bytes, 0, BLOCK);
}

enum { REGISTER = BLOCK / 4, REGISTERS = 4, MOST_STRIDES = 24 };

/* Long text, in which a quarter of each of some blocks is continuation bytes, or has a 4-byte character without its
 * last byte. Before them are 2-byte or 4-byte characters, and the first block may end with one of four bytes. */
static void ask_solid_quarters(struct sweep *sweep, size_t count, size_t begin, size_t blocks)
{
    enum { VARIANTS = 8, REACH = 3 };
    static const uint8_t cut[REACH] = {0xF1, 0x80, 0x80};
    static _Alignas(BLOCK) uint8_t input[BLOCK + MOST_STRIDES * STRIDE];
    for (size_t number = 0; number < REGISTERS * VARIANTS; number++) {
        if (!count_input(sweep))
            continue;
        struct far_text text = {.bytes = input, .count = count};
        fill(sweep, input, count, SPACES);
        far_begin_step(sweep, input, number % 2 == 0 ? TWO_BYTES : FOUR_BYTES);
        if (number / 2 % 2 != 0)
            fill(sweep, input + BLOCK - REACH, REACH + 1, FOUR_BYTES);
        for (size_t i = 0; i < blocks; i++) {
            uint8_t *quarter = input + begin + i * BLOCK + number / VARIANTS * REGISTER;
            if (number / 4 % 2 == 0)
                memset(quarter, 0x80, REGISTER);
            else
                memcpy(quarter + REGISTER / 2, cut, sizeof cut);
        }
        text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], input, count, &text.error);
        far_ask_all(sweep, &text);
    }
}

/* A quarter of blocks, as where a block is four registers: in short text as in far_solid_blocks(); in long text, of
 * each block, and of all blocks of one stride, of four and of eight, as far from the end as there are loops. */
void far_solid_registers(struct sweep *sweep)
{
    enum { AFTER = 100 };
    static const uint8_t bytes[] = {0x80, 0xC2};
    static const size_t blocks[] = {1, STRIDE / BLOCK, FOUR_STRIDES / BLOCK, EIGHT_STRIDES / BLOCK};
    for (size_t i = 0; i < REGISTERS; i++)
        ask_solid(sweep, bytes, sizeof bytes, i * REGISTER, REGISTER);
    for (size_t strides = LONG_LENGTH / STRIDE; strides < MOST_STRIDES; strides++) {
        size_t count = BLOCK + strides * STRIDE + strides % 2 * AFTER;
        for (size_t begin = BLOCK; begin < count; begin += BLOCK)
            for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
                if (begin + blocks[i] * BLOCK <= count && (i == 0 || (begin - BLOCK) % STRIDE == 0))
                    ask_solid_quarters(sweep, count, begin, blocks[i]);
    }
}

/* Writes `length` bytes again and again, `count` in all. */
static void put_again(uint8_t *to, size_t count, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < count; i++)
        to[i] = bytes[i % length];
}

/* Sequences that fill blocks: each is wrong by itself, or again and again. */
static const struct {
    uint8_t length, bytes[4];
} filling[] = {{2, {0xC0, 0x80}},
               {2, {0xC1, 0x80}},
               {2, {0xC0, 0x90}},
               {2, {0xC1, 0xA0}},
               {2, {0xC2, 0x80}},
               {2, {0xDF, 0x9F}},
               {2, {0xDF, 0xBF}},
               {3, {0xE0, 0x80, 0x80}},
               {3, {0xE0, 0x9F, 0x80}},
               {3, {0xED, 0xA0, 0x80}},
               {3, {0xF0, 0x80, 0x80}},
               {3, {0xF0, 0x90, 0x80}},
               {3, {0xF1, 0x80, 0x80}},
               {3, {0xF4, 0x90, 0x80}},
               {4, {0xF0, 0x80, 0x80, 0x80}},
               {4, {0xF4, 0x90, 0x80, 0x80}}};
enum { FILLING_COUNT = sizeof filling / sizeof filling[0], FILLED_LENGTHS = 2 };
static const size_t filled_lengths[FILLED_LENGTHS] = {4 * STRIDE + BLOCK, 2 * LONG_LENGTH + BLOCK};

/* The last half stride of a text of ASCII. Each of its two blocks is filled with a sequence of two to four bytes, again
 * and again; that of the first block begins up to 3 bytes before it. In half of the texts a space ends the first block.
 * A codec that combines two blocks by logic may accept errors that are at each place of one of them. */
void far_filled_ends(struct sweep *sweep)
{
    enum { BEFORE = 4 };
    static _Alignas(BLOCK) uint8_t input[2 * LONG_LENGTH + BLOCK];
    for (size_t number = 0; number < FILLING_COUNT * FILLING_COUNT * BEFORE * FILLED_LENGTHS * 2; number++) {
        if (!count_input(sweep))
            continue;
        struct far_text text = {.bytes = input, .count = filled_lengths[number % FILLED_LENGTHS]};
        size_t before = number / FILLED_LENGTHS % BEFORE, first = number / FILLED_LENGTHS / BEFORE % FILLING_COUNT;
        size_t second = number / FILLED_LENGTHS / BEFORE / FILLING_COUNT % FILLING_COUNT;
        size_t half = text.count - HALF_STRIDE;
        bool is_parted = number / FILLED_LENGTHS / BEFORE / FILLING_COUNT / FILLING_COUNT != 0;
        fill(sweep, input, text.count, SPACES);
        put_again(input + half - before, before + BLOCK - is_parted, filling[first].bytes, filling[first].length);
        put_again(input + half + BLOCK, BLOCK, filling[second].bytes, filling[second].length);
        text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], input, text.count, &text.error);
        far_ask_all(sweep, &text);
    }
}

/* The last block of a text of ASCII, filled like the blocks of far_filled_ends(), from up to 3 bytes before it on. In
 * half of the texts the last byte is 80, which may complete a character. A codec that checks the block before by other
 * instructions may accept an error that ends in the first three bytes of this one, and is then at each place of it. */
void far_filled_last_blocks(struct sweep *sweep)
{
    enum { BEFORE = 4 };
    static _Alignas(BLOCK) uint8_t input[2 * LONG_LENGTH + BLOCK];
    for (size_t number = 0; number < FILLING_COUNT * BEFORE * FILLED_LENGTHS * 2; number++) {
        if (!count_input(sweep))
            continue;
        struct far_text text = {.bytes = input, .count = filled_lengths[number % FILLED_LENGTHS]};
        size_t before = number / FILLED_LENGTHS % BEFORE, sequence = number / FILLED_LENGTHS / BEFORE % FILLING_COUNT;
        fill(sweep, input, text.count, SPACES);
        put_again(input + text.count - BLOCK - before, before + BLOCK, filling[sequence].bytes,
                  filling[sequence].length);
        if (number / FILLED_LENGTHS / BEFORE / FILLING_COUNT != 0)
            input[text.count - 1] = 0x80;
        text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], input, text.count, &text.error);
        far_ask_all(sweep, &text);
    }
}

/* Each token at the end of a batch of 8 KiB in which another half stride is not ASCII: the one before, or one further
 * off. The batch begins after the first stride or after a step, and before it is a character of two bytes or of four. A
 * codec may keep what the text ended with before the half strides of a batch that it skips. */
void far_two_in_batch(struct sweep *sweep)
{
    static const size_t begins[] = {FIRST_STEP, AFTER_STEP}, before[] = {1, 2, 32, 63};
    enum { BEGINS = 2, OTHERS = 4, AFTER = 4 * STRIDE, REACH = 3 };
    static _Alignas(BLOCK) uint8_t input[AFTER_STEP + BATCH + AFTER];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * BEGINS * OTHERS * 2; number++) {
        if (!count_input(sweep))
            continue;
        const struct token *token = &set->tokens[number / BEGINS / OTHERS / 2];
        size_t end = begins[number % BEGINS] + BATCH, other = before[number / BEGINS % OTHERS];
        size_t filler = number / BEGINS / OTHERS % 2 == 0 ? TWO_BYTES : FOUR_BYTES;
        struct far_text text = {.bytes = input, .count = end + AFTER};
        fill(sweep, input, text.count, SPACES);
        if (begins[number % BEGINS] == AFTER_STEP)
            far_begin_step(sweep, input, filler);
        else
            fill(sweep, input + BLOCK - REACH - 1, REACH + 1, filler);
        fill(sweep, input + end - (other + 1) * HALF_STRIDE + BLOCK, 4, TWO_BYTES);
        put_token(input + end - token->length, token);
        text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], input, text.count, &text.error);
        far_ask_all(sweep, &text);
    }
}
