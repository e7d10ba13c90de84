/* SPDX-License-Identifier: MIT
 *
 * codec.h - the one interface that a codec has.
 *
 * It is the interface of the built-in codecs and, unchanged, the C ABI of a
 * loadable one: a shared library that exports
 *
 *     const struct assay_codec assay_codec = { ASSAY_CODEC_HEADER("utf-8", "mine"), ... };
 *
 * can be named wherever a built-in codec can.
 *
 * What holds for every operation:
 *   - Sizes are in code units of the buffer they belong to: bytes, 16-bit units
 *     (native byte order) or 32-bit units. A pointer may be NULL where its count is 0.
 *   - Nothing is read or written outside the buffers; callers need not pad.
 *     Output units at or beyond `written`, within the capacity, are unspecified.
 *   - The caller owns every buffer; nothing is allocated, nothing is kept
 *     after return, and any number of threads may call at once.
 *   - Any operation may be absent (NULL); it is then skipped, and counted as skipped.
 */
#ifndef ASSAY_CODEC_H
#define ASSAY_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_ABI_VERSION 2u

/* clang-format off */
/* Why a subsequence is ill-formed: identifier, name, sentence. */
#define ASSAY_FAULTS(X)                                                                            \
    X(NONE, "none", "well-formed")                                                                 \
    X(OVERLONG, "overlong", "not the shortest form of its code point")                             \
    X(SURROGATE, "surrogate", "a surrogate code point, which is no scalar value")                  \
    X(OUT_OF_RANGE, "out-of-range", "beyond U+10FFFF, the last code point")                        \
    X(INVALID_LEAD, "invalid-lead", "a byte that begins no sequence")                              \
    X(STRAY_CONTINUATION, "stray-continuation", "a continuation byte that no lead asked for")      \
    X(MISSING_CONTINUATION, "missing-continuation", "the next byte is not the continuation that the lead asked for") \
    X(TRUNCATED, "truncated", "the input ends inside a sequence that was well-formed so far")      \
    X(UNPAIRED_SURROGATE, "unpaired-surrogate", "a surrogate code unit without its other half")    \
    X(SURROGATE_PAIR, "surrogate-pair", "a trail surrogate right after a lead: together they are one supplementary character")

enum assay_fault {
#define X(id, name, sentence) ASSAY_FAULT_##id,
    ASSAY_FAULTS(X)
#undef X
    ASSAY_FAULT_COUNT
};

/* What is put in place of an ill-formed subsequence: identifier, name, sentence. */
#define ASSAY_POLICIES(X)                                                                          \
    X(STRICT, "strict", "stop at the first error")                                                 \
    X(WHATWG, "whatwg", "one U+FFFD for each maximal subpart (Unicode 3.9, WHATWG)")               \
    X(JDK, "jdk", "as whatwg, but ED takes any 80..BF as second byte: one U+FFFD for a surrogate") \
    X(PER_BYTE, "per-byte", "one U+FFFD for each ill-formed byte")                                 \
    X(PER_SEQUENCE, "per-sequence", "one U+FFFD for a lead and the continuation bytes that the old 6-byte scheme gives it") \
    X(PER_RUN, "per-run", "one U+FFFD for each run of ill-formed bytes")                           \
    X(SKIP, "skip", "nothing in place of ill-formed bytes")                                        \
    X(SURROGATEESCAPE, "surrogateescape", "U+DC00 + byte for each ill-formed byte (PEP 383)")

enum assay_policy {
#define X(id, name, sentence) ASSAY_POLICY_##id,
    ASSAY_POLICIES(X)
#undef X
    ASSAY_POLICY_COUNT
};
/* clang-format on */

/* The offset or length of a span, if the codec does not know it; it is then not compared. A codec that does not
 * know the length sets `fault` to NONE and `incomplete` to false; these are then not compared either. */
#define ASSAY_UNKNOWN SIZE_MAX

/* One ill-formed subsequence: a maximal subpart (Unicode 17.0, 3.9, D93b), in code units of the input. In a stream the
 * offset counts from its start, modulo SIZE_MAX + 1: with a size_t of 32 bits it returns to 0 at 4 GiB, while the
 * stream continues. */
