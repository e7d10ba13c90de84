/* SPDX-License-Identifier: MIT
 *
 * validate.h - whether bytes are well-formed, after Keiser & Lemire 2021, "Validating UTF-8 in less than one
 * instruction per byte"; and, if they are not, where the errors are, by the marks.
 */
#ifndef ASSAY_SIMD_BYTES_VALIDATE_H
#define ASSAY_SIMD_BYTES_VALIDATE_H

#include "../../cpu_vendor.h"
#include "marks.h"

enum { STRIDE = 4 * VEC_BYTES, HALF_STRIDE = STRIDE / 2, FOUR_STRIDES = 4 * STRIDE, EIGHT_STRIDES = 8 * STRIDE };

/* From this number of bytes on, a text is checked by steps (skip_strides()), some after skip_mostly_ascii(); with
 * `refuses_00`, at any length. */
#ifndef LONG /* the prover has its own */
#define LONG (8 * STRIDE)
#endif

/* Without `refuses_00`, a text of FEW_MAX + 1 to VERY_LONG - 1 bytes whose first block is ASCII is first checked as
 * English prose (skip_mostly_ascii()). From VERY_LONG on, batches are faster (measured on an Emerald Rapids). */
#ifndef VERY_LONG /* the prover has its own */
#define VERY_LONG (256 * STRIDE)
#endif

/* validate_few() is for texts of FEW_LEAST to FEW_MAX bytes: it tests all blocks for ASCII, not half stride by half
 * stride. Of 65 or 66 bytes, fewer than REACH are before the last block. Where a block is one register, masked loads
 * find what is there; else these texts go block by block. */
#ifdef VEC_MANY_REGISTERS
enum { FEW_LEAST = VEC_BYTES + 1 };
#else
enum { FEW_LEAST = VEC_BYTES + REACH };
#endif
enum { FEW_MAX = 2 * STRIDE };

/* Where a 4-byte character is near (has_fours_near()), or the check without them refuses something, at offset `at`, the
 * check with them is used for the next `at` bytes, and for at least this number. So a text that has them everywhere is
 * seldom checked twice, and one that has them in its first part only takes the slower check for as long again. */
#ifndef WITH_FOURS_AT_LEAST /* the prover has its own */
#define WITH_FOURS_AT_LEAST (64 * STRIDE)
#endif

/* `byte_count` is a multiple of VEC_BYTES. */
KERNEL_PART bool blocks_have_short_nul(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; encoding->refuses_00 && i < byte_count; i += VEC_BYTES)
        if (has_short_nul(encoding, vec_load(bytes + i), VEC_BYTES))
            return true;
    return false;
}

/* True if all bytes of up to four blocks are ASCII. */
KERNEL_PART bool blocks_are_ascii(const uint8_t *bytes, size_t byte_count)
{
    vec all = vec_load(bytes);
#pragma GCC unroll 3
    for (size_t i = VEC_BYTES; i < byte_count; i += VEC_BYTES)
        all = vec_or(all, vec_load(bytes + i));
    return vec_is_ascii(all);
}

/* Where a text probably is: with fewer bytes than PREFETCHED in the second-level cache, with fewer than FAR_BYTES in
 * the third, else in memory. PREFETCHED was measured on an Ice Lake, FAR_BYTES on a Zen 5. What follows the ASCII or
 * the prose that validate_far() skipped is judged by its own length. */
enum source { FROM_L2, FROM_L3, FROM_MEMORY };

#ifndef PREFETCHED /* the prover has its own */
enum { PREFETCHED = 1 << 20 };
#endif
#ifndef FAR_BYTES /* here, too */
#define FAR_BYTES (8 << 20)
#endif

KERNEL_PART enum source source_of(size_t byte_count)
{
    return byte_count >= FAR_BYTES ? FROM_MEMORY : byte_count >= PREFETCHED ? FROM_L3 : FROM_L2;
}

/* Prefetches what is read 4 KiB later, or 16 KiB if it comes from memory. For data outside the second-level cache, the
 * processor's own prefetcher starts too late, but for ASCII on a Zen 5 (validate_far()). The address may be invalid: a
 * prefetch never faults. */
KERNEL_PART void prefetch_blocks(enum source source, const uint8_t *bytes, size_t byte_count)
{
    if (source == FROM_L2)
        return;
    const uintptr_t ahead = (uintptr_t)bytes + (source == FROM_MEMORY ? 64 * STRIDE : 16 * STRIDE);
#ifdef __clang__ /* clang 14 puts 32 prefetches one after the other, and a Zen 5 then takes 1.5 times as long */
#pragma clang loop unroll_count(4)
#endif
    for (size_t i = 0; i < byte_count; i += VEC_BYTES)
        __builtin_prefetch((const void *)(ahead + i));
}

