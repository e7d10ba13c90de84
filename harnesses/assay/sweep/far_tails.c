/* SPDX-License-Identifier: MIT
 *
 * Errors and characters near the end of a text, or near the cache line where a codec may begin its loads.
 */
#include "far.h"

#include "../../core/arena.h"

#include <string.h>

/* One error at each place of an ASCII text of each length up to three blocks, alone or after LONG_LENGTH bytes: no
 * byte of a tail is left out, and none between two blocks. */
void far_tails(struct sweep *sweep)
{
    enum { BEFORE = LONG_LENGTH, TAIL = 3 * BLOCK };
    static uint8_t input[BEFORE + TAIL];
    uint8_t error[2];
    size_t unit = far_put_stray(sweep, error);
    for (size_t number = unit; number <= 2 * TAIL; number += unit) {
        size_t before = number <= TAIL ? 0 : BEFORE, count = before + (number - 1) % TAIL + 1;
        for (size_t at = before; at < count; at += unit) {
            if (!count_input(sweep))
                continue;
            alternate_placement(sweep, at / unit);
            fill(sweep, input, count, SPACES);
            memcpy(input + at, error, unit);
            far_ask_verdict(sweep, input, count);
        }
    }
}

/* One error at each place of an ASCII text of each length up to FEW_LENGTH and two blocks; and, of each length up to
 * LONG_LENGTH and a stride, at each place of the last two blocks and of the 4 bytes before them. A codec that counts
 * its blocks wrongly leaves out a byte of texts of some lengths. Each text begins at another address modulo 64 than
 * the one before. The ASCII is spaces or, of every second length, NUL, of which a wrong lookup makes other bits. */
void far_places(struct sweep *sweep)
{
    enum { EACH_MAX = FEW_LENGTH + 2 * BLOCK, LAST = 2 * BLOCK + 4, LENGTH_MAX = LONG_LENGTH + STRIDE };
    static _Alignas(BLOCK) uint8_t lines[BLOCK + LENGTH_MAX];
    uint8_t error[2], kept[2], nul[ASSAY_ENCODED_MAX(1)];
    size_t unit = far_put_stray(sweep, error), number = 0, fillers_of_ascii = put_filler(sweep, 0, nul) == unit ? 2 : 1;
    struct far_text text = {0};
    if (ask_well_formed(sweep->comparer.panel[0], error, unit, &text.error))
        return;
    for (text.count = unit; text.count <= LENGTH_MAX; text.count += unit) {
        fill(sweep, lines, sizeof lines, text.count / unit % fillers_of_ascii == 0 ? SPACES : 0);
        memcpy(kept, lines, unit);
        for (size_t at = text.count <= EACH_MAX ? 0 : text.count - LAST; at < text.count; at += unit) {
            if (!count_input(sweep))
                continue;
            text.bytes = lines + number++ * unit % BLOCK;
            text.error.offset = at;
            memcpy(text.bytes + at, error, unit);
            far_ask_all(sweep, &text);
            memcpy(text.bytes + at, kept, unit);
        }
    }
}

/* Characters of each kind, of which the last ends 0 to 3 units before the end of a text of LONG_LENGTH bytes and 1 to
 * 64 more; all is well-formed. A codec may look back, from the bytes of a tail, at others than those before them. */
void far_well_formed_tails(struct sweep *sweep)
{
    enum { BEFORE = LONG_LENGTH, AFTER = 4 };
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
            far_ask_verdict(sweep, input, length);
        }
}

/* Each token, which ends 0 to 3 units before the end of a text of LONG_LENGTH bytes and 1 to 64 more. */
void far_ends(struct sweep *sweep)
{
    enum { BEFORE = LONG_LENGTH, AROUND = 4 };
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
            far_ask_verdict(sweep, input, count);
        }
}

/* Each token at the end of an ASCII text of each length up to LONG_LENGTH and a stride: a text may end with any kind of
 * character, complete or not, wherever a codec stops its loops. The reference is asked about the last block. */
void far_each_end(struct sweep *sweep)
{
    enum { LENGTH_MAX = LONG_LENGTH + STRIDE };
    static uint8_t input[LENGTH_MAX];
    const struct token_set *set = tokens_for(sweep);
    fill(sweep, input, LENGTH_MAX, SPACES);
    for (size_t end = set->unit; end <= LENGTH_MAX; end += set->unit)
        for (size_t number = 0; number < set->count; number++) {
            const struct token *token = &set->tokens[number];
            if (token->length > end || !count_input(sweep))
                continue;
            uint8_t *begin = input + end - token->length, kept[LONGEST_TOKEN];
            size_t before = end < BLOCK ? 0 : end - BLOCK;
            struct far_text text = {.bytes = input, .count = end};
            memcpy(kept, begin, token->length);
            put_token(begin, token);
            text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], input + before, end - before, &text.error);
            text.error.offset += before;
            far_ask_all(sweep, &text);
            memcpy(begin, kept, token->length);
        }
}

