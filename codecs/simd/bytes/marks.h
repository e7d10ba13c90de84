/* SPDX-License-Identifier: MIT
 *
 * marks.h - the mask algorithm: for 64 bytes at once, where characters end and where errors end, for any bytes.
 * Validity, spans, counts, policies and decoding are computed from these marks, so the time that
 * marking takes does not depend on the number of errors.
 *
 * Only the last three bytes need to be remembered. A continuation byte belongs to a sequence only if its lead is one,
 * two or three bytes before it and the bytes between were taken; a lead is never a continuation byte. So "taken as
 * second byte" depends on the byte before alone, "taken as third" on that result, and "taken as fourth" on the result
 * for the third: three shifts, no loop. A sequence that is incomplete where the next byte is not taken is an ill-formed
 * maximal subpart (Unicode 17.0, 3.9, D93b).
 */
#ifndef ASSAY_SIMD_BYTES_MARKS_H
#define ASSAY_SIMD_BYTES_MARKS_H

#include "../../codec.h"
#include "../encoding.h"
#include "surrogates.h"
#include "../isa/vec.h"

/* Returns ONLY_ENCODING in an object for one encoding, else `encoding`. For clang 14, which otherwise reads the
 * encoding's data again in each block; gcc 12 does not. */
KERNEL_PART const struct encoding *same_encoding(const struct encoding *encoding)
{
#ifdef ONLY_ENCODING
    (void)encoding;
    return &ONLY_ENCODING;
#else
    return encoding;
#endif
}

enum { REACH = 3 }; /* what a byte is depends on the three bytes before it */

/* Loads up to 64 bytes. The REACH bytes that each depends on are before it in memory. */
ALWAYS_INLINE vec load_up_to(const uint8_t *bytes, size_t count)
{
    return vec_load_part(bytes, count < VEC_BYTES ? count : VEC_BYTES);
}

/* The window at the end of the input: `count` bytes are left at `bytes`, and at least REACH bytes are before them.
 * Zeros take the place of bytes after the input. */
ALWAYS_INLINE struct window window_at_end(const uint8_t *bytes, size_t count)
{
    return (struct window){load_up_to(bytes, count), load_up_to(bytes - 1, count + 1), load_up_to(bytes - 2, count + 2),
                           load_up_to(bytes - 3, count + 3)};
}

/* 64 bytes of the input, or the fewer that are left. */
struct block {
    struct window window;
    const uint8_t *bytes;
    size_t length;
    size_t after; /* bytes of the input after the block */
    bool is_last;
    uint8_t next; /* the byte after the block, or 0 at the end of the input: 0 continues nothing */
};

/* The window of up to 64 bytes at `at`, which is 0 or has at least REACH bytes of input before it. */
ALWAYS_INLINE struct window window_here(const uint8_t *bytes, size_t byte_count, size_t at)
{
    ASSUME(at <= byte_count && (at == 0 || at >= REACH));
    size_t left = byte_count - at;
    if (at == 0)
        return window_of_only(bytes, left < VEC_BYTES ? left : VEC_BYTES);
    return left < VEC_BYTES ? window_at_end(bytes + at, left) : window_at(bytes + at);
}

/* The block at `at`, with the same condition as window_here(). */
ALWAYS_INLINE struct block block_at(const uint8_t *bytes, size_t byte_count, size_t at)
{
    size_t left = byte_count - at, length = left < VEC_BYTES ? left : VEC_BYTES;
    bool is_last = left == length;
    return (struct block){.window = window_here(bytes, byte_count, at),
                          .bytes = bytes + at,
                          .length = length,
                          .after = left - length,
                          .is_last = is_last,
                          .next = is_last ? 0 : bytes[at + VEC_BYTES]};
}

