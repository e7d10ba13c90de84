/* SPDX-License-Identifier: MIT
 *
 * inline.h - how the parts of a kernel become one function, with what is constant known to all of it.
 */
#ifndef ASSAY_INLINE_H
#define ASSAY_INLINE_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZES_ADDRESSES
#endif
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define SANITIZES
#endif
#endif

/* The smallest parts, and those that return vectors in structures, which a sanitizer would look after in memory at each
 * call. In them, what is touched is checked, but not whether a pointer overflows: for that, clang 14 keeps each vector in
 * memory, and fuzzing loses two fifths of its rate. */
#ifdef SANITIZES
#define ALWAYS_INLINE static inline __attribute__((always_inline, no_sanitize("pointer-overflow")))
#else
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#endif

/* What is made of them. Where sanitizers multiply the code, it is left in parts: in one piece it takes clang 14 ten
 * times as long, and is hardly faster. */
#ifdef SANITIZES
#define KERNEL_PART static inline
#else
#define KERNEL_PART ALWAYS_INLINE
#endif

#endif
