/* SPDX-License-Identifier: MIT
 *
 * scan_window.h - the scan of a window of 64 bytes: which bytes have a unit, and which of those units replace errors.
 * It depends on these 64 bytes only.
 */
#ifndef ASSAY_SIMD_BYTES_SCAN_WINDOW_H
#define ASSAY_SIMD_BYTES_SCAN_WINDOW_H

#include "marks.h"

/* A window is REACH bytes of context, SCANNED_BYTES that are decoded, and one more byte of context. */
enum { SCANNED_BYTES = VEC_BYTES - REACH - 1 };

/* The bytes of a window that are decoded, as bits. */
KERNEL_PART uint64_t inside_window(void)
{
    return first_bits(SCANNED_BYTES) << REACH;
}

/* Constants, made once for many windows. */
struct scanner {
    const struct encoding *encoding;
    struct refusal refusal;
    vec lead_of_3, lead_of_4;
};

KERNEL_PART struct scanner scanner_of(const struct encoding *encoding)
{
    return (struct scanner){encoding, vec_refusal(encoding), vec_bound(encoding->first_lead_of_3),
                            vec_bound(encoding->first_lead_of_4)};
}

/* Bit i is about byte i of the window. `chosen`: has a unit. `errors`: of these, an error ends here. `taken`: continues
 * the character before it. `fourths`: of these, the last byte of a 4-byte character. */
struct window_scan {
    uint64_t chosen, errors, taken, fourths;
};

/* True if a window has a surrogate whose result depends on bytes outside the window. */
KERNEL_PART bool has_surrogates(const struct encoding *encoding, vec back_1, vec now)
{
    if (encoding->surrogates == AS_THE_TABLES_SAY)
        return false;
    uint8_t lead = encoding->lead_of_surrogates;
    truth after_lead = vec_both(vec_between(back_1, lead, lead), vec_between(now, 0xA0, 0xBF));
    return !vec_neither(after_lead, after_lead);
}

/* The scan of a window, from masks of its bytes: bytes that are not ASCII (high); 80..BF; bytes taken as second bytes;
 * of these, after leads of three or four bytes (of_3), and after leads of four (of_4). */
ALWAYS_INLINE struct window_scan scan_of_masks(uint64_t high, uint64_t continuations, uint64_t seconds, uint64_t of_3,
                                               uint64_t of_4, uint64_t inside)
{
    uint64_t thirds = of_3 << 1 & continuations, open_3 = of_4 << 1 & thirds;
    uint64_t fourths = open_3 << 1 & continuations, taken = seconds | thirds | fourths;
    uint64_t chosen = inside & ~(taken >> 1);
    return (struct window_scan){chosen, chosen & high & (~taken | of_3 | open_3), taken, fourths};
}

KERNEL_PART struct window_scan scan_window(const struct scanner *scanner, vec back_1, vec now, uint64_t inside)
{
    const struct encoding *encoding = scanner->encoding;
    uint64_t high = vec_bits(vec_high(now)), continuations = vec_bits(vec_is_continuation(now));
    uint64_t refused = vec_bits(vec_refused(&scanner->refusal, back_1, now));
    uint64_t leads_of_3 = vec_bits(vec_reaches(now, scanner->lead_of_3));
    uint64_t leads_of_4 = vec_bits(vec_reaches(now, scanner->lead_of_4));
    /* also set for C0, F5 and other bytes after which no second byte is taken */
    uint64_t leads = high & ~continuations;
    if (encoding->refuses_00) {
        refused &= ~find_long_nuls(back_1, now);
        high |= vec_bits(vec_between(now, 0, 0)); /* from here on: all but one-byte characters */
    }
    uint64_t seconds = leads << 1 & continuations & ~refused;
    return scan_of_masks(high, continuations, seconds, seconds & leads_of_3 << 1, leads_of_4 << 1, inside);
}

#endif
