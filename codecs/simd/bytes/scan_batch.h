/* SPDX-License-Identifier: MIT
 *
 * scan_batch.h - the scan of scan_window.h for many windows. Byte vectors find, for each pair of bytes, whether the
 * second continues the first. The masks of all windows are stored; then a loop that compilers vectorise computes the
 * rest for several windows at once. So no mask is moved to a general register, which takes two cycles for each mask of
 * AVX-512 on a Zen 4.
 */
#ifndef ASSAY_SIMD_BYTES_SCAN_BATCH_H
#define ASSAY_SIMD_BYTES_SCAN_BATCH_H

#include "scan_window.h"

/* With 8, vectors that load the masks would wait for the stores of their halves (MEASUREMENTS.md). */
#ifdef VEC_MANY_REGISTERS
enum { BATCH_WINDOWS = 32 };
#else
enum { BATCH_WINDOWS = 16 };
#endif

/* The members of struct window_scan, an array of each; `chosen` has also the third bytes of 4-byte characters that have
 * a unit: in UTF-16, where they are high surrogates. */
struct batch_scan {
    uint64_t chosen[BATCH_WINDOWS], errors[BATCH_WINDOWS], taken[BATCH_WINDOWS], fourths[BATCH_WINDOWS];
};

/* What the second of two bytes is: the bits that the entries of three tables have in common. */
enum second {
    MAY_BE_NUL = 0x01,   /* C0 80..8F, where C0 80 is U+0000 */
    OF_SURROGATE = 0x02, /* ED A0..BF: the bytes around decide whether it is taken */
    AFTER_C = 0x04,      /* C0..CF and 80..BF */
    AFTER_D = 0x08,
    AFTER_E_80 = 0x10,      /* E0..EF and 80..9F */
    AFTER_E_A0 = 0x20,      /* E0..EF and A0..BF */
    AFTER_F_80 = 0x40,      /* F0..FF and 80..8F */
    AFTER_F_90 = 0x80,      /* F0..FF and 90..BF */
    FIRST_SECOND = AFTER_C, /* from this bit up, the second byte is taken; below, it may be */
    FIRST_OF_3 = AFTER_E_80,
    FIRST_OF_4 = AFTER_F_80
};

/* Tables, loaded once for many windows. */
struct batch_scanner {
    vec first_high, first_low, second_high;
};

/* For first bytes with this high nibble: sets, in the entry of each low nibble that takes second bytes with that high
 * nibble, this bit. */
KERNEL_PART void add_seconds(uint8_t first_low[16], const struct encoding *encoding, unsigned first_high,
                             unsigned second_high, enum second bit)
{
    uint8_t refusals = encoding->first_high[first_high] & encoding->second_high[second_high] & encoding->not_second;
    for (size_t i = 0; i < 16; i++)
        first_low[i] |= (encoding->first_low[i] & refusals) == 0 ? (uint8_t)bit : 0;
}

KERNEL_PART struct batch_scanner batch_scanner_of(const struct encoding *encoding)
{
    const uint8_t after_c_and_d = AFTER_C | AFTER_D;
    const uint8_t first_high[16] = {
        [0xC] = AFTER_C | MAY_BE_NUL, AFTER_D, AFTER_E_80 | AFTER_E_A0 | OF_SURROGATE, AFTER_F_80 | AFTER_F_90};
    const uint8_t second_high[16] = {[0x8] = after_c_and_d | AFTER_E_80 | AFTER_F_80 | MAY_BE_NUL,
                                     after_c_and_d | AFTER_E_80 | AFTER_F_90,
                                     after_c_and_d | AFTER_E_A0 | AFTER_F_90 | OF_SURROGATE,
                                     after_c_and_d | AFTER_E_A0 | AFTER_F_90 | OF_SURROGATE};
    uint8_t first_low[16] = {0};
    add_seconds(first_low, encoding, 0xC, 0x8, AFTER_C);
    add_seconds(first_low, encoding, 0xD, 0x8, AFTER_D);
    add_seconds(first_low, encoding, 0xE, 0x8, AFTER_E_80);
    add_seconds(first_low, encoding, 0xE, 0xA, AFTER_E_A0);
    add_seconds(first_low, encoding, 0xF, 0x8, AFTER_F_80);
    add_seconds(first_low, encoding, 0xF, 0x9, AFTER_F_90);
    first_low[LEAD_OF_NUL & 0x0F] |= encoding->refuses_00 ? MAY_BE_NUL : 0;
    first_low[encoding->lead_of_surrogates & 0x0F] |= encoding->surrogates != AS_THE_TABLES_SAY ? OF_SURROGATE : 0;
    return (struct batch_scanner){vec_table(first_high), vec_table(first_low), vec_table(second_high)};
}

/* Masks of each window: bytes that are not ASCII; 80..BF; bytes taken as second bytes; of these, after leads of three
 * or more (of_3) and of four (of_4); and the last bytes of lead surrogates without a trail, where such a surrogate is
 * an error. */
struct masks {
    uint64_t high[BATCH_WINDOWS], continuations[BATCH_WINDOWS], seconds[BATCH_WINDOWS], of_3[BATCH_WINDOWS],
        of_4[BATCH_WINDOWS], lone[BATCH_WINDOWS];
};

