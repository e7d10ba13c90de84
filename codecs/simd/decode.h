/* SPDX-License-Identifier: MIT
 *
 * decode.h - decoding block by block, on a short path where there is no error, and on one that takes everything where
 * there is.
 */
#ifndef ASSAY_SIMD_DECODE_H
#define ASSAY_SIMD_DECODE_H

#include "straight.h"
#include "stream.h"

/* ---- where to stop -------------------------------------------------------------------------------- */

/* Cuts the selection down to the characters and errors that go out: those for which there is room and, under
 * `strict`, those before the first error. Returns OK if that is all of them; else *stop is how many bytes of the
 * block they are, or minus the bytes before it that the next character or error has. */
KERNEL_PART enum assay_status cut(enum assay_policy policy, const struct marks *marks, const struct carry *carry,
                                    size_t room, struct selection *selection, ptrdiff_t *stop)
{
    bool strict = policy == ASSAY_POLICY_STRICT;
    uint64_t done = 0;
    enum assay_status status = ASSAY_OK;
    *stop = -(ptrdiff_t)carried_bytes(carry);
    for (uint64_t left = marks->ends | marks->errors; left != 0; left &= left - 1) {
        uint64_t upto = left ^ (left - 1);
        size_t needed = count_bits(selection->chosen & upto & ~done) + (done == 0 ? selection->replacements.before : 0);
        if (strict && (marks->errors & upto) != 0)
            status = ASSAY_ILL_FORMED;
        else if (needed > room)
            status = ASSAY_OUTPUT_FULL;
        if (status != ASSAY_OK)
            break;
        room -= needed;
        done = upto;
        *stop = (ptrdiff_t)count_bits(upto);
    }
    /* A high surrogate at the very end, whose low one will come in the next block: both or none. */
    if (status == ASSAY_OK && (selection->chosen & ~done) != 0) {
        if (room >= 2)
            return ASSAY_OK;
        status = ASSAY_OUTPUT_FULL;
    }
    if (status != ASSAY_OK) {
        selection->chosen &= done;
        selection->replacements.at &= done;
        if (done == 0)
            selection->replacements.before = 0;
    }
    return status;
}

/* The carry where a block stopped. What stopped it was not absorbed, so nothing after it is. */
KERNEL_PART void carry_cut(struct carry *carry, const struct marks *marks, ptrdiff_t stop)
{
    bool in_run = stop > 0 ? (marks->errors >> (stop - 1) & 1) != 0 : carried_run(carry);
    bool after_lead = stop > 0 ? (marks->surrogates.leads >> (stop - 1) & 1) != 0 : carried_lead(carry);
    *carry = carry_between(0, in_run, after_lead);
}

/* ---- the loop --------------------------------------------------------------------------------------- */

/* Only the first character or error of a block. Returns its length, or that of the block if it has none. */
KERNEL_PART size_t keep_first(struct marks *marks, size_t length)
{
    uint64_t tokens = marks->ends | marks->errors;
    if (tokens == 0)
        return length;
    uint64_t kept = tokens ^ (tokens - 1);
    marks->ends &= kept;
    marks->errors &= kept;
    marks->strays &= kept;
    marks->high_halves &= kept;
    marks->surrogates.halves &= kept;
    marks->surrogates.whole_halves &= kept;
    marks->open_1 &= kept;
    marks->open_2 &= kept;
    marks->open_3 &= kept;
    return count_bits(kept);
}

/* Decodes one block, whatever it is. */
KERNEL_PART void decode_block(enum form form, const struct encoding *encoding, struct task *task,
                                const struct block *block)
{
    struct marks marks = mark(encoding, block, &task->carry, task->hold);
    size_t length = task->only_first ? keep_first(&marks, block->length) : block->length;
    uint64_t high_halves = marks.high_halves | marks.surrogates.whole_halves;
    struct selection selection = {marks.ends | (form == UTF16 ? high_halves : 0), {0, 0}};
    if (marks.errors != 0) {
        selection.replacements = replacements_for(encoding, task->policy, block, &marks, &task->carry, length);
        selection.chosen |= selection.replacements.at;
    } else {
        task->carry.absorb = 0;
    }
    size_t room = task->out.capacity - task->out.written;
    ptrdiff_t stop = 0;
    /* One more than the units, for a low surrogate that is still to come. */
    if (units_of(&selection) + 1 > room || (marks.errors != 0 && task->policy == ASSAY_POLICY_STRICT))
        task->status = cut(task->policy, &marks, &task->carry, room, &selection, &stop);
    struct fours fours = {marks.high_halves, marks.fourths};
    size_t first_unit = task->out.written + selection.replacements.before;
    put_block(form, task->policy, block, &fours, &selection, &task->out);
    if (form == UTF32)
        join_pairs(block, marks.surrogates.trails, selection.chosen, (uint32_t *)task->out.units, first_unit);
    if (task->status == ASSAY_OK) {
        carry_on(&task->carry, &marks, length);
        task->at += length;
        return;
    }
    if (task->status == ASSAY_ILL_FORMED) {
        struct marks found = marks;
        task->error = span_at(encoding, block, &found, lowest(marks.errors), task->at);
    }
    carry_cut(&task->carry, &marks, stop);
    task->at = (size_t)((ptrdiff_t)task->at + stop);
}