/* How a kernel finds the bytes before each byte of a block. BY_LOADS: by three unaligned loads. BY_ONE_SHIFT: those two
 * before are shifted from registers, the others are loaded. BY_SHIFTS: all are shifted. */
enum looking_back { BY_LOADS, BY_ONE_SHIFT, BY_SHIFTS };

/* A template: an instruction set may define VEC_VALIDATE_FILE as a file of this folder that defines these in its place.
 *
 *     enum looking_back back = fastest_back(source, byte_count);
 *     struct strides strides = strides_of(encoding);
 *     bool wrong = blocks_are_wrong(&strides, without_fours, back, bytes, byte_count);
 *
 * The last is true if any block has an error that the tables know, or a surrogate that the encoding may hold:
 * decide_refused() decides then. With without_fours, it is also true for a lead of four; then none of the three bytes
 * before may be one, as the byte three after it is not compared with it. A lead of four, or a byte that begins no
 * character, is found with the byte after it, so not if it is the last. Reads three bytes before `bytes`. */
#ifdef VEC_VALIDATE_FILE
#include VEC_VALIDATE_FILE
#else

KERNEL_PART enum looking_back fastest_back(enum source source, size_t byte_count)
{
    (void)source, (void)byte_count;
    return BY_LOADS;
}

struct strides {
    struct tables with_fours, without_fours;
};

KERNEL_PART struct strides strides_of(const struct encoding *encoding)
{
    struct tables tables = tables_of(encoding);
    return (struct strides){tables, tables_without_fours(encoding, tables)};
}

/* As wrong_bytes(), in fewer operations: a byte two after a lead of three or four, or three after a lead of four,
 * obeys the same rule as a byte after a lead of two. */
KERNEL_PART bool blocks_are_wrong(const struct strides *strides, bool without_fours, enum looking_back back,
                                  const uint8_t *bytes, size_t byte_count)
{
    (void)back;
    const struct tables *tables = without_fours ? &strides->without_fours : &strides->with_fours;
    vec wrong = vec_fill(0);
#pragma GCC unroll VEC_BLOCKS_AT_ONCE
    for (const uint8_t *block = bytes; block < bytes + byte_count; block += VEC_BYTES) {
        struct window window = window_at(block);
        vec fours_as_threes = vec_subtract(window.back_3, tables->from_4_to_3);
        vec leads = without_fours ? window.back_2 : vec_max(window.back_2, fours_as_threes);
        truth thirds = vec_high(vec_subtract(leads, tables->below_lead_of_3));
        vec first = vec_select(thirds, tables->after_lead_of_2, wrong_after(tables, window.back_1));
        wrong = vec_hold(vec_or(wrong, vec_and(first, vec_lookup_high(tables->second_high, window.now))));
    }
    return !vec_is_zero(wrong);
}

#endif

/* How a text is read. */
struct reading {
    enum source source;
    enum looking_back back;
};

KERNEL_PART struct reading reading_of(size_t byte_count)
{
    enum source source = source_of(byte_count);
    return (struct reading){source, fastest_back(source, byte_count)};
}

KERNEL_PART bool blocks_are_plain_ascii(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count)
{
    return blocks_are_ascii(bytes, byte_count) && !blocks_have_short_nul(encoding, bytes, byte_count);
}

KERNEL_PART size_t halves_of_batch(const uint8_t *begin, const uint8_t *end)
{
    enum { HALVES_MAX = 64 }; /* the bits of batch.others */
    size_t halves = (size_t)(end - begin) / HALF_STRIDE;
    return halves < HALVES_MAX ? halves : HALVES_MAX;
}

/* The prover has its own batch, and defines VEC_BATCH.
 *
 *     struct batch batch = batch_at(encoding, from_memory, begin, end);
 *
 * is the next half strides, up to 64;
 *
 *     next_other(encoding, &batch, from)
 *
 * returns the first of them from number `from` on that is not plain ASCII, or their number if there is none. */
#ifndef VEC_BATCH

struct batch {
    const uint8_t *begin;
    size_t halves;
    uint64_t others; /* bit i: half stride i is not plain ASCII */
};

/* Not inlined: where it is, gcc 12 keeps `others` in a mask register, which takes longer. */
static __attribute__((noinline)) uint64_t find_others(const struct encoding *encoding, bool from_memory,
                                                      const uint8_t *bytes, size_t halves)
{
    uint64_t others = 0;
#pragma GCC unroll 4
    for (size_t i = 0; i < halves; i++) {
        if (from_memory) /* from the third-level cache it costs time */
            prefetch_blocks(FROM_MEMORY, bytes + i * HALF_STRIDE, HALF_STRIDE);
        others |= (uint64_t)!blocks_are_plain_ascii(encoding, bytes + i * HALF_STRIDE, HALF_STRIDE) << i;
    }
    return others;
}