/* Bit i is about byte i of the block. */
struct marks {
    uint64_t ends;          /* the last byte of a character */
    uint64_t errors;        /* the last byte of an ill-formed maximal subpart */
    uint64_t strays;        /* of these errors, one byte that neither continues nor begins anything */
    uint64_t continuations; /* 80..BF */
    uint64_t open_1;        /* the first byte of an incomplete sequence, well-formed so far */
    uint64_t open_2;        /* the second byte of one */
    uint64_t open_3;        /* the third byte of one */
    uint64_t high_halves;   /* the third of four bytes, where UTF-16 can have its high surrogate */
    uint64_t fourths;       /* the fourth of four bytes */
    uint64_t leads_of_3;    /* leads of sequences of three or four bytes */
    uint64_t leads_of_4;
    uint64_t lone_halves; /* the last byte of a lead surrogate that has no trail, and is an error without one */
    struct surrogate_marks surrogates; /* all zero where the tables decide on surrogates */
};

/* What a block needs from the bytes before it: masks as above, in which bit 63 is the last byte before the block. */
struct carry {
    uint64_t open_1, open_2, open_3; /* of sequences that the next byte may continue */
    uint64_t leads_of_3, leads_of_4;
    uint64_t ends;
    struct surrogate_carry surrogates;
    size_t absorb;  /* continuation bytes that the last replacement would still absorb */
    bool was_clean; /* the block before has no error, and no surrogates except those that the tables decide on */
    bool is_plain;  /* the block before has no surrogates except those that the tables decide on */
    bool next_fits; /* the next byte is known to fit the bytes before it */
};

/* The carry at a character boundary. `in_run`: an error was last. `after_lead`: a lead surrogate was last. */
ALWAYS_INLINE struct carry carry_at_boundary(size_t absorb, bool in_run, bool after_lead)
{
    return (struct carry){
        .ends = in_run ? 0 : ~(uint64_t)0, .surrogates = {.leads = (uint64_t)after_lead << 63}, .absorb = absorb};
}

/* The number of bytes, before the block, of a sequence that the block continues; 0 if there is none. */
KERNEL_PART size_t carried_bytes(const struct carry *carry)
{
    size_t count =
        (size_t)(carry->open_1 >> 63) + 2 * (size_t)(carry->open_2 >> 63) + 3 * (size_t)(carry->open_3 >> 63);
    bool has_half = (carry->surrogates.halves >> (63 - count) & 1) != 0;
    return has_half ? count + SURROGATE_BYTES : count;
}

/* True if the block before ended with an error. */
KERNEL_PART bool carried_run(const struct carry *carry)
{
    return (carry->ends >> (63 - carried_bytes(carry)) & 1) == 0;
}

/* True if the block before ended with a lead surrogate, in an encoding for which that matters. */
KERNEL_PART bool carried_lead(const struct carry *carry)
{
    return (carry->surrogates.leads >> (63 - carried_bytes(carry)) & 1) != 0;
}

/* Advances the carry by the first `length` bytes of a block. */
ALWAYS_INLINE void advance_carry(struct carry *carry, const struct marks *marks, size_t length)
{
    uint64_t ends_before = carry->ends;
    unsigned up = (unsigned)(VEC_BYTES - length);
    carry->open_1 = (marks->open_1 & ~marks->errors) << up;
    carry->open_2 = (marks->open_2 & ~marks->errors) << up;
    carry->open_3 = (marks->open_3 & ~marks->errors) << up;
    carry->leads_of_3 = marks->leads_of_3 << up;
    carry->leads_of_4 = marks->leads_of_4 << up;
    carry->ends = marks->ends << up | (length < VEC_BYTES ? ends_before >> length : 0);
    carry->surrogates = surrogates_after(&carry->surrogates, &marks->surrogates, marks->errors, length);
    carry->is_plain = !marks->surrogates.are_near;
    carry->was_clean = carry->is_plain && marks->errors == 0;
    carry->next_fits = ((carry->open_1 | carry->open_2 | carry->open_3) >> 63) != 0;
}

