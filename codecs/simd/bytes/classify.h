/* SPDX-License-Identifier: MIT
 *
 * classify.h - what a block holds: this decides how it is decoded.
 */
#ifndef ASSAY_SIMD_BYTES_CLASSIFY_H
#define ASSAY_SIMD_BYTES_CLASSIFY_H

#include "marks.h"

/* Characters of up to three bytes, or of up to four, or errors, or what the tables leave to the marks. */
enum block_class { WITHOUT_FOURS, WITH_FOURS, SOMETHING_ELSE };

/* Sets of verbs have
 *
 *     struct sieve sieve = classifier_of(encoding);
 *     enum find found = classify_block(encoding, &sieve, &window, after, fours_before);
 *
 * which says what 64 bytes hold, given the bytes one later: an error is known by the byte after it. Known otherwise has
 * to be that the first one fits, and the bytes before it fit each other; and whether a lead of four is among the last
 * three of those. */
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

KERNEL_PART enum block_class classify_block(const struct encoding *encoding, const struct classifier *classifier, const struct window *window,
                           vec after, bool fours_before)
{
    struct window ahead = window_on(window, after);
    if (!is_clean_before(encoding, &classifier->tables, &ahead))
        return SOMETHING_ELSE;
    truth thirds = vec_high(vec_subtract(window->back_2, classifier->tables.below_lead_of_4)); /* of four, and the fourths */
    truth fourths = vec_high(vec_subtract(window->back_3, classifier->tables.below_lead_of_4));
    (void)fours_before; /* seen by these */
    return vec_neither(thirds, fourths) ? WITHOUT_FOURS : WITH_FOURS;
}

#endif
#endif
