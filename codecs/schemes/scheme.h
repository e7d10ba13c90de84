/* SPDX-License-Identifier: MIT
 *
 * scheme.h - an encoding scheme as data: how each byte of a sequence is tagged.
 *
 * The schemes are those of "Inventing UTF-8" (Evyl Blue), which re-invents UTF-8 step by step, and some related ones.
 * In all of them a byte below 80 is a character by itself or, in a scheme without counters, the first chunk of one.
 * Every byte has, from its highest bit down, a tag, a counter (or none), and payload.
 *
 * A scheme is one small file: `const struct scheme scheme_ID` and its codec (step.h), and rows in codecs.def.
 *
 * Where the document decides nothing, these rules hold for all of them:
 *   - Well-formed is what the encoder writes: redundant forms, surrogates and values above `last` are ill-formed,
 *     unless the scheme holds them.
 *   - Tags and counters alone delimit a sequence. A complete sequence whose value is not allowed is one error; if a
 *     byte does not continue the sequence, the bytes before it are one error.
 *   - The policies are strict, whatwg, per-run and skip. Every byte that begins nothing is an error by itself.
 *   - All operations of codec.h but `boundary` and `concat` are offered. A scheme with values above U+10FFFF has none
 *     that decodes to UTF-16 or counts its units.
 */
#ifndef ASSAY_SCHEME_H
#define ASSAY_SCHEME_H

#include "../codec.h"

enum { SCHEME_LONGEST = 8 }; /* bytes of the longest sequence of any scheme */

enum counter {
    NO_COUNTER,
    COUNT_DOWN,  /* 3 bits: the number of bytes that follow */
    UNARY,       /* a 1 for each byte that follows, then a 0 */
    UNARY_FREED, /* the same with one more 1, which leaves 10xxxxxx for continuation bytes */
};

struct chunk {
    uint8_t tag_bits, tag;
    enum counter counter;
};

struct scheme {
    struct chunk first, rest; /* of a sequence of two or more bytes; a single byte is 0xxxxxxx */
    bool low_end_first;       /* the first byte has the lowest bits */
    uint8_t longest;          /* bytes */
    uint32_t last;            /* the largest value */
    bool holds_redundant;     /* accepts forms longer than needed */
    bool holds_surrogates;
    bool biased; /* each length continues the values of the one before; no surrogates */
};

/* The layout of byte `index` of a sequence of `length` bytes: the numbers of its tag bits, counter bits and payload
 * bits, highest first, and the value of tag and counter. */
struct byte_layout {
    uint8_t tag_bits, counter_bits, payload_bits;
    uint8_t value; /* tag and counter in place, payload 0 */
};
struct byte_layout scheme_layout(const struct scheme *scheme, size_t length, size_t index);

/* The layout of a byte that begins nothing: that of a continuation byte, or 8 bits of payload if it is not one. */
struct byte_layout scheme_layout_of_stray(const struct scheme *scheme, uint8_t byte);

/* The first sequence, or error, of byte_count > 0 bytes. */
struct scheme_step {
    size_t length;
    size_t asked;        /* the length that the first byte requires, or may grow to; 0 if it begins nothing */
    uint32_t code_point; /* when fault is NONE */
    enum assay_fault fault;
    bool is_open; /* more bytes could change the result */
};
struct scheme_step scheme_step(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count);

/* Writes the bytes of a code point. Returns how many; 0 if the scheme does not hold it. */
size_t scheme_encode(const struct scheme *scheme, uint32_t code_point, uint8_t out[SCHEME_LONGEST]);

#endif
