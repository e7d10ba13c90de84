/* SPDX-License-Identifier: MIT
 *
 * well_formed.h - to_well_formed: a template for encodings of bytes and for UTF-16. Text without errors is copied; for
 * other blocks, masks say which bytes are kept and where replacements go, so that each error is found once.
 *
 * Needs struct carry and carry_at_boundary(), defined before it, and the functions declared below, which the file that
 * includes it defines.
 */
#ifndef ASSAY_SIMD_COMMON_WELL_FORMED_H
#define ASSAY_SIMD_COMMON_WELL_FORMED_H

#include "concat.h"

/* The outcome of a block that begins at a character boundary. Bit i is about byte i. */
struct outcome {
    size_t length;     /* up to the end of its last character or error; under `strict`, up to the first error */
    uint64_t ends;     /* the last bytes of characters and errors */
    uint64_t kept;     /* all bytes of characters */
    uint64_t replaced; /* bytes that U+FFFD replaces */
    struct carry next; /* the carry for the bytes after it */
    bool stops;        /* there is an error, under `strict` */
    struct assay_span error;
};

/* The progress of to_well_formed; `at` is a character boundary. */
struct well_formed_task {
    const struct encoding *encoding;
    enum assay_policy policy;
    const uint8_t *bytes;
    size_t byte_count, at;
    struct carry carry;
    bool was_clean; /* the bytes before have no error */
    uint8_t *out;
    size_t capacity, written;
    enum assay_status status;
    struct assay_span error;
};

/* Copies bytes without errors, as long as that is fast and there is room. There is no error in the bytes before. */
KERNEL_PART void copy_clean(struct well_formed_task *task);

/* Under `whatwg`: replaces errors in the next bytes by a faster way than blocks. Returns false, with nothing done, if
 * no faster way exists here. */
KERNEL_PART bool replace_bulk(struct well_formed_task *task);

KERNEL_PART struct outcome outcome_of(const struct well_formed_task *task);

/* True if an error was last. */
KERNEL_PART bool is_in_run(const struct carry *carry);

/* U+FFFD repeated, at least as long as a vector. The first STEP bytes are whole repetitions in any encoding. */
enum { STEP = 60 };
#define FOUR_TIMES(text) text text text text
#define MANY_TIMES(text) FOUR_TIMES(FOUR_TIMES(text text))
struct replacement {
    const char *repeated;
    size_t length; /* bytes of one replacement */
};

KERNEL_PART struct replacement replacement_in(const struct encoding *encoding);

KERNEL_PART size_t size_of(const struct outcome *outcome, uint64_t inside, size_t length)
{
    return count_bits(outcome->kept & inside) + length * count_bits(outcome->replaced & inside);
}

/* Writes the first `length` bytes of a block, with their errors replaced. 128 bytes from its first byte on can be read,
 * and there is room for 64 bytes after the output: each copy is of 64 bytes, and the next one overwrites what is too
 * much. */
KERNEL_PART void put_freely(struct well_formed_task *task, const struct outcome *outcome,
                            struct replacement replacement)
{
    const uint8_t *bytes = task->bytes + task->at;
    uint8_t *out = task->out + task->written;
    vec replacements = vec_load((const uint8_t *)replacement.repeated);
    size_t from = 0;
    for (uint64_t gone = first_bits(outcome->length) & ~outcome->kept; gone != 0;) {
        size_t begin = lowest(gone);
        uint64_t run = gone & ~(gone + (gone & -gone)); /* the lowest run of set bits */
        size_t size = replacement.length * count_bits(outcome->replaced & run);
        vec_store(out, vec_load(bytes + from));
        out += begin - from;
        for (size_t i = 0; i < size; i += STEP)
            vec_store(out + i, replacements);
        out += size;
        from = begin + count_bits(run);
        gone ^= run;
    }
    vec_store(out, vec_load(bytes + from));
    task->written = (size_t)(out - task->out) + outcome->length - from;
    task->at += outcome->length;
}

