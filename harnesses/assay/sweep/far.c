/* SPDX-License-Identifier: MIT
 *
 * Long texts and streams: errors at offsets that 8, 16 or 32 bits cannot hold, and at each place of the steps, loops
 * and batches by which codecs read much text.
 */
#include "far.h"

#include "../../core/dice.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Near the largest values of 8 and 16 bits, and larger. */
static const size_t far[] = {255, 256, 257, 65535, 65536, 65537, 70000};
enum { FAR_COUNT = sizeof far / sizeof far[0], FAR_MAX = 70000, AFTER_FAR = 64 };

/* Those that replace errors. */
static const enum operation replacing[] = {OP_DECODE_UTF32, OP_DECODE_UTF16, OP_TO_WELL_FORMED};
enum { REPLACING_COUNT = sizeof replacing / sizeof replacing[0] };

/* Asks with enough room, and with room for all but the last unit of output. */
static void ask_with_and_without_the_last(struct sweep *sweep, struct question question)
{
    question.capacity = CAPACITY_ANY;
    sweep_compare(sweep, &question);
    if (sweep->comparer.left_out >> question.operation & 1)
        return;
    question.capacity = needed_for(&sweep->comparer, question);
    question.capacity -= question.capacity > 0;
    sweep_compare(sweep, &question);
}

/* Asks all questions whose answer contains a number of bytes, units or errors, or an offset. */
static void ask_about_figures(struct sweep *sweep, const uint8_t *input, size_t count, size_t error_at)
{
    size_t cuts[] = {error_at / 3, error_at, error_at + (error_at < count)};
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    ask_all(sweep, OP_BOUNDARY, ASSAY_POLICY_STRICT, input, count);
    ask_with_and_without_the_last(sweep,
                                  (struct question){.operation = OP_SPANS, .input = input, .input_count = count});
    for (enum assay_policy policy = ASSAY_POLICY_STRICT; policy <= ASSAY_POLICY_WHATWG; policy++) {
        ask_all(sweep, OP_COUNT, policy, input, count);
        for (size_t i = 0; i < REPLACING_COUNT; i++)
            ask_with_and_without_the_last(
                sweep,
                (struct question){.operation = replacing[i], .policy = policy, .input = input, .input_count = count});
        for (enum operation feed = OP_FEED_UTF32; feed <= OP_FEED_UTF16; feed++)
            sweep_compare(sweep, &(struct question){.operation = feed,
                                                    .policy = policy,
                                                    .input = input,
                                                    .input_count = count,
                                                    .capacity = CAPACITY_ANY,
                                                    .cuts = cuts,
                                                    .cut_count = sizeof cuts / sizeof cuts[0]});
    }
}

/* Asks encoders about 0x110000, which none can encode, or a lone lead surrogate, which some can, among many values that
 * all can. */
static void ask_encoders_about_figures(struct sweep *sweep, uint32_t filler, size_t error_at)
{
    static uint32_t code_points[FAR_MAX + AFTER_FAR];
    static uint16_t units[FAR_MAX + AFTER_FAR];
    size_t count = error_at + AFTER_FAR;
    for (size_t i = 0; i < count; i++) {
        code_points[i] = filler;
        units[i] = (uint16_t)(filler > 0xFFFF ? 0xFFFF : filler);
    }
    code_points[error_at] = 0x110000;
    units[error_at] = 0xD800;
    for (enum assay_policy policy = ASSAY_POLICY_STRICT; policy <= ASSAY_POLICY_WHATWG; policy++) {
        ask_with_and_without_the_last(
            sweep, (struct question){
                       .operation = OP_ENCODE_UTF32, .policy = policy, .input = code_points, .input_count = count});
        ask_with_and_without_the_last(
            sweep,
            (struct question){.operation = OP_ENCODE_UTF16, .policy = policy, .input = units, .input_count = count});
    }
}

/* For each filler, a long text with one error; then a long text of errors. */
static void sweep_long_texts(struct sweep *sweep)
{
    static uint8_t input[FAR_MAX + AFTER_FAR];
    uint8_t error[2];
    size_t unit = put_error(sweep, error);
    for (size_t i = 0; i < FAR_COUNT * FILLER_COUNT; i++) {
        size_t offset = far[i / FILLER_COUNT] / unit * unit, filler = i % FILLER_COUNT;
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, i);
        fill(sweep, input, offset, filler);
        memcpy(input + offset, error, unit);
        fill(sweep, input + offset + unit, AFTER_FAR - unit, filler);
        ask_about_figures(sweep, input, offset + AFTER_FAR, offset);
        ask_encoders_about_figures(sweep, fillers[filler], offset);
    }
    for (size_t i = 0; i < FAR_COUNT; i++) {
        if (!count_input(sweep))
            continue;
        memset(input, error[0], far[i]);
        ask_about_figures(sweep, input, far[i], 0);
    }
}

static void ask_about_errors(struct sweep *sweep, const uint8_t *input, size_t count)
{
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, input, count);
    ask_all(sweep, OP_COUNT, ASSAY_POLICY_WHATWG, input, count);
    ask_all(sweep, OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, input, count);
    ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG, input, count);
    ask_all(sweep, OP_TO_WELL_FORMED, ASSAY_POLICY_WHATWG, input, count);
}

/* For each filler, an error after some blocks, and much text after it: a codec that counts in kibibytes must end there.
 * The leads of four bytes are two bytes before the end of a block. */
