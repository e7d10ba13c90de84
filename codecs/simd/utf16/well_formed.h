/* SPDX-License-Identifier: MIT
 *
 * well_formed.h - what shared/well_formed.h needs, for UTF-16 as bytes.
 */
#ifndef ASSAY_SIMD_UTF16_WELL_FORMED_H
#define ASSAY_SIMD_UTF16_WELL_FORMED_H

#include "../shared/well_formed.h"

KERNEL_PART bool is_in_run(const struct carry *carry)
{
    return carry->in_run;
}

KERNEL_PART struct replacement replacement_in(const struct encoding *encoding)
{
    return (struct replacement){encoding->big_endian ? MANY_TIMES("\xFF\xFD") : MANY_TIMES("\xFD\xFF"), UNIT_BYTES};
}

/* By as many bytes as the nearest cache has room for, first looked at, then copied. */
KERNEL_PART void copy_sound(struct repair *repair)
{
    enum { NEAR_BYTES = 4096 };
    bool big_endian = repair->encoding->big_endian;
    size_t whole = whole_bytes(big_endian, repair->bytes, repair->byte_count), done, pairs = 0;
    do {
        size_t left = whole - repair->at, room = repair->capacity - repair->written, most = left < room ? left : room;
        most = most < NEAR_BYTES ? most : NEAR_BYTES;
        done = skip_sound(big_endian, repair->bytes, repair->at + most, repair->at, &pairs) - repair->at;
        repair->written = append(repair->out, repair->written, repair->bytes + repair->at, done);
        repair->at += done;
        repair->carry.in_run = repair->carry.in_run && done == 0;
    } while (done >= NEAR_BYTES - UNIT_BYTES);
}

/* A replacement is as long as the surrogate that it replaces: so each stays in its place. */
KERNEL_PART bool repair_easy(struct repair *repair)
{
    bool big_endian = repair->encoding->big_endian;
    size_t whole = whole_bytes(big_endian, repair->bytes, repair->byte_count), from = repair->at;
    vec replacements = vec_load((const uint8_t *)replacement_in(repair->encoding).repeated);
    if (repair->policy != ASSAY_POLICY_WHATWG)
        return false;
    repair->carry.in_run = true;
    while (repair->carry.in_run && whole - repair->at >= VEC_BYTES && repair->capacity - repair->written >= VEC_BYTES) {
        vec now = vec_load(repair->bytes + repair->at);
        struct marks marks = mark(big_endian, now, VEC_BYTES, false);
        uint64_t gone = marks.errors | marks.errors >> 1;
        vec_store(repair->out + repair->written, vec_select(vec_truth(gone), replacements, now));
        repair->at += marks.length;
        repair->written += marks.length;
        repair->carry.in_run = marks.errors != 0;
    }
    return repair->at > from;
}

/* What the end of the input cuts is one error. */
KERNEL_PART struct outcome outcome_of_cut(const struct repair *repair)
{
    size_t length = repair->byte_count - repair->at;
    struct marks marks = {1, 1, 1, 0};
    struct outcome outcome = {length, (uint64_t)1 << (length - 1), 0, 0, {true}, repair->policy == ASSAY_POLICY_STRICT, {0}};
    outcome.replaced = select_units(repair->policy, &marks, 1, repair->carry.in_run).replaced;
    if (outcome.stops) {
        outcome.error = cut_at(repair->at, repair->byte_count);
        outcome.length = 0;
    }
    return outcome;
}

KERNEL_PART struct outcome outcome_of(const struct repair *repair)
{
    bool big_endian = repair->encoding->big_endian;
    size_t whole = whole_bytes(big_endian, repair->bytes, repair->byte_count);
    if (repair->at == whole)
        return outcome_of_cut(repair);
    struct marks marks = marks_at(big_endian, repair->bytes, whole, repair->at);
    struct outcome outcome = {.length = marks.length, .ends = marks.ends, .next = {ends_in_error(&marks)}};
    outcome.replaced = select_units(repair->policy, &marks, UNIT_BYTES, repair->carry.in_run).replaced;
    outcome.stops = repair->policy == ASSAY_POLICY_STRICT && marks.errors != 0;
    if (outcome.stops) {
        outcome.length = lowest(marks.errors) + 1 - UNIT_BYTES;
        outcome.error =
            (struct assay_span){repair->at + outcome.length, UNIT_BYTES, ASSAY_FAULT_UNPAIRED_SURROGATE, false};
    }
    outcome.kept = first_bits(outcome.length) & ~(marks.errors | marks.errors >> 1);
    return outcome;
}

#endif
