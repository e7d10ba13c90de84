/* SPDX-License-Identifier: MIT
 *
 * UTF-16 units at the edges of all ranges, alone and between others; all pairs of units, to WTF-8 and back.
 */
#include "sweep.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Units at the edges of ranges, in UTF-16 or in bytes. */
static const uint16_t edges[] = {0x0000, 0x0001, 0x0041, 0x007F, 0x0080, 0x07FF, 0x0800, 0x0FFF,
                                 0x1000, 0xCFFF, 0xD000, 0xD7FF, 0xD800, 0xD801, 0xD83D, 0xDBFF,
                                 0xDC00, 0xDC80, 0xDE00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFF};
enum { EDGE_COUNT = sizeof edges / sizeof edges[0] };

/* Asks about three units: as UTF-16 under `strict` and one other policy, and for UTF-16 encodings also as bytes. */
static void sweep_triple(struct sweep *sweep, const uint16_t triple[3], size_t variant)
{
    enum assay_policy policy = (enum assay_policy)(variant % ASSAY_POLICY_COUNT);
    alternate_placement(sweep, variant / ASSAY_POLICY_COUNT);
    ask_all(sweep, OP_ENCODE_UTF16, ASSAY_POLICY_STRICT, triple, 3);
    ask_all(sweep, OP_ENCODE_UTF16, policy, triple, 3);
    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    if (!encoding_is_utf16(reference))
        return;
    uint8_t bytes[6];
    for (size_t i = 0; i < 3; i++)
        memcpy(bytes + 2 * i, (uint8_t[]){(uint8_t)triple[i], (uint8_t)(triple[i] >> 8)}, 2);
    if (encoding_is_big_endian(reference))
        for (size_t i = 0; i < sizeof bytes; i += 2)
            memcpy(bytes + i, (uint8_t[]){bytes[i + 1], bytes[i]}, 2);
    for (size_t length = 5; length <= sizeof bytes; length++) { /* also with an odd byte at the end */
        ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, bytes, length);
        ask_all(sweep, OP_DECODE_UTF16, policy, bytes, length);
        ask_all(sweep, OP_DECODE_UTF32, policy, bytes, length);
        ask_all(sweep, OP_TO_WELL_FORMED, policy, bytes, length);
    }
}

/* Asks about the same three units between others, in an input that is long enough for vectors; also as code points. */
static void sweep_amid(struct sweep *sweep, const uint16_t triple[3], size_t variant)
{
    enum {
        AROUND = 96,
        PLACES = 61,
        FILLERS = 5
    }; /* PLACES is prime, so that every unit of a triple and every stride is combined with all places */
    static const uint16_t narrow_fillers[FILLERS][2] = {
        {'A', 'A'}, {0x0416, 0x0416}, {0x4E16, 0x4E16}, {0xD83D, 0xDE00}, {'A', 0x4E16}};
    static const uint32_t wide_fillers[FILLERS] = {'A', 0x0416, 0x4E16, 0x1F600, 0x10FFFF};
    size_t at = variant % PLACES, which = variant / PLACES % FILLERS;
    const uint16_t *filler = narrow_fillers[which];
    uint16_t units[AROUND];
    uint32_t code_points[AROUND];
    for (size_t i = 0; i < AROUND; i++) {
        units[i] = i < at ? filler[(at - i) % 2] : i < at + 3 ? triple[i - at] : filler[(i - at - 3) % 2];
        code_points[i] = i >= at && i < at + 3 ? triple[i - at] : wide_fillers[which];
    }
    if (at % 2 == 1) /* no half of a pair at either end of the input */
        units[0] = 'A';
    if ((AROUND - 3 - at) % 2 == 1)
        units[AROUND - 1] = 'A';
    enum assay_policy policy = (enum assay_policy)(variant / PLACES / FILLERS % ASSAY_POLICY_COUNT);
    ask_all(sweep, OP_ENCODE_UTF16, ASSAY_POLICY_STRICT, units, AROUND);
    ask_all(sweep, OP_ENCODE_UTF16, policy, units, AROUND);
    ask_all(sweep, OP_ENCODE_UTF32, policy, code_points, AROUND);
}

