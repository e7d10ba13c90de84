/* SPDX-License-Identifier: MIT
 *
 * every_byte.h - constants from memory. gcc 12 makes a vector of one constant in a general register, moves it to a
 * vector and copies it there, which takes two vector ports each time a short string begins. A load that copies 32 bits
 * takes none; one that copies a byte takes one. clang 14 loads constants by itself, and keeps assembly whose result
 * nobody uses.
 */
#ifndef ASSAY_SIMD_ISA_EVERY_BYTE_H
#define ASSAY_SIMD_ISA_EVERY_BYTE_H

#include <stdint.h>

#if !defined __clang__ && !defined ASSAY_EMULATES_AVX512
#define CONSTANTS_ARE_LOADED

#define FOUR(n) (n) * 0x01010101U
#define OF_EIGHT(n) FOUR(n), FOUR(n + 1), FOUR(n + 2), FOUR(n + 3), FOUR(n + 4), FOUR(n + 5), FOUR(n + 6), FOUR(n + 7)
#define OF_64(n) \
    OF_EIGHT(n), OF_EIGHT(n + 8), OF_EIGHT(n + 16), OF_EIGHT(n + 24), OF_EIGHT(n + 32), OF_EIGHT(n + 40), \
        OF_EIGHT(n + 48), OF_EIGHT(n + 56)

/* Each byte, four times. */
static const uint32_t every_byte[256] = {OF_64(0), OF_64(64), OF_64(128), OF_64(192)};

#undef FOUR
#undef OF_EIGHT
#undef OF_64

/* Sets a vector to copies of a byte. */
#define LOAD_CONSTANT(vector, byte) __asm__("vpbroadcastd %1, %0" : "=v"(vector) : "m"(every_byte[byte]))
#endif

#endif
