/* SPDX-License-Identifier: MIT
 *
 * repair_bytes.h - what repair.h needs, for encodings of bytes.
 */
#ifndef ASSAY_SIMD_REPAIR_BYTES_H
#define ASSAY_SIMD_REPAIR_BYTES_H

#include "join.h"
#include "policy.h"
#include "repair.h"

KERNEL_PART bool is_in_run(const struct carry *carry)
{
    return carried_run(carry);
}

KERNEL_PART struct replacement replacement_in(const struct encoding *encoding)
{
    (void)encoding;
    return (struct replacement){MANY_TIMES("\xEF\xBF\xBD"), 3};
}

/* How many bytes before this address, of which all is right so far, are of a character that is not complete. */
KERNEL_PART size_t cut_before(const struct encoding *encoding, const uint8_t *bytes)
{
    if (bytes[-1] >= FIRST_BEYOND_CONTINUATIONS)
        return 1;
    if (bytes[-2] >= encoding->first_lead_of_3)
        return 2;
    return bytes[-3] >= encoding->first_lead_of_4 ? 3 : 0;
}

/* By blocks, each looked at with what is before it. */
KERNEL_PART void copy_sound(struct repair *repair)
{
    const struct encoding *encoding = repair->encoding;
    struct tables tables = tables_of(encoding);
    const uint8_t *bytes = repair->bytes;
    size_t left = repair->byte_count - repair->at, room = repair->capacity - repair->written, done = 0;
    size_t most = left < room ? left : room;
    uint8_t *out = repair->out + repair->written;
    for (const uint8_t *from = bytes + repair->at; most - done >= VEC_BYTES; done += VEC_BYTES) {
        vec now = vec_load(from + done);
        if (is_plain_ascii(encoding, now)) {
            if (is_cut_before(encoding, from + done))
                break;
        } else {
            struct window window = window_at(from + done);
            if (!vec_is_zero(wrong_bytes(&tables, &window)) || has_short_nul(encoding, now, VEC_BYTES))
                break;
        }
        vec_store(out + done, now);
    }
    if (done == 0)
        return;
    done -= cut_before(encoding, bytes + repair->at + done);
    repair->at += done;
    repair->written += done;
    repair->carry = carry_between(0, false, false);
}

KERNEL_PART struct outcome outcome_of(const struct repair *repair)
{
    enum { LONGEST_ERROR = 5 }; /* all but the last byte of a surrogate pair */
    struct block block = block_at(repair->bytes, repair->byte_count, repair->at);
    struct carry carry = repair->carry;
    struct marks marks = mark(repair->encoding, &block, &carry, false);
    uint64_t ends = marks.ends | marks.errors, gone = marks.errors;
    size_t length = VEC_BYTES - (size_t)__builtin_clzll(ends); /* 64 bytes, or the end, are never without */
    struct outcome outcome = {.length = length, .ends = ends};
    if (marks.errors == 0) {
        carry.absorb = 0;
    } else {
        for (size_t i = 1; i < LONGEST_ERROR; i++)
            gone |= gone >> 1 & ~ends;
        outcome.replaced =
            replacements_for(repair->encoding, repair->policy, &block, &marks, &carry, length).at;
        outcome.stops = repair->policy == ASSAY_POLICY_STRICT;
    }
    if (outcome.stops) {
        outcome.error = span_at(repair->encoding, &block, &marks, lowest(marks.errors), repair->at);
        outcome.length = outcome.error.offset - repair->at;
    }
    outcome.kept = first_bits(outcome.length) & ~gone;
    bool in_run = (marks.errors >> (length - 1) & 1) != 0;
    bool after_lead = (marks.surrogates.leads >> (length - 1) & 1) != 0;
    outcome.next = carry_between(carry.absorb, in_run, after_lead);
    return outcome;
}

#endif