static void sweep_early_errors(struct sweep *sweep)
{
    enum { BEFORE = 602 };
    static uint8_t input[FAR_MAX];
    uint8_t error[2];
    size_t unit = put_error(sweep, error);
    for (size_t filler = 0; filler < FILLER_COUNT; filler++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, filler);
        fill(sweep, input, BEFORE, filler);
        memcpy(input + BEFORE, error, unit);
        fill(sweep, input + BEFORE + unit, FAR_MAX - BEFORE - unit, filler);
        ask_about_errors(sweep, input, FAR_MAX);
    }
}

/* For each filler, an error at every 1021st place of a long text, which is validated. A codec may choose its way for
 * the next bytes by what it has met, and for the more bytes, the longer the text is. */
static void sweep_middles(struct sweep *sweep)
{
    enum { LENGTH = 2 * FAR_MAX, STEP = 1021 };
    static uint8_t input[LENGTH], kept[2];
    uint8_t error[2];
    size_t unit = put_error(sweep, error);
    for (size_t filler = 0; filler < FILLER_COUNT; filler++) {
        size_t count = fill(sweep, input, LENGTH, filler);
        for (size_t at = 0; at + unit <= count; at += STEP / unit * unit) {
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, at / unit);
            memcpy(kept, input + at, unit);
            memcpy(input + at, error, unit);
            ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
            memcpy(input + at, kept, unit);
        }
    }
}

/* Of codecs that look for bytes that are not ASCII in much text at once, and then check only where they are. */
enum { BLOCK = 64, HALF_STRIDE = 128, STRIDE = 256, STEP = 4 * STRIDE, BATCH = 8192 };

/* A codec may check all blocks of a text of this many bytes at once, and only of a longer one by loops. */
enum { FEW = 4 * STRIDE };

/* Each token at and near the end of a block, followed by more ASCII than a codec reads in one stride. */
static void sweep_strides(struct sweep *sweep)
{
    enum { AROUND = 3, BLOCKS = 4 };
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
            ask_about_errors(sweep, input, count);
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
    enum { BEFORE = 236, OTHERS = 8, CHARACTERS = 12 };
    static uint8_t input[BLOCK + STEP + BATCH + STRIDE + HALF_STRIDE + 2 * STRIDE];
    size_t count = fill(sweep, input, kind == AMID_OTHERS ? end - BEFORE : end - token->length, SPACES);
    if (kind == AMID_OTHERS) {
        count += fill(sweep, input + count, OTHERS, TWO_BYTES);
        count += fill(sweep, input + count, end - token->length - count, SPACES);
    }
    fill(sweep, input + BLOCK, CHARACTERS, kind == AFTER_FOURS ? FOUR_BYTES : TWO_BYTES);
    count += put_token(input + count, token);
    count += fill(sweep, input + count, after, SPACES);
    ask_about_errors(sweep, input, count);
}

/* Each token after more ASCII than a stride, near the end of a half-stride. */
static void sweep_batches(struct sweep *sweep)
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
                            BLOCK + STEP + STRIDE + half_strides * HALF_STRIDE - AROUND + around, 2 * STRIDE);
        }
}

/* Each token at the end of a batch of 8 KiB or after it; the text goes on for more than a stride, or for less. */
static void sweep_after_batches(struct sweep *sweep)
{
    static const struct {
        enum batch_kind kind;
        size_t end, after;
    } texts[] = {
        {TOKEN_ALONE, BLOCK + STEP + BATCH, 2 * STRIDE},
        {AMID_OTHERS, BLOCK + STEP + BATCH, 2 * STRIDE},
        {TOKEN_ALONE, BLOCK + STEP + BATCH + HALF_STRIDE, 2 * STRIDE},
        {TOKEN_ALONE, BLOCK + STEP + BATCH + STRIDE + 1, 2 * STRIDE},
        {TOKEN_ALONE, BLOCK + STEP + BATCH + STRIDE + HALF_STRIDE, BLOCK},
        {AFTER_FOURS, BLOCK + STEP + BATCH, 2 * STRIDE},
        {AFTER_FOURS, BLOCK + STEP + BATCH + HALF_STRIDE, 2 * STRIDE},
        {AFTER_FOURS, BLOCK + STEP + BATCH + STRIDE + 1, 2 * STRIDE},
        {AFTER_FOURS, BLOCK + STEP + BATCH + STRIDE + HALF_STRIDE, BLOCK},
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
static void sweep_within_batches(struct sweep *sweep)
{
    enum { CHARACTERS = 12, OTHERS = 8, QUARTERS = 4, HALVES = 4, SHIFTS = 4 };
    static uint8_t input[BLOCK + STEP + (4 + 2 * HALVES) * HALF_STRIDE];
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
            size_t count = fill(sweep, input, BLOCK, filler);
            bool has_fours = variant >= (QUARTERS + 1) * HALVES;
            count += fill(sweep, input + count, CHARACTERS, has_fours ? FOUR_BYTES : TWO_BYTES);
            count += fill(sweep, input + count, STEP - CHARACTERS, filler);
            count += fill(sweep, input + count, end - token->length, filler);
            count += put_token(input + count, token);
            if (quarter == QUARTERS) { /* ASCII, then others */
                count += fill(sweep, input + count, HALF_STRIDE, filler);
                count += fill(sweep, input + count, OTHERS, half < HALVES / 2 ? TWO_BYTES : filler);
            }
            count += fill(sweep, input + count, (1 + (number + quarter) % HALVES) * HALF_STRIDE, filler);
            ask_about_errors(sweep, input, count);
        }
}

/* One block of a stride, or of a half-stride of a batch, that a repeated token fills, so that each of its bytes is part
 * of an error or right after one; 0 to 3 units of continuation bytes complete the last token. Before a
 * half-stride is a step with 2-byte characters; every second time, a step has 4-byte characters. */
static void sweep_full_blocks(struct sweep *sweep)
{
    enum { BLOCKS = 4, CHARACTERS = 12, SHIFTS = 4, AFTER = FEW + HALF_STRIDE };
    static uint8_t input[BLOCK + STEP + 2 * STRIDE + LONGEST_TOKEN + SHIFTS * sizeof(uint16_t) + AFTER];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * SHIFTS * SHIFTS; number++)
        for (size_t variant = 0; variant < 4 * BLOCKS; variant++) {
            size_t fours = variant / BLOCKS % 2, batch = variant / BLOCKS / 2;
            size_t step = fours + batch != 0 ? STEP : 0,
                   begin = BLOCK + step + batch * STRIDE + variant % BLOCKS * BLOCK;
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, number + variant);
            size_t count = fill(sweep, input, begin - number % SHIFTS * set->unit, SPACES);
            if (step > 0)
                fill(sweep, input + BLOCK, CHARACTERS, fours != 0 ? FOUR_BYTES : TWO_BYTES);
            while (count < begin + BLOCK)
                count += put_token(input + count, &set->tokens[number / SHIFTS / SHIFTS]);
            size_t more = number / SHIFTS % SHIFTS * set->unit;
            memset(input + count, 0x80, more);
            count += more;
            count += fill(sweep, input + count, AFTER, SPACES);
            ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
        }
}