KERNEL_PART bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The tables of an encoding as vectors, loaded once for a loop. */
struct tables {
    vec first_high, first_low, second_high;
    vec below_lead_of_3, below_lead_of_4; /* subtracted from a byte, leaves the top bit for such a lead only */
    vec two_continuations;
    vec from_4_to_3; /* subtracted from a lead of four, leaves a lead of three */
    vec after_lead_of_2;
};

KERNEL_PART struct tables tables_of(const struct encoding *encoding)
{
    return (struct tables){vec_table(encoding->first_high),
                           vec_table(encoding->first_low),
                           vec_table(encoding->second_high),
                           vec_constant((uint8_t)(encoding->first_lead_of_3 - 0x80)),
                           vec_constant((uint8_t)(encoding->first_lead_of_4 - 0x80)),
                           vec_constant(encoding->two_continuations),
                           vec_constant((uint8_t)(encoding->first_lead_of_4 - encoding->first_lead_of_3)),
                           vec_constant(encoding->first_high[0xD])};
}

/* The tables for text without 4-byte characters. The bits that refuse ASCII before every continuation byte refuse leads
 * of four here, too. */
KERNEL_PART struct tables tables_without_fours(const struct encoding *encoding, struct tables tables)
{
    struct encoding shorter = *encoding;
    shorter.first_high[0xF] |= encoding->first_high[0];
    tables.first_high = vec_table(shorter.first_high);
    return tables;
}

/* True if one of the three bytes before this address is a lead of four. */
KERNEL_PART bool has_fours_before(const struct encoding *encoding, const uint8_t *bytes)
{
    uint8_t four = encoding->first_lead_of_4;
    return (bytes[-1] >= four) | (bytes[-2] >= four) | (bytes[-3] >= four);
}

/* For each byte, the bits of the encoding's tables that say which next bytes would be wrong. */
KERNEL_PART vec wrong_after(const struct tables *tables, vec first)
{
    return vec_and(vec_lookup_high(tables->first_high, first), vec_lookup_low(tables->first_low, first));
}

/* For each byte, the bits of what is wrong with it and the byte before it. */
KERNEL_PART vec wrong_pairs(const struct tables *tables, vec before, vec now)
{
    return vec_and(wrong_after(tables, before), vec_lookup_high(tables->second_high, now));
}

/* Of each byte: what the pair that ends with it is wrong in, and what it must be wrong in. */
struct pair_bits {
    vec found, required;
};

/* For each byte after the three bytes before it (Keiser & Lemire 2021). It is wrong exactly if the two differ: two
 * continuation bytes in a row are required, and no other wrong pair is, exactly if a lead of three or four is two bytes
 * before, or a lead of four three bytes before. The subtractions leave the top bit for these. has_fours, a constant at
 * each call: may be false only if no byte of the window, those before it included, is first_lead_of_4 or more; then
 * back_3 is not read. */
KERNEL_PART struct pair_bits pair_bits_of(const struct tables *tables, const struct window *window, bool has_fours)
{
    vec found = wrong_pairs(tables, window->back_1, window->now);
    if (VEC_BLOCKS_AT_ONCE == 1) /* there are few registers: gcc 12 would start the next step too early */
        found = vec_hold(found);
    vec required = vec_subtract(window->back_2, tables->below_lead_of_3);
    if (has_fours)
        required = vec_or(required, vec_subtract(window->back_3, tables->below_lead_of_4));
    return (struct pair_bits){found, vec_and(required, tables->two_continuations)};
}

/* Not zero for each byte that is wrong. */
KERNEL_PART vec wrong_bytes(const struct tables *tables, const struct window *window)
{
    struct pair_bits bits = pair_bits_of(tables, window, true);
    return vec_xor(bits.found, bits.required);
}

/* The first byte value after those of continuation bytes. Bytes from C0 on that begin nothing are refused together with
 * the byte after them; until that byte is checked, they are not known to be wrong. */
