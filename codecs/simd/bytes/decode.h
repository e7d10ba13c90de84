/* SPDX-License-Identifier: MIT
 *
 * decode.h - decoding to UTF-16 and UTF-32, in three tiers: clean runs, windows (decode_windows.h), and blocks with
 * anything (marks.h). README.md says when each is chosen; decode_all() chooses.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_H
#define ASSAY_SIMD_BYTES_DECODE_H

#include "classify.h"
#include "decode_windows.h"
#include "../common/stream.h"
#ifdef VEC_STORE_PAST_CACHES
#include "decode_past_caches.h"
#endif
#ifdef VEC_MANY_REGISTERS
#include "decode_clean_utf16_avx512.h"
#include "decode_clean_utf32_avx512.h"
#else
#include "decode_clean_utf16.h"
#endif
#ifdef VEC_CHARACTERS
#include "decode_clean_utf32.h"
#endif

/* ---- where to stop -------------------------------------------------------------------------------- */

/* Drops from the selection what does not fit and, under `strict`, what is at or after the first error. Returns OK if
 * nothing was dropped. Else sets *stop to the number of bytes of the block that are decoded; it is negative if the
 * first character that was dropped began that many bytes before the block. */
KERNEL_PART enum assay_status limit_selection(enum assay_policy policy, const struct marks *marks,
                                              const struct carry *carry, size_t room, struct selection *selection,
                                              ptrdiff_t *stop)
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
    /* Everything fits, except that the last unit is a high surrogate and its low surrogate, in the next block, has no
     * room: without an error, limit_selection() is called only if the units and one more do not fit. */
    if (status == ASSAY_OK && (selection->chosen & ~done) != 0)
        status = ASSAY_OUTPUT_FULL;
    if (status != ASSAY_OK) {
        selection->chosen &= done;
        selection->replacements.at &= done;
        if (done == 0)
            selection->replacements.before = 0;
    }
    return status;
}

/* Sets the carry so that decoding continues where limit_selection() stopped, with no bytes to absorb, and in no run of
 * errors: it stops before what needs a unit, and under `per-run`, a later error of a run needs none. */
KERNEL_PART void set_carry_at_stop(struct carry *carry, const struct marks *marks, ptrdiff_t stop)
{
    bool after_lead = stop > 0 ? (marks->surrogates.leads >> (stop - 1) & 1) != 0 : carried_lead(carry);
    *carry = carry_at_boundary(0, false, after_lead);
}

/* ---- the loop --------------------------------------------------------------------------------------- */

/* Keeps only the first character or error of a block. Returns its length, or that of the block if it has none. */
KERNEL_PART size_t limit_to_first(struct marks *marks, size_t length)
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

/* Decodes one block of any kind. */
KERNEL_PART void decode_block(enum form form, const struct encoding *encoding, struct task *task,
                              const struct block *block)
{
    struct marks marks = find_marks(encoding, block, &task->carry, task->hold);
    size_t length = task->only_first ? limit_to_first(&marks, block->length) : block->length;
    uint64_t high_halves = marks.high_halves | marks.surrogates.whole_halves;
    struct selection selection = {marks.ends | (form == UTF16 ? high_halves : 0), {0, 0}};
    if (marks.errors != 0) {
        selection.replacements = find_replacements(encoding, task->policy, block, &marks, &task->carry, length);
        selection.chosen |= selection.replacements.at;
    } else {
        task->carry.absorb = 0;
    }
    size_t room = task->out.capacity - task->out.written;
    ptrdiff_t stop = 0;
    /* room for one unit more, because a low surrogate may follow */
    if (units_of(&selection) + 1 > room || (marks.errors != 0 && task->policy == ASSAY_POLICY_STRICT))
        task->status = limit_selection(task->policy, &marks, &task->carry, room, &selection, &stop);
    struct fours fours = {marks.high_halves, marks.fourths};
    size_t first_unit = task->out.written + selection.replacements.before;
    put_block(form, task->policy, block, &fours, &selection, &task->out);
    if (form == UTF32)
        join_pairs(block, marks.surrogates.trails, selection.chosen, (uint32_t *)task->out.units, first_unit);
    if (task->status == ASSAY_OK) {
        advance_carry(&task->carry, &marks, length);
        task->at += length;
        return;
    }
    if (task->status == ASSAY_ILL_FORMED) {
        struct marks found = marks;
        task->error = span_at(encoding, block, &found, lowest(marks.errors), task->at);
    }
    set_carry_at_stop(&task->carry, &marks, stop);
    task->at = (size_t)((ptrdiff_t)task->at + stop);
}

