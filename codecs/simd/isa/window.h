/* SPDX-License-Identifier: MIT
 *
 * window.h - 64 bytes and those before them. A template: each vec_ISA.h includes it once it has defined vec.
 */
#ifndef ASSAY_SIMD_ISA_WINDOW_H
#define ASSAY_SIMD_ISA_WINDOW_H

/* 64 bytes, and for each of them the byte one, two and three before it. */
struct window {
    vec now, back_1, back_2, back_3;
};

ALWAYS_INLINE vec vec_load(const uint8_t *bytes);
ALWAYS_INLINE vec vec_load_part(const uint8_t *bytes, size_t count);
ALWAYS_INLINE vec vec_hold(vec v);
ALWAYS_INLINE struct window vec_window(vec now, const uint8_t *bytes, size_t count);

/* 64 bytes that have three before them. */
KERNEL_PART struct window window_at(const uint8_t *bytes)
{
    return (struct window){vec_load(bytes), vec_hold(vec_load(bytes - 1)), vec_load(bytes - 2), vec_load(bytes - 3)};
}

/* Up to 64 bytes, with zeros before and after them. */
KERNEL_PART struct window window_of_only(const uint8_t *bytes, size_t count)
{
    return vec_window(vec_load_part(bytes, count), bytes, count);
}

#endif