struct assay_span {
    size_t offset;
    size_t length;
    enum assay_fault fault;
    bool incomplete; /* only the end of input makes it ill-formed: more units could have completed it */
};

enum assay_status {
    ASSAY_OK,          /* the whole input was consumed */
    ASSAY_ILL_FORMED,  /* `strict` stopped at `error` */
    ASSAY_OUTPUT_FULL, /* the next character, or the output of the next error, had no room */
    ASSAY_UNSUPPORTED  /* the codec does not offer this policy; nothing was read or written */
};

struct assay_result {
    enum assay_status status;
    size_t read;             /* input units consumed; under ILL_FORMED, those before the error */
    size_t written;          /* output units */
    struct assay_span error; /* under ILL_FORMED, else all zero */
};

struct assay_count {
    enum assay_status status;
    size_t utf32_units;
    size_t utf16_units;
};

/* A stream between two pieces of its input. Owned by the caller, begun by assay_stream_start, freely
 * copied, needs no release. `state` is the codec's own, all zero at the start. */
struct assay_stream {
    enum assay_policy policy;
    uint64_t state[6];
};

static inline void assay_stream_start(struct assay_stream *stream, enum assay_policy policy)
{
    size_t i;
    stream->policy = policy;
    for (i = 0; i < sizeof stream->state / sizeof stream->state[0]; i++)
        stream->state[i] = 0;
}

/* Output units that always suffice for `byte_count` more bytes, fed or decoded whole, under any policy:
 * one for each of these bytes and for each byte that the stream may hold. It holds at most five: all but the last
 * byte of a supplementary character in CESU-8 (UTR 26, 2.1) and in Modified UTF-8. */
#define ASSAY_HELD_MAX 5u
#define ASSAY_DECODED_MAX(byte_count) ((byte_count) + ASSAY_HELD_MAX)

/* Bytes that always suffice for `unit_count` UTF-32 or UTF-16 units in any encoding: six per unit in UTF-8 and its
 * relatives, seven in the schemes of schemes/. */
#define ASSAY_ENCODED_MAX(unit_count) (7u * (unit_count))

/* One step of a table-driven decoder, as `walk` shows it. */
struct assay_step {
    size_t offset;
    uint8_t byte;
    uint32_t byte_class;    /* ASSAY_NO_CLASS where the automaton has none */
    uint32_t before, after; /* states, in the codec's own numbers */
    uint32_t code_point;    /* as far as it is known after this byte */
    bool accepts;           /* a character is complete */
    bool rejects;           /* an error. Inside a sequence, the same byte is fed again from the start state, unless it
                          * completes a lone trail of UTF-16. After an unpaired lead surrogate, all bytes after the
                          * lead are fed again; if the lead is a character, `accepts` is true as well */
};
#define ASSAY_NO_CLASS UINT32_MAX

struct assay_codec {
    uint32_t abi_version; /* ASSAY_ABI_VERSION */
    uint32_t struct_size; /* sizeof(struct assay_codec); if it is smaller, the members beyond it are absent */
    const char *encoding; /* "utf-8" */
    const char *name;     /* "avx2": up to 64 of A-Z a-z 0-9 . _ + - */

    /* Returns true if the bytes are well-formed. If not, *error (may be NULL) is the first error. If they are, *error
     * is all zero or unchanged, except that offset and length may be ASSAY_UNKNOWN. */
    bool (*validate)(const uint8_t *bytes, size_t byte_count, struct assay_span *error);

    /* Finds every error, in order. Writes the first `capacity` of them, and returns the number of all. */
    size_t (*spans)(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity);

    /* Counts the output units of decoding under the policy, with room for all. Under `strict`: those
     * before the first error, and status ILL_FORMED if there is one. */
    struct assay_count (*count)(enum assay_policy policy, const uint8_t *bytes, size_t byte_count);

    /* Decode to UTF-32 or to UTF-16. The output of one character or of one error is written whole or
     * not at all, and errors without output are consumed while the output is full. After OUTPUT_FULL,
     * decoding the rest with more room continues as if there had been no stop; a capacity of
     * ASSAY_HELD_MAX or more always makes progress. Exception: in WTF-8 a trail right after a lead surrogate is
     * an error. If the output was full between them, the rest alone accepts the trail; a stream refuses it. */
    struct assay_result (*decode_utf32)(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint32_t *out, size_t capacity);
    struct assay_result (*decode_utf16)(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint16_t *out, size_t capacity);