/* True if the next bytes may be decoded by windows, between which nothing is carried. */
KERNEL_PART bool may_decode_windows(const struct task *task)
{
    return task->carry.was_clean || (task->carry.is_plain && task->policy == ASSAY_POLICY_WHATWG);
}

/* Tier 3: decodes blocks of any kind, at least one, until windows may continue. The loop works on a copy of the task,
 * because stores to the output could, as far as the compiler knows, change the caller's. */
LONG_PART void decode_blocks(enum form form, const struct encoding *encoding, struct task *given)
{
    ASSUME(given->at < given->byte_count);
    struct task task = *given;
    do {
        struct block block = block_at(task.bytes, task.byte_count, task.at);
        decode_block(form, encoding, &task, &block);
    } while (!may_decode_windows(&task) && task.at < task.byte_count && task.status == ASSAY_OK && !task.only_first);
    given->at = task.at;
    given->carry = task.carry;
    given->out.written = task.out.written;
    given->status = task.status;
    if (task.status == ASSAY_ILL_FORMED)
        given->error = task.error;
}

/* Writes a block without errors, given the last byte of each character (`ends`). Returns the number of units, or room +
 * 1 if they do not fit. */
KERNEL_PART size_t put_clean(enum form form, const struct encoding *encoding, const struct window *window,
                             uint64_t ends, bool has_fours, void *out, size_t room)
{
    struct fours fours = {0, 0};
    struct planes planes;
    if (has_fours) {
        fours = (struct fours){vec_bits(vec_at_least(window->back_2, encoding->first_lead_of_4)),
                               vec_bits(vec_at_least(window->back_3, encoding->first_lead_of_4))};
        planes = planes_of(window);
        put_supplementary(form, &planes, window, &fours);
    } else {
        planes = planes_without_fours(window, vec_constant(0xE0));
    }
    uint64_t chosen = ends | (form == UTF16 ? fours.high_halves : 0);
    size_t count = count_bits(chosen);
    if (count > room)
        return room + 1;
    put_planes(form, &planes, form == UTF32 && has_fours, chosen, out, room);
    return count;
}

/* A run without errors: the offset of the next block, and the output. `next_fits`: the first byte of the block was
 * checked against the bytes before it. */
struct clean_run {
    size_t at;
    bool next_fits;
    struct output out;
};

/* Writes up to 64 bytes of ASCII, loaded as `now`, as units. */
KERNEL_PART void put_short_ascii(enum form form, vec now, const uint8_t *bytes, size_t byte_count, void *units)
{
    if (form == UTF16)
        vec_widen16_ascii(units, now, bytes, byte_count);
    else
        vec_widen32_ascii(units, now, bytes, byte_count);
}

/* Whether a byte is wrong, as pair_bits_of() says. With gcc 12 and AVX-512 one comparison is faster than the XOR of
 * wrong_bytes() and a test, by 2 % of a short string. */
KERNEL_PART bool has_wrong_byte(const struct tables *tables, const struct window *window, bool has_fours)
{
    struct pair_bits bits = pair_bits_of(tables, window, has_fours);
    return !vec_are_equal(bits.found, bits.required);
}