KERNEL_PART struct batch batch_at(const struct encoding *encoding, bool from_memory, const uint8_t *begin,
                                  const uint8_t *end)
{
    size_t halves = halves_of_batch(begin, end);
    return (struct batch){begin, halves, find_others(encoding, from_memory, begin, halves)};
}

KERNEL_PART size_t next_other(const struct encoding *encoding, const struct batch *batch, size_t from)
{
    (void)encoding;
    uint64_t left = batch->others >> from;
    return left != 0 ? from + lowest(left) : batch->halves;
}

#endif

/* Moves *at over up to 64 half strides, of which those that are not ASCII are checked, and if all are ASCII, over the
 * ASCII that follows. Returns false at a half stride that has an error or, with without_fours, a lead of four, or
 * before which a sequence is cut. All are tested for ASCII before the first is checked, so there is one branch for
 * each that is not ASCII, and none for the others, which in English prose are about 15 of 16. */
KERNEL_PART bool skip_batch(const struct encoding *encoding, const struct strides *strides, bool without_fours,
                            struct reading reading, const uint8_t **at, const uint8_t *end)
{
    struct batch batch = batch_at(encoding, reading.source == FROM_MEMORY, *at, end);
    bool is_all_ascii = false;
    for (size_t i = 0, other; i < batch.halves; i = other + 1) {
        other = next_other(encoding, &batch, i);
        is_all_ascii = i == 0 && other == batch.halves;
        *at = batch.begin + i * HALF_STRIDE;
        if (other > i && is_cut_before(encoding, *at))
            return false;
        *at = batch.begin + other * HALF_STRIDE;
        if (other < batch.halves && (blocks_have_short_nul(encoding, *at, HALF_STRIDE) ||
                                     blocks_are_wrong(strides, without_fours, reading.back, *at, HALF_STRIDE)))
            return false;
    }
    *at = batch.begin + batch.halves * HALF_STRIDE;
    for (; is_all_ascii && end - *at >= STRIDE && blocks_are_plain_ascii(encoding, *at, STRIDE); *at += STRIDE)
        prefetch_blocks(reading.source, *at, STRIDE);
    return true;
}

/* Moves *at by steps of one stride or more, of which the first stride is not ASCII, while a whole step is left before
 * `end`. Returns false at a step that has an error, or, with without_fours, a lead of four; then none of the three
 * bytes before *at may be one. Reads these. */
KERNEL_PART bool skip_steps(const struct encoding *encoding, const struct strides *strides, bool without_fours,
                            struct reading reading, size_t step, const uint8_t **at, const uint8_t *end)
{
    const uint8_t *stride = *at, *last = stride + (size_t)(end - stride) / step * step;
    bool is_right = true;
    for (; stride != last && !blocks_are_plain_ascii(encoding, stride, STRIDE); stride += step) {
        prefetch_blocks(reading.source, stride, step);
        is_right = !blocks_have_short_nul(encoding, stride, step) &&
                   !blocks_are_wrong(strides, without_fours, reading.back, stride, step);
        if (!is_right)
            break;
    }
    *at = stride;
    return is_right;
}

/* Moves *at, an offset, over blocks without errors. Returns true when less than a stride is left before `limit`, false
 * at blocks that have an error, or, with without_fours, a lead of four; then none of the three bytes before *at may be
 * one. Reads these. It goes by steps, of which the first stride is tested for ASCII, and all are checked. The two
 * branches of a step take as long as checking a block (Zen 5). So after one stride a step is four strides, or eight
 * where characters of four bytes are allowed and as many are left; fewer than four are checked one by one. The one
 * stride before is for English prose: ASCII follows it most times. */
KERNEL_PART bool skip_up_to(const struct encoding *encoding, const struct strides *strides, bool without_fours,
                            struct reading reading, const uint8_t *bytes, size_t *at, size_t limit)
{
    const uint8_t *stride = bytes + *at, *end = bytes + limit;
    bool is_right = true;
    while (is_right && end - stride >= STRIDE) {
        is_right = skip_steps(encoding, strides, without_fours, reading, STRIDE, &stride, stride + STRIDE);
        if (is_right && !without_fours)
            is_right = skip_steps(encoding, strides, without_fours, reading, EIGHT_STRIDES, &stride, end);
        if (is_right && (without_fours || end - stride < EIGHT_STRIDES))
            is_right = skip_steps(encoding, strides, without_fours, reading, FOUR_STRIDES, &stride, end);
        if (is_right && end - stride < FOUR_STRIDES)
            is_right = skip_steps(encoding, strides, without_fours, reading, STRIDE, &stride, end);
        if (is_right && end - stride >= STRIDE)
            is_right = skip_batch(encoding, strides, without_fours, reading, &stride, end);
    }
    *at = (size_t)(stride - bytes);
    return is_right;
}