/* Each token that begins up to 3 units before the end of the first block, or after it, in a text of two blocks and 1 to
 * 3 units: a codec may check a last block that ends with the text, and leave out the second. */
void far_two_blocks(struct sweep *sweep)
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
        far_ask_verdict(sweep, input, count);
    }
}

/* Each token after 64 bytes that begin with a 4-byte character, or with one or two bytes of ASCII and then such a
 * character, in a text that begins three bytes before a cache line if it ends at a guard page: a codec may begin its
 * strides there, look back at that character, and begin again with it. */
void far_lines(struct sweep *sweep)
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
        far_ask_about_errors(sweep, input, count);
    }
}

/* Each token after 64 or 256 bytes of ASCII, in a text that begins 0 to 3 bytes before a cache line if it ends at a
 * guard page, and is long enough for a codec to begin its strides there, or at the next line; and a text without
 * bytes. */
void far_line_starts(struct sweep *sweep)
{
    enum { LINE = 64, BEFORE_MAX = 3, LENGTH = 34 * LINE };
    static uint8_t input[LENGTH + BEFORE_MAX];
    const struct token_set *set = tokens_for(sweep);
    if (count_input(sweep))
        far_ask_verdict(sweep, input, 0);
    for (size_t number = 0; number < set->count * (BEFORE_MAX + 1) * 2; number++) {
        size_t before = number / 2 % (BEFORE_MAX + 1);
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, AT_END);
        size_t count = fill(sweep, input, number % 2 == 0 ? LINE : STRIDE, SPACES);
        count += put_token(input + count, &set->tokens[number / 2 / (BEFORE_MAX + 1)]);
        count += fill(sweep, input + count, LENGTH - count, SPACES);
        count += fill(sweep, input + count, before / set->unit * set->unit, SPACES);
        far_ask_verdict(sweep, input, count);
    }
}

/* One error at each place of ASCII that begins at a cache line, and is as long as those texts. */
void far_lined_up(struct sweep *sweep)
{
    enum { LENGTH = 34 * BLOCK };
    static uint8_t input[LENGTH];
    uint8_t error[2];
    size_t unit = far_put_stray(sweep, error);
    for (size_t at = 0; at < LENGTH; at += unit) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, AT_END);
        fill(sweep, input, LENGTH, SPACES);
        memcpy(input + at, error, unit);
        far_ask_verdict(sweep, input, LENGTH);
    }
}

/* A block of errors after LONG_LENGTH bytes of ASCII, in a text that ends 0 to 3 blocks after it: a codec may test a
 * last stride that begins before the block for ASCII, and be wrong if exactly one of its blocks has none. */
void far_blocks_of_errors(struct sweep *sweep)
{
    enum { BEFORE = LONG_LENGTH, BLOCKS = 4 };
    uint8_t input[BEFORE + BLOCKS * BLOCK], error[2];
    put_error(sweep, error);
    for (size_t blocks = 1; blocks <= BLOCKS; blocks++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, blocks);
        fill(sweep, input, sizeof input, SPACES);
        memset(input + BEFORE, error[0], BLOCK);
        far_ask_verdict(sweep, input, BEFORE + blocks * BLOCK);
    }
}

/* Each token that begins 1 to 4 units before the end of the first block, in a text that is long enough for loops, which
 * begin after that block: what is before them decides which loop is right. */
void far_before_loops(struct sweep *sweep)
{
    enum { BEFORE = 4, LENGTH = LONG_LENGTH + BLOCK };
    static uint8_t input[LENGTH];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count * BEFORE; number++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number);
        fill(sweep, input, LENGTH, SPACES);
        put_token(input + BLOCK - (1 + number % BEFORE) * set->unit, &set->tokens[number / BEFORE]);
        far_ask_verdict(sweep, input, LENGTH);
    }
}

/* 4-byte characters, then ASCII or 2-byte characters, in a text that ends 0 to 259 bytes after 64 strides and what is
 * before them, at a guard page: after 64 strides a codec may load the next bytes, to choose how it checks the next
 * ones. These begin after a block of 64, or after the first stride. */