    /* Decode the next piece of a stream. Output is written as soon as it is certain. `last`: no more bytes
     * will come, so an incomplete sequence is an error (to flush: no bytes and `last`). Offsets count
     * from the start of the stream; an error may begin before this piece, and `read` is then 0.
     * After OUTPUT_FULL, feed the unread rest of the piece. After ILL_FORMED, and after a `last` that
     * gave OK, the stream must be started again. */
    struct assay_result (*feed_utf32)(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                                      uint32_t *out, size_t capacity);
    struct assay_result (*feed_utf16)(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                                      uint16_t *out, size_t capacity);

    /* Encode code points, or UTF-16 units. A unit that the encoding cannot hold is an error, and in WTF-16 a trail code
     * point right after a lead (WTF-8, 4.1): `strict` stops (offset in units), `skip` writes nothing, `surrogateescape`
     * writes the bytes of U+DC80..U+DCFF and stops at others, `per-run` writes one U+FFFD for a run of errors, the
     * others one for each. Output full: as for decoding, also between a lead and a trail; a pair of
     * UTF-16 units is written whole or not at all; a capacity of
     * ASSAY_ENCODED_MAX(1) or more always makes progress. */
    struct assay_result (*encode_utf32)(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity);
    struct assay_result (*encode_utf16)(enum assay_policy policy, const uint16_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity);

    /* Returns the start of the character or maximal subpart that contains the byte at `at`; byte_count if
     * `at` is byte_count. `at` must not be greater. A cut is allowed at `at` exactly if this returns `at`;
     * the previous character begins at boundary(..., at - 1). Reads only a few bytes around `at`, so the
     * time does not depend on byte_count. */
    size_t (*boundary)(const uint8_t *bytes, size_t byte_count, size_t at);

    /* Concatenates two well-formed strings: their bytes in order, except that WTF-8 joins a lead surrogate at
     * the end of `left` and a trail at the start of `right` (WTF-8, section 6.5). Writes all or nothing. Under
     * ILL_FORMED, `error` counts from the start of the string that is ill-formed; `read` is 0 if that is
     * `left`, left_count if it is `right`. */
    struct assay_result (*concat)(const uint8_t *left, size_t left_count, const uint8_t *right, size_t right_count,
                                  uint8_t *out, size_t capacity);

    /* Shows each step of the automaton on these bytes to `visit`. Only table-driven codecs have this. */
    void (*walk)(const uint8_t *bytes, size_t byte_count, void (*visit)(void *context, const struct assay_step *step),
                 void *context);

    /* Makes text well-formed in its own encoding (Unicode 17.0, 3.9, D85): characters keep their bytes, and an error
     * becomes the output of the policy, in that encoding ("U+FFFD Substitution of Maximal Subparts"). For UTF-16 under
     * `whatwg` this is ECMA-262's toWellFormed. The result is that of decode_utf32 under the policy, encoded again; so
     * if `skip` brings two surrogates together in WTF-8, they are joined (WTF-8, section 6.5). Exception: where
     * mutf-8-readutf has two spellings of a character, each is kept. `surrogateescape` is UNSUPPORTED: its output is
     * not well-formed. Output full: as for decoding; ASSAY_ENCODED_MAX(byte_count) bytes always suffice. */
    struct assay_result (*to_well_formed)(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                          uint8_t *out, size_t capacity);
};

/* What the struct had when this version of the ABI began. */
#define ASSAY_CODEC_LEAST_SIZE offsetof(struct assay_codec, to_well_formed)

/* The first four members, with which an initialiser begins. C++ before C++20 has no names of members there. */
#if defined(__cplusplus) && __cplusplus < 202002L
#define ASSAY_CODEC_HEADER(encoding_, name_) ASSAY_ABI_VERSION, sizeof(struct assay_codec), (encoding_), (name_)
#else
#define ASSAY_CODEC_HEADER(encoding_, name_) \
    .abi_version = ASSAY_ABI_VERSION, .struct_size = sizeof(struct assay_codec), .encoding = (encoding_), \
    .name = (name_)
#endif

#ifdef __cplusplus
}
#endif

#endif