/* True if a lead of four is in the three bytes before, or in the next stride if a whole one is left. */
KERNEL_PART bool has_fours_near(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count)
{
    uint64_t fours = has_fours_before(encoding, bytes);
    if (byte_count >= STRIDE) {
#pragma GCC unroll 4
        for (size_t i = 0; i < STRIDE; i += VEC_BYTES)
            fours |= vec_bits(vec_at_least(vec_load(bytes + i), encoding->first_lead_of_4));
    }
    return fours != 0;
}

/* Returns an offset, from `at` on, up to which the tables accept the text: that of the half stride or step that they
 * refuse, of ASCII before which a sequence is cut, or one with less than a stride after it. Reads three bytes before
 * `at`. Most text has no 4-byte characters, so it is first checked as if it had none, which is faster, unless a lead
 * of four is near. */
KERNEL_PART size_t skip_strides(const struct encoding *encoding, struct reading reading, const uint8_t *bytes,
                                size_t byte_count, size_t at)
{
    ASSUME(at >= REACH && at <= byte_count);
    struct strides strides = strides_of(encoding);
    for (;;) {
        if (!has_fours_near(encoding, bytes + at, byte_count - at) &&
            skip_up_to(encoding, &strides, true, reading, bytes, &at, byte_count))
            return at;
        size_t left = byte_count - at, most = at < WITH_FOURS_AT_LEAST ? WITH_FOURS_AT_LEAST : at,
               limit = left < most ? byte_count : at + most;
        if (!skip_up_to(encoding, &strides, false, reading, bytes, &at, limit) || limit == byte_count)
            return at;
    }
}

/* True if the tables accept the block after the bytes before it. It may end in an unfinished sequence, unless it is
 * shorter than a block: then zeros follow it. */
KERNEL_PART bool block_is_right(const struct encoding *encoding, const struct tables *tables, const uint8_t *bytes,
                                size_t byte_count, size_t at)
{
    size_t left = byte_count - at;
    vec now = left < VEC_BYTES ? vec_load_part(bytes + at, left) : vec_load(bytes + at);
    if (is_plain_ascii(encoding, now))
        return at == 0 || !is_cut_before(encoding, bytes + at);
    struct block block = block_at(bytes, byte_count, at);
    return vec_is_zero(wrong_bytes(tables, &block.window)) && !has_short_nul(encoding, block.window.now, block.length);
}

/* Where blocks after the first one begin: at the next cache line, or at 64 if fewer than three bytes are before it. */
KERNEL_PART size_t after_first_block(const uint8_t *bytes)
{
    size_t to_line = VEC_BYTES - (uintptr_t)bytes % VEC_BYTES;
    return to_line < REACH ? VEC_BYTES : to_line;
}

/* True for lengths that validate_few() is for. */
KERNEL_PART bool are_few(const struct encoding *encoding, size_t byte_count)
{
    return byte_count >= FEW_LEAST && byte_count <= FEW_MAX && !encoding->refuses_00;
}

/* True if all bytes of a text of FEW_LEAST bytes or more are ASCII: one verdict for all blocks. The last one ends with
 * the text, and may have bytes of the one before. Clang would unroll this loop and that of rest_is_right(), and add a
 * loop for the blocks that are left over: one more branch to predict. */
KERNEL_PART bool few_blocks_are_ascii(const uint8_t *bytes, size_t byte_count)
{
    vec all = vec_load(bytes);
#pragma GCC unroll 1
    for (size_t at = VEC_BYTES; at < byte_count - VEC_BYTES; at += VEC_BYTES)
        all = vec_or(all, vec_load(bytes + at));
    return vec_is_ascii(vec_or(all, vec_load(bytes + byte_count - VEC_BYTES)));
}

/* Moves over half strides of ASCII that begin before `last`. */
KERNEL_PART const uint8_t *skip_ascii_halves(const uint8_t *at, const uint8_t *last)
{
    while (at < last && blocks_are_ascii(at, HALF_STRIDE))
        at += HALF_STRIDE;
    return at;
}