/* Decodes the last block, of up to 64 bytes, if it has no error and there is room. */
KERNEL_PART void decode_last_block(enum form form, const struct encoding *encoding, const uint8_t *bytes,
                                   size_t byte_count, struct clean_run *run)
{
    ASSUME(run->at < byte_count && byte_count - run->at <= VEC_BYTES);
    const uint8_t *block = bytes + run->at;
    size_t length = byte_count - run->at, room = run->out.capacity - run->out.written, count = length;
    if (room == 0 || (run->at > 0 && run->at < REACH) || (!run->next_fits && is_continuation(*block)))
        return;
    void *to = unit_at(form, run->out.units, run->out.written);
    vec now = vec_load_part(block, length);
    if (vec_is_ascii(now) && length <= room && !has_short_nul(encoding, now, length)) {
        put_short_ascii(form, now, block, length, to);
    } else {
        struct tables tables = tables_of(encoding);
        struct window window = run->at == 0 ? vec_window(now, block, length) : window_at_end(block, length);
        if (has_wrong_byte(&tables, &window, true) || has_short_nul(encoding, window.now, length) ||
            (length == VEC_BYTES && is_cut_before(encoding, block + length)))
            return;
        uint64_t ends = first_bits(length) & ~(vec_bits(vec_is_continuation(window.now)) >> 1);
        /* All characters are complete, so a 4-byte character has its fourth byte here. */
        bool has_fours = !vec_is_ascii(vec_subtract(window.back_3, tables.below_lead_of_4));
        count = put_clean(form, encoding, &window, ends, has_fours, to, room);
        if (count > room)
            return;
    }
    run->at = byte_count;
    run->out.written += count;
}

#ifdef VEC_MANY_REGISTERS
/* Decodes a text of 1 to 64 bytes, given in `now` with zeros after it, if the tables accept it and there is room.
 * Returns the number of units, or 0. has_fours, a constant at each call: false if there is no lead of four.
 *
 * The window is a circle: the byte before the first one is the 64th, which is a zero or, in a text of 64 bytes, the
 * last byte. So an unfinished character at the end makes the byte after it wrong: a zero, or the first byte. Only a
 * continuation byte as the first one could complete it, and that is refused separately. After a complete character
 * nothing is required of the first bytes. So nothing asks about the end. What the tables refuse may be well-formed
 * (encoding.h). Rotations take fewer operations than shifts. */
KERNEL_PART size_t put_short_text(enum form form, const struct encoding *encoding, bool has_fours, vec now,
                                  size_t byte_count, void *to, size_t room)
{
    struct tables tables = tables_of(encoding);
    vec back_1 = vec_rotate(now), back_2 = vec_rotate(back_1), back_3 = vec_rotate(back_2);
    struct window window = {now, back_1, back_2, back_3};
    uint64_t continuations = vec_bits(vec_is_continuation(now));
    if (has_wrong_byte(&tables, &window, has_fours) || has_short_nul(encoding, now, byte_count) ||
        (continuations & 1) != 0)
        return 0;
    /* hold_bits: gcc 12 would move this mask back from the mask register of the load, which takes longer */
    uint64_t ends = hold_bits(first_bits(byte_count)) & ~(continuations >> 1);
    size_t count = put_clean(form, encoding, &window, ends, has_fours, to, room);
    return count > room ? 0 : count;
}

/* Decodes a text of 1 to 64 bytes, if it has no error and there is room. Returns the number of units, or 0. Most
 * strings are short; this is fast because it prepares nothing for a loop. */
KERNEL_PART size_t decode_short(enum form form, const struct encoding *encoding, const uint8_t *bytes,
                                size_t byte_count, void *to, size_t room)
{
    ASSUME(byte_count >= 1 && byte_count <= VEC_BYTES);
    vec now = vec_load_part(bytes, byte_count);
    if (vec_is_ascii(now) && byte_count <= room && !has_short_nul(encoding, now, byte_count)) {
        put_short_ascii(form, now, bytes, byte_count, to);
        return byte_count;
    }
    truth fours = vec_reaches(now, vec_bound(encoding->first_lead_of_4));
    return vec_neither(fours, fours) ? put_short_text(form, encoding, false, now, byte_count, to, room)
                                     : put_short_text(form, encoding, true, now, byte_count, to, room);
}
#else
/* The same. next_fits: the first byte was not checked yet, but the window has zeros before it, after which a
 * continuation byte is wrong. */
KERNEL_PART size_t decode_short(enum form form, const struct encoding *encoding, const uint8_t *bytes,
                                size_t byte_count, void *to, size_t room)
{
    struct clean_run run = {0, true, {to, room, 0}};
    decode_last_block(form, encoding, bytes, byte_count, &run);
    return run.at == byte_count ? run.out.written : 0;
}
#endif

