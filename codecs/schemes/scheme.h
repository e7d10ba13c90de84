/* SPDX-License-Identifier: MIT
 *
 * scheme.h - an encoding scheme as data: how each byte of a sequence is tagged.
 *
 * The schemes are those of "Inventing UTF-8" (Evyl Blue), which re-invents UTF-8 step by step, and some beside its
 * road. In all of them a byte below 80 is a character of its own or, without any counter, the first chunk of
 * one. Every byte has, from its highest bit down, a tag, a counter (or none), and payload.
 *
 * A scheme is one small file: `const struct scheme scheme_ID` and its codec (marks.h), and rows in codecs.def.
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

/* The bytes of a code point; how many, 0 if the scheme does not hold it. */
size_t scheme_encode(const struct scheme *scheme, uint32_t code_point, uint8_t out[SCHEME_LONGEST]);

#endif