/* Of a text of a block and a half stride or more, of which the first block is ASCII: returns a number of leading bytes
 * that the tables accept, byte_count if that is all; it is at least 3, and the last character of these may be
 * incomplete. Half strides of ASCII are not checked. Stops at one that has an error, at ASCII before which a sequence
 * is cut, and after three in a row that are not ASCII: such a text is not English prose, and other loops are faster. */
KERNEL_PART size_t skip_mostly_ascii(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count)
{
    enum { OTHERS_MAX = 3 * HALF_STRIDE };
    const uint8_t *at = bytes + after_first_block(bytes), *last = bytes + byte_count - HALF_STRIDE;
    while (last - at >= STRIDE && blocks_are_ascii(at, STRIDE))
        at += STRIDE;
    at = skip_ascii_halves(at, last);
    if (at >= last && blocks_are_ascii(last, HALF_STRIDE))
        return byte_count;
    struct strides strides = strides_of(encoding);
    for (const uint8_t *others = at; at < last;) {
        if (at - others == OTHERS_MAX || blocks_are_wrong(&strides, false, BY_LOADS, at, HALF_STRIDE))
            return (size_t)(at - bytes);
        at += HALF_STRIDE;
        const uint8_t *after = skip_ascii_halves(at, last);
        if (after == at)
            continue;
        if (is_cut_before(encoding, at))
            return (size_t)(at - bytes);
        others = at = after;
    }
    bool is_right =
        !blocks_are_wrong(&strides, false, BY_LOADS, last, HALF_STRIDE) && !is_cut_before(encoding, bytes + byte_count);
    return is_right ? byte_count : (size_t)(last - bytes);
}

/* True if `wrong` is zero and the tables accept all bytes from `at` on, before which there are at least three. One
 * verdict for all blocks, so that nothing branches on that of each. The last one ends with the text, and may have bytes
 * of the one before. In a text of 65 or 66 bytes, which has fewer than three bytes before such a block, it begins at
 * the 65th byte, and zeros follow it. */
KERNEL_PART bool rest_is_right(const struct encoding *encoding, const struct tables *tables, vec wrong,
                               const uint8_t *bytes, size_t byte_count, size_t at)
{
    ASSUME(at >= REACH && byte_count >= FEW_LEAST);
    struct window window;
#pragma GCC unroll 1
    for (; at < byte_count - VEC_BYTES; at += VEC_BYTES) {
        window = window_at(bytes + at);
        wrong = vec_or(wrong, wrong_bytes(tables, &window));
    }
    size_t last = byte_count - VEC_BYTES;
    window = FEW_LEAST < VEC_BYTES + REACH && last < REACH ? window_at_end(bytes + VEC_BYTES, last)
                                                           : window_at(bytes + last);
    wrong = vec_or(wrong, wrong_bytes(tables, &window));
    return vec_is_zero(wrong) && !is_cut_before(encoding, bytes + byte_count);
}

/* True if the tables accept all bytes, of which there are at least FEW_LEAST: the first block, then blocks from `at`
 * on, which is 3 to 64. */
KERNEL_PART bool check_all_blocks(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count, size_t at)
{
    struct tables tables = tables_of(encoding);
    struct window first = vec_window(vec_load(bytes), bytes, VEC_BYTES);
    return rest_is_right(encoding, &tables, wrong_bytes(&tables, &first), bytes, byte_count, at);
}

/* True if the tables accept all of a text of FEW_MAX + 1 to LONG - 1 bytes, without `refuses_00`. */
KERNEL_PART bool check_middle(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count)
{
    ASSUME(byte_count > FEW_MAX && !encoding->refuses_00);
    if (!vec_is_ascii(vec_load(bytes)))
        return check_all_blocks(encoding, bytes, byte_count, after_first_block(bytes));
    size_t right = skip_mostly_ascii(encoding, bytes, byte_count);
    if (right == byte_count)
        return true;
    struct tables tables = tables_of(encoding);
    return rest_is_right(encoding, &tables, vec_fill(0), bytes, byte_count, right);
}

/* Returns how far the text is ASCII, by strides; the last one ends with the text, and may have bytes of the one before.
 * From the second stride of a long text on, loads are at cache lines. */
KERNEL_PART size_t skip_ascii(const struct encoding *encoding, enum source source, const uint8_t *bytes,
                              size_t byte_count)
{
    size_t at = 0, step = STRIDE - (byte_count < LONG ? 0 : (uintptr_t)bytes % VEC_BYTES);
    for (; byte_count - at >= STRIDE; at += step, step = STRIDE) {
        if (!blocks_are_plain_ascii(encoding, bytes + at, STRIDE))
            return at;
        prefetch_blocks(source, bytes + at, STRIDE);
    }
    return at > 0 && blocks_are_plain_ascii(encoding, bytes + byte_count - STRIDE, STRIDE) ? byte_count : at;
}