/* Decodes a block if it is clean and has no more than `room` units; then returns what it holds, else SOMETHING_ELSE. It
 * must not be the last one; `fours_before` says whether one of the three bytes before it is a lead of four. */
KERNEL_PART enum block_class decode_clean_block(enum form form, const struct encoding *encoding,
                                                const struct classifier *classifier, const struct window *window,
                                                vec after, bool fours_before, size_t room, struct clean_run *run)
{
    enum block_class found = classify_block(encoding, classifier, window, after, fours_before);
    if (found == SOMETHING_ELSE)
        return found;
    uint64_t ends = ~vec_bits(vec_is_continuation(after));
    void *to = unit_at(form, run->out.units, run->out.written);
    size_t count = put_clean(form, encoding, window, ends, found == WITH_FOURS, to, room);
    if (count > room)
        return SOMETHING_ELSE;
    run->out.written += count;
    run->next_fits = true;
    run->at += VEC_BYTES;
    return found;
}

enum { FEW = 512 }; /* bytes that are decoded without what many need */

/* Decodes a text of more than 64 bytes, up to FEW, as far as its blocks have no error, and room. It begins with no
 * continuation byte, and there is room for a unit. */
KERNEL_PART void decode_few_blocks(enum form form, const struct encoding *encoding, const uint8_t *bytes,
                                   size_t byte_count, struct clean_run *given)
{
    struct classifier classifier = classifier_of(encoding);
    struct clean_run run = *given;
    enum block_class found = WITHOUT_FOURS;
    while (found != SOMETHING_ELSE && byte_count - run.at > VEC_BYTES) {
        const uint8_t *block = bytes + run.at;
        struct window window = run.at == 0 ? window_of_only(block, VEC_BYTES) : window_at(block);
        bool fours_before = run.at > 0 && has_fours_before(encoding, block);
        size_t room = run.out.capacity - run.out.written - 1; /* one unit less, because a low surrogate may follow */
        found = decode_clean_block(form, encoding, &classifier, &window, vec_load(block + 1), fours_before, room, &run);
    }
#ifdef VEC_MANY_REGISTERS
    if (found == WITHOUT_FOURS) /* after 4-byte characters it would miss an error */
        put_bmp_end(form, encoding, &classifier, bytes, byte_count, &run.at, &run.out);
#endif
    if (found != SOMETHING_ELSE && run.at < byte_count)
        decode_last_block(form, encoding, bytes, byte_count, &run);
    *given = run;
}

#ifdef VEC_MANY_REGISTERS
/* Decodes blocks with 4-byte characters. */
KERNEL_PART void put_blocks_with_fours(enum form form, const struct encoding *encoding,
                                       const struct bmp_decoder *decoder, const uint8_t *bytes, size_t byte_count,
                                       struct clean_run *run)
{
    if (form == UTF16)
        put_utf16_blocks(encoding, decoder, bytes, byte_count, &run->at, &run->out);
    else
        put_utf32_blocks(encoding, decoder, bytes, byte_count, &run->at, &run->out);
}

/* Decodes ASCII, then blocks without 4-byte characters, then blocks with them, each in a loop of its own, and repeats
 * this while one of the loops decodes something. The caller has checked the first block: it is ASCII, or the three
 * bytes before it are right and have no lead of four. */
KERNEL_PART void decode_plain_blocks(enum form form, const struct encoding *encoding, const struct bmp_decoder *decoder,
                                     const uint8_t *bytes, size_t byte_count, struct clean_run *run)
{
    size_t from;
    do {
        if (put_ascii(form, encoding, bytes, byte_count, &run->at, &run->out))
            run->next_fits = false;
        from = run->at;
        bool is_refused = from < byte_count && (run->next_fits || !is_continuation(bytes[from])) &&
                          put_bmp_blocks(form, encoding, decoder, bytes, byte_count, &run->at, &run->out);
        if (is_refused)
            put_blocks_with_fours(form, encoding, decoder, bytes, byte_count, run);
        run->next_fits |= run->at != from;
    } while (run->at != from && !has_fours_before(encoding, bytes + run->at));
}
#endif

