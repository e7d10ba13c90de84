/* SPDX-License-Identifier: MIT
 *
 * window.h - 64 bytes and what is before them. Included by each set of verbs, once it has said what a vec is.
 */
#ifndef ASSAY_SIMD_WINDOW_H
#define ASSAY_SIMD_WINDOW_H

/* For each byte the one, two and three before it. */
struct window {
    vec now, back_1, back_2, back_3;
};

#endif