/* Corrects the masks of a window for surrogates and for U+0000 in two bytes, which depend on the bytes around them.
 * Returns false if these are outside the window, or if the next window would depend on a surrogate in this one. */
static __attribute__((noinline)) bool correct_masks(enum form form, const struct encoding *encoding, vec back_1,
                                                    vec now, vec pairs, struct masks *masks, size_t number)
{
    const uint64_t open =
        /* second bytes whose lead is in this window and whose last byte is in the next */
        UINT64_C(7) << (VEC_BYTES - 5);
    const uint64_t cut = UINT64_C(3) << (VEC_BYTES - 2); /* second bytes of sequences that end in the next window */
    if (encoding->refuses_00)
        masks->seconds[number] |= find_long_nuls(back_1, now);
    uint64_t surrogates = vec_bits(vec_any(pairs, OF_SURROGATE));
    uint64_t trails = surrogates & vec_bits(vec_at_least(now, FIRST_SECOND_OF_TRAIL)), leads = surrogates & ~trails;
    uint64_t continuations = masks->continuations[number], thirds = leads << 1 & continuations, refused = 0;
    uint64_t halves = thirds & trails >> 2 & continuations >> 3;
    if ((leads & open) != 0 || (form == UTF32 && encoding->surrogates != APART && halves != 0))
        return false;
    if (encoding->surrogates == APART)
        refused = trails & thirds << 2;
    if (encoding->surrogates == IN_PAIRS) {
        refused = trails & ~(halves << 2);
        masks->lone[number] = thirds & ~halves;
    }
    masks->seconds[number] &= ~refused;
    masks->of_3[number] &= ~refused;
    return (refused & cut) == 0;
}

KERNEL_PART bool mark_window(enum form form, const struct encoding *encoding, const struct batch_scanner *scanner,
                             const uint8_t *bytes, struct masks *masks, size_t number)
{
    vec back_1 = vec_hold(vec_load(bytes - 1)), now = vec_hold(vec_load(bytes));
    vec of_first = vec_and(vec_lookup_high(scanner->first_high, back_1), vec_lookup_low(scanner->first_low, back_1));
    vec pairs = vec_and(of_first, vec_lookup_high(scanner->second_high, now));
    vec high = encoding->refuses_00 ? vec_or(now, vec_add(now, vec_fill(0xFF))) : now; /* 00 minus 1 is FF */
    vec_store_bits(&masks->high[number], vec_high(high));
    vec_store_bits(&masks->continuations[number], vec_is_continuation(now));
    vec_store_bits(&masks->seconds[number], vec_attains(pairs, FIRST_SECOND));
    vec_store_bits(&masks->of_3[number], vec_attains(pairs, FIRST_OF_3));
    vec_store_bits(&masks->of_4[number], vec_attains(pairs, FIRST_OF_4));
    if (tables_are_final(encoding))
        return true;
    masks->lone[number] = 0;
    return vec_is_zero(vec_and(pairs, vec_fill(MAY_BE_NUL | OF_SURROGATE))) ||
           correct_masks(form, encoding, back_1, now, pairs, masks, number);
}

/* Scans up to `count` windows, the first at `bytes`. Stops at the first window whose result depends on bytes outside
 * it. Returns how many were scanned. */
static __attribute__((noinline)) size_t scan_windows(enum form form, const struct encoding *encoding,
                                                     const struct batch_scanner *given, const uint8_t *bytes,
                                                     size_t count, struct batch_scan *restrict scans)
{
    encoding = same_encoding(encoding);
    struct batch_scanner scanner = *given;
    struct masks masks;
    size_t done = 0;
    while (done < count && mark_window(form, encoding, &scanner, bytes + done * SCANNED_BYTES, &masks, done))
        done++;
    /* All windows, also those not scanned, whose results are not used: with a constant count, compilers compute four at
     * once. */
    for (size_t i = 0; i < BATCH_WINDOWS; i++) {
        struct window_scan scan = scan_of_masks(masks.high[i], masks.continuations[i], masks.seconds[i], masks.of_3[i],
                                                masks.of_4[i], inside_window());
        scans->chosen[i] = scan.chosen | (form == UTF16 ? scan.fourths >> 1 & inside_window() : 0);
        scans->errors[i] = tables_are_final(encoding) ? scan.errors : scan.errors | (scan.chosen & masks.lone[i]);
        scans->taken[i] = scan.taken;
        scans->fourths[i] = scan.fourths;
    }
    return done;
}

/* All ones if a quarter of the windows of a full batch, judged by the first eight, has 4-byte characters; else 0. Then
 * the path for these is taken for all: a branch on each window would be predicted wrong too often. Not a bool, since
 * gcc 12 compiles `a || b` to a branch on the one that cannot be predicted. */
KERNEL_PART uint64_t fours_are_likely(const struct batch_scan *scans, size_t count)
{
    enum { SAMPLE = 8, QUARTER = SAMPLE / 4 };
    size_t with_fours = 0;
    for (size_t i = 0; count == BATCH_WINDOWS && i < SAMPLE; i++)
        with_fours += scans->fourths[i] != 0;
    return hold_bits((uint64_t)0 - (with_fours >= QUARTER));
}

#endif
