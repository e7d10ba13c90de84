/* SPDX-License-Identifier: MIT
 *
 * vec.h - what each verb does. Each of vec_sse41.h, vec_avx2.h, vec_avx512.h, vec_neon.h and vec_wasm.h defines them
 * for one instruction set; the algorithms are written once, over these names. Everything is static, so that no
 * instruction of one set can leak into an object for another.
 *
 *   vec                          64 bytes, in as many registers as needed
 *   struct window                64 bytes, and for each of them the one, two and three before it (window.h)
 *   truth                        true or false for each of them, in the form that suits the instruction set
 *   bits (uint64_t)              the same as an integer: bit i is about byte i
 *
 *   VEC_BLOCKS_AT_ONCE           the number of blocks for which there are enough registers at once
 *   VEC_MANY_REGISTERS           defined if registers hold all constants of a decoder of clean runs
 *   VEC_PROSE_BY_HALVES          defined if English prose in memory is checked by half strides where ASCII is not
 *                                prefetched (bytes/validate.h)
 *   VEC_STORES_PARTS             defined if one operation stores a part of a register
 *   VEC_CHARACTERS               defined if there are vec_weights() and vec_put_characters()
 *   VEC_CLASSIFY_FILE            the file that replaces part of bytes/classify.h on this instruction set, if defined
 *   VEC_VALIDATE_FILE            the same for bytes/validate.h
 *
 *   vec_load(bytes)              64 bytes, from any address
 *   vec_load_part(bytes, n)      n <= 64 bytes, followed by zeros; reads only these n
 *   vec_window(v, bytes, n)      v, loaded in this way, and each byte one, two and three places later, after zeros
 *   vec_after(earlier, v, n)     v, 1 to 3 places later, after the last bytes of `earlier`; only with
 *                                VEC_MANY_REGISTERS, as the next two
 *   vec_rotate(v)                v, one place later, and its last byte first
 *   vec_load_last(end, n)        the n <= 3 bytes before `end`, as the last ones, after zeros; reads only these
 *   vec_fill(byte)               64 copies of a byte
 *   vec_table(entries)           a table of 16 entries, for lookups
 *   vec_constant(byte)           64 copies of a byte; as a table, the compiler cannot build it again in a loop
 *   vec_hold(v)                  v, which the compiler keeps in registers: it does not load or compute it again
 *   vec_lookup_high(table, v)    for each byte, the entry of its high nibble
 *   vec_lookup_low(table, v)     for each byte, the entry of its low nibble
 *   vec_lookup_ascii(table, v)   the same, if all bytes are 00..7F
 *   vec_and vec_or vec_xor vec_add
 *                                byte by byte
 *   vec_subtract                 byte by byte, not below 00
 *   vec_max                      byte by byte; only without VEC_MANY_REGISTERS
 *   vec_shift(v, n, mask, flip)  each byte n bits to the left, or -n to the right; then AND `mask`, then XOR `flip` (00
 *                                or 80)
 *   vec_shift_units(v, n)        each two bytes, low byte first, n bits to the left, or -n to the right
 *   vec_high(v)                  truth: bytes 80..FF
 *   vec_at_least(v, byte)        truth: at least this constant, unsigned
 *   vec_reaches(v, bound)        the same for constants from 80 on, with bound = vec_bound(byte), made once
 *   vec_attains(v, byte)         the same for constants up to 80, without a bound
 *   vec_between(v, first, last)  truth: in this range
 *   vec_is_continuation(v)       truth: 80..BF
 *   vec_any(v, bits)             truth: has any of these bits
 *   vec_neither(truth, truth)    whether no byte is true in either
 *   vec_refused(&refusal, first, second)
 *                                truth: a continuation byte that the lead before it does not take; undefined for other
 *                                pairs. struct refusal = vec_refusal(encoding)
 *   vec_bits(truth)              the truth as bits
 *   vec_truth(bits)              bits as a truth
 *   vec_store_bits(&bits, truth) stores the truth as bits
 *   vec_both(truth, truth)       truth: both are true
 *   vec_select(truth, a, b)      byte by byte, a if true, else b
 *   vec_keep(truth, v)           byte by byte, v if true, else 00
 *   vec_is_ascii(v)              whether all bytes are 00..7F
 *   vec_is_zero(v)               whether all bytes are 00
 *   vec_are_equal(a, b)          whether each byte of a is that of b
 *   vec_swap(v)                  exchanges the bytes of each 16-bit unit
 *
 *   vec_store(out, v)            stores 64 bytes at any address
 *   VEC_STORE_PAST_CACHES        defined where there are the next two
 *   vec_store_past_caches(out, v)
 *                                stores a cache line, which no cache reads before or keeps after
 *   vec_end_stores_past_caches() orders these stores before all later stores of the thread
 *   vec_widen16(out, v), vec_widen32(out, v)
 *                                writes each byte as a unit: 64 units
 *   vec_widen16_ascii(out, v, bytes, n), vec_widen32_ascii(...)
 *                                widens n <= 64 bytes of ASCII, loaded as v, and writes only these
 *   vec_put16(out, low, high, chosen)
 *                                writes the chosen units, one after the other, from planes of their bytes; may
 *                                overwrite 64 units
 *   vec_put32(out, low, high, top, has_top, chosen)
 *                                the same for 32 bits
 *   vec_put_reach(n)             how many units either overwrites at most if n are chosen
 *   vec_put16_only(...), vec_put32_only(...)
 *                                the same, but write only the chosen units
 *   vec_put16_all(out, low, high), vec_put32_all(...)
 *                                writes all 64 units, from planes of their bytes
 *   vec_put_characters(out, &weights, bytes, last_ends, ends)
 *                                writes the characters that end in 64 bytes; also reads eight bytes before `bytes`.
 *                                `ends` has a bit for each last byte of a character, `last_ends` those of the 64 bytes
 *                                before. struct weights = vec_weights(). Returns where the next ones go; may overwrite
 *                                64 units
 *   vec_widen_units(out, v)      writes 32 units of 16 bits as 32 of 32 bits
 *   vec_narrow_units(&v, units)  loads 32 units of 32 bits as 16 bits; returns false if one does not fit
 *
 *   vec_encode16(units, n, out, capacity), vec_encode32(...)
 *                                encodes in UTF-8; stops at an error, without room, or at a unit that it does not
 *                                encode; returns a struct progress
 *   vec_encode_each16(encoding, ...)
 *                                the same if each unit is encoded by itself (UTR 26); never writes half a pair
 *   VEC_ENCODE_SHORT             defined if there is vec_encode_short()
 *   vec_encode_short(of_32, units, n, out, capacity)
 *                                encodes all of 1 to 64 units, within the capacity; returns the number of bytes, or 0
 *                                if it does not
 *   VEC_ENCODE_MIDDLE            the most units for vec_encode_middle(), if there is one
 *   vec_encode_middle(of_32, units, n, out, capacity)
 *                                the same for what vec_encode_short() does not encode
 */
