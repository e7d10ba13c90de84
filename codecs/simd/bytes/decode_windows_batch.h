/* SPDX-License-Identifier: MIT
 *
 * decode_windows_batch.h - windows with errors, many at a time. scan_batch.h says for each window of a batch which
 * bytes have units and which have errors; then the units are made and written. Each of the two loops has all registers
 * for itself, and neither branches on errors, which are unpredictable.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_WINDOWS_BATCH_H
#define ASSAY_SIMD_BYTES_DECODE_WINDOWS_BATCH_H

#include "scan_batch.h"
#include "units.h"

/* Constants for making units, loaded once for many windows. */
struct unit_constants {
    vec low_7, low_4, high_4, high_2, nothing, replacement_low, replacement_high;
};

KERNEL_PART struct unit_constants unit_constants_of(void)
{
    return (struct unit_constants){vec_constant(0x7F),
                                   vec_constant(0x0F),
                                   vec_constant(0xF0),
                                   vec_constant(0xC0),
                                   vec_constant(0),
                                   vec_constant(REPLACEMENT & 0xFF),
                                   vec_constant(REPLACEMENT >> 8)};
}

/* As planes_of, with U+FFFD for errors. */
KERNEL_PART struct planes planes_with_errors(const struct unit_constants *constants, const struct window *window,
                                             truth errors)
{
    vec now = window->now, more = vec_select(vec_high(now), window->back_1, constants->nothing);
    vec low = vec_or(vec_and(now, constants->low_7), vec_and(vec_shift_units(more, 6), constants->high_2));
    vec from_1 = vec_and(vec_shift_units(more, -2), constants->low_4);
    vec from_2 = vec_keep(vec_is_continuation(more), vec_and(vec_shift_units(window->back_2, 4), constants->high_4));
    return (struct planes){vec_select(errors, constants->replacement_low, low),
                           vec_select(errors, constants->replacement_high, vec_or(from_1, from_2)), constants->nothing};
}

/* Writes the units of window `number` of a batch, which begins at `bytes`. Returns their number; overwrites up to
 * 64. `likely_fours`: fours_are_likely(). */
KERNEL_PART size_t put_scanned(enum form form, const struct unit_constants *constants, const uint8_t *bytes,
                               const struct batch_scan *scans, size_t number, uint64_t likely_fours, void *to)
{
    struct window window = {vec_load(bytes), vec_load(bytes - 1), vec_load(bytes - 2), constants->nothing};
    struct planes planes = planes_with_errors(constants, &window, vec_truth(scans->errors[number]));
    uint64_t chosen = scans->chosen[number], fourths = scans->fourths[number];
    bool may_have_fours = (fourths | likely_fours) != 0;
    if (may_have_fours) {
        window.back_3 = vec_load(bytes - 3);
        put_supplementary(form, &planes, &window, &(struct fours){fourths >> 1, fourths});
    }
    put_planes(form, &planes, may_have_fours && form == UTF32, chosen, to, VEC_BYTES);
    return count_bits(chosen);
}

#endif
