/* SPDX-License-Identifier: MIT
 *
 * count.h - how many units decoding would give: the marks, without the units.
 */
#ifndef ASSAY_SIMD_COUNT_H
#define ASSAY_SIMD_COUNT_H

#include "units.h"

/* Adds a block of any kind. */
KERNEL_PART void count_block(const struct encoding *encoding, enum assay_policy policy, const struct block *block,
                               struct carry *carry, struct assay_count *count)
{
    struct marks marks = mark(encoding, block, carry, false);
    struct selection selection = {marks.ends, {0, 0}};
    if (marks.errors != 0 && policy == ASSAY_POLICY_STRICT) {
        selection.chosen &= marks.errors ^ (marks.errors - 1);
        marks.fourths &= marks.errors ^ (marks.errors - 1);
        marks.surrogates.trails &= marks.errors ^ (marks.errors - 1);
        count->status = ASSAY_ILL_FORMED;
    } else if (marks.errors != 0) {
        selection.replacements = replacements_for(encoding, policy, block, &marks, carry, block->length);
        selection.chosen |= selection.replacements.at;
    } else {
        carry->absorb = 0;
    }
    count->utf32_units += units_of(&selection);
    count->utf16_units += units_of(&selection) + count_bits(marks.fourths | marks.surrogates.trails);
    carry_on(carry, &marks, block->length);
}

static struct assay_count count_in(const struct encoding *encoding, enum assay_policy policy, const uint8_t *bytes,
                                   size_t byte_count)
{
    if (!offers(encoding, policy))
        return (struct assay_count){ASSAY_UNSUPPORTED, 0, 0};
    struct assay_count count = {ASSAY_OK, 0, 0};
    struct tables tables = tables_of(encoding);
    struct carry carry = carry_between(0, false, false);
    for (size_t at = 0; at < byte_count && count.status == ASSAY_OK; at += VEC_BYTES) {
        if (carry.is_sound && byte_count - at >= VEC_BYTES && is_plain_ascii(encoding, vec_load(bytes + at))) {
            count.utf32_units += VEC_BYTES;
            count.utf16_units += VEC_BYTES;
            carry_clean(&carry, false);
            continue;
        }
        if (is_clean(encoding, &tables, bytes, byte_count, at, &carry)) {
            size_t ends = VEC_BYTES - count_bits(vec_bits(vec_is_continuation(vec_load(bytes + at + 1))));
            size_t fourths = count_bits(vec_bits(vec_at_least(vec_load(bytes + at - 3), encoding->first_lead_of_4)));
            count.utf32_units += ends;
            count.utf16_units += ends + fourths;
            carry_clean(&carry, true);
            continue;
        }
        carry_settle(encoding, &carry, bytes + at);
        struct block block = block_at(bytes, byte_count, at);
        count_block(encoding, policy, &block, &carry, &count);
    }
    return count;
}

#endif
