/* SPDX-License-Identifier: MIT
 *
 * automaton.h - the automaton of an encoding, and the walk that finds characters and errors; validation.
 *
 * Two rules for such an automaton, from Hoehrmann's "Flexible and Economical UTF-8 Decoder": a string is well-formed
 * only if the walk ENDS in the accepting state (that it never rejected is not enough), and a byte that is rejected in
 * the middle of a sequence is fed again, from the start state.
 */
#ifndef ASSAY_DFA_AUTOMATON_H
#define ASSAY_DFA_AUTOMATON_H

#include "../assume.h"
#include "../codec.h"
#include "../inline.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD, ACCEPT = 0, REJECT = 1, NO_HALF = 0xFF, LONGEST = 6 };

/* The data of an encoding, all derived (ENCODING_tables.h). States are numbered from 0, not multiplied. */
struct encoding {
    const uint8_t *payload; /* for each of the 256 bytes: its bits that belong to the code point */
    const uint8_t *sorts;   /* for each of the 256 bytes: its column in `faults` */
    const uint8_t *faults;  /* a row for each state: why it refuses a byte of each sort */
    uint32_t sort_count;
    /* for each state: see bytes_past_lead(); NULL if supplementary characters are not written as two surrogates */
    const uint8_t *past_lead;
    uint32_t after_lead; /* the state after a lead surrogate, if a trail is refused there; 0 if it is not */
    bool holds_surrogates;
    bool refuses_pairs; /* a lead and a trail, two code points, cannot both be encoded (WTF-16) */
    size_t nul_length;  /* bytes of U+0000 */
    size_t unit;        /* bytes of a code unit: 1, or 2 in UTF-16, whose errors are whole units */
    bool is_swapped;    /* the low byte of a unit comes first: UTF-16LE */
    unsigned policies;  /* those that are offered, one bit each */
};

/* One form of an encoding's automaton, with its own numbers for states. */
struct automaton {
    const struct encoding *encoding;
    uint64_t (*step)(uint64_t state, uint8_t byte);
    const uint8_t *classes; /* for each of the 256 bytes; NULL if the form has none */
    uint32_t scale;         /* what the states are multiplied by */
    /* the bits of `step`'s result that are the next state; `step` ignores the other bits of its argument */
    uint32_t state_mask;
};

/* In the amalgamation, where size counts, the codecs of one form share the functions of their operations
 * (ASSAY_ONE_ENGINE), and the form defines STEP from the data of an automaton. With SHARES_OPERATIONS they share them,
 * and each automaton keeps its own step: classes.c under sanitizers. Elsewhere each codec has its own functions, with
 * its automaton as constants: under sanitizers, too, those of UTF-8, whose fuzzers would lose a sixth of their rate. */
#if !defined(ASSAY_ONE_ENGINE) && !defined(SHARES_OPERATIONS)
#define OPERATION_OF_ENGINE ALWAYS_INLINE
#else
#ifdef __clang__
#define OPERATION_OF_ENGINE static __attribute__((noinline, unused)) /* the prover uses none */
#else
#define OPERATION_OF_ENGINE static __attribute__((noinline, noclone))
#endif
#endif
#ifndef STEP
#define STEP(dfa, state, byte) (dfa)->step(state, byte)
#endif

ALWAYS_INLINE uint32_t next_state(const struct automaton *dfa, uint32_t state, uint8_t byte)
{
    return (uint32_t)STEP(dfa, state, byte) & dfa->state_mask;
}

ALWAYS_INLINE bool is_rejected(const struct automaton *dfa, uint32_t state)
{
    return state == REJECT * dfa->scale;
}

/* True at a character boundary, whether or not the state remembers the character before it. */
ALWAYS_INLINE bool is_at_boundary(const struct automaton *dfa, uint32_t state)
{
    return state == ACCEPT || (dfa->encoding->after_lead != 0 && state == dfa->encoding->after_lead * dfa->scale);
}

/* For encodings that write a supplementary character as two surrogates. If a lead surrogate is complete and its trail
 * is not, returns the number of bytes read after the lead; else NO_HALF. If the state refuses the next byte, the lead
 * is a character or an error by itself, and those bytes are fed again. */
ALWAYS_INLINE size_t bytes_past_lead(const struct automaton *dfa, uint32_t state)
{
    return dfa->encoding->past_lead == NULL ? NO_HALF : dfa->encoding->past_lead[state / dfa->scale];
}