/* Returns true if the tables accept all bytes, of which there are at least 64. Else *right, which must be 0, is a
 * number of leading bytes that they accept: 0, or at least REACH; the last character of these may be incomplete.
 * Returns false at once for a length that validate_few() is for: it has refused the text. */
KERNEL_PART bool check_long(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count, size_t *right)
{
    ASSUME(byte_count >= VEC_BYTES && *right == 0);
    if (are_few(encoding, byte_count))
        return false;
    if (byte_count > FEW_MAX && byte_count < LONG && !encoding->refuses_00)
        return check_middle(encoding, bytes, byte_count);
    /* LONG bytes or more, fewer than FEW_LEAST or, with `refuses_00`, any number */
    struct reading reading = reading_of(byte_count); /* first: it may call a function, and vectors would be saved */
    struct tables tables = tables_of(encoding);
    if (byte_count >= LONG && byte_count < VERY_LONG && !encoding->refuses_00 && vec_is_ascii(vec_load(bytes)))
        *right = skip_mostly_ascii(encoding, bytes, byte_count);
    else
        *right = skip_ascii(encoding, reading.source, bytes, byte_count);
    if (*right == byte_count)
        return true;
    if (*right == 0) {
        if (!block_is_right(encoding, &tables, bytes, byte_count, 0))
            return false;
        *right = byte_count < LONG ? VEC_BYTES : after_first_block(bytes);
    }
    if (byte_count - *right >= STRIDE)
        *right = skip_strides(encoding, reading, bytes, byte_count, *right);
    for (; *right < byte_count; *right += VEC_BYTES)
        if (!block_is_right(encoding, &tables, bytes, byte_count, *right))
            return false;
    return !is_cut_before(encoding, bytes + byte_count); /* no zeros were after a last block of 64 bytes, or a stride */
}

/* Whether a short string is tested for ASCII first. That branch cannot be predicted where texts are mixed, and where a
 * block is one register, the whole check costs less. */
#ifdef VEC_MANY_REGISTERS
enum { CHECKS_ASCII_FIRST = 0 };
#else
enum { CHECKS_ASCII_FIRST = 1 };
#endif

/* True if the tables accept 1 to 64 bytes, and the last character is complete. Zeros follow fewer than 64: the tables
 * refuse them after an incomplete one. */
KERNEL_PART bool check_short(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count)
{
    ASSUME(byte_count >= 1 && byte_count <= VEC_BYTES);
    vec now = vec_load_part(bytes, byte_count);
    if (has_short_nul(encoding, now, byte_count))
        return false;
    if (CHECKS_ASCII_FIRST && vec_is_ascii(now))
        return true;
    struct tables tables = tables_of(encoding);
    struct window window = vec_window(now, bytes, byte_count);
    return vec_is_zero(wrong_bytes(&tables, &window)) &&
           __builtin_expect(byte_count < VEC_BYTES || !is_cut_before(encoding, bytes + VEC_BYTES), true);
}

/* True if the encoding allows these trails, given by their second bytes. `after_leads`: the bytes that are three after
 * the second byte of a lead. */
KERNEL_PART bool trails_are_right(const struct encoding *encoding, uint64_t trails, uint64_t after_leads)
{
    return encoding->surrogates == IN_PAIRS ? trails == after_leads
                                            : encoding->surrogates == JOINED || (trails & after_leads) == 0;
}

/* Skips blocks without errors, surrogates included. `at` is at least 64, and the 64 bytes before it have no errors.
 * `lead_seconds` marks the second bytes of lead surrogates in the block before `at` (bit 63: its last byte). Returns a
 * boundary of characters that is not between a lead and a trail; it may be some bytes before `at`. */
