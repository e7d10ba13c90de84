/* SPDX-License-Identifier: MIT
 *
 * decode_windows_batch_avx512.h - decode_windows_batch.h for AVX-512: masks go from the batch to mask registers.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_WINDOWS_BATCH_AVX512_H
#define ASSAY_SIMD_BYTES_DECODE_WINDOWS_BATCH_AVX512_H

#include "scan_batch.h"
#include "units.h"

struct unit_constants {
    vec nothing;
};

KERNEL_PART struct unit_constants unit_constants_of(void)
{
    return (struct unit_constants){vec_fill(0)};
}

/* Writes the units of window `number` of a batch, which begins at `bytes`. Returns their number; overwrites up to
 * 64. `likely_fours`: fours_are_likely(). */
KERNEL_PART size_t put_scanned(enum form form, const struct unit_constants *constants, const uint8_t *bytes,
                               const struct batch_scan *scans, size_t number, uint64_t likely_fours, void *to)
{
    struct window window = {vec_load(bytes), vec_load(bytes - 1), vec_load(bytes - 2), constants->nothing};
    struct planes planes = planes_of(&window);
    put_replacements(&planes, window.now, ASSAY_POLICY_WHATWG, load_truth(&scans->errors[number]));
    uint64_t fourths = scans->fourths[number];
    bool may_have_fours = (fourths | likely_fours) != 0;
    if (may_have_fours) {
        window.back_3 = vec_load(bytes - 3);
        put_supplementary(form, &planes, &window, &(struct fours){fourths >> 1, fourths});
    }
    if (form == UTF16)
        put16_where(to, planes.low, planes.high, load_truth(&scans->chosen[number]));
    else
        put32_where(to, planes.low, planes.high, planes.top, may_have_fours, load_truth(&scans->chosen[number]));
    return count_bits(scans->chosen[number]);
}

#endif