enum { FIRST_BEYOND_CONTINUATIONS = 0xC0 };

/* True if the three bytes before this address have an incomplete sequence, or an error that only the next byte
 * shows. */
KERNEL_PART bool is_cut_before(const struct encoding *encoding, const uint8_t *bytes)
{
    return bytes[-1] >= FIRST_BEYOND_CONTINUATIONS || bytes[-2] >= encoding->first_lead_of_3 ||
           bytes[-3] >= encoding->first_lead_of_4;
}

/* The number of bytes before this address that belong to an incomplete character. There is no error in the bytes before
 * so far. */
KERNEL_PART size_t cut_before(const struct encoding *encoding, const uint8_t *bytes)
{
    if (bytes[-1] >= FIRST_BEYOND_CONTINUATIONS)
        return 1;
    if (bytes[-2] >= encoding->first_lead_of_3)
        return 2;
    return bytes[-3] >= encoding->first_lead_of_4 ? 3 : 0;
}

/* True if one of the first `count` bytes is 00, and the encoding writes U+0000 in two bytes. The tables do not cover
 * that. */
KERNEL_PART bool has_short_nul(const struct encoding *encoding, vec v, size_t count)
{
    return encoding->refuses_00 && (vec_bits(vec_between(v, 0, 0)) & first_bits(count)) != 0;
}

/* True if all bytes are ASCII characters of the encoding. */
KERNEL_PART bool is_plain_ascii(const struct encoding *encoding, vec v)
{
    return vec_is_ascii(v) && !has_short_nul(encoding, v, VEC_BYTES);
}

/* The window one byte later, given its 64 bytes. */
KERNEL_PART struct window window_on(const struct window *window, vec after)
{
    return (struct window){after, window->now, window->back_1, window->back_2};
}

/* True if 64 bytes have no error, and nothing that the tables leave to the marks. `ahead` is the window one byte later,
 * since the byte after an error shows it. The caller knows that the first byte is right after those before it. */
KERNEL_PART bool is_clean_before(const struct encoding *encoding, const struct tables *tables,
                                 const struct window *ahead)
{
    return vec_is_zero(wrong_bytes(tables, ahead)) && !has_short_nul(encoding, ahead->back_1, VEC_BYTES);
}

/* The same for the 64 bytes at `at`. Whether the first byte is right is known from the block before, or from the byte
 * itself if it begins a sequence. Returns false at the edges of the input, and after a block with errors, where more
 * errors are likely. */
KERNEL_PART bool is_clean(const struct encoding *encoding, const struct tables *tables, const uint8_t *bytes,
                          size_t byte_count, size_t at, const struct carry *carry)
{
    if (!carry->was_clean || byte_count - at <= VEC_BYTES || (!carry->next_fits && is_continuation(bytes[at])))
        return false;
    struct window ahead = window_at(bytes + at + 1);
    return is_clean_before(encoding, tables, &ahead);
}

/* The carry after clean blocks; the last three bytes of these are just before `bytes`. `next_fits`: the next byte is
 * known to be right after them. */
ALWAYS_INLINE struct carry carry_after(const struct encoding *encoding, const uint8_t *bytes, bool next_fits)
{
    const uint64_t last = (uint64_t)1 << 63;
    return (struct carry){.open_1 = bytes[-1] >= encoding->first_lead ? last : 0,
                          .open_2 = bytes[-2] >= encoding->first_lead_of_3 ? last : 0,
                          .open_3 = bytes[-3] >= encoding->first_lead_of_4 ? last : 0,
                          .leads_of_3 = bytes[-1] >= encoding->first_lead_of_3 ? last : 0,
                          .leads_of_4 = (bytes[-1] >= encoding->first_lead_of_4 ? last : 0) |
                                        (bytes[-2] >= encoding->first_lead_of_4 ? last >> 1 : 0),
                          .ends = ~(uint64_t)0,
                          .was_clean = true,
                          .next_fits = next_fits};
}