/* Decodes the next block, and those after it, until one had no error. What is written may lie anywhere, as far as the
 * compiler knows, so the loop works with a task of its own. */
KERNEL_PART void decode_dirty(enum form form, const struct encoding *encoding, struct task *given)
{
    struct task task = *given;
    do {
        struct block block = block_at(task.bytes, task.byte_count, task.at);
        decode_block(form, encoding, &task, &block);
    } while (!task.carry.is_sound && task.at < task.byte_count && task.status == ASSAY_OK && !task.only_first);
    given->at = task.at;
    given->carry = task.carry;
    given->out.written = task.out.written;
    given->status = task.status;
    if (task.status == ASSAY_ILL_FORMED)
        given->error = task.error;
}

/* A block of ASCII, at once; false if this is not one. */
KERNEL_PART bool decode_ascii(enum form form, const struct encoding *encoding, const uint8_t *bytes, void *out)
{
    vec now = vec_load(bytes);
    if (!is_plain_ascii(encoding, now))
        return false;
    if (form == UTF16)
        vec_widen16(out, now);
    else
        vec_widen32(out, now);
    return true;
}

/* Writes a block without errors, given where continuation bytes come next: nowhere else, characters end. Returns how
 * many units it has, or, if there is no room for them, one more than there is. */
KERNEL_PART size_t put_clean(enum form form, const struct encoding *encoding, const struct window *window,
                               uint64_t ends, void *out, size_t room)
{
    truth high_halves = vec_at_least(window->back_2, encoding->first_lead_of_4);
    truth fourths = vec_at_least(window->back_3, encoding->first_lead_of_4);
    struct fours fours = {0, 0};
    if (!vec_neither(high_halves, fourths))
        fours = (struct fours){vec_bits(high_halves), vec_bits(fourths)};
    struct selection selection = {ends | (form == UTF16 ? fours.high_halves : 0), {0, 0}};
    size_t count = count_bits(selection.chosen);
    if (count > room)
        return room + 1;
    put_units(form, ASSAY_POLICY_STRICT, window, &fours, &selection, out, room);
    return count;
}

/* The same for a block that has another one after it. */
KERNEL_PART size_t decode_clean(enum form form, const struct encoding *encoding, const uint8_t *bytes, void *out)
{
    struct window window = window_at(bytes);
    uint64_t ends = ~vec_bits(vec_is_continuation(vec_load(bytes + 1)));
    return put_clean(form, encoding, &window, ends, out, VEC_BYTES);
}

/* The whole of an input of up to 64 bytes, if it is ASCII. May say no where it could. */
KERNEL_PART bool decode_short_ascii(enum form form, const struct encoding *encoding, const uint8_t *bytes,
                                      size_t byte_count, void *units)
{
    if (encoding->refuses_00 && has_short_nul(encoding, vec_load_part(bytes, byte_count), byte_count))
        return false;
    return form == UTF16 ? vec_widen16_ascii(units, bytes, byte_count) : vec_widen32_ascii(units, bytes, byte_count);
}

/* Decodes the whole of an input of up to 64 bytes, if it has no error and there is room. Most strings are short, and
 * this is fast because it does not prepare for anything else. */
KERNEL_PART bool decode_short(enum form form, const struct encoding *encoding, const uint8_t *bytes,
                                size_t byte_count, void *units, size_t capacity, size_t *written)
{
    if (byte_count == 0 || byte_count > VEC_BYTES)
        return false;
    *written = byte_count;
    if (byte_count <= capacity && decode_short_ascii(form, encoding, bytes, byte_count, units))
        return true;
    struct tables tables = tables_of(encoding);
    struct window window = vec_load_first(bytes, byte_count);
    if (!vec_is_zero(wrong_bytes(&tables, &window)) || has_short_nul(encoding, window.now, byte_count))
        return false;
    if (byte_count == VEC_BYTES && is_cut_before(encoding, bytes + byte_count))
        return false;
    uint64_t ends = first_bits(byte_count) & ~(vec_bits(vec_is_continuation(window.now)) >> 1);
    *written = put_clean(form, encoding, &window, ends, units, capacity);
    return *written <= capacity;
}

/* Decodes blocks as long as they are ASCII or clean, and there is room for 64 units and for a low surrogate that may
 * follow. These are most blocks of most texts, so nothing that errors need is here. */
