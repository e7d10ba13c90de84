/* SPDX-License-Identifier: MIT
 *
 * count.h - counts the units that decoding would give: computes the marks, not the units.
 */
#ifndef ASSAY_SIMD_BYTES_COUNT_H
#define ASSAY_SIMD_BYTES_COUNT_H

#include "units.h"

/* Adds the units of any block. */
KERNEL_PART void count_block(const struct encoding *encoding, enum assay_policy policy, const struct block *block,
                             struct carry *carry, struct assay_count *count)
{
    struct marks marks = find_marks(encoding, block, carry, false);
    struct selection selection = {marks.ends, {0, 0}};
    if (marks.errors != 0 && policy == ASSAY_POLICY_STRICT) {
        selection.chosen &= marks.errors ^ (marks.errors - 1);
        marks.fourths &= marks.errors ^ (marks.errors - 1);
        marks.surrogates.trails &= marks.errors ^ (marks.errors - 1);
        count->status = ASSAY_ILL_FORMED;
    } else if (marks.errors != 0) {
        selection.replacements = find_replacements(encoding, policy, block, &marks, carry, block->length);
        selection.chosen |= selection.replacements.at;
    } else {
        carry->absorb = 0;
    }
    count->utf32_units += units_of(&selection);
    count->utf16_units += units_of(&selection) + count_bits(marks.fourths | marks.surrogates.trails);
    advance_carry(carry, &marks, block->length);
}

/* Counts blocks from *at on while they have no errors and at least one byte after them. *next_fits: the first byte is
 * known to be right after those before it; on return, the same for the byte at *at. */
KERNEL_PART void count_run(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count, size_t *at,
                           bool *next_fits, struct assay_count *count)
{
    struct tables tables = tables_of(encoding);
    size_t begin = *at, taken = 0, fourths = 0; /* continuation bytes, and last bytes of 4-byte characters */
    for (; byte_count - *at > VEC_BYTES; *at += VEC_BYTES) {
        const uint8_t *block = bytes + *at;
        if (is_plain_ascii(encoding, vec_load(block))) {
            *next_fits = false;
            continue;
        }
        if (!*next_fits && is_continuation(*block))
            break;
        vec after = vec_load(block + 1);
        struct window window = *at == 0 ? window_of_only(block, VEC_BYTES) : window_at(block);
        struct window ahead = window_on(&window, after);
        if (!is_clean_before(encoding, &tables, &ahead))
            break;
        taken += count_bits(vec_bits(vec_is_continuation(after)));
        fourths += count_bits(vec_bits(vec_high(vec_subtract(window.back_3, tables.below_lead_of_4))));
        *next_fits = true;
    }
    count->utf32_units += *at - begin - taken;
    count->utf16_units += *at - begin - taken + fourths;
}

static struct assay_count count_in(const struct encoding *encoding, enum assay_policy policy, const uint8_t *bytes,
                                   size_t byte_count)
{
    if (!offers(encoding, policy))
        return (struct assay_count){ASSAY_UNSUPPORTED, 0, 0};
    struct assay_count count = {ASSAY_OK, 0, 0};
    struct carry carry = carry_at_boundary(0, false, false);
    carry.was_clean = true;
    for (size_t at = 0; at < byte_count && count.status == ASSAY_OK; at += VEC_BYTES) {
        size_t begin = at;
        if (carry.was_clean)
            count_run(encoding, bytes, byte_count, &at, &carry.next_fits, &count);
        if (at > begin)
            carry = carry_after(encoding, bytes + at, carry.next_fits);
        struct block block = block_at(bytes, byte_count, at);
        count_block(encoding, policy, &block, &carry, &count);
    }
    return count;
}

#endif