void far_limits(struct sweep *sweep)
{
    enum { FOURS = 12, AFTER_MAX = STRIDE + 3 };
    static const struct {
        size_t begin, fours, filler; /* where the blocks begin, and where the 4-byte characters are */
    } kinds[] = {{BLOCK, BLOCK, SPACES}, {BLOCK, BLOCK, TWO_BYTES}, {FIRST_STEP, FIRST_STEP + 2 * STRIDE, TWO_BYTES}};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    static uint8_t input[FIRST_STEP + FOURS_LENGTH + AFTER_MAX];
    size_t unit = tokens_for(sweep)->unit;
    for (size_t number = 0; number < (AFTER_MAX / unit + 1) * KINDS; number++) {
        size_t kind = number % KINDS, count = kinds[kind].begin + FOURS_LENGTH + number / KINDS * unit;
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, AT_END);
        size_t end = fill(sweep, input, kinds[kind].fours, kinds[kind].filler);
        end += fill(sweep, input + end, FOURS, FOUR_BYTES);
        fill(sweep, input + end, count - end, kinds[kind].filler);
        far_ask_verdict(sweep, input, count);
    }
}

/* 4-byte characters, and each token amid the ASCII that begins more than 64 strides later: a codec may check for
 * such characters up to there, and then in another way. */
void far_after_limit(struct sweep *sweep)
{
    enum { FOURS = 12, BEFORE = BLOCK + FOURS_LENGTH + STRIDE, AFTER = 2 * STRIDE };
    static uint8_t input[BEFORE + HALF_STRIDE + AFTER];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count; number++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, number);
        fill(sweep, input, sizeof input, SPACES);
        fill(sweep, input + BLOCK, FOURS, FOUR_BYTES);
        put_token(input + BEFORE + number % HALF_STRIDE / set->unit * set->unit, &set->tokens[number]);
        far_ask_verdict(sweep, input, sizeof input);
    }
}

/* Text that is too long for the second-level cache, or for the third, so that a codec may prefetch. It ends at a guard
 * page, after more ASCII than a batch; every second time, 4-byte characters are before that ASCII. A codec that takes
 * the address of what it prefetches for the end of the text reads after the text. One such text is all of 2-byte
 * characters: a codec that counts its steps wrongly passes over its end. In another, 4-byte characters are in the last
 * stride but one: of fewer strides than a step, a codec may check one by one. */
void far_prefetched(struct sweep *sweep)
{
    enum { ENDING = BATCH + 16 * STRIDE, FOURS = 12 };
    static uint8_t input[FAR_LENGTH + ENDING];
    if (count_input(sweep)) {
        alternate_placement(sweep, AT_END);
        far_ask_verdict(sweep, input, fill(sweep, input, PREFETCHED_LENGTH + ENDING, TWO_BYTES));
    }
    if (count_input(sweep)) {
        alternate_placement(sweep, AT_END);
        size_t count = fill(sweep, input, BLOCK + PREFETCHED_LENGTH + 2 * STRIDE, SPACES);
        fill(sweep, input, 2, TWO_BYTES);
        fill(sweep, input + BLOCK + PREFETCHED_LENGTH, FOURS, FOUR_BYTES);
        far_ask_verdict(sweep, input, count);
    }
    for (size_t variant = 0; variant < 4; variant++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, AT_END);
        size_t before = variant / 2 == 0 ? PREFETCHED_LENGTH : FAR_LENGTH;
        fill(sweep, input, before + ENDING, SPACES);
        if (variant % 2 == 1)
            fill(sweep, input + before, FOURS, FOUR_BYTES);
        far_ask_verdict(sweep, input, before + ENDING);
    }
}

/* ASCII that is as long, begins at a cache line, and is one unit shorter than whole strides; one more unit of ASCII is
 * between it and a guard page. A codec that takes a stride too many finds ASCII only, and then reads that page. The
 * characters change, so that the text has no short form: `diff`, which would get that to repeat the question, places
 * texts at other addresses. */
void far_before_ascii(struct sweep *sweep)
{
    struct arena arena = {0};
    size_t unit = tokens_for(sweep)->unit;
    for (size_t count = PREFETCHED_LENGTH; count <= FAR_LENGTH; count += FAR_LENGTH - PREFETCHED_LENGTH) {
        if (!count_input(sweep))
            continue;
        uint8_t *input = arena_at_end(&arena, count + STRIDE);
        fill(sweep, input, count + STRIDE, SPACES);
        for (size_t i = 0; i < count + STRIDE; i++)
            input[i] = (uint8_t)(input[i] == 0 ? 0 : input[i] + i % 64);
        far_ask_all(sweep, &(struct far_text){.bytes = input, .count = count + STRIDE - unit, .is_well_formed = true});
    }
    arena_release(&arena);
}

/* A text as in far_limits(), but that up to three bytes, which would begin a character, are between it and a guard
 * page. A codec that is a byte wrong about the place up to which it looks for 4-byte characters may check that
 * byte, or load what is after it. */