/* A token and one, two or four equal units after it, at each place of a block, in some blocks of a stride, or in all of
 * a step; all else is ASCII, but for characters at the begin of the first stride. The units are continuation bytes or
 * leads (of UTF-16: U+8282, U+8181, U+C2C2). A codec that looks up a byte by its place in a register may accept such an
 * error, or one in each block. */
static void sweep_runs(struct sweep *sweep)
{
    static const struct {
        size_t strides, first, blocks; /* strides before, and these blocks of the next; after ASCII it is in a batch */
        size_t count;                  /* of strides */
        bool has_fours;
    } places[] = {
        {0, 1, 1, 4, false}, {0, 0, 16, 4, false}, {0, 1, 1, 2, false}, {0, 0, 4, 2, false},
        {5, 0, 1, 7, false}, {5, 1, 1, 7, false},  {5, 0, 2, 7, false}, {0, 1, 1, 4, true},
        {0, 1, 1, 2, true},  {5, 0, 1, 7, true},   {5, 1, 1, 7, true},  {5, 0, 2, 7, true},
    };
    static const uint8_t bytes[] = {0x82, 0x81, 0xC2};
    enum { RUNS = 3, BYTES = sizeof bytes, PLACES = sizeof places / sizeof places[0], CHARACTERS = 12 };
    static uint8_t input[BLOCK + 7 * STRIDE];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * RUNS * BYTES * PLACES; number++) {
        const struct token *token = &set->tokens[number / PLACES / RUNS / BYTES];
        size_t place = number % PLACES, run = ((size_t)1 << number / PLACES % RUNS) * set->unit;
        for (size_t at = 0; at < BLOCK; at += set->unit) {
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, number + at);
            uint8_t *stride = input + BLOCK + places[place].strides * STRIDE;
            size_t count = fill(sweep, input, BLOCK + places[place].count * STRIDE, SPACES);
            if (places[place].has_fours || places[place].strides > 0)
                fill(sweep, input + BLOCK, CHARACTERS, places[place].has_fours ? FOUR_BYTES : TWO_BYTES);
            for (size_t i = 0; i < places[place].blocks; i++) {
                uint8_t *begin = stride + (places[place].first + i) * BLOCK + at;
                memset(begin + put_token(begin, token), bytes[number / PLACES / RUNS % BYTES], run);
            }
            ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
            if (place == 0)
                ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, input, count);
        }
    }
}

/* One error at each place of an ASCII text of each length up to three blocks, alone or after 1,024 bytes: no byte of a
 * tail is left out, and none between two blocks. */
static void sweep_tails(struct sweep *sweep)
{
    enum { BEFORE = FEW, TAIL = 3 * BLOCK };
    static uint8_t input[BEFORE + TAIL];
    uint8_t error[2];
    size_t unit = put_error(sweep, error);
    for (size_t number = unit; number <= 2 * TAIL; number += unit) {
        size_t before = number <= TAIL ? 0 : BEFORE, count = before + (number - 1) % TAIL + 1;
        for (size_t at = before; at < count; at += unit) {
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, at / unit);
            fill(sweep, input, count, SPACES);
            memcpy(input + at, error, unit);
            ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
        }
    }
}

/* Characters of each kind, of which the last ends 0 to 3 units before the end of a text of 1,024 bytes and 1 to 64
 * more; all is well-formed. A codec may look back, from the bytes of a tail, at others than those before them. */
