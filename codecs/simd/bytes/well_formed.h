/* SPDX-License-Identifier: MIT
 *
 * well_formed.h - to_well_formed for encodings of bytes: the functions that the template common/well_formed.h needs.
 */
#ifndef ASSAY_SIMD_BYTES_WELL_FORMED_H
#define ASSAY_SIMD_BYTES_WELL_FORMED_H

#include "decode.h"
#include "boundary.h"
#include "policy.h"
#include "../common/well_formed.h"
#ifndef VEC_MANY_REGISTERS
#include "well_formed_batch.h"
#endif

KERNEL_PART bool is_in_run(const struct carry *carry)
{
    return carried_run(carry);
}

KERNEL_PART struct replacement replacement_in(const struct encoding *encoding)
{
    (void)encoding;
    return (struct replacement){MANY_TIMES("\xEF\xBF\xBD"), 3};
}

/* True if these bytes (64, or the last ones) have no error and continue the bytes before them. */
KERNEL_PART bool is_clean_at(const struct encoding *encoding, const struct tables *tables, const uint8_t *bytes,
                             size_t at, vec now, size_t length)
{
    const uint8_t *block = bytes + at;
    if (is_plain_ascii(encoding, now) && length == VEC_BYTES)
        return at == 0 || !is_cut_before(encoding, block);
    struct window window = at == 0               ? vec_window(now, block, length)
                           : length == VEC_BYTES ? window_at(block)
                                                 : window_at_end(block, length);
    return vec_is_zero(wrong_bytes(tables, &window)) && !has_short_nul(encoding, now, length);
}

/* Copies block by block, and checks each block together with the three bytes before it. Zeros follow the last block, so
 * an unfinished sequence is found. */
KERNEL_PART void copy_clean(struct well_formed_task *task)
{
    const struct encoding *encoding = task->encoding;
    struct tables tables = tables_of(encoding);
    const uint8_t *bytes = task->bytes;
    size_t from = task->at, at = from, room = task->capacity - task->written, left = task->byte_count - from;
    if (room == 0) /* the output may be NULL */
        return;
    uint8_t *out = task->out + task->written;
    size_t end = from + (left < room ? left : room);
    for (; end - at >= VEC_BYTES; at += VEC_BYTES) {
        vec now = vec_load(bytes + at);
        if (!is_clean_at(encoding, &tables, bytes, at, now, VEC_BYTES))
            break;
        vec_store(out + (at - from), now);
    }
    size_t length = end - at;
    if (end == task->byte_count && length > 0 && length < VEC_BYTES &&
        is_clean_at(encoding, &tables, bytes, at, vec_load_part(bytes + at, length), length)) {
        memcpy(out + (at - from), bytes + at, length);
        at = end;
    } else if (at > from) {
        at -= cut_before(encoding, bytes + at);
    }
    if (at > from)
        task->carry = carry_at_boundary(0, false, false);
    task->written += at - from;
    task->at = at;
}

#ifdef VEC_MANY_REGISTERS
/* Converts to UTF-16 and back, if UTF-16 holds every character of the encoding: decoding of text with errors is
 * fast. */
KERNEL_PART bool replace_bulk(struct well_formed_task *task)
{
    enum { PIECE = 4096, BYTES_OF_UNIT = 3 }; /* a unit has at most 3 bytes, a pair of units 4 */
    uint16_t units[PIECE];
    const uint8_t *bytes = task->bytes + task->at;
    size_t left = task->byte_count - task->at, room = task->capacity - task->written;
    size_t count = left < PIECE ? left : PIECE;
    if (task->policy != ASSAY_POLICY_WHATWG || !tables_are_final(task->encoding) ||
        task->encoding->encodes_surrogates || room < count * BYTES_OF_UNIT)
        return false;
    count = boundary_in(task->encoding, bytes, left, count);
    size_t unit_count = decode_whole(UTF16, task->encoding, task->policy, bytes, count, units, PIECE).written;
    task->written +=
        encode16_in(task->encoding, ASSAY_POLICY_STRICT, units, unit_count, task->out + task->written, room).written;
    task->at += count;
    task->was_clean = unit_count > REACH;
    for (size_t back = 1; back <= REACH && task->was_clean; back++)
        task->was_clean = units[unit_count - back] != REPLACEMENT;
    return true;
}
#else
/* Replaces errors window by window; stops at a character boundary. Not inlined, so that copying does not share its
 * registers. */
