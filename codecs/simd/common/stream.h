/* SPDX-License-Identifier: MIT
 *
 * stream.h - decoding of whole inputs and of pieces: a template over decode() and remember(), which the file that
 * includes it defines. Needs struct carry, and carry_at_boundary(), defined before it.
 */
#ifndef ASSAY_SIMD_COMMON_STREAM_H
#define ASSAY_SIMD_COMMON_STREAM_H

#include "planes.h"

/* The input and output of a decoding, and how much of it is done. */
struct task {
    enum assay_policy policy;
    const uint8_t *bytes;
    size_t byte_count;
    bool hold;        /* leaves an incomplete sequence at the end, which is then not an error */
    bool only_first;  /* stops after one character or error */
    bool skips_clean; /* tier 1 was tried at this position: there is an error, or no room */

    size_t at;
    struct carry carry;
    struct output out;
    enum assay_status status;
    struct assay_span error;
};

/* Decodes as much as possible. Leaves `at` at a character boundary, and the reason in `status`. */
KERNEL_PART void decode(enum form form, const struct encoding *encoding, struct task *task);

/* Decodes a whole input; as `decode` of struct assay_codec. */
typedef struct assay_result decode_text(const struct encoding *, enum assay_policy, const uint8_t *bytes,
                                        size_t byte_count, void *units, size_t capacity);

/* The result of a whole input, given that of what follows its part that is done. */
KERNEL_PART struct assay_result result_after(struct progress done, struct assay_result rest)
{
    rest.read += done.read;
    rest.written += done.written;
    if (rest.status == ASSAY_ILL_FORMED)
        rest.error.offset += done.read;
    return rest;
}

/* What a stream remembers, kept in assay_stream.state. */
struct memory {
    uint64_t position;            /* stream offset of the first held byte, or of the next byte if none is held */
    uint8_t held[ASSAY_HELD_MAX]; /* a sequence that is well-formed so far */
    uint8_t held_count;
    uint8_t absorb; /* as in struct carry */
    bool in_run;
    bool after_lead;
};
_Static_assert(sizeof(struct memory) <= sizeof((struct assay_stream *)0)->state, "a stream has room for its memory");

/* Keeps what the next task needs from this one. */
KERNEL_PART void remember(struct memory *memory, const struct carry *carry);

KERNEL_PART struct assay_result decode_at_once(enum form form, const struct encoding *encoding,
                                               enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                               void *units, size_t capacity)
{
    struct task task = {policy, bytes, byte_count, .out = {units, capacity, 0}};
    task.carry = carry_at_boundary(0, false, false);
    decode(form, encoding, &task);
    return (struct assay_result){task.status, task.at, task.out.written, task.error};
}

/* Puts the held bytes and the first bytes of a new piece together, and decodes their first character or error. The
 * longest sequence has six bytes, so six bytes always complete it. Sets task->at to its end in the piece; after a lead
 * surrogate, some of the held bytes may stay held. Returns true if there is more to decode; false if the sequence is
 * still incomplete, with all bytes of the piece now held. */
LONG_PART bool decode_held(enum form form, const struct encoding *encoding, struct task *task, struct memory *memory)
{
    uint8_t joined[ASSAY_HELD_MAX + 1];
    size_t held = memory->held_count, wanted = sizeof joined - held;
    size_t more = task->byte_count < wanted ? task->byte_count : wanted;
    memcpy(joined, memory->held, held);
    if (more > 0)
        memcpy(joined + held, task->bytes, more);
    struct task first = {task->policy,
                         joined,
                         held + more,
                         task->hold || more < task->byte_count,
                         true,
                         .carry = carry_at_boundary(0, memory->in_run, memory->after_lead),
                         .out = task->out};
    decode(form, encoding, &first);

    task->status = first.status;
    task->out.written = first.out.written;
    if (first.status == ASSAY_ILL_FORMED) {
        task->error = first.error;
        task->error.offset += (size_t)memory->position;
    }
    if (first.status != ASSAY_OK)
        return false;
    size_t left = first.at < held ? held - first.at : 0;
    if (first.at == 0) {
        left = held + more;
        task->at = more;
    } else {
        remember(memory, &first.carry);
        memory->position += first.at;
        task->at = first.at - (held - left);
    }
    memcpy(memory->held, joined + first.at, left);
    memory->held_count = (uint8_t)left;
    return first.at > 0;
}

/* Decodes the rest of a piece from task->at on; no bytes are held. Holds an incomplete sequence at its end. */
KERNEL_PART void decode_rest(enum form form, const struct encoding *encoding, struct task *task, struct memory *memory)
{
    size_t taken = task->at; /* the rest is passed as a whole input, so that nothing reads the bytes before it */
    task->bytes += taken;
    task->byte_count -= taken;
    task->at = 0;
    task->carry = carry_at_boundary(memory->absorb, memory->in_run, memory->after_lead);
    decode(form, encoding, task);
    remember(memory, &task->carry);
    task->error.offset += task->status == ASSAY_ILL_FORMED ? (size_t)memory->position : 0;
    memory->position += task->at;
    if (task->status == ASSAY_OK) {
        memory->held_count = (uint8_t)(task->byte_count - task->at);
        memcpy(memory->held, task->bytes + task->at, memory->held_count);
        task->at = task->byte_count;
    }
    task->at += taken;
}

KERNEL_PART struct assay_result decode_piece(enum form form, const struct encoding *encoding,
                                             struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,
                                             bool last, void *units, size_t capacity)
{
    if (!offers(encoding, stream->policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    struct memory memory;
    memcpy(&memory, stream->state, sizeof memory);
    struct task task = {stream->policy, bytes, byte_count, .hold = !last, .out = {units, capacity, 0}};
    bool goes_on = true;
    while (goes_on && memory.held_count > 0)
        goes_on = decode_held(form, encoding, &task, &memory);
    if (goes_on && task.at < byte_count)
        decode_rest(form, encoding, &task, &memory);
    memcpy(stream->state, &memory, sizeof memory);
    return (struct assay_result){task.status, task.at, task.out.written, task.error};
}

#endif