KERNEL_PART size_t skip_clean_blocks(const struct encoding *encoding, const struct tables *tables, const uint8_t *bytes,
                                     size_t byte_count, size_t at, uint64_t lead_seconds)
{
    ASSUME(at >= VEC_BYTES && at <= byte_count);
    vec others = vec_constant((uint8_t)~encoding->surrogate_second);
    for (; byte_count - at >= VEC_BYTES; at += VEC_BYTES) {
        struct window window = window_at(bytes + at);
        vec wrong = wrong_bytes(tables, &window);
        uint64_t seconds = vec_bits(vec_any(wrong, encoding->surrogate_second));
        uint64_t of_trails = seconds & vec_bits(vec_at_least(window.now, FIRST_SECOND_OF_TRAIL));
        if (!vec_is_zero(vec_and(wrong, others)) || has_short_nul(encoding, window.now, VEC_BYTES) ||
            !trails_are_right(encoding, of_trails, later(seconds & ~of_trails, lead_seconds, SURROGATE_BYTES)))
            break;
        lead_seconds = seconds & ~of_trails;
    }
    enum { FIRST_OPEN = VEC_BYTES - SURROGATE_BYTES }; /* from here on, the second byte of the trail comes later */
    uint64_t open = lead_seconds >> FIRST_OPEN;
    at -= open != 0 ? SURROGATE_BYTES + 1 - lowest(open) : cut_before(encoding, bytes + at);
    bool is_after_lead = bytes[at - 3] == encoding->lead_of_surrogates && bytes[at - 2] >= FIRST_SECOND_OF_LEAD &&
                         bytes[at - 2] < FIRST_SECOND_OF_TRAIL;
    return is_after_lead ? at - SURROGATE_BYTES : at;
}

/* Finds every error from a character boundary on: writes up to `capacity` of them and returns their number. If only the
 * first is asked for, returns 1 or 0. */
static size_t find_errors(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count, size_t at,
                          bool only_first, struct assay_span *spans, size_t capacity)
{
    struct tables tables = tables_of(encoding);
    struct carry carry = carry_at_boundary(0, false, false);
    size_t count = 0;
    for (; at < byte_count; at += VEC_BYTES) {
        size_t begin = at;
        for (; is_clean(encoding, &tables, bytes, byte_count, at, &carry); at += VEC_BYTES)
            carry.next_fits = true;
        if (at > begin)
            carry = carry_after(encoding, bytes + at, true);
        struct block block = block_at(bytes, byte_count, at);
        struct marks marks = find_marks(encoding, &block, &carry, false);
        if (count >= capacity)
            count += count_bits(marks.errors);
        else
            for (uint64_t errors = marks.errors; errors != 0; errors &= errors - 1, count++)
                if (count < capacity)
                    spans[count] = span_at(encoding, &block, &marks, lowest(errors), at);
        if (only_first && count > 0)
            return 1;
        advance_carry(&carry, &marks, block.length);
        if (encoding->surrogates != AS_THE_TABLES_SAY && marks.errors == 0 && !block.is_last) {
            size_t next =
                skip_clean_blocks(encoding, &tables, bytes, byte_count, at + VEC_BYTES, carry.surrogates.seconds);
            if (next > at + VEC_BYTES) {
                carry = carry_at_boundary(0, false, false);
                at = next - VEC_BYTES;
            }
        }
    }
    return count;
}

/* Decides a text in which the tables refused something after the first `right` bytes. Returns true if it has no error;
 * else false, with the first error in *error unless that is NULL. */
static __attribute__((noinline)) bool decide_refused(const struct encoding *encoding, const uint8_t *bytes,
                                                     size_t byte_count, size_t right, struct assay_span *error)
{
    ASSUME(right <= byte_count && (right == 0 || right >= REACH));
    if (error == NULL && tables_are_final(encoding))
        return false;
    size_t at = right == 0 ? 0 : right - cut_before(encoding, bytes + right);
    if (at < REACH) /* as many are looked back at */
        at = 0;
    return find_errors(encoding, bytes, byte_count, at, true, error, error != NULL) == 0;
}

/* For texts that check_short() or validate_few() refused, all that these are not for, and what validate_far() leaves.
 * Not inlined, so that the path of short strings has no registers to save. */
static __attribute__((noinline)) bool validate_long(const struct encoding *encoding, const uint8_t *bytes,
                                                    size_t byte_count, struct assay_span *error)
{
    encoding = same_encoding(encoding);
    size_t right = 0;
    return byte_count == 0 || (byte_count >= VEC_BYTES && check_long(encoding, bytes, byte_count, &right)) ||
           decide_refused(encoding, bytes, byte_count, right, error);
}

/* As blocks_are_plain_ascii() for a stride. The second and the fourth block are loaded first: loops of AVX-512 that
 * compilers ordered otherwise read text from memory 3 to 26 % slower on a Zen 5. */
KERNEL_PART bool stride_is_plain_ascii(const struct encoding *encoding, const uint8_t *bytes)
{
    vec second = vec_hold(vec_load(bytes + VEC_BYTES)), fourth = vec_hold(vec_load(bytes + 3 * VEC_BYTES));
    vec all = vec_or(vec_or(second, vec_load(bytes)), vec_or(fourth, vec_load(bytes + 2 * VEC_BYTES)));
    return vec_is_ascii(all) && !blocks_have_short_nul(encoding, bytes, STRIDE);
}