/* Decodes blocks of 64 bytes while they are clean, at least one byte follows, and there is room for 65 units: 64, and a
 * low surrogate. Most blocks of most texts are clean, so this loop holds nothing that only errors need. */
LONG_PART void decode_clean_blocks(enum form form, const struct encoding *encoding, const uint8_t *bytes,
                                   size_t byte_count, struct clean_run *given)
{
    struct classifier classifier = classifier_of(encoding);
#ifdef VEC_MANY_REGISTERS
    struct bmp_decoder decoder = bmp_decoder_of(&classifier);
#endif
    struct clean_run run = *given;
    bool goes_on = true;
    while (goes_on && byte_count - run.at > VEC_BYTES && run.out.capacity - run.out.written > VEC_BYTES) {
        const uint8_t *block = bytes + run.at;
        if (is_plain_ascii(encoding, vec_load(block))) {
#ifdef VEC_MANY_REGISTERS
            decode_plain_blocks(form, encoding, &decoder, bytes, byte_count, &run);
#else
            put_ascii(form, encoding, bytes, byte_count, &run.at, &run.out);
            run.next_fits = false;
#endif
        } else if (!run.next_fits && is_continuation(*block)) {
            break;
        } else if (run.at != given->at || run.next_fits) {
            struct window window = window_at(block);
            bool fours_before = has_fours_before(encoding, block);
            enum block_class found = decode_clean_block(form, encoding, &classifier, &window, vec_load(block + 1),
                                                        fours_before, VEC_BYTES, &run);
            goes_on = found != SOMETHING_ELSE;
            bool is_bmp = found == WITHOUT_FOURS && !has_fours_before(encoding, bytes + run.at);
#ifdef VEC_MANY_REGISTERS
            if (is_bmp)
                decode_plain_blocks(form, encoding, &decoder, bytes, byte_count, &run);
            if (found == WITH_FOURS)
                put_blocks_with_fours(form, encoding, &decoder, bytes, byte_count, &run);
#else
            if (is_bmp)
                put_bmp_blocks(form, encoding, bytes, byte_count, &run.at, &run.out);
            if (found == WITH_FOURS && form == UTF16)
                put_utf16_blocks(encoding, bytes, byte_count, &run.at, &run.out);
#endif
#ifdef VEC_CHARACTERS
            if (found == WITH_FOURS && form == UTF32)
                put_utf32_blocks(encoding, bytes, byte_count, &run.at, &run.out);
#endif
        } else {
            struct window window = window_of_only(block, VEC_BYTES); /* the bytes before the block may be an error */
            goes_on = decode_clean_block(form, encoding, &classifier, &window, vec_load(block + 1), false, VEC_BYTES,
                                         &run) != SOMETHING_ELSE;
        }
    }
    *given = run;
}

/* Decodes as long as there is no error, and room; at least one byte is left. ASCII at the begin is decoded before
 * anything is prepared for other blocks. */
KERNEL_PART void decode_clean(enum form form, const struct encoding *encoding, const uint8_t *bytes, size_t byte_count,
                              struct clean_run *run)
{
    ASSUME(run->at < byte_count);
    if (!run->next_fits)
        put_ascii(form, encoding, bytes, byte_count, &run->at, &run->out);
    if (byte_count - run->at > VEC_BYTES)
        decode_clean_blocks(form, encoding, bytes, byte_count, run);
    if (run->at < byte_count && byte_count - run->at <= VEC_BYTES)
        decode_last_block(form, encoding, bytes, byte_count, run);
}

/* Not inlined: it is long and has two callers. */
static __attribute__((noinline)) void decode_clean16(const struct encoding *encoding, const uint8_t *bytes,
                                                     size_t byte_count, struct clean_run *run)
{
    decode_clean(UTF16, same_encoding(encoding), bytes, byte_count, run);
}

static __attribute__((noinline)) void decode_clean32(const struct encoding *encoding, const uint8_t *bytes,
                                                     size_t byte_count, struct clean_run *run)
{
    decode_clean(UTF32, same_encoding(encoding), bytes, byte_count, run);
}

