/* SPDX-License-Identifier: MIT
 *
 * marks.h - the mask algorithm: for 64 bytes at once, where characters end and where errors end, whatever the
 * bytes are. Everything else (validity, spans, counts, every policy, decoding) follows from these marks, so
 * that dirty text takes no longer than clean text.
 *
 * It works because nothing has to be remembered but the last three bytes. A continuation byte belongs to a
 * sequence only if its lead is one, two or three bytes before it, with bytes that were taken in between; and a
 * lead is never a continuation byte. So "taken as second byte" is a question to the byte before alone, "taken
 * as third" to that answer, and "taken as fourth" to the one after: three shifts, no loop. A sequence that is
 * not complete where the next byte is not taken is an ill-formed maximal subpart (Unicode 17.0, 3.9, D93b).
 */
#ifndef ASSAY_SIMD_MARKS_H
#define ASSAY_SIMD_MARKS_H

#include "../codec.h"
#include "encoding.h"
#include "vec.h"

enum { REACH = 3 }; /* how far back a byte has to look */

/* 64 bytes of the input, or the fewer that are left. `bytes` may also be read at -1 to -REACH, and up to 64; the
 * bytes there that are not of the input are zeros, or, before its beginning, anything. */
struct block {
    const uint8_t *bytes;
    size_t length;
    bool is_last;
    uint8_t next; /* the byte after the block; 0, which continues nothing, where there is none */
};

/* Room for a block at the edge of the input, with what is read before it. */
struct edge {
    uint8_t bytes[2 * VEC_BYTES];
};

/* The block at `at`. Where 64 bytes, and REACH before them, are not all in the input, it is copied to the edge. */
ALWAYS_INLINE struct block block_at(const uint8_t *bytes, size_t byte_count, size_t at, struct edge *edge)
{
    size_t left = byte_count - at;
    struct block block = {bytes + at, left < VEC_BYTES ? left : VEC_BYTES, left <= VEC_BYTES, 0};
    if (!block.is_last)
        block.next = bytes[at + VEC_BYTES];
    if (at >= REACH && left >= VEC_BYTES)
        return block;
    uint8_t *copy = edge->bytes + VEC_BYTES;
    memset(edge->bytes, 0, VEC_BYTES);
    vec_copy_part(copy, block.bytes, block.length);
    for (size_t i = 1; i <= REACH && i <= at; i++)
        *(copy - i) = *(block.bytes - i);
    block.bytes = copy;
    return block;
}

/* Bit i speaks of byte i of the block. */
struct marks {
    uint64_t ends;          /* the last byte of a character */
    uint64_t errors;        /* the last byte of an ill-formed maximal subpart */
    uint64_t strays;        /* of those: a byte that continues nothing and begins nothing */
    uint64_t continuations; /* 80..BF */
    uint64_t open[REACH];   /* the first, second, third byte of a sequence that is well-formed so far, and goes on */
    uint64_t high_halves;   /* the third byte of a character of four: where UTF-16 can put its high surrogate */
    uint64_t fourths;       /* the fourth */
    uint64_t leads_of_3;    /* leads of three and more */
    uint64_t leads_of_4;
};

/* What one block has to know of the block before. */
struct carry {
    uint64_t open[REACH]; /* only those that do go on */
    uint64_t leads_of_3, leads_of_4;
    uint64_t ends;
    size_t absorb; /* continuation bytes that the last replacement would still stand for */
    bool in_run;   /* the last thing was an error */
};

/* The carry between two characters. */
ALWAYS_INLINE struct carry carry_between(size_t absorb, bool in_run)
{
    return (struct carry){.ends = in_run ? 0 : ~(uint64_t)0, .absorb = absorb, .in_run = in_run};
}

ALWAYS_INLINE void carry_on(struct carry *carry, const struct marks *marks)
{
    for (size_t i = 0; i < REACH; i++)
        carry->open[i] = marks->open[i] & ~marks->errors;
    carry->leads_of_3 = marks->leads_of_3;
    carry->leads_of_4 = marks->leads_of_4;
    carry->ends = marks->ends;
    if ((marks->ends | marks->errors) != 0)
        carry->in_run = marks->errors > marks->ends; /* no bit is in both, so the greater has the later one */
}

/* How many bytes of the sequence that is under way at byte `at` of these masks are read; 0 if none is. */
ALWAYS_INLINE size_t open_bytes(const uint64_t open[REACH], size_t at)
{
    return (size_t)(open[0] >> at & 1) + 2 * (size_t)(open[1] >> at & 1) + 3 * (size_t)(open[2] >> at & 1);
}

ALWAYS_INLINE bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

/* What is wrong with each byte and the one before, as bits of the encoding's tables. */
ALWAYS_INLINE vec wrong_pairs(const struct encoding *encoding, vec before, vec now)
{
    vec first_high = vec_lookup_high(vec_table(encoding->first_high), before);
    vec first_low = vec_lookup_low(vec_table(encoding->first_low), before);
    vec second_high = vec_lookup_high(vec_table(encoding->second_high), now);
    return vec_and(vec_and(first_high, first_low), second_high);
}

