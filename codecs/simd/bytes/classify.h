/* SPDX-License-Identifier: MIT
 *
 * classify.h - says what a block of 64 bytes holds, which decides how it is decoded.
 */
#ifndef ASSAY_SIMD_BYTES_CLASSIFY_H
#define ASSAY_SIMD_BYTES_CLASSIFY_H

#include "marks.h"

/* Only characters of up to three bytes; of up to four; or an error, or something that the tables leave to marks.h. */
enum block_class { WITHOUT_FOURS, WITH_FOURS, SOMETHING_ELSE };

/* A template: each instruction set has
 *
 *     struct sieve sieve = classifier_of(encoding);
 *     enum find found = classify_block(encoding, &sieve, &window, after, fours_before);
 *
 * which classifies 64 bytes, given also the 64 bytes that begin one later, since the byte after an error shows it. The
 * caller knows that the bytes before the block are right, and so is the first byte after them; `fours_before` says
 * whether the last three bytes before it have a lead of four. Define VEC_CLASSIFY_FILE, a file of this folder, for a
 * version of its own; else this one is used. */
#ifdef VEC_CLASSIFY_FILE
#include VEC_CLASSIFY_FILE
#else

struct classifier {
    struct tables tables;
};

KERNEL_PART struct classifier classifier_of(const struct encoding *encoding)
{
    return (struct classifier){tables_of(encoding)};
}

KERNEL_PART enum block_class classify_block(const struct encoding *encoding, const struct classifier *classifier,
                                            const struct window *window, vec after, bool fours_before)
{
    struct window ahead = window_on(window, after);
    if (!is_clean_before(encoding, &classifier->tables, &ahead))
        return SOMETHING_ELSE;
    /* The third and the fourth bytes of characters of four. */
    truth thirds = vec_high(vec_subtract(window->back_2, classifier->tables.below_lead_of_4));
    truth fourths = vec_high(vec_subtract(window->back_3, classifier->tables.below_lead_of_4));
    (void)fours_before; /* seen by these */
    return vec_neither(thirds, fourths) ? WITHOUT_FOURS : WITH_FOURS;
}

#endif
#endif
