/* SPDX-License-Identifier: MIT
 *
 * inline.h - ALWAYS_INLINE, for the parts of a kernel: it becomes one function, with what is constant known to all of
 * it. Not so where sanitizers multiply the code: they take ten times as long to compile it in one piece (clang 14), and
 * it runs no faster.
 */
#ifndef ASSAY_INLINE_H
#define ASSAY_INLINE_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZES_ADDRESSES
#endif
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define ALWAYS_INLINE static inline
#endif
#endif
#ifndef ALWAYS_INLINE
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#endif

#endif
