/* SPDX-License-Identifier: MIT
 *
 * surrogates.h - the part of the mask algorithm for encodings in which the neighbours of a surrogate (three bytes, ED
 * A0..BF 80..BF) decide whether it is an error, a character or half of one. A trail (ED B0..BF) depends on whether the
 * three bytes before it are a lead (ED A0..AF); a lead depends on whether the three bytes after it are a trail. Both
 * are shifts without a loop, since a lead is recognised without looking at other surrogates.
 */
#ifndef ASSAY_SIMD_BYTES_SURROGATES_H
#define ASSAY_SIMD_BYTES_SURROGATES_H

#include "../encoding.h"
#include "../isa/vec.h"

enum {
    SURROGATE_BYTES = 3,
    FIRST_SECOND_OF_LEAD = 0xA0, /* after ED */
    FIRST_SECOND_OF_TRAIL = 0xB0
};

/* Which bytes of a block can be the first, second and third byte of a trail. */
struct trail_bytes {
    uint64_t firsts, seconds, thirds;
};

/* Bit i is about byte i of the block. */
struct surrogate_marks {
    uint64_t seconds;      /* the second byte of a lead */
    uint64_t leads;        /* its third and last byte */
    uint64_t halves;       /* as `leads`, if a trail follows, or if the input ends where one could follow */
    uint64_t whole_halves; /* as `leads`, if a whole trail follows */
    uint64_t trails;       /* the last byte of a trail that follows a lead */
    uint64_t trail_starts; /* the first and second byte of such a trail, also if the input ends after them */
    uint64_t refused;      /* second bytes that ED refuses, because of the surrogates beside it */
    bool are_near;         /* some surrogate is in the block, or may begin at its end */
};

/* What a block needs from the bytes before it: masks as above, in which bit 63 is the last byte before the block. */
struct surrogate_carry {
    uint64_t seconds, leads, halves;
};

/* The masks of a block of `length` bytes, for the next block. If the block has fewer than 64 bytes, masks from before
 * it are passed on, too. */
KERNEL_PART struct surrogate_carry surrogates_after(const struct surrogate_carry *before,
                                                    const struct surrogate_marks *marks, uint64_t errors, size_t length)
{
    unsigned up = (unsigned)(VEC_BYTES - length);
    uint64_t halves = marks->halves & ~errors;
    if (length == VEC_BYTES)
        return (struct surrogate_carry){marks->seconds, marks->leads, halves};
    return (struct surrogate_carry){marks->seconds << up | before->seconds >> length,
                                    marks->leads << up | before->leads >> length,
                                    halves << up | before->halves >> length};
}

/* The leads that are followed by a trail. */
KERNEL_PART uint64_t followed_by_trail(uint64_t leads, const struct trail_bytes *now, const struct trail_bytes *ahead)
{
    return leads & (now->firsts >> 1 | ahead->firsts << 63) & (now->seconds >> 2 | ahead->seconds << 62) &
           (now->thirds >> 3 | ahead->thirds << 61);
}

/* Which parts of a trail the first bytes after a block can be. At least `count` bytes follow. Bytes after the end of
 * the input count as every part, or as none. */
KERNEL_PART struct trail_bytes trail_bytes_ahead(const struct encoding *encoding, const uint8_t *bytes, size_t count,
                                                 bool all_could_come)
{
    struct trail_bytes ahead = {0, 0, 0};
    for (size_t i = 0; i < SURROGATE_BYTES; i++) {
        bool could = i >= count && all_could_come;
        uint8_t byte = i < count ? bytes[i] : 0;
        bool third = byte >= 0x80 && byte <= 0xBF, second = third && byte >= FIRST_SECOND_OF_TRAIL;
        ahead.firsts |= (uint64_t)(could || byte == encoding->lead_of_surrogates) << i;
        ahead.seconds |= (uint64_t)(could || second) << i;
        ahead.thirds |= (uint64_t)(could || third) << i;
    }
    return ahead;
}