#ifndef ASSAY_SIMD_ISA_VEC_H
#define ASSAY_SIMD_ISA_VEC_H

#include "../../assume.h"
#include "../../inline.h"
#include "../encoding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { VEC_BYTES = 64, NARROW_UNITS = 16 };

/* Units or bytes that were read, and those that were written. */
struct progress {
    size_t read, written;
};

/* ---- masks of 64 bits --------------------------------------------------------------------------- */

/* The lowest `count` bits, of 0 to 64. */
ALWAYS_INLINE uint64_t first_bits(size_t count)
{
#if defined(__BMI2__) && defined(__x86_64__)
    return __builtin_ia32_bzhi_di(~(uint64_t)0, count);
#else
    return count < 64 ? ((uint64_t)1 << count) - 1 : ~(uint64_t)0;
#endif
}

/* Returns `bits` unchanged, but hides their value from the compiler, so that it makes no branch of them. */
ALWAYS_INLINE uint64_t hold_bits(uint64_t bits)
{
    __asm__("" : "+r"(bits));
    return bits;
}

/* Keeps the stores before it before those after it. Processors such as Intel's Ice Lake write two stores at once if
 * they are to the same cache line, one right after the other; without this, gcc 12 may interleave those to two lines,
 * at 0.6 of the rate. */
ALWAYS_INLINE void keep_store_order(void)
{
    __asm__("" ::: "memory");
}

/* Each bit `distance` bytes later; the top bits of the mask for the block before come in from below. */
ALWAYS_INLINE uint64_t later(uint64_t bits, uint64_t bits_before, unsigned distance)
{
    return bits << distance | bits_before >> (64 - distance);
}

/* How many bits are set in each byte, in place. */
ALWAYS_INLINE uint64_t counts_of_bytes(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    return (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
}

ALWAYS_INLINE size_t count_bits(uint64_t bits)
{
#if defined(__POPCNT__) || defined(__aarch64__) || defined(__wasm__)
    return (size_t)__builtin_popcountll(bits);
#else
    return (size_t)(counts_of_bytes(bits) * UINT64_C(0x0101010101010101) >> 56);
#endif
}

/* The position of the lowest bit; there is one. */
ALWAYS_INLINE size_t lowest(uint64_t bits)
{
    ASSUME(bits != 0);
    return (size_t)__builtin_ctzll(bits);
}

/* ---- a few bytes ---------------------------------------------------------------------------------- */

/* Copies up to 64 bytes, by two pieces that overlap where they have to. Where vectors are kept in registers, a call of
 * memcpy would cost more than its time, even if it is never made: all of them would be saved around it. */
ALWAYS_INLINE void copy_short(void *out, const void *bytes, size_t count)
{
    ASSUME(count <= 64);
    uint8_t *to = (uint8_t *)out;
    const uint8_t *from = (const uint8_t *)bytes;
#define COPY(size) memcpy(to, from, size), memcpy(to + count - (size), from + count - (size), size)
    if (count >= 32)
        COPY(32);
    else if (count >= 16)
        COPY(16);
    else if (count >= 8)
        COPY(8);
    else if (count >= 4)
        COPY(4);
    else if (count > 0)
        to[0] = from[0], to[count / 2] = from[count / 2], to[count - 1] = from[count - 1];
#undef COPY
}

#endif