void far_limits_beside_page(struct sweep *sweep)
{
    enum { FOURS = 12, AROUND = 4, BESIDE = 4, LEAD = 0xF4 };
    struct arena arena = {0};
    size_t unit = tokens_for(sweep)->unit;
    for (size_t number = 0; number < (size_t)(2 * AROUND + 1) * BESIDE; number++) {
        if (!count_input(sweep))
            continue;
        size_t gap = number % BESIDE, count = BLOCK + FOURS_LENGTH + number / BESIDE * unit - AROUND * unit;
        struct far_text text = {.bytes = arena_at_end(&arena, count + gap), .count = count};
        fill(sweep, text.bytes, count, SPACES);
        fill(sweep, text.bytes, 4, TWO_BYTES);
        fill(sweep, text.bytes + BLOCK, FOURS, FOUR_BYTES);
        memset(text.bytes + count, LEAD, gap);
        text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], text.bytes, count, &text.error);
        far_ask_all(sweep, &text);
    }
    arena_release(&arena);
}

/* Text of 4-byte or 2-byte characters, of 64 KiB and up to eight strides more, that ends at a guard page. A codec that
 * leaves a step early may load blocks after the last step, which are not there. */
void far_steps_to_end(struct sweep *sweep)
{
    enum { LEAST = 1 << 16, LENGTHS = EIGHT_STRIDES / BLOCK, KINDS = 2 };
    static uint8_t input[LEAST + EIGHT_STRIDES];
    for (size_t number = 0; number < LENGTHS * KINDS; number++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, AT_END);
        size_t filler = number % KINDS == 0 ? FOUR_BYTES : TWO_BYTES;
        far_ask_verdict(sweep, input, fill(sweep, input, LEAST + number / KINDS * BLOCK, filler));
    }
}

/* 2-byte characters, or 4-byte characters up to where a codec no longer expects them, then up to a stride of one
 * filler, which goes on after the end of the text: as far as a block, or for one unit, up to a guard page. A codec that
 * is a byte wrong about how much is left may take what follows for a part of the text, and go on beyond it. */
void far_goes_on(struct sweep *sweep)
{
    static const struct {
        size_t filler, count; /* of what is before the last stride */
    } begins[] = {{TWO_BYTES, BLOCK + EIGHT_STRIDES}, {FOUR_BYTES, BLOCK + FOURS_LENGTH}};
    enum { BEGINS = sizeof begins / sizeof begins[0], PLACEMENTS = 2 };
    uint8_t character[ASSAY_ENCODED_MAX(1)];
    struct arena arena = {0};
    size_t unit = tokens_for(sweep)->unit;
    for (size_t number = 0; number < BEGINS * (FILLER_COUNT - SPACES) * PLACEMENTS * STRIDE / unit; number++) {
        if (!count_input(sweep))
            continue;
        size_t filler = number % (FILLER_COUNT - SPACES) + SPACES, rest = number / (FILLER_COUNT - SPACES);
        size_t before = begins[rest % BEGINS].count, left = (rest / BEGINS / PLACEMENTS + 1) * unit;
        bool at_end = rest / BEGINS % PLACEMENTS != 0;
        size_t after = at_end ? unit : BLOCK, length = put_filler(sweep, filler, character);
        uint8_t *bytes = arena_at(&arena, before + left + after, at_end ? AT_END : AT_BEGIN);
        fill(sweep, bytes, before, begins[rest % BEGINS].filler);
        for (size_t i = 0; i < left + after; i++)
            bytes[before + i] = character[i % length];
        struct far_text text = {.bytes = bytes, .count = before + left};
        text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], bytes, text.count, &text.error);
        far_ask_all(sweep, &text);
    }
    arena_release(&arena);
}

/* Spaces or NULs of 64 KiB and up to a stride more, of which the last byte, or one in the middle of what is left after
 * whole strides, is an error. A codec may look there for bytes that are not ASCII by instructions of its own. */
void far_ends_of_ascii(struct sweep *sweep)
{
    enum { LEAST = PROSE_END + BLOCK };
    static uint8_t input[LEAST + STRIDE];
    uint8_t stray[2], kept[2];
    size_t unit = far_put_stray(sweep, stray);
    for (size_t filler = 0; filler < ASCII_COUNT; filler++) {
        fill(sweep, input, sizeof input, filler);
        for (size_t left = 1; left <= STRIDE / unit; left++)
            for (size_t i = 0; i < 2; i++) {
                if (!count_input(sweep))
                    continue;
                struct far_text text = {.bytes = input, .count = LEAST + left * unit};
                uint8_t *at = input + LEAST + (i == 0 ? left - 1 : left / 2) * unit;
                memcpy(kept, at, unit);
                memcpy(at, stray, unit);
                text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], input, text.count, &text.error);
                far_ask_all(sweep, &text);
                memcpy(at, kept, unit);
            }
    }
}