static __attribute__((noinline)) void replace_windows(const struct encoding *encoding, struct well_formed_task *task)
{
    enum { ENOUGH_CLEAN = 8 }; /* windows without errors after which copying is likely to be faster */
    struct window_replacer replacer = window_replacer_of(encoding);
    size_t from = task->at;
    bool goes_on = true;
    do
        goes_on = task->at < REPLACED_BEFORE || replace_windows_with_room(&replacer, ENOUGH_CLEAN, task);
    while (goes_on && replacer.clean_count < ENOUGH_CLEAN && replace_window_in_buffers(&replacer, task) &&
           task->at < task->byte_count);
    if (task->at == from)
        return;
    if (task->at < task->byte_count) {
        size_t back = bytes_under_way(encoding, task->bytes, task->at);
        task->at -= back;
        task->written -= replacer.in_error ? 0 : back;
    }
    task->was_clean = replacer.clean_count >= ENOUGH_CLEAN;
}

/* True if the first window has surrogates, which windows do not handle. */
KERNEL_PART bool begins_with_surrogates(const struct well_formed_task *task)
{
    const uint8_t *bytes = task->bytes + task->at;
    return task->at >= REPLACED_BEFORE && task->byte_count - task->at >= VEC_BYTES &&
           has_surrogates(task->encoding, vec_load(bytes - REPLACED_BEFORE), vec_load(bytes - REACH));
}

/* Works on a copy of the task: a struct whose address is taken stays in memory. */
KERNEL_PART bool replace_bulk(struct well_formed_task *task)
{
    if (task->policy != ASSAY_POLICY_WHATWG || begins_with_surrogates(task) ||
        task->written == task->capacity) /* without room, the output may be NULL */
        return false;
    struct well_formed_task replaced_task = *task;
    replace_windows(task->encoding, &replaced_task);
    if (replaced_task.at == task->at)
        return false;
    task->at = replaced_task.at;
    task->written = replaced_task.written;
    task->carry = carry_at_boundary(0, false, false);
    task->was_clean = replaced_task.was_clean;
    return true;
}
#endif

KERNEL_PART struct outcome outcome_of(const struct well_formed_task *task)
{
    enum { LONGEST_ERROR = 5 }; /* a surrogate pair without its last byte */
    struct block block = block_at(task->bytes, task->byte_count, task->at);
    struct carry carry = task->carry;
    struct marks marks = find_marks(task->encoding, &block, &carry, false);
    uint64_t ends = marks.ends | marks.errors, gone = marks.errors;
    /* 64 bytes, or the last bytes, contain the end of a character or error */
    size_t length = VEC_BYTES - (size_t)__builtin_clzll(ends);
    struct outcome outcome = {.length = length, .ends = ends};
    if (marks.errors == 0) {
        carry.absorb = 0;
    } else {
        for (size_t i = 1; i < LONGEST_ERROR; i++)
            gone |= gone >> 1 & ~ends;
        outcome.replaced = find_replacements(task->encoding, task->policy, &block, &marks, &carry, length).at;
        outcome.stops = task->policy == ASSAY_POLICY_STRICT;
    }
    if (outcome.stops) {
        outcome.error = span_at(task->encoding, &block, &marks, lowest(marks.errors), task->at);
        outcome.length = outcome.error.offset - task->at;
    }
    outcome.kept = first_bits(outcome.length) & ~gone;
    bool in_run = (marks.errors >> (length - 1) & 1) != 0;
    bool after_lead = (marks.surrogates.leads >> (length - 1) & 1) != 0;
    outcome.next = carry_at_boundary(carry.absorb, in_run, after_lead);
    return outcome;
}

#endif
