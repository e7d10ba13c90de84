/* SPDX-License-Identifier: MIT
 *
 * classify.h - says which lengths of characters a block of 64 bytes has. Decoding has a path for each answer.
 */
#ifndef ASSAY_SIMD_BYTES_CLASSIFY_H
#define ASSAY_SIMD_BYTES_CLASSIFY_H

#include "marks.h"

/* Only characters of up to three bytes; some of four; or an error, or something that the tables cannot decide (marks.h
 * does). */
enum block_class { WITHOUT_FOURS, WITH_FOURS, SOMETHING_ELSE };

/* A template: each instruction set has
 *
 *     struct classifier classifier = classifier_of(encoding);
 *     enum block_class found = classify_block(encoding, &classifier, &window, after, fours_before);
 *
 * which classifies 64 bytes. `after` is the 64 bytes from offset 1: a sequence that is cut is seen at the byte after
 * it. The caller knows that the bytes before the block are right and that the first byte fits them. `fours_before`: one
 * of the last three bytes before the block is a lead of four. VEC_CLASSIFY_FILE names a file of this folder with the
 * version of an instruction set; without it, the one below is used. */
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
    (void)fours_before; /* the masks above include these */
    return vec_neither(thirds, fourths) ? WITHOUT_FOURS : WITH_FOURS;
}

#endif
#endif