KERNEL_PART void decode_easy(enum form form, const struct encoding *encoding, struct task *task)
{
    const uint8_t *bytes = task->bytes;
    size_t byte_count = task->byte_count, at = task->at;
    struct output out = task->out;
    struct carry carry = task->carry;
    struct tables tables = tables_of(encoding);
    if (!carry.is_sound || task->only_first)
        return;
    while (byte_count - at > VEC_BYTES && out.capacity - out.written > VEC_BYTES) {
        void *to = unit_at(form, out.units, out.written);
        if (decode_ascii(form, encoding, bytes + at, to)) {
            out.written += VEC_BYTES;
            carry_clean(&carry, false);
        } else if (is_clean(encoding, &tables, bytes, byte_count, at, &carry)) {
            out.written += decode_clean(form, encoding, bytes + at, to);
            carry_clean(&carry, true);
        } else {
            break;
        }
        at += VEC_BYTES;
    }
    carry_settle(encoding, &carry, bytes + at);
    task->carry = carry;
    task->out.written = out.written;
    task->at = at;
}

/* Decodes as much as goes straight on: all of it but the end, unless a policy other than the usual meets an error.
 * Where clean text has a shorter path, only as far as it is likely to be dirty. */
KERNEL_PART void decode_on(enum form form, const struct encoding *encoding, struct task *task)
{
    enum { DIRTY_BYTES = 512 };
    bool lossy = task->policy == ASSAY_POLICY_WHATWG, limited = false;
    if (!tables_are_final(encoding) || task->only_first || task->carry.absorb > 0 || !(lossy || VEC_ALWAYS_STRAIGHT))
        return;
    size_t from = task->at - carried_bytes(&task->carry), at = from, end = task->byte_count;
    if (!VEC_ALWAYS_STRAIGHT && end - at > 2 * DIRTY_BYTES) {
        limited = true;
        end = at + DIRTY_BYTES;
    }
    struct output out = task->out; /* less the high surrogate of a character that is under way */
    out.written -= form == UTF16 && task->carry.open_3 >> 63 != 0;
    decode_straight(form, encoding, lossy, task->hold || limited, task->bytes, end, &at, &out);
    if (at == from)
        return;
    task->at = at;
    task->out = out;
    task->carry = carry_between(0, false, false);
    task->carry.is_sound = true;
}

KERNEL_PART void decode_all(enum form form, const struct encoding *encoding, struct task *task)
{
    bool always = VEC_ALWAYS_STRAIGHT && tables_are_final(encoding);
    while (task->at < task->byte_count && task->status == ASSAY_OK) {
        size_t from = task->at;
        if (!always)
            decode_easy(form, encoding, task);
        decode_on(form, encoding, task);
        if (task->at < task->byte_count && (task->at == from || always))
            decode_dirty(form, encoding, task);
        if (task->only_first)
            break;
    }
    task->at -= carried_bytes(&task->carry);
}

static __attribute__((noinline)) void decode_all16(const struct encoding *encoding, struct task *task)
{
    decode_all(UTF16, encoding, task);
}

static __attribute__((noinline)) void decode_all32(const struct encoding *encoding, struct task *task)
{
    decode_all(UTF32, encoding, task);
}

KERNEL_PART void decode(enum form form, const struct encoding *encoding, struct task *task)
{
    if (form == UTF16)
        decode_all16(encoding, task);
    else
        decode_all32(encoding, task);
}

/* ---- whole and in pieces: stream.h ---------------------------------------------------------------------- */

/* Apart from what is short, which then has nothing to save and restore. */
static __attribute__((noinline)) struct assay_result decode_long16(const struct encoding *encoding,
                                                                    enum assay_policy policy, const uint8_t *bytes,
                                                                    size_t byte_count, void *units, size_t capacity)
{
    return decode_at_once(UTF16, encoding, policy, bytes, byte_count, units, capacity);
}

static __attribute__((noinline)) struct assay_result decode_long32(const struct encoding *encoding,
                                                                    enum assay_policy policy, const uint8_t *bytes,
                                                                    size_t byte_count, void *units, size_t capacity)
{
    return decode_at_once(UTF32, encoding, policy, bytes, byte_count, units, capacity);
}

KERNEL_PART struct assay_result decode_whole(enum form form, const struct encoding *encoding,
                                               enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                               void *units, size_t capacity)
{
    if (!offers(encoding, policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    size_t written;
    if (decode_short(form, encoding, bytes, byte_count, units, capacity, &written))
        return (struct assay_result){.status = ASSAY_OK, .read = byte_count, .written = written};
    return form == UTF16 ? decode_long16(encoding, policy, bytes, byte_count, units, capacity)
                         : decode_long32(encoding, policy, bytes, byte_count, units, capacity);
}

KERNEL_PART void remember(struct memory *memory, const struct carry *carry)
{
    memory->absorb = (uint8_t)carry->absorb;
    memory->in_run = carried_run(carry);
    memory->after_lead = carried_lead(carry);
}

#endif