static void sweep_well_formed_tails(struct sweep *sweep)
{
    enum { BEFORE = FEW, AFTER = 4 };
    static uint8_t input[BEFORE + BLOCK];
    size_t unit = tokens_for(sweep)->unit;
    for (size_t number = 0; number < AFTER * FILLER_COUNT; number++)
        for (size_t length = BEFORE + unit; length <= sizeof input; length += unit) {
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, length / unit);
            size_t after = number / FILLER_COUNT * unit;
            size_t count = fill(sweep, input, length - after, number % FILLER_COUNT);
            fill(sweep, input + count, after, SPACES);
            ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, length);
        }
}

/* Each token, which ends 0 to 3 units before the end of a text of 1,024 bytes and 1 to 64 more. */
static void sweep_ends(struct sweep *sweep)
{
    enum { BEFORE = FEW, AROUND = 4 };
    static uint8_t input[BEFORE + BLOCK];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * AROUND; number++)
        for (size_t count = BEFORE + set->unit; count <= sizeof input; count += set->unit) {
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, number / AROUND);
            fill(sweep, input, count, SPACES);
            const struct token *token = &set->tokens[number / AROUND];
            put_token(input + count - number % AROUND * set->unit - token->length, token);
            ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
        }
}

/* Each token that begins up to 3 units before the end of the first block, or after it, in a text of two blocks and 1 to
 * 3 units: a codec may check a last block that ends with the text, and leave out the second. */
static void sweep_two_blocks(struct sweep *sweep)
{
    enum { AROUND = 3, PLACES = 2 * AROUND + 1, MORE = 3 };
    uint8_t input[2 * BLOCK + MORE * sizeof(uint16_t)];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * PLACES * MORE; number++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number / MORE);
        size_t count = fill(sweep, input, 2 * BLOCK + (1 + number % MORE) * set->unit, SPACES);
        size_t begin = BLOCK + (number / MORE % PLACES) * set->unit - AROUND * set->unit;
        put_token(input + begin, &set->tokens[number / MORE / PLACES]);
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    }
}

/* Each token after 64 bytes that begin with a 4-byte character, or with one or two bytes of ASCII and then such a
 * character, in a text that begins three bytes before a cache line if it ends at a guard page: a codec may begin its
 * strides there, look back at that character, and begin again with it. */
static void sweep_lines(struct sweep *sweep)
{
    enum { LINE = 64, CHARACTER = 4, ASCII_MAX = 2, LENGTH = 34 * LINE + 3 };
    static uint8_t input[LENGTH];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * (ASCII_MAX + 1); number++) {
        const struct token *token = &set->tokens[number / (ASCII_MAX + 1)];
        size_t ascii = number % (ASCII_MAX + 1) / set->unit * set->unit;
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, AT_END);
        size_t count = fill(sweep, input, ascii, SPACES);
        count += fill(sweep, input + count, CHARACTER, FOUR_BYTES);
        count += fill(sweep, input + count, LINE - count, SPACES);
        count += put_token(input + count, token);
        count += fill(sweep, input + count, LENGTH - count, SPACES);
        ask_about_errors(sweep, input, count);
    }
}

/* Each token after 64 or 256 bytes of ASCII, in a text that begins 0 to 3 bytes before a cache line if it ends at a
 * guard page, and is long enough for a codec to begin its strides there, or at the next line; and a text without
 * bytes. */
static void sweep_line_starts(struct sweep *sweep)
{
    enum { LINE = 64, BEFORE_MAX = 3, LENGTH = 34 * LINE };
    static uint8_t input[LENGTH + BEFORE_MAX];
    const struct token_set *set = tokens_for(sweep);
    if (count_input(sweep))
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, 0);
    for (size_t number = 0; number < set->count * (BEFORE_MAX + 1) * 2; number++) {
        size_t before = number / 2 % (BEFORE_MAX + 1);
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, AT_END);
        size_t count = fill(sweep, input, number % 2 == 0 ? LINE : STRIDE, SPACES);
        count += put_token(input + count, &set->tokens[number / 2 / (BEFORE_MAX + 1)]);
        count += fill(sweep, input + count, LENGTH - count, SPACES);
        count += fill(sweep, input + count, before / set->unit * set->unit, SPACES);
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    }
}

/* One error at each place of ASCII that begins at a cache line, and is as long as those texts. */
static void sweep_lined_up(struct sweep *sweep)
{
    enum { LENGTH = 34 * BLOCK };
    static uint8_t input[LENGTH];
    uint8_t error[2];
    size_t unit = put_error(sweep, error);
    for (size_t at = 0; at < LENGTH; at += unit) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, AT_END);
        fill(sweep, input, LENGTH, SPACES);
        memcpy(input + at, error, unit);
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, LENGTH);
    }
}

/* A block of errors after 1,024 bytes of ASCII, in a text that ends 0 to 3 blocks after it: a codec may test a last
 * stride that begins before the block for ASCII, and be wrong if exactly one of its blocks has none. */
static void sweep_blocks_of_errors(struct sweep *sweep)
{
    enum { BEFORE = FEW, BLOCKS = 4 };
    uint8_t input[BEFORE + BLOCKS * BLOCK], error[2];
    put_error(sweep, error);
    for (size_t blocks = 1; blocks <= BLOCKS; blocks++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, blocks);
        fill(sweep, input, sizeof input, SPACES);
        memset(input + BEFORE, error[0], BLOCK);
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, BEFORE + blocks * BLOCK);
    }
}