/* True if `second` may continue `first`, as far as these two bytes decide. */
KERNEL_PART bool may_continue(const struct encoding *encoding, uint8_t first, uint8_t second)
{
    if (encoding->refuses_00 && first == LEAD_OF_NUL)
        return second == 0x80;
    int wrong = encoding->first_high[first >> 4] & encoding->first_low[first & 15] & encoding->second_high[second >> 4];
    return is_continuation(second) && (wrong & encoding->not_second) == 0;
}

/* The second byte of each C0 80. */
KERNEL_PART uint64_t find_long_nuls(vec back_1, vec now)
{
    return vec_bits(vec_both(vec_between(back_1, LEAD_OF_NUL, LEAD_OF_NUL), vec_between(now, 0x80, 0x80)));
}

/* For encodings that write U+0000 in two bytes: C0 is a lead, and only 80 may follow it. */
KERNEL_PART void mark_long_nul(const struct window *window, uint64_t *leads, uint64_t *not_second)
{
    *leads |= vec_bits(vec_between(window->now, LEAD_OF_NUL, LEAD_OF_NUL));
    *not_second &= ~find_long_nuls(window->back_1, window->now);
}

/* True if the byte after the block continues a sequence that begins with the block's last byte. `block` is not the
 * last. */
KERNEL_PART bool next_is_taken(const struct encoding *encoding, const struct block *block, const struct marks *marks)
{
    uint8_t last = block->bytes[VEC_BYTES - 1];
    if (!may_continue(encoding, last, block->next))
        return false;
    return encoding->surrogates == AS_THE_TABLES_SAY ||
           may_begin_trail(encoding, &marks->surrogates, last, block->next);
}

/* Returns the marks of a block. With `hold`, an unfinished sequence at the end of the input is not an error. */
ALWAYS_INLINE struct marks find_marks(const struct encoding *encoding, const struct block *block,
                                      const struct carry *carry, bool hold)
{
    vec now = block->window.now;
    uint64_t inside = first_bits(block->length);
    uint64_t last_of_input = block->is_last ? inside & ~(inside >> 1) : 0;
    uint64_t high = vec_bits(vec_high(now));
    uint64_t from_c0 = vec_bits(vec_at_least(now, 0xC0));
    uint64_t leads = vec_bits(vec_between(now, encoding->first_lead, encoding->last_lead));
    struct tables tables = tables_of(encoding);
    vec wrong = wrong_pairs(&tables, block->window.back_1, now);
    uint64_t not_second = vec_bits(vec_any(wrong, encoding->not_second));

    struct marks marks = {.continuations = high & ~from_c0};
    if (encoding->refuses_00) {
        mark_long_nul(&block->window, &leads, &not_second);
        high |= vec_bits(vec_between(now, 0, 0)) & inside; /* from here on: all but one-byte characters */
    }
    uint64_t after_lead = later(leads, carry->open_1, 1) & marks.continuations;
    if (encoding->surrogates != AS_THE_TABLES_SAY) {
        uint64_t seconds = vec_bits(vec_any(wrong, encoding->surrogate_second)) & after_lead;
        marks.surrogates = mark_surrogates(encoding, now, block->length, block->bytes + VEC_BYTES, block->after,
                                           marks.continuations, seconds, &carry->surrogates, hold);
        not_second |= marks.surrogates.refused;
    }
    marks.leads_of_3 = leads & vec_bits(vec_at_least(now, encoding->first_lead_of_3));
    marks.leads_of_4 = leads & vec_bits(vec_at_least(now, encoding->first_lead_of_4));

    uint64_t seconds = after_lead & ~not_second;
    marks.open_1 = leads;
    marks.open_2 = seconds & later(marks.leads_of_3, carry->leads_of_3, 1);
    uint64_t thirds = later(marks.open_2, carry->open_2, 1) & marks.continuations;
    marks.open_3 = thirds & later(marks.leads_of_4, carry->leads_of_4, 2);
    marks.fourths = later(marks.open_3, carry->open_3, 1) & marks.continuations;

    uint64_t taken = seconds | thirds | marks.fourths;
    uint64_t open = leads | marks.open_2 | marks.open_3;
    bool next_continues = !block->is_last && next_is_taken(encoding, block, &marks);
    uint64_t goes_on = taken >> 1 | (uint64_t)next_continues << (VEC_BYTES - 1);
    marks.high_halves = marks.open_3 & goes_on;
    marks.strays = high & ~leads & ~taken;
    marks.ends = ((~high & inside) | taken) & ~open & ~marks.surrogates.halves;
    if (encoding->surrogates == IN_PAIRS) {
        marks.lone_halves = marks.surrogates.leads & ~(marks.surrogates.halves & ~last_of_input);
        marks.ends &= ~marks.surrogates.leads;
    }
    marks.errors = marks.strays | (open & ~goes_on) | marks.lone_halves;
    if (hold)
        marks.errors &= marks.strays | ~last_of_input;
    return marks;
}

