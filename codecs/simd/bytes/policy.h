/* SPDX-License-Identifier: MIT
 *
 * policy.h - which units each policy writes for the errors of a block, as masks.
 */
#ifndef ASSAY_SIMD_BYTES_POLICY_H
#define ASSAY_SIMD_BYTES_POLICY_H

#include "marks.h"

enum { ABSORBED_MAX = 5 }; /* the most continuation bytes that a lead of RFC 2279 asks for */

/* The units of a block that replace errors: bit i of `at` is a unit at byte i. An error that began in the block before
 * may need more units than it has bytes in this block: `before` of them are written first. */
struct replacements {
    uint64_t at;
    size_t before;
};

/* For policies under which a replacement absorbs continuation bytes after the error: bit i of more[k] is set if the
 * error that ends at byte i absorbs at least k + 1 of them. */
struct absorption {
    uint64_t more[ABSORBED_MAX];
};

/* `jdk`: a surrogate is ED, an error of one byte, and two stray continuation bytes. One U+FFFD replaces all three. */
KERNEL_PART struct absorption absorption_of_surrogates(const struct encoding *encoding, const struct block *block,
                                                       const struct marks *marks)
{
    uint8_t lead = encoding->lead_of_surrogates;
    uint64_t leads = vec_bits(vec_between(block->window.now, lead, lead));
    uint64_t continued = marks->continuations >> 1 | (uint64_t)is_continuation(block->next) << (VEC_BYTES - 1);
    uint64_t surrogates = leads & marks->errors & continued;
    return (struct absorption){{surrogates, surrogates}};
}

/* `per-sequence`: after an error, the replacement absorbs as many continuation bytes as the sequence of its lead has by
 * RFC 2279 (2 to 6 bytes). Only UTF-8 offers this policy, and in it none follows an error of two bytes or more. */
KERNEL_PART struct absorption absorption_of_sequences(const struct block *block, const struct marks *marks)
{
    vec now = block->window.now;
    uint64_t from_e0 = vec_bits(vec_at_least(now, 0xE0)), from_f0 = vec_bits(vec_at_least(now, 0xF0));
    uint64_t from_f8 = vec_bits(vec_at_least(now, 0xF8)), from_fc = vec_bits(vec_at_least(now, 0xFC));
    uint64_t leads = vec_bits(vec_between(now, 0xC0, 0xFD)) & marks->errors;
    return (struct absorption){{leads, leads & from_e0, leads & from_f0, leads & from_f8, leads & from_fc}};
}

/* Returns the stray continuation bytes that belong to an earlier replacement. Sets carry->absorb to the number of bytes
 * that the last replacement may still absorb in the next block. This block has `length` bytes. */
KERNEL_PART uint64_t find_absorbed(const struct absorption *absorption, const struct marks *marks, struct carry *carry,
                                   size_t length)
{
    uint64_t strays = marks->strays & marks->continuations;
    uint64_t others = ~strays;
    size_t leading = others == 0 ? VEC_BYTES : lowest(others);
    size_t from_before = carry->absorb < leading ? carry->absorb : leading;
    uint64_t all = first_bits(from_before);
    carry->absorb = from_before == length ? carry->absorb - length : 0;

    uint64_t wave = absorption->more[0]; /* first the errors, then the first byte that each absorbs, then the second */
    for (size_t taken = 0; taken < ABSORBED_MAX; taken++) {
        if (wave >> (length - 1) & 1)
            for (size_t k = taken; k < ABSORBED_MAX; k++)
                carry->absorb += absorption->more[k] >> (length - 1 - taken) & 1;
        wave = wave << 1 & absorption->more[taken] << (taken + 1) & strays;
        all |= wave;
    }
    return all;
}

/* Errors that begin right after a character, or at the start: if an error has n bytes, tests `ends` n bytes before its
 * end. An error of four or five bytes is a surrogate pair that the end of the input cuts. */
KERNEL_PART uint64_t first_of_runs(const struct marks *marks, const struct carry *carry)
{
    uint64_t of_pairs = marks->errors & marks->surrogates.trail_starts, others = marks->errors & ~of_pairs;
    uint64_t ones = marks->strays | (marks->open_1 & others);
    return (ones & later(marks->ends, carry->ends, 1)) | (marks->open_2 & others & later(marks->ends, carry->ends, 2)) |
           ((marks->open_3 | marks->lone_halves) & others & later(marks->ends, carry->ends, 3)) |
           (marks->open_1 & of_pairs & later(marks->ends, carry->ends, 4)) |
           (marks->open_2 & of_pairs & later(marks->ends, carry->ends, 5));
}

/* Adds the byte that is `distance` bytes before the end of each of these errors. */
KERNEL_PART void add_earlier(struct replacements *replacements, uint64_t errors, unsigned distance)
{
    replacements->at |= errors >> distance;
    replacements->before += count_bits(errors & first_bits(distance));
}

KERNEL_PART struct replacements ill_formed_bytes(const struct marks *marks)
{
    struct replacements all = {marks->errors, 0};
    uint64_t of_pairs = marks->errors & marks->surrogates.trail_starts;
    uint64_t threes = (marks->open_3 | marks->lone_halves) & marks->errors;
    uint64_t fives = marks->open_2 & of_pairs, fours = of_pairs & ~fives;
    add_earlier(&all, (marks->open_2 & marks->errors) | threes | fours, 1);
    add_earlier(&all, threes | fours | fives, 2);
    add_earlier(&all, fours | fives, 3);
    add_earlier(&all, fives, 4);
    return all;
}

/* Returns the replacements for the errors in the first `length` bytes of a block. Updates carry->absorb. */
KERNEL_PART struct replacements find_replacements(const struct encoding *encoding, enum assay_policy policy,
                                                  const struct block *block, const struct marks *marks,
                                                  struct carry *carry, size_t length)
{
    struct absorption absorption;
    switch (policy) {
    case ASSAY_POLICY_STRICT:
    case ASSAY_POLICY_SKIP: return (struct replacements){0, 0};
    case ASSAY_POLICY_PER_RUN: return (struct replacements){first_of_runs(marks, carry), 0};
    case ASSAY_POLICY_PER_BYTE:
    case ASSAY_POLICY_SURROGATEESCAPE: return ill_formed_bytes(marks);
    case ASSAY_POLICY_JDK: absorption = absorption_of_surrogates(encoding, block, marks); break;
    case ASSAY_POLICY_PER_SEQUENCE: absorption = absorption_of_sequences(block, marks); break;
    default: return (struct replacements){marks->errors, 0};
    }
    return (struct replacements){marks->errors & ~find_absorbed(&absorption, marks, carry, length), 0};
}

#endif