/* Tier 1: decodes up to an error, or until less room is left than a block may need. */
KERNEL_PART void decode_clean_run(enum form form, const struct encoding *encoding, struct task *task)
{
    bool was_clean = task->at == 0 ? !carried_lead(&task->carry) : task->carry.was_clean;
    bool skips_clean = task->skips_clean;
    task->skips_clean = false;
    if (!was_clean || skips_clean || task->only_first)
        return;
    struct clean_run run = {task->at, task->carry.next_fits, task->out};
    (form == UTF16 ? decode_clean16 : decode_clean32)(encoding, task->bytes, task->byte_count, &run);
    if (run.at == task->at)
        return;
    /* if the run was shorter at the end, the bytes before may be an error */
    bool is_all_seen = run.at - task->at >= REACH;
    task->carry =
        is_all_seen ? carry_after(encoding, task->bytes + run.at, run.next_fits) : carry_at_boundary(0, false, false);
    task->out = run.out;
    task->at = run.at;
}

/* Tier 2: decodes by windows until ENOUGH_CLEAN in turn have no error (at the start of the text: one), room is short,
 * or a surrogate needs bytes outside its window; under a policy other than `whatwg`, up to the first error. */
KERNEL_PART void decode_windows(enum form form, const struct encoding *encoding, struct task *task)
{
    enum { ENOUGH_CLEAN = 12 }; /* windows without errors, after which tier 1 is likely to be faster */
    bool lossy = task->policy == ASSAY_POLICY_WHATWG;
    if (task->only_first || task->carry.absorb > 0)
        return;
    size_t from = task->at - carried_bytes(&task->carry), at = from;
    struct output out = task->out; /* not counting the high surrogate of an unfinished character */
    out.written -= form == UTF16 && task->carry.open_3 >> 63 != 0;
    decode_each_window(form, encoding, lossy, task->hold, at == 0 ? 1 : ENOUGH_CLEAN, task->bytes, task->byte_count,
                       &at, &out);
    if (at == from)
        return;
    task->at = at;
    task->out = out;
    task->carry = carry_at_boundary(0, false, false);
    task->carry.was_clean = true;
}

/* Runs the tiers until the input ends or the status is not ASSAY_OK. Then task->at is before an unfinished sequence. */
KERNEL_PART void decode_all(enum form form, const struct encoding *encoding, struct task *task)
{
    while (task->at < task->byte_count && task->status == ASSAY_OK) {
        size_t from = task->at;
        decode_clean_run(form, encoding, task);
        decode_windows(form, encoding, task);
        if (task->at < task->byte_count && task->at == from)
            decode_blocks(form, encoding, task);
        if (task->only_first)
            break;
    }
    task->at -= carried_bytes(&task->carry);
}

/* Not inlined, so that there is one copy for each form. */
static __attribute__((noinline)) void decode_all16(const struct encoding *encoding, struct task *task)
{
    decode_all(UTF16, same_encoding(encoding), task);
}

static __attribute__((noinline)) void decode_all32(const struct encoding *encoding, struct task *task)
{
    decode_all(UTF32, same_encoding(encoding), task);
}

KERNEL_PART void decode(enum form form, const struct encoding *encoding, struct task *task)
{
    if (form == UTF16)
        decode_all16(encoding, task);
    else
        decode_all32(encoding, task);
}

/* ---- whole inputs and pieces (common/stream.h) ----------------------------------------------------------------- */

/* Decodes a whole input, or what is left of one. If it is more than 64 bytes, tries blocks without errors first, since
 * most text has no error at all. Then all tiers. */
KERNEL_PART struct assay_result decode_long(enum form form, const struct encoding *encoding, enum assay_policy policy,
                                            const uint8_t *bytes, size_t byte_count, void *units, size_t capacity)
{
    struct clean_run run = {0, false, {units, capacity, 0}};
    if (byte_count > VEC_BYTES && byte_count <= FEW && capacity > 0 && !is_continuation(*bytes))
        decode_few_blocks(form, encoding, bytes, byte_count, &run);
    else if (byte_count > VEC_BYTES)
        (form == UTF16 ? decode_clean16 : decode_clean32)(encoding, bytes, byte_count, &run);
    if (run.at == byte_count)
        return (struct assay_result){.status = ASSAY_OK, .read = byte_count, .written = run.out.written};
    struct carry carry =
        run.at == 0 ? carry_at_boundary(0, false, false) : carry_after(encoding, bytes + run.at, run.next_fits);
    struct task task = {policy, bytes, byte_count, .skips_clean = true, .at = run.at, .carry = carry, .out = run.out};
    decode(form, encoding, &task);
    return (struct assay_result){task.status, task.at, task.out.written, task.error};
}