/* The length of the maximal subpart that ends at byte `at`. */
KERNEL_PART size_t error_length(const struct marks *marks, size_t at)
{
    size_t length =
        1 + (size_t)(marks->open_2 >> at & 1) + 2 * (size_t)((marks->open_3 | marks->lone_halves) >> at & 1);
    return (marks->surrogates.trail_starts >> at & 1) != 0 ? length + SURROGATE_BYTES : length;
}

/* The fault of a byte that neither begins nor continues anything. */
static enum assay_fault fault_of_stray(const struct encoding *encoding, uint8_t byte)
{
    if (is_continuation(byte))
        return ASSAY_FAULT_STRAY_CONTINUATION;
    if (byte == 0)
        return ASSAY_FAULT_INVALID_LEAD; /* U+0000 takes two bytes */
    if (byte < encoding->first_lead)
        return ASSAY_FAULT_OVERLONG;
    /* F0..F7 have the bit pattern of leads of four bytes; in an encoding with four-byte sequences they would encode a
     * value that is too large. F8..FF never had a meaning. */
    bool has_fours = encoding->first_lead_of_4 <= encoding->last_lead;
    return byte < 0xF8 && has_fours ? ASSAY_FAULT_OUT_OF_RANGE : ASSAY_FAULT_INVALID_LEAD;
}

/* The fault of the maximal subpart that ends at byte `at`. */
static enum assay_fault fault_at(const struct encoding *encoding, const struct block *block, const struct marks *marks,
                                 size_t at)
{
    uint8_t byte = block->bytes[at];
    if (marks->strays >> at & 1)
        return fault_of_stray(encoding, byte);
    if (block->is_last && at + 1 == block->length)
        return ASSAY_FAULT_TRUNCATED;
    if (marks->lone_halves >> at & 1)
        return encoding->fault_of_surrogates;
    uint8_t next = at + 1 < block->length ? block->bytes[at + 1] : block->next;
    if (!is_continuation(next))
        return ASSAY_FAULT_MISSING_CONTINUATION;
    /* A continuation byte that was not taken. Only second bytes are restricted, so `byte` is the lead. */
    if (byte == encoding->lead_of_surrogates)
        return encoding->fault_of_surrogates;
    return byte == encoding->last_lead ? ASSAY_FAULT_OUT_OF_RANGE : ASSAY_FAULT_OVERLONG;
}

/* The error that ends at byte `at` of a block. The block begins at `offset` of the input. */
static struct assay_span span_at(const struct encoding *encoding, const struct block *block, const struct marks *marks,
                                 size_t at, size_t offset)
{
    size_t length = error_length(marks, at);
    enum assay_fault fault = fault_at(encoding, block, marks, at);
    return (struct assay_span){offset + at + 1 - length, length, fault, fault == ASSAY_FAULT_TRUNCATED};
}

#endif