/* 4-byte characters, then ASCII, in a text that ends 0 to 3 bytes after 64 blocks of 256 and one of 64, at a guard
 * page: after 64 blocks a codec may load the next three bytes, to choose how it checks the next blocks. */
static void sweep_limits(struct sweep *sweep)
{
    enum { FOURS = 12, AFTER_MAX = 3, LENGTH = BLOCK + 64 * STRIDE };
    static uint8_t input[LENGTH + AFTER_MAX];
    for (size_t after = 0; after <= AFTER_MAX; after += tokens_for(sweep)->unit) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, AT_END);
        size_t count = fill(sweep, input, BLOCK, SPACES);
        count += fill(sweep, input + count, FOURS, FOUR_BYTES);
        count += fill(sweep, input + count, LENGTH + after - count, SPACES);
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    }
}

/* Text that is too long for the second-level cache, or for the third, so that a codec may prefetch. It ends at a guard
 * page, after more ASCII than a batch; every second time, 4-byte characters are before that ASCII. A codec that takes
 * the address of what it prefetches for the end of the text reads after the text. One such text is all of 2-byte
 * characters: a codec that counts its steps wrongly passes over its end. In another, 4-byte characters are in the last
 * stride but one: of fewer strides than a step, a codec may check one by one. */
static void sweep_prefetched(struct sweep *sweep)
{
    enum { MEBIBYTE = 1 << 20, LONGEST = 8 * MEBIBYTE, ENDING = BATCH + 16 * STRIDE, FOURS = 12 };
    static uint8_t input[LONGEST + ENDING];
    if (count_input(sweep)) {
        alternate_placement(sweep, AT_END);
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, fill(sweep, input, MEBIBYTE + ENDING, TWO_BYTES));
    }
    if (count_input(sweep)) {
        alternate_placement(sweep, AT_END);
        size_t count = fill(sweep, input, BLOCK + MEBIBYTE + 2 * STRIDE, SPACES);
        fill(sweep, input, 2, TWO_BYTES);
        fill(sweep, input + BLOCK + MEBIBYTE, FOURS, FOUR_BYTES);
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    }
    for (size_t variant = 0; variant < 4; variant++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, AT_END);
        size_t before = variant / 2 == 0 ? MEBIBYTE : LONGEST;
        fill(sweep, input, before + ENDING, SPACES);
        if (variant % 2 == 1)
            fill(sweep, input + before, FOURS, FOUR_BYTES);
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, before + ENDING);
    }
}

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

/* ASCII of 8 MiB, a step with a 2-byte character, and an error in one of the next four blocks: a stray byte, a lead, or
 * as many as the block has bytes; or an error that ends before one, and a character that makes its stride not ASCII; or
 * put_everywhere(). A codec may have a loop for less than a step at the end of such texts. These are few, as all of
 * each is read. */
static void sweep_last_strides(struct sweep *sweep)
{
    enum { LONG = 8 << 20, BEFORE = LONG + STEP, LENGTH = BEFORE + 3 * STRIDE, BLOCKS = 4, CHARACTER = 2 };
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
        fill(sweep, input + LONG + CHARACTER, CHARACTER, TWO_BYTES);
        size_t run = number / BLOCKS;
        if (runs[run].begin == 0)
            fill(sweep, input + BEFORE + CHARACTER, CHARACTER, TWO_BYTES);
        uint8_t *begin = input + BEFORE + number % BLOCKS * BLOCK - 2 + runs[run].begin;
        memset(begin, runs[run].byte, runs[run].count);
        begin[runs[run].count] = runs[run].next;
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, LENGTH);
    }
    if (!count_input(sweep))
        return;
    fill(sweep, input, LENGTH, SPACES);
    fill(sweep, input + LONG + CHARACTER, CHARACTER, TWO_BYTES);
    put_everywhere(input + BEFORE + 2 * BLOCK);
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, LENGTH);
}

/* Each token at the edge of a chunk, with one or more of its units before the edge. 4,096 is a multiple of the usual
 * small chunks, and 65,536 of the large ones; one input in eight has 65,536. */
static void sweep_chunks(struct sweep *sweep)
{
    enum { CHUNK = 4096, LARGE_CHUNK = 65536, VARIANTS = 8 };
    static uint8_t input[LARGE_CHUNK + AFTER_FAR + TAIL_MAX];
    const struct token_set *set = tokens_for(sweep);
    size_t variant = 0;
    for (size_t number = 0; number < set->count; number++) {
        const struct token *token = &set->tokens[number];
        for (size_t before = set->unit; before <= token->length; before += set->unit, variant++) {
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, variant / VARIANTS);
            size_t edge = variant % VARIANTS == 0 ? LARGE_CHUNK : CHUNK;
            size_t count = fill(sweep, input, edge - before, SPACES);
            count += put_token(input + count, token);
            count += fill(sweep, input + count, AFTER_FAR, SPACES);
            ask_about_errors(sweep, input, count);
        }
    }
}

/* Each token, after an error, in each of 64 stretches of 61 bytes (62 of UTF-16). A codec that decodes damaged text by
 * windows of 60 bytes meets it at each place of a window, and may decide for many windows at once whether they have
 * 4-byte characters: every third stretch begins with such, or every twentieth from the tenth on.
 */
static void sweep_damaged(struct sweep *sweep)
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
        ask_about_errors(sweep, input, stretch * STRETCHES);
    }
}

