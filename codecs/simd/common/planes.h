/* SPDX-License-Identifier: MIT
 *
 * planes.h - writes units. A plane is a vector that has one byte of each unit: the low, the high or the top byte. Lane
 * i belongs to the unit that ends at byte i of a block; a mask says which lanes have one.
 */
#ifndef ASSAY_SIMD_COMMON_PLANES_H
#define ASSAY_SIMD_COMMON_PLANES_H

#include "../isa/vec.h"

enum form { UTF16, UTF32 };
enum { REPLACEMENT = 0xFFFD, ESCAPE = 0xDC00 };

struct output {
    void *units;
    size_t capacity;
    size_t written;
};

/* One plane for each byte of a unit. */
struct planes {
    vec low, high, top;
};

/* Lead surrogates: `middle` has bits 10 to 17 of the code point, `upper` the bits above. D7C0 is D800 less (10000 >>
 * 10), since 10000 is subtracted from the code point (Unicode 17.0, Table 3-5). */
KERNEL_PART void put_leads(struct planes *planes, truth at, vec middle, vec upper)
{
    vec carry = vec_select(vec_at_least(middle, 0x40), vec_fill(0xD8), vec_fill(0xD7));
    planes->low = vec_select(at, vec_add(middle, vec_fill(0xC0)), planes->low);
    planes->high = vec_select(at, vec_add(upper, carry), planes->high);
}

KERNEL_PART void put_replacements(struct planes *planes, vec now, enum assay_policy policy, truth at)
{
    bool escape = policy == ASSAY_POLICY_SURROGATEESCAPE;
    vec low = escape ? now : vec_fill(REPLACEMENT & 0xFF);
    vec high = vec_fill(escape ? ESCAPE >> 8 : REPLACEMENT >> 8);
    planes->low = vec_select(at, low, planes->low);
    planes->high = vec_select(at, high, planes->high);
}

/* Writes the chosen units to `out`, one after the other. `room`: how many units may be written there, at least the
 * number of chosen ones; if it is larger, units after these may be overwritten, which is faster. has_top: some UTF-32
 * units have more than 16 bits; it is a constant at each call. */
KERNEL_PART void put_planes(enum form form, const struct planes *planes, bool has_top, uint64_t chosen, void *out,
                            size_t room)
{
    bool is_roomy = room >= VEC_BYTES || room >= vec_put_reach(count_bits(chosen));
    if (form == UTF16 && is_roomy)
        vec_put16(out, planes->low, planes->high, chosen);
    else if (form == UTF16)
        vec_put16_only(out, planes->low, planes->high, chosen);
    else if (!is_roomy)
        vec_put32_only(out, planes->low, planes->high, planes->top, has_top, chosen);
    else if (has_top)
        vec_put32(out, planes->low, planes->high, planes->top, true, chosen);
    else
        vec_put32(out, planes->low, planes->high, planes->top, false, chosen);
}

/* Writes all 64 units, of up to 16 bits each. */
KERNEL_PART void put_all(enum form form, const struct planes *planes, void *out)
{
    if (form == UTF16)
        vec_put16_all(out, planes->low, planes->high);
    else
        vec_put32_all(out, planes->low, planes->high);
}

KERNEL_PART void *unit_at(enum form form, void *units, size_t at)
{
    return form == UTF16 ? (void *)((uint16_t *)units + at) : (void *)((uint32_t *)units + at);
}

#endif
