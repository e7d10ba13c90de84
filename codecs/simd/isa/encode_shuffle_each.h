/* SPDX-License-Identifier: MIT
 *
 * encode_shuffle_each.h - encoding where each unit of 16 bits is encoded by itself, surrogates too (UTR 26), and U+0000
 * may have two bytes. Included by encode_shuffle.h, at its end.
 */
#ifndef ASSAY_SIMD_ISA_ENCODE_SHUFFLE_EACH_H
#define ASSAY_SIMD_ISA_ENCODE_SHUFFLE_EACH_H

/* Whether all units of a block are ASCII; with `nul` not 0 but 1, none of them U+0000. */
ALWAYS_INLINE bool block_is_ascii(const uint16_t *from, unit_vec nul)
{
    unit_vec all = {0};
#pragma GCC unroll 4
    for (unsigned i = 0; i < BLOCK_GROUPS; i++) {
        unit_vec now = units_at(from + UNITS * i);
        all |= now | (now - nul);
    }
    return !units_any(all, bits_beyond_ascii(false));
}

/* Whether all surrogates are in pairs, but for a lead that comes last. */
ALWAYS_INLINE bool are_in_pairs(const struct unit_masks *masks, unit_vec now)
{
    unit_vec surrogates = surrogates_of(now, masks), leads = (unit_vec)((now & 0xFC00) == masks->surrogates);
    unit_vec wrong = surrogates ^ leads ^ units_later(masks->nothing, leads);
    return !units_any(surrogates, surrogates) || !units_any(wrong, wrong);
}

/* Writes a group of units from `from` on. Returns the number of units that were read; moves *to to the end of the
 * bytes. A lead that comes last is not read: it is encoded together with its trail. */
ALWAYS_INLINE size_t put_each(uint8_t **to, const struct unit_masks *masks, unit_vec now, unit_vec marks,
                              const uint16_t *from)
{
    bool is_cut = (from[UNITS - 1] & 0xFC00) == 0xD800;
    *to = put_lanes(*to, lanes_up_to_three(masks, now, marks)) - (is_cut ? 3 : 0);
    return UNITS - is_cut;
}

KERNEL_PART struct progress vec_encode_each16(const struct encoding *encoding, const uint16_t *given, size_t unit_count,
                                              uint8_t *out, size_t capacity)
{
    if (unit_count < UNITS || capacity < GROUP_BYTES_MAX) /* and where there is nothing, there may be no address */
        return (struct progress){0, 0};
    struct unit_masks masks = unit_masks();
    unit_vec nul = units_constant(encoding->writes_long_nul);
    const uint16_t *from = given, *end = given + unit_count;
    uint8_t *to = out, *end_of_room = out + capacity;
    while (end - from >= UNITS && end_of_room - to >= GROUP_BYTES_MAX) {
        if (end - from >= BLOCK_UNITS && block_is_ascii(from, nul)) {
            put_as_bytes(false, to, from);
            from += BLOCK_UNITS;
            to += BLOCK_UNITS;
            continue;
        }
        unit_vec now = units_at(from);
        unit_vec marks = last_marks(&masks, now) | (last_marks(&masks, now - nul) & masks.last_mark);
        if (!units_any(now, masks.not_narrow)) {
            put_narrow(&to, &masks, now, marks);
            from += UNITS;
        } else if (encoding->surrogates == IN_PAIRS && !are_in_pairs(&masks, now)) {
            break;
        } else {
            from += put_each(&to, &masks, now, marks, from);
        }
    }
    return (struct progress){(size_t)(from - given), (size_t)(to - out)};
}

#endif