ALWAYS_INLINE enum assay_fault fault_of(const struct automaton *dfa, uint32_t state, uint8_t byte)
{
    const struct encoding *encoding = dfa->encoding;
    return (enum assay_fault)encoding->faults[state / dfa->scale * encoding->sort_count + encoding->sorts[byte]];
}

ALWAYS_INLINE bool is_continuation(const struct automaton *dfa, uint8_t byte)
{
    return dfa->encoding->payload[byte] == 0x3F;
}

ALWAYS_INLINE size_t surrogate_length(const struct encoding *encoding)
{
    return encoding->unit == 1 ? 3 : 2;
}

/* The length of an error whose last byte is refused after `read` bytes. That byte is fed again, unless it is the first
 * one or completes a code unit. */
ALWAYS_INLINE size_t refused_length(const struct automaton *dfa, uint32_t state, size_t read)
{
    return is_at_boundary(dfa, state) || dfa->encoding->unit > 1 ? read + 1 : read;
}

/* The bits of a byte after the first. */
ALWAYS_INLINE unsigned payload_width(const struct automaton *dfa)
{
    return dfa->encoding->unit == 1 ? 6 : 8;
}

/* The payload with that of one more byte. At a character boundary it starts from zero. */
ALWAYS_INLINE uint32_t add_payload(const struct automaton *dfa, uint32_t state, uint32_t payload, uint8_t byte)
{
    return (is_at_boundary(dfa, state) ? 0 : payload << payload_width(dfa)) | (byte & dfa->encoding->payload[byte]);
}

/* The code point of a character. A surrogate pair has the payload of both surrogates; ten bits of each count. In six
 * bytes, the payload of the first is shifted by 18 bits, which no other payload reaches. */
ALWAYS_INLINE uint32_t code_point_of(const struct automaton *dfa, uint32_t payload)
{
    if (dfa->encoding->is_swapped)
        payload = (payload & 0xFF00FF) << 8 | (payload >> 8 & 0xFF00FF);
    bool is_pair = payload > (dfa->encoding->unit == 1 ? 0x10FFFFu : 0xFFFFu);
    unsigned shift = dfa->encoding->unit == 1 ? 18 : 16;
    return is_pair ? 0x10000 + ((payload >> shift & 0x3FF) << 10) + (payload & 0x3FF) : payload;
}

/* The next event of a walk. */
enum event { CHARACTER, ERROR, END };
struct token {
    enum event event;
    size_t taken; /* bytes of this piece that were read */
    /* bytes at the end, some perhaps of earlier pieces, that do not belong to the token and are fed again */
    size_t again;
    uint32_t code_point; /* for END, the payload so far */
    uint32_t state;      /* the state after the token */
    enum assay_fault fault;
};

/* The token if a walk ends, or a byte is refused, after a complete lead surrogate: the lead alone, a character or an
 * error. */
ALWAYS_INLINE struct token token_of_lone_lead(const struct automaton *dfa, size_t taken, size_t past, uint32_t payload)
{
    if (!dfa->encoding->holds_surrogates)
        return (struct token){ERROR, taken, past, 0, ACCEPT, ASSAY_FAULT_UNPAIRED_SURROGATE};
    uint32_t lead = code_point_of(dfa, payload >> payload_width(dfa) * past & 0xFFFF);
    return (struct token){CHARACTER, taken, past, lead, ACCEPT, ASSAY_FAULT_NONE};
}

/* Walks on from `state` until a character is complete, a byte is rejected, or the bytes end. */
ALWAYS_INLINE struct token next_token(const struct automaton *dfa, uint32_t state, uint32_t payload,
                                      const uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++) {
        uint8_t byte = bytes[i];
        uint32_t next = next_state(dfa, state, byte);
        if (is_rejected(dfa, next)) {
            size_t past = bytes_past_lead(dfa, state);
            if (past != NO_HALF)
                return token_of_lone_lead(dfa, i, past, payload);
            return (struct token){ERROR, refused_length(dfa, state, i), 0, 0, ACCEPT, fault_of(dfa, state, byte)};
        }
        payload = add_payload(dfa, state, payload, byte);
        state = next;
        if (is_at_boundary(dfa, state))
            return (struct token){CHARACTER, i + 1, 0, code_point_of(dfa, payload), state, ASSAY_FAULT_NONE};
    }
    return (struct token){END, byte_count, 0, payload, state, ASSAY_FAULT_NONE};
}