/* Writes bytes `from` to `end` of a block: one character, or the replacement of one error. Returns false if there is no
 * room. If an error between two surrogates is dropped, the second may join the first. */
KERNEL_PART bool put_one_of(struct well_formed_task *task, const struct outcome *outcome, size_t from, size_t end,
                            bool in_run, struct replacement replacement)
{
    const uint8_t *bytes = task->bytes + task->at + from;
    uint64_t inside = first_bits(end) & ~first_bits(from);
    size_t room = task->capacity - task->written;
    if ((outcome->kept & inside) == 0) {
        size_t size = size_of(outcome, inside, replacement.length);
        for (size_t i = 0; size <= room && i < size; i++)
            task->out[task->written++] = (uint8_t)replacement.repeated[i % STEP];
        return size <= room;
    }
    struct joint joint = {{0}, 0, 0};
    if (in_run)
        joint = join_surrogates(task->encoding, task->out, task->written, bytes, end - from);
    bool joins = joint.count > 0;
    size_t size = joins ? joint.count : end - from;
    if (size > room + joint.taken)
        return false;
    task->written = append(task->out, task->written - joint.taken, joins ? joint.bytes : bytes, size);
    return true;
}

/* Writes a block character by character while there is room. */
KERNEL_PART void put_one_by_one(struct well_formed_task *task, const struct outcome *outcome,
                                struct replacement replacement)
{
    size_t from = 0;
    bool in_run = is_in_run(&task->carry);
    for (uint64_t ends = outcome->ends & first_bits(outcome->length); ends != 0; ends &= ends - 1) {
        size_t end = lowest(ends) + 1;
        if (!put_one_of(task, outcome, from, end, in_run, replacement)) {
            task->status = ASSAY_OUTPUT_FULL;
            break;
        }
        in_run = (outcome->kept >> (end - 1) & 1) == 0;
        from = end;
    }
    task->at += from;
}

KERNEL_PART void replace_in_block(struct well_formed_task *task)
{
    struct outcome outcome = outcome_of(task);
    struct replacement replacement = replacement_in(task->encoding);
    uint64_t inside = first_bits(outcome.length);
    size_t room = task->capacity - task->written;
    bool keeps_all = (inside & ~outcome.kept) == 0;
    bool may_join = task->encoding->surrogates == APART && task->policy == ASSAY_POLICY_SKIP &&
                    (!keeps_all || is_in_run(&task->carry));
    if (keeps_all && !may_join && outcome.length <= room) {
        task->written = append(task->out, task->written, task->bytes + task->at, outcome.length);
        task->at += outcome.length;
    } else if (!may_join && task->byte_count - task->at >= 2 * VEC_BYTES && room >= VEC_BYTES &&
               room - VEC_BYTES >= size_of(&outcome, inside, replacement.length)) {
        put_freely(task, &outcome, replacement);
    } else {
        put_one_by_one(task, &outcome, replacement);
    }
    task->carry = outcome.next;
    task->was_clean = keeps_all;
    if (task->status == ASSAY_OK && outcome.stops) {
        task->status = ASSAY_ILL_FORMED;
        task->error = outcome.error;
    }
}

static struct assay_result to_well_formed_in(const struct encoding *encoding, enum assay_policy policy,
                                             const uint8_t *bytes, size_t byte_count, uint8_t *out, size_t capacity)
{
    if (!offers(encoding, policy) || policy == ASSAY_POLICY_SURROGATEESCAPE)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    struct well_formed_task task = {
        encoding, policy, bytes, byte_count, .was_clean = true, .out = out, .capacity = capacity};
    task.carry = carry_at_boundary(0, false, false);
    while (task.at < byte_count && task.status == ASSAY_OK) {
        if (task.was_clean)
            copy_clean(&task);
        if (task.at < byte_count && !replace_bulk(&task))
            replace_in_block(&task);
    }
    return (struct assay_result){task.status, task.at, task.written, task.error};
}

#endif
