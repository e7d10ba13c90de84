/* SPDX-License-Identifier: MIT
 *
 * classify.h - what a block holds: this decides how it is decoded.
 */
#ifndef ASSAY_SIMD_BYTES_CLASSIFY_H
#define ASSAY_SIMD_BYTES_CLASSIFY_H

#include "marks.h"

/* Characters of up to three bytes, or of up to four, or errors, or what the tables leave to the marks. */
enum find { WITHOUT_FOURS, WITH_FOURS, SOMETHING_ELSE };

/* Sets of verbs have
 *
 *     struct sieve sieve = sieve_of(encoding);
 *     enum find found = sift(encoding, &sieve, &window, after, fours_before);
 *
 * which says what 64 bytes hold, given the bytes one later: an error is known by the byte after it. Known otherwise has
 * to be that the first one fits, and the bytes before it fit each other; and whether a lead of four is among the last
 * three of those. */
#ifdef VEC_SIEVE
#include VEC_SIEVE
#else

struct sieve {
    struct tables tables;
};

KERNEL_PART struct sieve sieve_of(const struct encoding *encoding)
{
    return (struct sieve){tables_of(encoding)};
}

KERNEL_PART enum find sift(const struct encoding *encoding, const struct sieve *sieve, const struct window *window,
                           vec after, bool fours_before)
{
    struct window ahead = window_on(window, after);
    if (!is_clean_before(encoding, &sieve->tables, &ahead))
        return SOMETHING_ELSE;
    truth thirds = vec_high(vec_subtract(window->back_2, sieve->tables.below_lead_of_4)); /* of four, and the fourths */
    truth fourths = vec_high(vec_subtract(window->back_3, sieve->tables.below_lead_of_4));
    (void)fours_before; /* seen by these */
    return vec_neither(thirds, fourths) ? WITHOUT_FOURS : WITH_FOURS;
}

#endif
#endif