/* The token that an END becomes if no bytes follow. */
ALWAYS_INLINE struct token last_token(const struct automaton *dfa, const struct token *end)
{
    size_t past = bytes_past_lead(dfa, end->state);
    if (past != NO_HALF && dfa->encoding->holds_surrogates)
        return token_of_lone_lead(dfa, end->taken, past, end->code_point);
    return (struct token){ERROR, end->taken, 0, 0, ACCEPT, ASSAY_FAULT_TRUNCATED};
}

/* Finds the next error at or after *at, and sets *at to the byte after it. Returns false if the rest is well-formed.
 * Tracks only the state, so this is as fast as the automaton can be. */
ALWAYS_INLINE bool next_error(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count, size_t *at,
                              struct assay_span *error)
{
    bool lone_leads = dfa->encoding->past_lead != NULL && dfa->encoding->holds_surrogates;
    size_t start = *at;
    uint32_t state = ACCEPT;
    for (size_t i = start; i < byte_count; i++) {
        uint32_t next = next_state(dfa, state, bytes[i]);
        if (is_rejected(dfa, next)) {
            size_t past = bytes_past_lead(dfa, state);
            if (past != NO_HALF && lone_leads) { /* a character; the bytes after it are fed again */
                start = i - past;
                i = start - 1;
                state = ACCEPT;
                continue;
            }
            size_t length = past != NO_HALF ? surrogate_length(dfa->encoding) : refused_length(dfa, state, i - start);
            *error = (struct assay_span){start, length, fault_of(dfa, state, bytes[i]), false};
            *at = start + length;
            return true;
        }
        state = next;
        if (is_at_boundary(dfa, state))
            start = i + 1;
    }
    size_t past = bytes_past_lead(dfa, state);
    if (past != NO_HALF && lone_leads)
        start = byte_count - past;
    *at = byte_count;
    if (start == byte_count)
        return false;
    *error = (struct assay_span){start, byte_count - start, ASSAY_FAULT_TRUNCATED, true};
    return true;
}

enum { CHUNK = 64 };

/* Unrolls a loop over the bytes of a chunk. Not under sanitizers: the checks of 64 steps take clang 14 three times as
 * long to compile. */
#ifdef SANITIZES
#define UNROLL_CHUNK
#else
#define UNROLL_CHUNK _Pragma("GCC unroll 64")
#endif

/* Not zero if one of the next CHUNK bytes is not ASCII. Reads eight at a time. */
ALWAYS_INLINE uint64_t non_ascii_bits(const uint8_t *bytes)
{
    uint64_t any = 0;
#pragma GCC unroll 8
    for (size_t i = 0; i < CHUNK; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        any |= word;
    }
    return any & UINT64_C(0x8080808080808080);
}

/* Returns the last known character boundary before which there is no error. A rejected walk stays rejected, so the
 * state is checked only once every few chunks, and each step is only the automaton's. No branch depends only on whether
 * a chunk begins at a character boundary, which the processor cannot predict. */
ALWAYS_INLINE size_t skip_well_formed(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count)
{
    size_t between = 0;
    uint64_t state = ACCEPT;
    for (size_t at = 0; byte_count - at >= CHUNK; at += CHUNK) {
        between = state == ACCEPT ? at : between;
        uint64_t unlike_ascii = state | non_ascii_bits(bytes + at); /* ACCEPT is zero */
        /* Without this, gcc 12 would make two branches of the condition. */
        __asm__("" : "+r"(unlike_ascii));
        if (dfa->encoding->nul_length == 1 && unlike_ascii == 0)
            continue;
        UNROLL_CHUNK
        for (size_t i = 0; i < CHUNK; i++) {
            state = STEP(dfa, state, bytes[at + i]);
            __asm__("" : "+r"(state)); /* in order: gcc 12 would do all loads first, and spill them */
        }
        state &= dfa->state_mask;
        if (is_rejected(dfa, (uint32_t)state))
            break;
    }
    return between;
}

OPERATION_OF_ENGINE bool dfa_validate(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count,
                                      struct assay_span *error)
{
    struct assay_span first = {0};
    size_t at = skip_well_formed(dfa, bytes, byte_count);
    bool well_formed = !next_error(dfa, bytes, byte_count, &at, &first);
    if (error != NULL)
        *error = first;
    return well_formed;
}

OPERATION_OF_ENGINE size_t dfa_spans(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count,
                                     struct assay_span *spans, size_t capacity)
{
    struct assay_span span;
    size_t count = 0;
    for (size_t at = 0; next_error(dfa, bytes, byte_count, &at, &span); count++)
        if (count < capacity)
            spans[count] = span;
    return count;
}

#endif