void sweep_units(struct sweep *sweep)
{
    for (size_t i = 0; i < EDGE_COUNT * EDGE_COUNT * EDGE_COUNT; i++) {
        const uint16_t triple[3] = {edges[i / EDGE_COUNT / EDGE_COUNT], edges[i / EDGE_COUNT % EDGE_COUNT],
                                    edges[i % EDGE_COUNT]};
        if (!count_input(sweep))
            continue;
        for (size_t policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            sweep_triple(sweep, triple, policy + ASSAY_POLICY_COUNT * (i % PLACEMENT_COUNT));
        sweep_amid(sweep, triple, i);
        show_progress(sweep, i, EDGE_COUNT * EDGE_COUNT * EDGE_COUNT);
    }
}

enum { PAIR_UNITS = 3 * UNIT_COUNT };

/* All pairs that begin with a unit, separated by ASCII, and what the reference encodes them as. */
struct unit_pairs {
    uint16_t first, units[PAIR_UNITS];
    uint8_t expected[ASSAY_ENCODED_MAX(PAIR_UNITS)];
    size_t expected_count;
};

/* A codec must encode the pairs as the reference does, and decode the same units again (WTF-8, sections 4 and 6.3). */
static void ask_round_trip(struct sweep *sweep, const struct assay_codec *codec, const void *context)
{
    static uint16_t back[PAIR_UNITS + ASSAY_HELD_MAX];
    static uint8_t bytes[ASSAY_ENCODED_MAX(PAIR_UNITS)];
    const struct unit_pairs *pairs = context;
    if (!comparer_asks(&sweep->comparer, codec, OP_ENCODE_UTF16) ||
        !comparer_asks(&sweep->comparer, codec, OP_DECODE_UTF16)) {
        sweep->comparer.skipped += 2;
        return;
    }
    asking_directly(codec, (struct question){.operation = OP_ENCODE_UTF16,
                                             .input = pairs->units,
                                             .input_count = PAIR_UNITS,
                                             .capacity = sizeof bytes});
    struct assay_result own = codec->encode_utf16(ASSAY_POLICY_STRICT, pairs->units, PAIR_UNITS, bytes, sizeof bytes);
    asking_directly(codec, (struct question){.operation = OP_DECODE_UTF16,
                                             .input = pairs->expected,
                                             .input_count = pairs->expected_count,
                                             .capacity = sizeof back / sizeof back[0]});
    struct assay_result decoded = codec->decode_utf16(ASSAY_POLICY_STRICT, pairs->expected, pairs->expected_count, back,
                                                      sizeof back / sizeof back[0]);
    asking_ends();
    if (own.status == ASSAY_UNSUPPORTED || decoded.status == ASSAY_UNSUPPORTED) {
        sweep->comparer.skipped += 2;
        return;
    }
    sweep->comparer.asked += 2;
    cli_note_answered(codec);
    if (own.status != ASSAY_OK || own.written != pairs->expected_count ||
        memcmp(bytes, pairs->expected, own.written) != 0)
        note_failure(sweep, codec, "encodes otherwise than the reference what begins with the unit", 4, pairs->first);
    else if (decoded.status != ASSAY_OK || decoded.written != PAIR_UNITS ||
             memcmp(back, pairs->units, sizeof pairs->units) != 0)
        note_failure(sweep, codec, "does not give back what begins with the unit", 4, pairs->first);
}

/* Asks about all pairs that begin with this unit, in one input. */
static void sweep_first_unit(struct sweep *sweep, uint16_t first)
{
    static struct unit_pairs pairs;
    pairs.first = first;
    for (size_t second = 0; second < UNIT_COUNT; second++)
        memcpy(pairs.units + 3 * second, (uint16_t[]){first, (uint16_t)second, 'A'}, 3 * sizeof *pairs.units);
    pairs.expected_count =
        registry_reference(sweep->comparer.encoding)
            ->encode_utf16(ASSAY_POLICY_STRICT, pairs.units, PAIR_UNITS, pairs.expected, sizeof pairs.expected)
            .written;
    sweep->inputs += UNIT_COUNT;
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (strcmp(row->encoding, sweep->comparer.encoding) == 0 && registry_runs(row))
            sweep_survive_codec(sweep, row->codec, ask_round_trip, &pairs);
    }
}

static volatile sig_atomic_t was_interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    was_interrupted = 1;
}

/* Ends the program as an interrupt does, after printing the command for the rest, which begins at sweep->from. */
static _Noreturn void end_interrupted(const struct sweep *sweep)
{
    cli_clear_progress();
    fputs("assay sweep: interrupted; the rest:", stderr);
    sweep_write_rest(stderr, sweep);
    exit(cli_finish(EXIT_INTERRUPTED));
}

void sweep_unit_pairs(struct sweep *sweep)
{
    signal(SIGINT, on_interrupt);
    for (size_t first = sweep->from; first < UNIT_COUNT && !has_ended(sweep->comparer.diverged);
         first += sweep->stride) {
        sweep->from = first; /* the unit for the command that repeats a divergence */
        if (was_interrupted)
            end_interrupted(sweep);
        sweep_first_unit(sweep, (uint16_t)first);
        show_progress(sweep, first, UNIT_COUNT);
    }
}

void sweep_edge_pairs(struct sweep *sweep)
{
    for (size_t i = 0; i < EDGE_COUNT; i++)
        if (count_input(sweep))
            sweep_first_unit(sweep, edges[i]);
}
