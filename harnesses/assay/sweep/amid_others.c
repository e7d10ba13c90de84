/* SPDX-License-Identifier: MIT
 *
 * Encoders on long input: each kind of character after 0 to 159 others; and on short input, values above 10FFFF.
 */
#include "sweep.h"
#include "../../core/dice.h"
#include "../../core/utf16.h"

/* Asks about one character, or one surrogate, between others: with enough room, with the room that the characters
 * before it need, and with a few bytes more. */
static void sweep_one_amid(struct sweep *sweep, uint32_t filler, uint32_t one, size_t at)
{
    enum { AFTER = 40, NEAR_UNITS = 2 * (NEAR + AFTER), MORE = 4 };
    uint32_t code_points[NEAR + AFTER];
    uint16_t units[NEAR_UNITS];
    size_t unit_count = 0, units_before = 0;
    for (size_t i = 0; i < at + AFTER; i++) {
        uint32_t value = code_points[i] = i == at ? one : filler;
        units_before = i == at ? unit_count : units_before;
        unit_count += utf16_write(value, units + unit_count);
    }
    struct question wide = {
        .operation = OP_ENCODE_UTF32, .policy = ASSAY_POLICY_WHATWG, .input = code_points, .input_count = at};
    struct question narrow = {
        .operation = OP_ENCODE_UTF16, .policy = ASSAY_POLICY_WHATWG, .input = units, .input_count = units_before};
    size_t wide_needed = needed_for(&sweep->comparer, wide), narrow_needed = needed_for(&sweep->comparer, narrow);
    ask_all(sweep, OP_ENCODE_UTF32, ASSAY_POLICY_STRICT, code_points, at + AFTER);
    ask_all(sweep, OP_ENCODE_UTF16, ASSAY_POLICY_STRICT, units, unit_count);
    wide.input_count = at + AFTER;
    narrow.input_count = unit_count;
    for (size_t more = 0; more <= MORE; more++) {
        wide.capacity = more < MORE ? wide_needed + more : CAPACITY_ANY;
        narrow.capacity = more < MORE ? narrow_needed + more : CAPACITY_ANY;
        sweep_compare(sweep, &wide);
        sweep_compare(sweep, &narrow);
    }
}

/* Asks about a value above 10FFFF at each place of 1 to 80 code points. Vectors compare its halves of 16 bits. */
static void sweep_values_beyond(struct sweep *sweep)
{
    enum { LONGEST = 80, PLACES = LONGEST * LONGEST };
    static const uint32_t beyond[] = {0x110000, 0x11FFFF, 0x80000041, 0xFFFF0041, UINT32_MAX};
    for (size_t i = 0; i < PLACES * FILLER_COUNT; i++) {
        size_t count = i % PLACES / LONGEST + 1, at = i % LONGEST;
        if (at >= count || !count_input(sweep))
            continue;
        uint32_t code_points[LONGEST];
        for (size_t j = 0; j < count; j++)
            code_points[j] = fillers[i / PLACES];
        code_points[at] = beyond[(count + at + i / PLACES) % (sizeof beyond / sizeof beyond[0])];
        alternate_placement(sweep, i);
        ask_all(sweep, OP_ENCODE_UTF32, i % 2 == 0 ? ASSAY_POLICY_STRICT : ASSAY_POLICY_WHATWG, code_points, count);
    }
}

static const uint32_t ones[] = {0x00,   'A',     0x7F,     0xE9,   0x7FF,  0x800, 0x20AC,
                                0xFFFF, 0x10000, 0x10FFFF, 0xD800, 0xDC80, 0xDFFF};
enum { ONES = sizeof ones / sizeof ones[0] };

/* One kind of character, another kind up to the end, and one more among these or at the end: with enough room or any
 * other, under each policy. Encoders of short text, and of the last units of a longer one, choose their way by the
 * room. */
static void sweep_at_random(struct sweep *sweep)
{
    enum { LONGEST = 80, TIMES = 150000, MORE = 16, BYTES_MAX = 3, CHOSEN = 3 };
    static const uint32_t beyond[] = {0x110000, 0x80000041};
    enum { KINDS = ONES + sizeof beyond / sizeof beyond[0] };
    for (size_t number = 0; number < TIMES; number++) {
        struct dice dice = {number};
        if (!count_input(sweep))
            continue;
        uint32_t kinds[CHOSEN], code_points[LONGEST];
        uint16_t units[2 * LONGEST];
        for (size_t i = 0; i < CHOSEN; i++) {
            size_t kind = dice_roll(&dice, KINDS);
            kinds[i] = kind < ONES ? ones[kind] : beyond[kind - ONES];
        }
        size_t count = 1 + dice_roll(&dice, LONGEST), first = dice_roll(&dice, 2) * dice_roll(&dice, count),
               one = dice_roll(&dice, 2) == 0 ? count - 1 : dice_roll(&dice, count), unit_count = 0;
        for (size_t i = 0; i < count; i++) {
            code_points[i] = kinds[i == one ? 2 : i >= first];
            unit_count += utf16_write(code_points[i] > 0x10FFFF ? 0x10FFFF : code_points[i], units + unit_count);
        }
        struct question wide = {.operation = OP_ENCODE_UTF32,
                                .policy = (enum assay_policy)dice_roll(&dice, ASSAY_POLICY_COUNT),
                                .input = code_points,
                                .input_count = count,
                                .capacity = dice_roll(&dice, 2) == 0 ? CAPACITY_ANY
                                                                     : dice_roll(&dice, BYTES_MAX * count + MORE)};
        struct question narrow = wide;
        narrow.operation = OP_ENCODE_UTF16;
        narrow.input = units;
        narrow.input_count = unit_count;
        alternate_placement(sweep, number);
        sweep_compare(sweep, &wide);
        sweep_compare(sweep, &narrow);
    }
}

void sweep_amid_others(struct sweep *sweep)
{
    comparer_begin(&sweep->comparer);
    sweep->has_little_room = true;
    for (size_t i = 0; i < NEAR * ONES * FILLER_COUNT; i++) {
        if (!count_input(sweep))
            continue;
        alternate_placement(sweep, i);
        sweep_one_amid(sweep, fillers[i / ONES % FILLER_COUNT], ones[i % ONES], i / ONES / FILLER_COUNT);
        show_progress(sweep, i, NEAR * ONES * FILLER_COUNT);
    }
    sweep_values_beyond(sweep);
    sweep_at_random(sweep);
}
