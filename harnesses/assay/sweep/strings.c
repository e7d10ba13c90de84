/* SPDX-License-Identifier: MIT
 *
 * All strings of 1 to 3 bytes.
 */
#include "sweep.h"

#include "../../core/arena.h"

#include <string.h>

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
    }
}

/* the number of a codec whose verdict on three bytes differs from the reference's */
static const struct assay_codec *differing;

static void ask_verdicts(struct sweep *sweep, const void *bytes)
{
    const struct comparer *comparer = &sweep->comparer;
    struct assay_span expected, actual;
    bool well_formed = comparer->panel[0]->validate(bytes, 3, &expected);
    differing = NULL;
    for (size_t i = 1; i < comparer->panel_size; i++) {
        if (comparer->panel[i]->validate == NULL || sweep_leaves_out(NULL, comparer->panel[i], OP_VALIDATE)) {
            sweep->comparer.skipped++;
            continue;
        }
        sweep->comparer.asked++;
        cli_note_answered(comparer->panel[i]);
        if (ask_well_formed(comparer->panel[i], bytes, 3, &actual) != well_formed ||
            (!well_formed && compare_spans(&expected, &actual) != FIELD_NONE))
            differing = comparer->panel[i];
    }
}

/* Checks the verdict on all strings that begin with these two bytes. Calls the codecs directly, on three bytes before a
 * guard page. If a verdict differs, asks again for the letter. */
static void sweep_third_bytes(struct sweep *sweep, uint8_t *bytes)
{
    for (size_t third = 0; third < 256; third++) {
        bytes[2] = (uint8_t)third;
        sweep_survive(sweep, ask_verdicts, bytes);
        if (differing != NULL) {
            uint64_t before = sweep->comparer.diverged;
            sweep->comparer.once = false;
            ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, 3);
            if (sweep->comparer.diverged == before)
                note_failure(sweep, differing, "says one thing now and another then, of the bytes", 6,
                             (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2]);
        }
    }
}

/* Puts the same strings into one input, separated by ASCII, to check their decoding too. */
static void sweep_joined(struct sweep *sweep, const uint8_t *begin)
{
    uint8_t joined[256 * 4];
    for (size_t third = 0; third < 256; third++)
        memcpy(joined + 4 * third, (uint8_t[]){begin[0], begin[1], (uint8_t)third, 'A'}, 4);
    ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG, joined, sizeof joined);
    ask_all(sweep, OP_DECODE_UTF16, (enum assay_policy)((begin[0] + begin[1]) % ASSAY_POLICY_COUNT), joined,
            sizeof joined);
    ask_all(sweep, OP_TO_WELL_FORMED, (enum assay_policy)((begin[0] + begin[1]) % ASSAY_POLICY_COUNT), joined,
            sizeof joined);
}

void sweep_strings(struct sweep *sweep)
{
    static struct arena arena;
    uint8_t *bytes = arena_at_end(&arena, 3);
    sweep_short_strings(sweep);
    for (size_t i = 0; i < 65536; i++) {
        bytes[0] = (uint8_t)(i >> 8);
        bytes[1] = (uint8_t)i;
        if (!count_input(sweep))
            continue;
        sweep->inputs += 255; /* one prefix in the sample stands for its 256 strings */
        alternate_placement(sweep, i);
        sweep_third_bytes(sweep, bytes);
        sweep_joined(sweep, bytes);
        show_progress(sweep, i, 65536);
    }
}