/* Whether ASCII at the begin of a text of PREFETCHED bytes or more is prefetched. Each line of it is loaded once, and a
 * Zen 5's own prefetcher is then faster alone. On Intel's processors, on ARM and in WebAssembly that was not measured.
 */
KERNEL_PART bool prefetches_ascii(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return cpu_is_intel();
#else
    return true;
#endif
}

#ifndef VALIDATE_REST /* the prover asks a question in place of this */
#define VALIDATE_REST validate_long
#endif

#ifdef VEC_PROSE_BY_HALVES

/* Moves over English prose, of which most half strides are ASCII, without `refuses_00`; `at`: where the ASCII ends that
 * the text begins with. Returns `bytes` or a place after ASCII, up to which the text is well-formed: the last one
 * before an error, before OTHERS_MAX half strides in a row that are not ASCII, or before `last`. If it is after `last`,
 * `last` is in that ASCII, so that text may end there, too. */
static __attribute__((noinline)) const uint8_t *skip_far_prose(const struct encoding *encoding, const uint8_t *bytes,
                                                               const uint8_t *at, const uint8_t *last)
{
    enum { OTHERS_MAX = 16 * HALF_STRIDE };
    encoding = same_encoding(encoding);
    struct strides strides = strides_of(encoding);
    const uint8_t *right = at;
    if (at == bytes) {
        if (!block_is_right(encoding, &strides.with_fours, bytes, VEC_BYTES, 0))
            return right;
        at += after_first_block(bytes);
    }
    for (;;) {
        const uint8_t *after = skip_ascii_halves(at, last);
        if (after > at) {
            if (is_cut_before(encoding, at))
                return right;
            right = at = after;
        }
        if (at >= last || at - right >= OTHERS_MAX || blocks_are_wrong(&strides, false, BY_LOADS, at, HALF_STRIDE))
            return right;
        at += HALF_STRIDE;
    }
}

#endif

/* For texts of PREFETCHED bytes or more, of which there are at least LONG. What follows the ASCII or the prose that is
 * skipped is checked as a text of its own, which begins between two characters; so are the last LONG bytes. */
static __attribute__((noinline)) bool validate_far(const struct encoding *encoding, const uint8_t *bytes,
                                                   size_t byte_count, struct assay_span *error)
{
    encoding = same_encoding(encoding);
    const uint8_t *next = bytes, *last = bytes + byte_count - LONG;
    if (!prefetches_ascii()) {
        while (next < last && stride_is_plain_ascii(encoding, next))
            next += STRIDE - (uintptr_t)next % VEC_BYTES; /* loads at cache lines */
#ifdef VEC_PROSE_BY_HALVES
        if (next < last && source_of(byte_count) == FROM_MEMORY && !encoding->refuses_00)
            next = skip_far_prose(encoding, bytes, next, last);
#endif
    }
    next = next < last ? next : last;
    bool is_right = VALIDATE_REST(encoding, next, (size_t)(bytes + byte_count - next), error);
    if (!is_right && error != NULL)
        error->offset += (size_t)(next - bytes);
    return is_right;
}

/* For texts of FEW_LEAST to FEW_MAX bytes, without `refuses_00`. Loads at cache lines would cost more than they save:
 * there may be one block more. Not inlined: validate_long() saves the registers that longer texts need. It calls that
 * last, and is called last, so that compilers jump, and neither this function nor validate_in() has a stack frame: a
 * call and a frame take as long as checking a block (Zen 5). Begins at a cache line, as what calls it does. */
static __attribute__((noinline, aligned(64))) bool validate_few(const struct encoding *encoding, const uint8_t *bytes,
                                                                size_t byte_count, struct assay_span *error)
{
    encoding = same_encoding(encoding);
    return (vec_is_ascii(vec_load(bytes)) && few_blocks_are_ascii(bytes, byte_count)) ||
           check_all_blocks(encoding, bytes, byte_count, VEC_BYTES) ||
           validate_long(encoding, bytes, byte_count, error);
}

/* For a short string without an error, each branch on data goes the same way, but for the one on ASCII where there is
 * one. __builtin_expect() puts that way first. */
KERNEL_PART bool validate_in(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count,
                             struct assay_span *error)
{
    bool is_short = byte_count - 1 < VEC_BYTES; /* 0 - 1 is the largest size_t */
    if (__builtin_expect(is_short, true) && __builtin_expect(check_short(encoding, bytes, byte_count), true))
        return true;
    if (are_few(encoding, byte_count))
        return validate_few(encoding, bytes, byte_count, error);
    return byte_count < PREFETCHED ? validate_long(encoding, bytes, byte_count, error)
                                   : validate_far(encoding, bytes, byte_count, error);
}

#endif
