/* SPDX-License-Identifier: MIT
 *
 * All strings of 1 to 3 bytes; those of 3 bytes also in texts, which takes longest. Each byte before many continuation
 * bytes.
 */
#include "sweep.h"

#include "../../core/arena.h"

#include <string.h>

enum { COUNT = 3, THIRDS = 256 };

static void sweep_short_strings(struct sweep *sweep)
{
    for (size_t i = 0; i < 256 + 65536; i++) {
        uint8_t bytes[2] = {(uint8_t)(i < 256 ? i : (i - 256) >> 8), (uint8_t)(i - 256)};
        size_t count = i < 256 ? 1 : 2;
        if (!count_input(sweep))
            continue;
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, count);
        ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, bytes, count);
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
            ask_all(sweep, OP_DECODE_UTF32, policy, bytes, count);
            ask_all(sweep, OP_DECODE_UTF16, policy, bytes, count);
            ask_all(sweep, OP_TO_WELL_FORMED, policy, bytes, count);
        }
        for (size_t left_count = 0; left_count <= count; left_count++)
            ask_joined(sweep, bytes, count, left_count);
    }
}

/* The strings that begin with the same two bytes, and the reference's verdicts. */
struct row {
    uint8_t *bytes; /* one string, before a guard page */
    bool is_well_formed[THIRDS];
    struct assay_span errors[THIRDS];
};

/* The current string, by its last byte, and whether the codec is wrong about it. They are kept if the codec gives no
 * answer. */
static size_t third;
static bool is_wrong;

/* Asks the codec about strings until it is wrong about one. */
static void ask_verdicts(struct sweep *sweep, const struct assay_codec *codec, const void *context)
{
    const struct row *row = context;
    (void)sweep;
    asking_directly(codec, (struct question){.operation = OP_VALIDATE, .input = row->bytes, .input_count = COUNT});
    for (; third < THIRDS; third++) {
        row->bytes[COUNT - 1] = (uint8_t)third;
        is_wrong = has_wrong_verdict(codec, row->bytes, COUNT, row->is_well_formed[third], &row->errors[third]);
        if (is_wrong)
            break;
    }
    asking_ends();
}

/* Asks the codec about all strings of the row, directly. If a verdict is wrong, asks again for the letter. If the codec
 * gives no answer about a string, continues with the next one. */
static void sweep_codec(struct sweep *sweep, const struct assay_codec *codec, const struct row *row)
{
    for (third = 0; third < THIRDS; third++) {
        const size_t first = third;
        is_wrong = false;
        sweep_survive_codec(sweep, codec, ask_verdicts, row);
        sweep->comparer.asked += third - first + is_wrong;
        if (third > first || is_wrong)
            cli_note_answered(codec);
        if (is_wrong)
            ask_again(sweep, codec,
                      (struct question){.operation = OP_VALIDATE, .input = row->bytes, .input_count = COUNT});
    }
}

/* Checks the verdict on all strings that begin with two bytes. */
static void sweep_third_bytes(struct sweep *sweep, struct row *row)
{
    const struct comparer *comparer = &sweep->comparer;
    for (size_t i = 0; i < THIRDS; i++) {
        row->bytes[COUNT - 1] = (uint8_t)i;
        row->is_well_formed[i] = comparer->panel[0]->validate(row->bytes, COUNT, &row->errors[i]);
    }
    for (size_t i = 1; i < comparer->panel_size; i++)
        if (comparer_asks(comparer, comparer->panel[i], OP_VALIDATE))
            sweep_codec(sweep, comparer->panel[i], row);
        else
            sweep->comparer.skipped += THIRDS;
}

/* Calls `run` for each two bytes in the sample, which stand for the strings that begin with them. */
static void sweep_rows(struct sweep *sweep, void (*run)(struct sweep *sweep, struct row *row))
{
    enum { ROWS = 65536 };
    static struct arena arena;
    struct row row = {.bytes = arena_at_end(&arena, COUNT)};
    for (size_t i = 0; i < ROWS; i++) {
        row.bytes[0] = (uint8_t)(i >> 8);
        row.bytes[1] = (uint8_t)i;
        if (!count_input(sweep))
            continue;
        sweep->inputs += THIRDS - 1;
        alternate_placement(sweep, i);
        run(sweep, &row);
        show_progress(sweep, i, ROWS);
    }
}

/* Each byte before more continuation bytes than any lead asks for: in Perl's extension, FF has 12. */
static void sweep_long_sequences(struct sweep *sweep)
{
    enum { MOST = 16, KINDS = 2 };
    static const uint8_t continuations[KINDS] = {0x80, 0xBF};
    for (size_t i = 0; i < 256 * MOST * KINDS; i++) {
        uint8_t bytes[1 + MOST] = {(uint8_t)(i / (MOST * KINDS))};
        size_t count = 1 + i / KINDS % MOST;
        memset(bytes + 1, continuations[i % KINDS], count);
        if (!count_input(sweep))
            continue;
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, 1 + count);
        ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, bytes, 1 + count);
        ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG, bytes, 1 + count);
        ask_all(sweep, OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, bytes, 1 + count);
    }
}

void sweep_strings(struct sweep *sweep)
{
    sweep_short_strings(sweep);
    sweep_rows(sweep, sweep_third_bytes);
    sweep_long_sequences(sweep);
}

/* Asks about the strings of a row in one text, in which each is followed by an A. */
static void sweep_joined_row(struct sweep *sweep, struct row *row)
{
    const uint8_t first = row->bytes[0], second = row->bytes[1];
    enum assay_policy policy = (enum assay_policy)((first + second) % ASSAY_POLICY_COUNT);
    uint8_t text[THIRDS * (COUNT + 1)];
    for (size_t i = 0; i < THIRDS; i++)
        memcpy(text + (COUNT + 1) * i, (uint8_t[]){first, second, (uint8_t)i, 'A'}, COUNT + 1);
    ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG, text, sizeof text);
    ask_all(sweep, OP_DECODE_UTF16, policy, text, sizeof text);
    ask_all(sweep, OP_TO_WELL_FORMED, policy, text, sizeof text);
}

void sweep_joined(struct sweep *sweep)
{
    sweep_rows(sweep, sweep_joined_row);
}