/* Each token, which ends 0 to 3 units before the end of a block; ASCII up to that end, and 0, 1, 64 or 128 units of it
 * beyond; then more than a block of continuation bytes; under each policy. Every second text begins with an error.
 * A codec may carry from block to block how many bytes a replacement still absorbs. */
static void sweep_absorbed(struct sweep *sweep)
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
static void sweep_amid_singles(struct sweep *sweep)
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
        ask_about_errors(sweep, input, sizeof input);
    }
}

/* An error, blocks of ASCII, then characters of one kind, in which is a token at each place of a block; under each of
 * the policies in turn. A codec may use one loop after an error, and another after clean text. */
static void sweep_after_clean(struct sweep *sweep)
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

/* Each token that ends 0 to 3 units before the end of a block without errors, after a block that begins with an error,
 * and before a block with an error near its end; under each policy. A codec may decode such a block in one way, and the
 * one after it in another, which begins where the first one has half of a character, or just not. */
static void sweep_after_damage(struct sweep *sweep)
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
static void sweep_parted(struct sweep *sweep)
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

/* ---- questions for the verdict, in place ------------------------------------------------------------------------- */

bool far_ask(struct sweep *sweep, const struct assay_codec *codec, const struct far_text *text)
{
    const struct question question = {.operation = OP_VALIDATE,
                                      .input = text->bytes,
                                      .input_count = text->count,
                                      .shift = {(uintptr_t)text->bytes % SHIFT_MAX, 0}};
    asking_directly(codec, question);
    bool is_wrong = has_wrong_verdict(codec, text->bytes, text->count, text->is_well_formed, &text->error);
    asking_ends();
    sweep->comparer.asked++;
    cli_note_answered(codec);
    if (is_wrong)
        ask_again(sweep, codec, question);
    return !is_wrong;
}

static void ask_step(struct sweep *sweep, const struct assay_codec *codec, const void *text)
{
    far_ask(sweep, codec, text);
}

void far_ask_all(struct sweep *sweep, const struct far_text *text)
{
    for (size_t i = 1; i < sweep->comparer.panel_size; i++)
        if (comparer_asks(&sweep->comparer, sweep->comparer.panel[i], OP_VALIDATE))
            sweep_survive_codec(sweep, sweep->comparer.panel[i], ask_step, text);
        else
            sweep->comparer.skipped++;
}

/* ---- loops that few texts reach --------------------------------------------------------------------------------- */

/* A codec may have a loop for text with 4-byte characters, and one for other text; each for texts of less than 2 KiB,
 * for longer ones, and for those that no cache holds; and each of these for steps, for strides, and for half-strides of
 * a batch. Here is each of them; half-strides come after a step and three of ASCII. The last one is strides after a
 * batch that is ASCII. */
enum { MANY_STEPS = 9 << 20, LIMIT = BLOCK + 64 * STRIDE };
static const struct loop {
    size_t length, begin; /* of the text; where the loop begins */
    size_t blocks, turns; /* blocks that have instructions of their own; how often these are executed */
    size_t steps;         /* right before it that have characters */
} loops[] = {
    {BLOCK + STEP + 2 * STRIDE, BLOCK, 4, 4, 0},
    {BLOCK + 3 * STRIDE, BLOCK, 4, 1, 0},
    {BLOCK + STEP + 2 * STRIDE, BLOCK + STEP + STRIDE + HALF_STRIDE, 2, 1, 0},
    {BLOCK + 2 * STEP, BLOCK, 4, 4, 0},
    {2 * STEP, BLOCK + STEP, 4, 1, 0},
    {BLOCK + STEP + 4 * STRIDE, BLOCK + STEP + STRIDE + HALF_STRIDE, 2, 1, 0},
    {MANY_STEPS, BLOCK, 4, 4, 0},
    {MANY_STEPS, BLOCK + STEP, 4, 4, 1},
    {MANY_STEPS, LIMIT - 3 * STRIDE, 4, 1, 6}, /* strides where 4-byte characters are expected up to LIMIT */
    {MANY_STEPS, BLOCK + STEP + STRIDE + HALF_STRIDE, 2, 1, 0},
    {BLOCK + STEP + BATCH + 2 * STRIDE, BLOCK + STEP + BATCH, 4, 1, 0},
};
enum { LOOP_COUNT = sizeof loops / sizeof loops[0] };

/* Where a text of a loop has an error, so that a codec need not look farther. */
static size_t end_of_loop(const struct loop *loop)
{
    return loop->begin + 2 * STEP;
}

/* Sets **context: whether the codec reads all of a text of MANY_STEPS that begins with an error, before any loop. Its
 * last page is not in memory before it is read. */
static void ask_whether_reads_on(struct sweep *sweep, const struct assay_codec *codec, const void *context)
{
    bool *const *reads_on = context;
    if (!comparer_asks(&sweep->comparer, codec, OP_VALIDATE))
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *text = mmap(NULL, MANY_STEPS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED)
        cli_fail("no memory");
    put_error(sweep, text);
    ask_well_formed(codec, text, MANY_STEPS, NULL);
    unsigned char is_in_memory = 0;
    **reads_on = mincore(text + MANY_STEPS - page, page, (void *)&is_in_memory) != 0 || (is_in_memory & 1) != 0;
    munmap(text, MANY_STEPS);
}

