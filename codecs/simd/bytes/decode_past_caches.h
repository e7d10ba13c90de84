/* SPDX-License-Identifier: MIT
 *
 * decode_past_caches.h - decoding of texts that are larger than most caches. On Intel processors, pieces that
 * are mostly ASCII, whose decoding takes less time than their stores, are decoded into a buffer and copied to the
 * output by stores of whole cache lines that go past the caches: other stores read a line before they overwrite it.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_PAST_CACHES_H
#define ASSAY_SIMD_BYTES_DECODE_PAST_CACHES_H

#include "boundary.h"
#include "units.h"
#include "../common/stream.h"
#include "../../cpu_vendor.h"

enum { PIECE_BYTES = 4096 }; /* of input: the first-level cache also holds its output, at most 16 KiB */

/* Texts of at least PAST_CACHES_FROM bytes may be decoded so. PLAIN_PIECE_BYTES: of a piece that is decoded by ordinary
 * stores. Builds that only test set both lower, because their texts are short, and decode so on any processor. */
#if defined SANITIZES || defined ASSAY_EMULATES_AVX512
#define PAST_CACHES_FROM ((size_t)2 * PIECE_BYTES)
#define PLAIN_PIECE_BYTES PIECE_BYTES
#define IS_FASTER_PAST_CACHES true
#else
#define PAST_CACHES_FROM ((size_t)32 << 20)
#define PLAIN_PIECE_BYTES (1 << 16)
#define IS_FASTER_PAST_CACHES cpu_is_intel()
#endif

/* True if the text is large, and its pieces, cut between characters and errors, have the output that they have in the
 * whole. */
KERNEL_PART bool is_for_past_caches(const struct encoding *encoding, enum assay_policy policy, size_t byte_count)
{
    return byte_count >= PAST_CACHES_FROM && tables_are_final(encoding) &&
           (policy == ASSAY_POLICY_STRICT || policy == ASSAY_POLICY_WHATWG);
}

/* Copies bytes. `from` has the same offset in its cache line as `to`. */
KERNEL_PART void copy_past_caches(uint8_t *to, const uint8_t *from, size_t byte_count)
{
    size_t to_line = -(uintptr_t)to % LINE_BYTES, done = to_line < byte_count ? to_line : byte_count;
    memcpy(to, from, done);
    for (; byte_count - done >= VEC_BYTES; done += VEC_BYTES)
        vec_store_past_caches(to + done, vec_load(from + done));
    memcpy(to + done, from + done, byte_count - done);
}

/* Decodes a piece of at most PIECE_BYTES into a buffer, and copies the units to `to` if all were decoded. */
KERNEL_PART struct assay_result decode_piece_past_caches(enum form form, decode_text *decode_any,
                                                         const struct encoding *encoding, enum assay_policy policy,
                                                         const uint8_t *piece, size_t piece_bytes, uint8_t *to)
{
    ASSUME(piece_bytes <= PIECE_BYTES);
    const size_t unit_size = form == UTF16 ? sizeof(uint16_t) : sizeof(uint32_t);
    uint8_t buffer[PIECE_BYTES * sizeof(uint32_t) + LINE_BYTES] __attribute__((aligned(LINE_BYTES)));
    uint8_t *from = buffer + (uintptr_t)to % LINE_BYTES;
    struct assay_result result = decode_any(encoding, policy, piece, piece_bytes, from, PIECE_BYTES);
    if (result.status == ASSAY_OK)
        copy_past_caches(to, from, result.written * unit_size);
    return result;
}

/* Decodes pieces, until less input or less room is left than a piece needs, or a piece has an error that the policy
 * stops at. How a piece is decoded depends on what the one before held. */
KERNEL_PART struct progress decode_pieces(enum form form, decode_text *decode_any, const struct encoding *encoding,
                                          enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                          void *units, size_t capacity)
{
    struct progress done = {0, 0};
    bool mostly_ascii = true;
    for (;;) {
        const size_t most = mostly_ascii ? PIECE_BYTES : PLAIN_PIECE_BYTES;
        if (byte_count - done.read <= most || capacity - done.written < most)
            break;
        const uint8_t *piece = bytes + done.read;
        uint8_t *to = unit_at(form, units, done.written);
        size_t piece_bytes = boundary_in(encoding, piece, byte_count - done.read, most);
        struct assay_result result =
            mostly_ascii ? decode_piece_past_caches(form, decode_any, encoding, policy, piece, piece_bytes, to)
                         : decode_any(encoding, policy, piece, piece_bytes, to, most);
        if (result.status != ASSAY_OK)
            break;
        done.read += piece_bytes;
        done.written += result.written;
        mostly_ascii = result.written >= piece_bytes - piece_bytes / 16;
    }
    vec_end_stores_past_caches();
    return done;
}

/* Decodes a text that is_for_past_caches(); the same answer as `decode_any`. */
static __attribute__((noinline)) struct assay_result decode_past_caches(enum form form, decode_text *decode_any,
                                                                        const struct encoding *encoding,
                                                                        enum assay_policy policy, const uint8_t *bytes,
                                                                        size_t byte_count, void *units, size_t capacity)
{
    struct progress done = {0, 0};
    if (IS_FASTER_PAST_CACHES)
        done = decode_pieces(form, decode_any, encoding, policy, bytes, byte_count, units, capacity);
    return result_after(done, decode_any(encoding, policy, bytes + done.read, byte_count - done.read,
                                         unit_at(form, units, done.written), capacity - done.written));
}

#endif