/* The leads of a block that are followed by a trail. The mask `inside` has the bytes of the block that are in the
 * input; `count` bytes follow the block. */
KERNEL_PART uint64_t halves_of(const struct encoding *encoding, uint64_t leads, const struct trail_bytes *now,
                               uint64_t inside, const uint8_t *after, size_t count, bool all_could_come)
{
    struct trail_bytes here = *now, ahead = {0, 0, 0};
    if (all_could_come) {
        here.firsts |= ~inside;
        here.seconds |= ~inside;
        here.thirds |= ~inside;
    }
    if (leads >> (VEC_BYTES - SURROGATE_BYTES) != 0)
        ahead = trail_bytes_ahead(encoding, after, count, all_could_come);
    return followed_by_trail(leads, &here, &ahead);
}

/* The marks of a block with `length` bytes in the input and `count` bytes after it. `seconds`: bytes after ED that make
 * a surrogate. With `hold`, a lead at the end of the input may still be half of a pair. */
KERNEL_PART struct surrogate_marks mark_surrogates(const struct encoding *encoding, vec now, size_t length,
                                                   const uint8_t *after, size_t count, uint64_t continuations,
                                                   uint64_t seconds, const struct surrogate_carry *carry, bool hold)
{
    uint8_t lead = encoding->lead_of_surrogates;
    uint64_t inside = first_bits(length);
    struct trail_bytes bytes = {.firsts = vec_bits(vec_between(now, lead, lead)), .thirds = continuations};
    bytes.seconds = continuations & vec_bits(vec_at_least(now, FIRST_SECOND_OF_TRAIL));

    struct surrogate_marks marks = {.seconds = seconds & ~bytes.seconds};
    marks.leads = later(marks.seconds, carry->seconds, 1) & continuations;
    marks.are_near = (seconds | bytes.firsts >> (VEC_BYTES - 1)) != 0;
    uint64_t seconds_of_trails = seconds & bytes.seconds;
    if (encoding->surrogates == APART) {
        marks.refused = seconds_of_trails & later(marks.leads, carry->leads, 2);
        return marks;
    }
    bool all_could_come = encoding->surrogates == IN_PAIRS || hold;
    marks.halves = halves_of(encoding, marks.leads, &bytes, inside, after, count, all_could_come);
    marks.whole_halves = halves_of(encoding, marks.leads, &bytes, inside, after, count, false);
    marks.trails = later(marks.halves, carry->halves, 3) & inside;
    marks.trail_starts = later(marks.halves, carry->halves, 1) | later(marks.halves, carry->halves, 2);
    if (encoding->surrogates == IN_PAIRS)
        marks.refused = seconds_of_trails & ~later(marks.halves, carry->halves, 2);
    return marks;
}

/* True if surrogates allow the byte after a block to be a second byte. That matters only if the block's last byte is ED
 * and the two would begin a trail. */
KERNEL_PART bool may_begin_trail(const struct encoding *encoding, const struct surrogate_marks *marks, uint8_t last,
                                 uint8_t next)
{
    const unsigned lead_before = VEC_BYTES - 2;
    if (last != encoding->lead_of_surrogates || next < FIRST_SECOND_OF_TRAIL || encoding->surrogates == JOINED)
        return true;
    return encoding->surrogates == APART ? (marks->leads >> lead_before & 1) == 0
                                         : (marks->halves >> lead_before & 1) != 0;
}

/* The code point of the six bytes that end here (UTR 26, 2.1): four bits and six bits of the lead, from which 10000 is
 * already subtracted, then those of the trail. */
KERNEL_PART uint32_t code_point_of_pair(const uint8_t *last)
{
    uint32_t high = (last[-4] & 0x0Fu) << 6 | (last[-3] & 0x3Fu), low = (last[-1] & 0x0Fu) << 6 | (last[0] & 0x3Fu);
    return 0x10000 + (high << 10 | low);
}

#endif