/* The reference is asked about no more than the error after the loop. */
static void ask_about_loop(struct sweep *sweep, const uint8_t *bytes, const struct loop *loop, const bool *reads_on)
{
    size_t enough = end_of_loop(loop) + BLOCK;
    struct far_text text = {.bytes = bytes, .count = loop->length};
    text.is_well_formed =
        ask_well_formed(sweep->comparer.panel[0], bytes, enough < loop->length ? enough : loop->length, &text.error);
    for (size_t i = 1; i < sweep->comparer.panel_size; i++)
        if (!comparer_asks(&sweep->comparer, sweep->comparer.panel[i], OP_VALIDATE) ||
            (loop->length == MANY_STEPS && reads_on[i]))
            sweep->comparer.skipped++;
        else
            sweep_survive_codec(sweep, sweep->comparer.panel[i], ask_step, &text);
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

/* Blocks for loops that look up another register than the right one: put_everywhere(); 16 leads in a row, each before a
 * place that is said to continue it; or, in each 16 bytes, leads of four and of two bytes before four such places. */
enum { PATTERN_COUNT = 3 };

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
}

/* Each token, and a continuation byte that no token has, in each block of a loop. 2-byte or 4-byte characters are in
 * its first block, and in the first step. `input` is ASCII, and is so again later. */
static void sweep_loop(struct sweep *sweep, uint8_t *input, const struct loop *loop, size_t filler,
                       const bool *reads_on)
{
    enum { VARIANTS = 24, CHARACTERS = 12, UNIT_MAX = 2, AROUND = BLOCK };
    static uint8_t kept[AROUND + STEP + AROUND];
    const struct token_set *set = tokens_for(sweep);
    const struct token stray = {.length = (uint8_t)set->unit, .bytes = {0xA0, 0xA0}};
    uint8_t *begin = input + loop->begin;
    fill(sweep, input + BLOCK + UNIT_MAX, CHARACTERS, filler);
    for (size_t i = 0; i <= loop->steps; i++)
        fill(sweep, begin - i * STEP + UNIT_MAX, CHARACTERS, filler);
    put_error(sweep, input + end_of_loop(loop));
    memcpy(kept, begin - AROUND, sizeof kept);
    for (size_t i = 0; i < (set->count + 1) * loop->blocks * VARIANTS; i++) {
        size_t number = i / VARIANTS / loop->blocks;
        if (!count_input(sweep))
            continue;
        put_in_loop(set, number < set->count ? &set->tokens[number] : &stray, number, loop,
                    begin + i / VARIANTS % loop->blocks * BLOCK, i % VARIANTS);
        ask_about_loop(sweep, input, loop, reads_on);
        memcpy(begin - AROUND, kept, sizeof kept);
    }
    for (size_t pattern = 0; pattern < PATTERN_COUNT; pattern++) {
        if (!count_input(sweep))
            continue;
        put_pattern(begin, loop, pattern, sweep);
        ask_about_loop(sweep, input, loop, reads_on);
        memcpy(begin - AROUND, kept, sizeof kept);
    }
    fill(sweep, input, end_of_loop(loop) + BLOCK, SPACES);
}

/* A codec that reads all of a text when it has found an error takes too long, and is not asked about the longest. */
static void sweep_loops(struct sweep *sweep)
{
    static _Alignas(BLOCK) uint8_t input[MANY_STEPS];
    comparer_begin(&sweep->comparer);
    bool *reads_on = cli_alloc(sweep->comparer.panel_size, sizeof *reads_on);
    for (size_t i = 1; i < sweep->comparer.panel_size; i++)
        sweep_survive_codec(sweep, sweep->comparer.panel[i], ask_whether_reads_on, &(bool *){&reads_on[i]});
    fill(sweep, input, MANY_STEPS, SPACES);
    for (size_t number = 0; number < LOOP_COUNT; number++) {
        sweep_loop(sweep, input, &loops[number], TWO_BYTES, reads_on);
        sweep_loop(sweep, input, &loops[number], FOUR_BYTES, reads_on);
    }
    free(reads_on);
}

/* ---- long streams --------------------------------------------------------------------------------------------- */

static struct assay_result feed_one(const struct assay_codec *codec, enum operation operation,
                                    struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last)
{
    enum { PAGE_MAX = 1 << 16 };
    static uint32_t out[ASSAY_DECODED_MAX(PAGE_MAX)];
    asking_directly(codec, (struct question){.operation = operation,
                                             .input = bytes,
                                             .input_count = byte_count,
                                             .capacity = sizeof out / sizeof out[0]});
    struct assay_result result = codec_call(codec, operation,
                                            &(struct arguments){.stream = stream,
                                                                .input = bytes,
                                                                .input_count = byte_count,
                                                                .last = last,
                                                                .output = out,
                                                                .capacity = sizeof out / sizeof out[0]});
    asking_ends();
    return result;
}

/* The places in a stream where an error is tried, and the operation that is used. */
struct long_stream {
    enum operation operation;
    const uint64_t *places;
    size_t place_count;
};

/* Feeds a page of ASCII repeatedly. At each of these places, feeds an error to a copy of the stream: its offset must be
 * the number of bytes before it, modulo SIZE_MAX + 1. */
