/* SPDX-License-Identifier: MIT
 *
 * dice.h - reproducible random numbers, computed from an input or from a seed.
 */
#ifndef ASSAY_DICE_H
#define ASSAY_DICE_H

#include <stddef.h>
#include <stdint.h>

/* Random choices that depend on the last bytes of an input and its length: the input itself remains exactly what a
 * decoder is given, and a mutation elsewhere does not change the questions about it. */
struct dice {
    uint64_t state;
};
struct dice dice_from(const uint8_t *bytes, size_t byte_count);

/* 0 .. sides - 1 */
size_t dice_roll(struct dice *dice, size_t sides);

#endif
