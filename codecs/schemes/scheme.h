/* SPDX-License-Identifier: MIT
 *
 * scheme.h - an encoding scheme as data: how each byte of a sequence is tagged.
 *
 * The schemes are those of "Inventing UTF-8" (Evyl Blue), which re-invents UTF-8 step by step, and some beside its
 * road. In all of them a byte below 80 is a character of its own or, without any counter, the first chunk of
 * one. Every byte has, from its highest bit down, a tag, a counter (or none), and payload.
 *
 * A scheme is one small file: `const struct scheme scheme_ID`, SCHEME_CODEC(ID, NAME), and rows in codecs.def.
 *
 * What the document leaves open is decided once, for all of them:
 *   - Well-formed is what the encoder writes: redundant forms, surrogates and what lies beyond `last` are ill-formed,
 *     unless the scheme says that it holds them.
 *   - Tags and counters alone delimit a sequence. One whose value may not be is one error as a whole; one whose next
 *     byte does not belong to it is an error of the bytes that did.
 *   - The policies are strict, whatwg, per-run and skip. Every byte that begins nothing is an error of its own.
 *   - Offered are all operations of codec.h but `boundary` and `concat`; a scheme that goes beyond U+10FFFF has none that
 *     decodes to UTF-16 or counts it.
 */
#ifndef ASSAY_SCHEME_H
#define ASSAY_SCHEME_H

#include "../codec.h"

enum { SCHEME_LONGEST = 8 }; /* bytes of a sequence, in any scheme */

enum counter {
    NO_COUNTER,
    COUNT_DOWN,  /* 3 bits: how many bytes are still to come */
    UNARY,       /* a 1 for each byte still to come, then a 0 */
    UNARY_FREED, /* the same, but for one 1 more: 10xxxxxx is freed for what follows */
};

struct chunk {
    uint8_t tag_bits, tag;
    enum counter counter;
};

struct scheme {
    struct chunk first, rest; /* of a sequence of several bytes; one byte alone is 0xxxxxxx */
    bool low_end_first;       /* the first byte has the lowest bits */
    uint8_t longest;          /* bytes */
    uint32_t last;            /* the largest value it holds */
    bool holds_redundant;     /* forms longer than needed */
    bool holds_surrogates;
    bool biased;              /* counts on where the shorter forms end, and leaves the surrogates out */
};

/* The marks of byte `index` of a sequence of `length` bytes: its tag bits, counter bits and payload bits, which
 * make up the byte in this order, and what the marks are. */
struct marks {
    uint8_t tag_bits, counter_bits, payload_bits;
    uint8_t value; /* tag and counter in place, payload 0 */
};
struct marks scheme_marks(const struct scheme *scheme, size_t length, size_t index);

/* The marks of a byte that begins nothing: those of a byte that follows another, or 8 bits of payload if it is neither. */
struct marks scheme_marks_of_stray(const struct scheme *scheme, uint8_t byte);

/* A sequence or an error at the beginning of byte_count > 0 bytes. */
struct scheme_step {
    size_t length;
    size_t asked;        /* the length that the first byte asks for, or may grow to; 0 if it begins nothing */
    uint32_t code_point; /* when fault is NONE */
    enum assay_fault fault;
    bool is_open; /* more bytes could change this */
};
struct scheme_step scheme_step(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count);

/* ---- the operations of codec.h, for any scheme ---------------------------------------------------- */

/* Where output goes: UTF-32, UTF-16, or (both NULL) nowhere, and it is only counted. */
struct scheme_sink {
    uint32_t *utf32;
    uint16_t *utf16;
    bool count_utf16;
    size_t capacity;
    size_t written;
};

bool scheme_validate(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, struct assay_span *error);
size_t scheme_spans(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, struct assay_span *spans,
                    size_t capacity);
struct assay_count scheme_count(const struct scheme *scheme, enum assay_policy policy, const uint8_t *bytes,
                                size_t byte_count);
struct assay_result scheme_decode(const struct scheme *scheme, enum assay_policy policy, const uint8_t *bytes,
                                  size_t byte_count, struct scheme_sink sink);
struct assay_result scheme_feed(const struct scheme *scheme, struct assay_stream *stream, const uint8_t *bytes,
                                size_t byte_count, bool last, struct scheme_sink sink);

/* From UTF-32, or, if that is NULL, from UTF-16. */
struct assay_result scheme_encode(const struct scheme *scheme, enum assay_policy policy, const uint32_t *utf32,
                                  const uint16_t *utf16, size_t unit_count, uint8_t *out, size_t capacity);