/* The same for one pair: whether `second` continues `first`, as far as these two can tell. */
ALWAYS_INLINE bool may_continue(const struct encoding *encoding, uint8_t first, uint8_t second)
{
    int wrong = encoding->first_high[first >> 4] & encoding->first_low[first & 15] & encoding->second_high[second >> 4];
    return is_continuation(second) && (wrong & encoding->not_second) == 0;
}

/* The marks of a block. With `hold`, a sequence that the end of the input cuts is no error. */
ALWAYS_INLINE struct marks mark(const struct encoding *encoding, const struct block *block, const struct carry *carry,
                                bool hold)
{
    vec now = vec_load(block->bytes), before = vec_load(block->bytes - 1);
    uint64_t inside = first_bits(block->length);
    uint64_t high = vec_bits(vec_high(now));
    uint64_t from_c0 = vec_bits(vec_at_least(now, 0xC0));
    uint64_t leads = vec_bits(vec_between(now, encoding->first_lead, encoding->last_lead));
    uint64_t not_second = vec_bits(vec_any(wrong_pairs(encoding, before, now), encoding->not_second));

    struct marks marks = {.continuations = high & ~from_c0};
    marks.leads_of_3 = leads & vec_bits(vec_at_least(now, encoding->first_lead_of_3));
    marks.leads_of_4 = leads & vec_bits(vec_at_least(now, encoding->first_lead_of_4));

    uint64_t seconds = later(leads, carry->open[0], 1) & marks.continuations & ~not_second;
    uint64_t open_2 = seconds & later(marks.leads_of_3, carry->leads_of_3, 1);
    uint64_t thirds = later(open_2, carry->open[1], 1) & marks.continuations;
    uint64_t open_3 = thirds & later(marks.leads_of_4, carry->leads_of_4, 2);
    marks.fourths = later(open_3, carry->open[2], 1) & marks.continuations;
    marks.open[0] = leads;
    marks.open[1] = open_2;
    marks.open[2] = open_3;

    uint64_t taken = seconds | thirds | marks.fourths;
    uint64_t open = leads | open_2 | open_3;
    bool next_continues = may_continue(encoding, block->bytes[VEC_BYTES - 1], block->next);
    uint64_t goes_on = taken >> 1 | (uint64_t)next_continues << (VEC_BYTES - 1);
    marks.strays = high & ~leads & ~taken;
    marks.ends = ((~high & inside) | taken) & ~open;
    marks.high_halves = open_3 & goes_on;
    marks.errors = marks.strays | (open & ~goes_on);
    if (hold && block->is_last)
        marks.errors &= ~(open & ~first_bits(block->length - 1));
    return marks;
}

/* How long the maximal subpart is that ends at byte `at`. */
ALWAYS_INLINE size_t error_length(const struct marks *marks, size_t at)
{
    return marks->strays >> at & 1 ? 1 : open_bytes(marks->open, at);
}

/* What is wrong with a byte that neither begins nor continues anything. */
static enum assay_fault fault_of_stray(const struct encoding *encoding, uint8_t byte)
{
    if (is_continuation(byte))
        return ASSAY_FAULT_STRAY_CONTINUATION;
    if (byte < encoding->first_lead)
        return ASSAY_FAULT_OVERLONG;
    /* F0..F7 begin four bytes by their pattern, so these would stand for something; F8..FF never had a meaning. */
    return byte < 0xF8 ? ASSAY_FAULT_OUT_OF_RANGE : ASSAY_FAULT_INVALID_LEAD;
}

/* What is wrong with the maximal subpart that ends at byte `at`. */
static enum assay_fault fault_at(const struct encoding *encoding, const struct block *block, const struct marks *marks,
                                 size_t at)
{
    uint8_t byte = block->bytes[at];
    if (marks->strays >> at & 1)
        return fault_of_stray(encoding, byte);
    if (block->is_last && at + 1 == block->length)
        return ASSAY_FAULT_TRUNCATED;
    uint8_t next = at + 1 < VEC_BYTES ? block->bytes[at + 1] : block->next;
    if (!is_continuation(next))
        return ASSAY_FAULT_MISSING_CONTINUATION;
    /* A continuation byte, and yet not taken: only second bytes are restricted, so `byte` is the lead. */
    if (byte == encoding->lead_of_surrogates)
        return ASSAY_FAULT_SURROGATE;
    return byte == encoding->last_lead ? ASSAY_FAULT_OUT_OF_RANGE : ASSAY_FAULT_OVERLONG;
}

/* The error that ends at byte `at` of a block, which is at `offset` of the input. */
static struct assay_span span_at(const struct encoding *encoding, const struct block *block, const struct marks *marks,
                                 size_t at, size_t offset)
{
    size_t length = error_length(marks, at);
    enum assay_fault fault = fault_at(encoding, block, marks, at);
    return (struct assay_span){offset + at + 1 - length, length, fault, fault == ASSAY_FAULT_TRUNCATED};
}

#endif