/* Not inlined, so that short strings have no registers to save. */
static __attribute__((noinline)) struct assay_result decode_long16(const struct encoding *encoding,
                                                                   enum assay_policy policy, const uint8_t *bytes,
                                                                   size_t byte_count, void *units, size_t capacity)
{
    return decode_long(UTF16, same_encoding(encoding), policy, bytes, byte_count, units, capacity);
}

static __attribute__((noinline)) struct assay_result decode_long32(const struct encoding *encoding,
                                                                   enum assay_policy policy, const uint8_t *bytes,
                                                                   size_t byte_count, void *units, size_t capacity)
{
    return decode_long(UTF32, same_encoding(encoding), policy, bytes, byte_count, units, capacity);
}

#ifdef VEC_STORE_PAST_CACHES
/* Decodes what decode_whole() has left. Not inlined, since decode_past_caches() has arguments on the stack, for which
 * gcc 12 would prepare a larger frame before each short string. */
static __attribute__((noinline)) struct assay_result decode_rest16(const struct encoding *encoding,
                                                                   enum assay_policy policy, const uint8_t *bytes,
                                                                   size_t byte_count, void *units, size_t capacity)
{
    if (is_for_past_caches(encoding, policy, byte_count))
        return decode_past_caches(UTF16, decode_long16, encoding, policy, bytes, byte_count, units, capacity);
    return decode_long16(encoding, policy, bytes, byte_count, units, capacity);
}

static __attribute__((noinline)) struct assay_result decode_rest32(const struct encoding *encoding,
                                                                   enum assay_policy policy, const uint8_t *bytes,
                                                                   size_t byte_count, void *units, size_t capacity)
{
    if (is_for_past_caches(encoding, policy, byte_count))
        return decode_past_caches(UTF32, decode_long32, encoding, policy, bytes, byte_count, units, capacity);
    return decode_long32(encoding, policy, bytes, byte_count, units, capacity);
}
#else
#define decode_rest16 decode_long16
#define decode_rest32 decode_long32
#endif

/* Decodes a whole input: ASCII at the begin of a short text, if there is room for all of it; then, if at most 64 bytes
 * are left, these at once. What is left, or has an error, is decoded by decode_rest16() or decode_rest32(). */
KERNEL_PART struct assay_result decode_whole(enum form form, const struct encoding *encoding, enum assay_policy policy,
                                             const uint8_t *bytes, size_t byte_count, void *units, size_t capacity)
{
    decode_text *decode_any = form == UTF16 ? decode_rest16 : decode_rest32;
    size_t ascii = 0;
    if (!offers(encoding, policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    if (byte_count > VEC_BYTES && byte_count <= FEW && byte_count <= capacity) {
        ascii = put_leading_ascii(form, encoding, bytes, byte_count, units);
        units = unit_at(form, units, ascii);
        bytes += ascii, byte_count -= ascii, capacity -= ascii;
    }
    if (byte_count <= VEC_BYTES) {
        size_t count = byte_count > 0 ? decode_short(form, encoding, bytes, byte_count, units, capacity) : 0;
        if (count > 0 || byte_count == 0)
            return (struct assay_result){.status = ASSAY_OK, .read = ascii + byte_count, .written = ascii + count};
    }
    if (ascii > 0) /* otherwise the result is not copied */
        return result_after((struct progress){ascii, ascii},
                            decode_any(encoding, policy, bytes, byte_count, units, capacity));
    return decode_any(encoding, policy, bytes, byte_count, units, capacity);
}

KERNEL_PART void remember(struct memory *memory, const struct carry *carry)
{
    memory->absorb = (uint8_t)carry->absorb;
    memory->in_run = carried_run(carry);
    memory->after_lead = carried_lead(carry);
}

#endif
