/* SPDX-License-Identifier: MIT
 *
 * encode.h - encoding in UTF-16 as bytes. Included by decode.h, at its end.
 */
#ifndef ASSAY_SIMD_UTF16_ENCODE_H
#define ASSAY_SIMD_UTF16_ENCODE_H

/* ---- from UTF-16 ------------------------------------------------------------------------------------------- */

/* Encodes by decoding from the machine's byte order, which is little-endian on all machines with vectors here. */
static struct assay_result encode16_in(const struct encoding *encoding, enum assay_policy policy, const uint16_t *units,
                                       size_t unit_count, uint8_t *out, size_t capacity)
{
    if (!offers(encoding, policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    struct task task = {policy, (const uint8_t *)units, UNIT_BYTES * unit_count,
                        .out = {out, capacity / UNIT_BYTES, 0}};
    decode_units16(orders_to(encoding), &task);
    struct assay_result result = {task.status, task.at / UNIT_BYTES, UNIT_BYTES * task.out.written, {0}};
    if (task.status == ASSAY_ILL_FORMED) /* a lead that the end cuts stays unpaired */
        result.error = (struct assay_span){task.error.offset / UNIT_BYTES, 1, ASSAY_FAULT_UNPAIRED_SURROGATE, false};
    return result;
}

/* ---- from UTF-32 ------------------------------------------------------------------------------------------- */

enum { CODE_POINT_BYTES = 4, BLOCK_CODE_POINTS = VEC_BYTES / CODE_POINT_BYTES };

/* Bits of the bytes that end a code point. */
#define FOURTH_BYTES UINT64_C(0x8888888888888888)

/* The surrogates of a block in this range of second bytes, at the fourth byte. Also code points beyond U+FFFF. */
KERNEL_PART uint64_t code_points_between(vec v, uint8_t first, uint8_t last)
{
    return vec_bits(vec_between(v, first, last)) << 2;
}

/* The marks of up to 16 code points, low byte first. `before` is the one before them; it matters only in WTF-16, where
 * a trail right after a lead is an error, and no other surrogate (WTF-8, section 4.1). */
KERNEL_PART struct marks find_marks_of_code_points(bool takes_lone, uint32_t before, vec v, size_t length)
{
    uint64_t ends = FOURTH_BYTES & first_bits(length);
    uint64_t not_zero = vec_bits(vec_at_least(v, 1)), beyond = vec_bits(vec_at_least(v, 0x11));
    uint64_t supplementary = ends & not_zero << 1;
    uint64_t surrogates = code_points_between(v, 0xD8, 0xDF) & ~supplementary;
    if (takes_lone && surrogates != 0) {
        uint64_t leads = code_points_between(v, 0xD8, 0xDB) & surrogates & FOURTH_BYTES & ~not_zero;
        surrogates &= ~leads & (leads << CODE_POINT_BYTES | (uint64_t)(before >> 10 == 0xD800 >> 10) << 3);
    }
    uint64_t errors = ends & (not_zero | beyond << 1 | surrogates);
    return (struct marks){length, ends, errors, supplementary & ~errors};
}

/* For each code point, a unit at its fourth byte. Beyond U+FFFF, that is the trail, and the lead is at the third
 * byte. */
KERNEL_PART struct planes planes_of_code_points(const struct window *window, uint64_t pairs)
{
    struct planes planes = {window->back_3, window->back_2, vec_fill(0)};
    if (pairs == 0)
        return planes;
    vec trail = vec_or(vec_and(window->back_2, vec_fill(0x03)), vec_fill(0xDC));
    planes.high = vec_select(vec_truth(pairs), trail, planes.high);
    vec middle = vec_or(vec_shift(window->back_1, -2, 0x3F, 0), vec_shift(window->now, 6, 0xC0, 0));
    put_leads(&planes, vec_truth(pairs >> 1), middle, vec_shift(window->now, -2, 0x07, 0));
    return planes;
}

/* Encodes `count` code points, up to 16. Returns false, with nothing done, if there is no room. */
KERNEL_PART bool encode_block(struct orders orders, enum assay_policy policy, const uint32_t *units, size_t count,
                              struct output *out, bool *in_run, struct assay_result *result)
{
    uint32_t before = result->read > 0 ? units[result->read - 1] : 0;
    struct window window = window_of((const uint8_t *)units, CODE_POINT_BYTES * result->read, CODE_POINT_BYTES * count);
    struct marks marks = find_marks_of_code_points(orders.takes_lone, before, window.now, CODE_POINT_BYTES * count);
    bool stops = policy == ASSAY_POLICY_STRICT && marks.errors != 0;
    if (stops)
        limit_marks(&marks, lowest(marks.errors) + 1 - CODE_POINT_BYTES);
    struct selection selection = select_units(policy, &marks, CODE_POINT_BYTES, *in_run);
    uint64_t chosen = selection.chosen | marks.pairs >> 1;
    size_t unit_count = count_bits(chosen);
    if (unit_count > out->capacity - out->written)
        return false;

    struct planes planes = planes_of_code_points(&window, marks.pairs);
    if (selection.replaced != 0)
        put_replacements(&planes, window.now, policy, vec_truth(selection.replaced));
    put_units(UTF16, orders.to_big, planes, false, chosen, unit_count, out);
    result->read += marks.length / CODE_POINT_BYTES;
    *in_run = ends_in_error(&marks);
    if (stops) {
        enum assay_fault surrogate = orders.takes_lone ? ASSAY_FAULT_SURROGATE_PAIR : ASSAY_FAULT_SURROGATE;
        enum assay_fault fault = units[result->read] > 0x10FFFF ? ASSAY_FAULT_OUT_OF_RANGE : surrogate;
        result->status = ASSAY_ILL_FORMED;
        result->error = (struct assay_span){result->read, 1, fault, false};
    }
    return true;
}

/* Encodes code points up to U+FFFF while there are 32 more and room for them. Returns how many. */
KERNEL_PART size_t encode_bulk(bool big_endian, const uint32_t *units, size_t unit_count, struct output *out)
{
    enum { UNITS_AT_ONCE = VEC_BYTES / UNIT_BYTES };
    size_t read = 0;
    vec v;
    while (unit_count - read >= UNITS_AT_ONCE && out->capacity - out->written >= UNITS_AT_ONCE &&
           vec_narrow_units(&v, units + read) && units_between(false, v, 0xD8, 0xDF) == 0) {
        vec_store(unit_at(UTF16, out->units, out->written), big_endian ? vec_swap(v) : v);
        read += UNITS_AT_ONCE;
        out->written += UNITS_AT_ONCE;
    }
    return read;
}

static struct assay_result encode32_in(const struct encoding *encoding, enum assay_policy policy, const uint32_t *units,
                                       size_t unit_count, uint8_t *out, size_t capacity)
{
    if (!offers(encoding, policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    struct orders orders = orders_to(encoding);
    bool in_run = false;
    struct output output = {out, capacity / UNIT_BYTES, 0};
    struct assay_result result = {.status = ASSAY_OK};
    while (result.read < unit_count && result.status == ASSAY_OK) {
        size_t easy = encode_bulk(orders.to_big, units + result.read, unit_count - result.read, &output);
        result.read += easy;
        in_run = in_run && easy == 0;
        size_t left = unit_count - result.read, most = left < BLOCK_CODE_POINTS ? left : BLOCK_CODE_POINTS;
        if (left > 0 && !encode_block(orders, policy, units, most, &output, &in_run, &result) &&
            !encode_block(orders, policy, units, 1, &output, &in_run, &result))
            result.status = ASSAY_OUTPUT_FULL;
    }
    result.written = UNIT_BYTES * output.written;
    return result;
}

#endif
