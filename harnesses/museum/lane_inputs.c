/* SPDX-License-Identifier: MIT
 *
 * Inputs that show that every lane mutant is wrong somewhere: an example of each kind at each offset up to twice the
 * largest block, followed by nothing, by enough to fill that block, or by a little less than the example is long; with
 * the reference's answers. No figure about the vectors comes from them. A lane mutant that survives them is at another
 * lane than it says, or is no mutant.
 */
#include "kill.h"
#include "../assay/cli.h"
#include "../core/convert.h"
#include "../core/utf16.h"

#include <stdlib.h>
#include <string.h>

enum { OFFSETS = 128 + 8, FILL = 160, EXAMPLE_MAX = 16, CUTS_OFF = 3 };

static struct trials made;
static size_t capacity;

static void *copied(const void *bytes, size_t size)
{
    return size == 0 ? NULL : memcpy(cli_alloc(size, 1), bytes, size);
}

/* The probe keeps the input. */
static void add_trial(enum operation operation, enum assay_policy policy, const void *input, size_t count)
{
    struct question question = {.operation = operation,
                                .policy = policy,
                                .input = input,
                                .input_count = count,
                                .capacity = capacity_for(operation, count)};
    struct answer answer = ask(made.seat, made.base, &question, AT_END);
    answer.output = copied(answer.output, answer.result.written * operation_output_unit(operation));
    if (answer.written_after != NULL)
        answer.written_after = copied(answer.written_after, sizeof *answer.written_after);
    question.capacity = CAPACITY_ANY;
    struct probe *probe = cli_alloc(1, sizeof *probe);
    *probe = (struct probe){.question = question, .expected = answer};
    if (made.count == capacity) {
        capacity = 2 * capacity + 1024;
        made.list = realloc(made.list, capacity * sizeof *made.list);
        if (made.list == NULL)
            cli_fail("out of memory");
    }
    made.list[made.count++] = (struct trial){.probe = probe, .file = "made", .operation = operation};
}

/* Returns `before` fillers, `count` units of the example, and `after` fillers. A filler has `width` units. */
static void *framed(const void *example, size_t count, size_t unit, const void *filler, size_t width, size_t before,
                    size_t after)
{
    uint8_t *units = cli_alloc((before + after) * width + count, unit), *at = units;
    for (size_t i = 0; i < before; i++, at += width * unit)
        memcpy(at, filler, width * unit);
    memcpy(at, example, count * unit);
    at += count * unit;
    for (size_t i = 0; i < after; i++, at += width * unit)
        memcpy(at, filler, width * unit);
    return units;
}

static void add_decoded(const uint8_t *example, size_t count)
{
    static const enum operation operations[] = {OP_VALIDATE, OP_SPANS, OP_DECODE_UTF32, OP_DECODE_UTF16, OP_FEED_UTF16};
    static const uint8_t big[] = {0, 'B', 0};
    bool is_utf16 = encoding_is_utf16(made.base), is_big = encoding_is_big_endian(made.base);
    size_t width = is_utf16 ? 2 : 1;
    for (size_t before = 0; before < OFFSETS / width; before++)
        for (size_t cut = 0; cut <= CUTS_OFF && cut < count; cut++)
            for (size_t after = 0; after <= (cut == 0 ? FILL : 0); after += FILL) {
                const uint8_t *input = framed(example, count - cut, 1, big + !is_big, width, before, after);
                for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
                    add_trial(operations[i],
                              operation_has_policy(operations[i]) ? ASSAY_POLICY_WHATWG : ASSAY_POLICY_STRICT, input,
                              (before + after) * width + count - cut);
            }
}

static void add_encoded(const uint32_t *utf32, const uint16_t *utf16, size_t utf16_count)
{
    static const uint32_t filler32 = 'B';
    static const uint16_t filler16 = 'B';
    for (size_t before = 0; before < OFFSETS; before++)
        for (size_t after = 0; after <= FILL; after += FILL)
            for (int strict = 0; strict <= 1; strict++) {
                enum assay_policy policy = strict ? ASSAY_POLICY_STRICT : ASSAY_POLICY_WHATWG;
                add_trial(OP_ENCODE_UTF32, policy, framed(utf32, 1, 4, &filler32, 1, before, after),
                          before + 1 + after);
                if (utf16_count > 0)
                    add_trial(OP_ENCODE_UTF16, policy, framed(utf16, utf16_count, 2, &filler16, 1, before, after),
                              before + utf16_count + after);
            }
}

struct trials trials_make(const char *encoding)
{
    static struct vectors none;
    made = (struct trials){.base = registry_reference(encoding), .vectors = &none, .seat = seat_new()};
    if (made.base == NULL)
        cli_fail("there is no encoding '%s'", encoding);
    uint8_t example[EXAMPLE_MAX];
    for (size_t i = 0, count; (count = lane_example(made.base, i, example)) > 0; i++)
        add_decoded(example, count);
    for (size_t i = 0; i < LANE_CODE_POINT_COUNT; i++) {
        uint32_t code_point = lane_code_points[i];
        uint16_t units[2];
        size_t unit_count = utf16_write(code_point, units);
        add_encoded(&code_point, units, code_point > 0x10FFFF ? 0 : unit_count);
    }
    return made;
}