#define SCHEME_UTF32_OPERATIONS(id)                                                                                    \
    static bool validate_##id(const uint8_t *bytes, size_t byte_count, struct assay_span *error)                       \
    {                                                                                                                  \
        return scheme_validate(&scheme_##id, bytes, byte_count, error);                                                \
    }                                                                                                                  \
    static size_t spans_##id(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity)       \
    {                                                                                                                  \
        return scheme_spans(&scheme_##id, bytes, byte_count, spans, capacity);                                         \
    }                                                                                                                  \
    static struct assay_result decode_utf32_##id(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,    \
                                                 uint32_t *out, size_t capacity)                                       \
    {                                                                                                                  \
        struct scheme_sink sink = {.utf32 = out, .capacity = capacity};                                                \
        return scheme_decode(&scheme_##id, policy, bytes, byte_count, sink);                                           \
    }                                                                                                                  \
    static struct assay_result feed_utf32_##id(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,   \
                                               bool last, uint32_t *out, size_t capacity)                              \
    {                                                                                                                  \
        struct scheme_sink sink = {.utf32 = out, .capacity = capacity};                                                \
        return scheme_feed(&scheme_##id, stream, bytes, byte_count, last, sink);                                       \
    }                                                                                                                  \
    static struct assay_result encode_utf32_##id(enum assay_policy policy, const uint32_t *units, size_t unit_count,   \
                                                 uint8_t *out, size_t capacity)                                        \
    {                                                                                                                  \
        return scheme_encode(&scheme_##id, policy, units, NULL, unit_count, out, capacity);                            \
    }                                                                                                                  \
    static struct assay_result encode_utf16_##id(enum assay_policy policy, const uint16_t *units, size_t unit_count,   \
                                                 uint8_t *out, size_t capacity)                                        \
    {                                                                                                                  \
        return scheme_encode(&scheme_##id, policy, NULL, units, unit_count, out, capacity);                            \
    }

#define SCHEME_UTF16_OPERATIONS(id)                                                                                    \
    static struct assay_count count_##id(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)            \
    {                                                                                                                  \
        return scheme_count(&scheme_##id, policy, bytes, byte_count);                                                  \
    }                                                                                                                  \
    static struct assay_result decode_utf16_##id(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,    \
                                                 uint16_t *out, size_t capacity)                                       \
    {                                                                                                                  \
        struct scheme_sink sink = {.utf16 = out, .count_utf16 = true, .capacity = capacity};                           \
        return scheme_decode(&scheme_##id, policy, bytes, byte_count, sink);                                           \
    }                                                                                                                  \
    static struct assay_result feed_utf16_##id(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,   \
                                               bool last, uint16_t *out, size_t capacity)                              \
    {                                                                                                                  \
        struct scheme_sink sink = {.utf16 = out, .count_utf16 = true, .capacity = capacity};                           \
        return scheme_feed(&scheme_##id, stream, bytes, byte_count, last, sink);                                       \
    }

#define SCHEME_UTF32_ROWS(id)                                                                                          \
    .validate = validate_##id, .spans = spans_##id, .decode_utf32 = decode_utf32_##id,                                 \
    .feed_utf32 = feed_utf32_##id, .encode_utf32 = encode_utf32_##id, .encode_utf16 = encode_utf16_##id

/* The codec of a scheme for Unicode. */
#define SCHEME_CODEC(id, name)                                                                                         \
    SCHEME_UTF32_OPERATIONS(id)                                                                                        \
    SCHEME_UTF16_OPERATIONS(id)                                                                                        \
    const struct assay_codec codec_##id##_reference = {                                                                \
        ASSAY_CODEC_HEADER(name, "reference"), SCHEME_UTF32_ROWS(id), .count = count_##id,                             \
        .decode_utf16 = decode_utf16_##id,     .feed_utf16 = feed_utf16_##id,                                          \
    };

/* The codec of a scheme that holds values beyond U+10FFFF, which UTF-16 cannot. */
#define SCHEME_CODEC_BEYOND_UNICODE(id, name)                                                                          \
    SCHEME_UTF32_OPERATIONS(id)                                                                                        \
    const struct assay_codec codec_##id##_reference = {ASSAY_CODEC_HEADER(name, "reference"), SCHEME_UTF32_ROWS(id)};

#endif