static void sweep_stream(struct sweep *sweep, const struct assay_codec *codec, const void *context)
{
    enum { PAGE = 4096 };
    const struct long_stream *which = context;
    static uint8_t page[PAGE];
    uint8_t error[2];
    uint64_t passed = 0;
    struct assay_stream stream, copy;
    size_t unit = put_error(sweep, error), length = unit;
    if (!comparer_asks(&sweep->comparer, codec, which->operation) ||
        !codec_offers(codec, which->operation, ASSAY_POLICY_STRICT)) {
        sweep->comparer.skipped++;
        return;
    }
    cli_note_answered(codec);
    if (codec->validate != NULL &&
        ask_well_formed(codec, error, unit, NULL)) /* in WTF-16, only half a unit at the end is an error */
        length = 1;
    fill(sweep, page, PAGE, SPACES);
    assay_stream_start(&stream, ASSAY_POLICY_STRICT);
    for (size_t i = 0; i < which->place_count; i++) {
        for (uint64_t end = which->places[i] / unit * unit; passed < end;) {
            size_t count = end - passed < PAGE ? (size_t)(end - passed) : PAGE;
            struct assay_result result = feed_one(codec, which->operation, &stream, page, count, false);
            if (result.status != ASSAY_OK || result.read != count || result.written != count / unit)
                return note_failure(
                    sweep, codec, "does not take one more page of ASCII in a stream, after as many bytes:", 4, passed);
            passed += count;
        }
        copy = stream;
        struct assay_result result = feed_one(codec, which->operation, &copy, error, length, true);
        sweep->comparer.asked++;
        if (result.status != ASSAY_ILL_FORMED ||
            (result.error.offset != (size_t)passed && result.error.offset != ASSAY_UNKNOWN))
            note_failure(sweep, codec, "gives another offset to an error in a stream after as many bytes:", 4, passed);
        show_progress(sweep, i, which->place_count);
    }
}

static void sweep_streams_to(struct sweep *sweep, const uint64_t *places, size_t place_count)
{
    comparer_begin(&sweep->comparer);
    for (size_t i = 0; i < sweep->comparer.panel_size && !has_ended(sweep->comparer.diverged); i++)
        for (enum operation operation = OP_FEED_UTF32; operation <= OP_FEED_UTF16; operation++) {
            const struct assay_codec *codec = sweep->comparer.panel[i];
            sweep->inputs++;
            sweep_survive_codec(sweep, codec, sweep_stream, &(struct long_stream){operation, places, place_count});
        }
}

void sweep_streams(struct sweep *sweep)
{
    static const uint64_t places[] = {UINT32_MAX, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1,
                                      (UINT64_C(1) << 32) + FAR_MAX};
    sweep_streams_to(sweep, places, sizeof places / sizeof places[0]);
}

/* Texts of up to 20 KiB in which half strides, drawn at random, are not ASCII, and the first, the last or any of these
 * has an error. A codec may keep a bit for each half stride of a batch, and lose one if there is a certain number. In
 * every second text they come after a step with 2-byte characters and a stride of ASCII, where a batch begins. */
static void sweep_scattered(struct sweep *sweep)
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
        size_t begin = number % 2 * (BLOCK + STEP + STRIDE), parts = 1 + number / 2 % PARTS;
        size_t more = dice_roll(&dice, (sizeof input - begin - HALF_STRIDE) / unit + 1) * unit;
        size_t count = fill(sweep, input, begin + HALF_STRIDE + more, SPACES), others[HALVES], other_count = 0;
        if (begin > 0)
            fill(sweep, input + BLOCK, OTHERS, TWO_BYTES);
        for (size_t half = begin; count - half >= HALF_STRIDE; half += HALF_STRIDE)
            if (other_count == 0 || dice_roll(&dice, PARTS) < parts) {
                fill(sweep, input + half + dice_roll(&dice, PLACES / unit) * unit, OTHERS, TWO_BYTES);
                others[other_count++] = half;
            }
        const size_t which[ERRORS] = {0, other_count - 1, dice_roll(&dice, other_count)};
        memcpy(input + others[which[number / 2 / PARTS % ERRORS]] + PLACE_OF_ERROR, error, unit);
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    }
}

void sweep_far(struct sweep *sweep)
{
    uint64_t places[FAR_COUNT];
    for (size_t i = 0; i < FAR_COUNT; i++)
        places[i] = far[i];
    sweep_streams_to(sweep, places, FAR_COUNT);
    sweep_strides(sweep);
    sweep_batches(sweep);
    sweep_after_batches(sweep);
    sweep_within_batches(sweep);
    sweep_scattered(sweep);
    sweep_full_blocks(sweep);
    sweep_runs(sweep);
    sweep_tails(sweep);
    sweep_well_formed_tails(sweep);
    sweep_ends(sweep);
    sweep_two_blocks(sweep);
    sweep_lines(sweep);
    sweep_line_starts(sweep);
    sweep_lined_up(sweep);
    sweep_blocks_of_errors(sweep);
    sweep_limits(sweep);
    sweep_prefetched(sweep);
    sweep_last_strides(sweep);
    sweep_chunks(sweep);
    sweep_damaged(sweep);
    sweep_absorbed(sweep);
    sweep_amid_singles(sweep);
    sweep_after_clean(sweep);
    sweep_after_damage(sweep);
    sweep_parted(sweep);
    sweep_long_texts(sweep);
    sweep_early_errors(sweep);
    sweep_middles(sweep);
    sweep_loops(sweep);
    sweep_very_long(sweep);
    sweep_addresses(sweep);
}
