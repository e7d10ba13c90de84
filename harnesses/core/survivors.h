/* SPDX-License-Identifier: MIT
 *
 * survivors.h - how many characters of a text survive damage: those in the longest common prefix of the original and
 * the decoded text, and in the longest common suffix of the rest.
 */
#ifndef ASSAY_SURVIVORS_H
#define ASSAY_SURVIVORS_H

#include <stddef.h>
#include <stdint.h>

struct survivors {
    size_t head, tail;
};

static inline struct survivors survivors(const uint32_t *in, size_t in_count, const uint32_t *out, size_t out_count)
{
    size_t shorter = in_count < out_count ? in_count : out_count;
    struct survivors same = {0, 0};
    while (same.head < shorter && in[same.head] == out[same.head])
        same.head++;
    while (same.tail < shorter - same.head && in[in_count - 1 - same.tail] == out[out_count - 1 - same.tail])
        same.tail++;
    return same;
}

#endif
