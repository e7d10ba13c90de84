/* SPDX-License-Identifier: MIT
 *
 * well_formed.h - to_well_formed for UTF-16 as bytes: what the template common/well_formed.h needs defined.
 */
#ifndef ASSAY_SIMD_UTF16_WELL_FORMED_H
#define ASSAY_SIMD_UTF16_WELL_FORMED_H

#include "../common/well_formed.h"

KERNEL_PART bool is_in_run(const struct carry *carry)
{
    return carry->in_run;
}

KERNEL_PART struct replacement replacement_in(const struct encoding *encoding)
{
    return (struct replacement){encoding->big_endian ? MANY_TIMES("\xFF\xFD") : MANY_TIMES("\xFD\xFF"), UNIT_BYTES};
}

/* Copies text without errors in pieces: checks each one, then copies it while it is in the first-level cache. */
KERNEL_PART void copy_clean(struct well_formed_task *task)
{
    enum { NEAR_BYTES = 4096 };
    struct orders orders = orders_of(task->encoding);
    size_t whole = whole_bytes(orders, task->bytes, task->byte_count, false), done, pairs = 0;
    do {
        size_t left = whole - task->at, room = task->capacity - task->written, most = left < room ? left : room;
        most = most < NEAR_BYTES ? most : NEAR_BYTES;
        done = skip_clean_strides(orders.from_big, task->bytes, task->at + most, task->at, &pairs) - task->at;
        task->written = append(task->out, task->written, task->bytes + task->at, done);
        task->at += done;
        task->carry.in_run = task->carry.in_run && done == 0;
    } while (done >= NEAR_BYTES - UNIT_BYTES);
}

/* A replacement is as long as the surrogate that it replaces, so every byte stays at its offset. */
KERNEL_PART bool replace_bulk(struct well_formed_task *task)
{
    struct orders orders = orders_of(task->encoding);
    size_t whole = whole_bytes(orders, task->bytes, task->byte_count, false), from = task->at;
    vec replacements = vec_load((const uint8_t *)replacement_in(task->encoding).repeated);
    if (task->policy != ASSAY_POLICY_WHATWG)
        return false;
    task->carry.in_run = true;
    while (task->carry.in_run && whole - task->at >= VEC_BYTES && task->capacity - task->written >= VEC_BYTES) {
        vec now = vec_load(task->bytes + task->at);
        struct marks marks = find_marks(orders, now, VEC_BYTES, false);
        uint64_t gone = marks.errors | marks.errors >> 1;
        vec_store(task->out + task->written, vec_select(vec_truth(gone), replacements, now));
        task->at += marks.length;
        task->written += marks.length;
        task->carry.in_run = marks.errors != 0;
    }
    return task->at > from;
}

/* An incomplete character at the end of the input is one error. */
KERNEL_PART struct outcome outcome_of_cut(const struct well_formed_task *task)
{
    size_t length = task->byte_count - task->at;
    struct marks marks = {1, 1, 1, 0};
    struct outcome outcome = {length, (uint64_t)1 << (length - 1),         0,  0,
                              {true}, task->policy == ASSAY_POLICY_STRICT, {0}};
    outcome.replaced = select_units(task->policy, &marks, 1, task->carry.in_run).replaced;
    if (outcome.stops) {
        outcome.error = cut_at(task->at, task->byte_count);
        outcome.length = 0;
    }
    return outcome;
}

KERNEL_PART struct outcome outcome_of(const struct well_formed_task *task)
{
    struct orders orders = orders_of(task->encoding);
    size_t whole = whole_bytes(orders, task->bytes, task->byte_count, false);
    if (task->at == whole)
        return outcome_of_cut(task);
    struct marks marks = marks_at(orders, task->bytes, whole, task->at);
    struct outcome outcome = {.length = marks.length, .ends = marks.ends, .next = {ends_in_error(&marks)}};
    outcome.replaced = select_units(task->policy, &marks, UNIT_BYTES, task->carry.in_run).replaced;
    outcome.stops = task->policy == ASSAY_POLICY_STRICT && marks.errors != 0;
    if (outcome.stops) {
        outcome.length = lowest(marks.errors) + 1 - UNIT_BYTES;
        outcome.error =
            (struct assay_span){task->at + outcome.length, UNIT_BYTES, ASSAY_FAULT_UNPAIRED_SURROGATE, false};
    }
    outcome.kept = first_bits(outcome.length) & ~(marks.errors | marks.errors >> 1);
    return outcome;
}

#endif
