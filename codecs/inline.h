/* SPDX-License-Identifier: MIT
 *
 * inline.h - attributes for the parts of a kernel. They are inlined into one function, so that constants propagate into
 * all of them.
 */
#ifndef ASSAY_INLINE_H
#define ASSAY_INLINE_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZES_ADDRESSES
#endif
#if __has_feature(memory_sanitizer)
#define SANITIZES_MEMORY
#endif
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define SANITIZES
#endif
#endif

/* For the smallest functions, and for those that return vectors in structures. If they were not inlined, a sanitizer
 * would keep the vectors in memory at each call. Memory accesses are checked. Pointer overflow is not: for that check
 * clang 14 would keep each vector in memory, and fuzzing would lose two fifths of its rate. */
#ifdef SANITIZES
#define ALWAYS_INLINE static inline __attribute__((always_inline, no_sanitize("pointer-overflow")))
#else
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#endif

/* For larger functions made of these. Under sanitizers, which multiply the code, they are not inlined: as one function
 * the code takes clang 14 ten times as long to compile, and is hardly faster. */
#ifdef SANITIZES
#define KERNEL_PART static inline
#else
#define KERNEL_PART ALWAYS_INLINE
#endif

/* For the parts of a kernel that are the longest. Under sanitizers each is a function by itself: clang 14 takes a third
 * less time than for one function with all of them. */
#ifdef SANITIZES
#define LONG_PART static __attribute__((noinline, unused))
#else
#define LONG_PART ALWAYS_INLINE
#endif

#endif
