/* SPDX-License-Identifier: MIT
 *
 * decode.h - decoding, whole and in pieces, under every policy; counting.
 */
#ifndef ASSAY_DFA_DECODE_H
#define ASSAY_DFA_DECODE_H

#include "automaton.h"

enum form { TO_UTF32, TO_UTF16, COUNT_UTF32, COUNT_UTF16 };

struct output {
    enum form form;
    void *units;
    size_t left;
    size_t written;
};

/* Writes a code point `times` times. Returns false, with nothing written, if there is no room. */
ALWAYS_INLINE bool emit(struct output *out, uint32_t code_point, size_t times)
{
    bool pair = code_point > 0xFFFF && (out->form == TO_UTF16 || out->form == COUNT_UTF16);
    size_t units = pair ? 2 * times : times;
    ASSUME(!pair || times == 1); /* a character is written once */
    if (units > out->left)
        return false;
    if (out->form == TO_UTF32) {
        for (size_t i = 0; i < times; i++)
            ((uint32_t *)out->units)[out->written + i] = code_point;
    } else if (out->form == TO_UTF16) {
        uint16_t *units16 = (uint16_t *)out->units + out->written;
        for (size_t i = 0; i < times; i++)
            units16[i] = (uint16_t)code_point;
        if (pair) {
            units16[0] = (uint16_t)(0xD7C0 + (code_point >> 10));
            units16[1] = (uint16_t)(0xDC00 | (code_point & 0x3FF));
        }
    }
    out->left -= units;
    out->written += units;
    return true;
}

/* The state of a walk, kept between pieces in assay_stream.state. */
struct walk {
    uint64_t consumed; /* under `strict`, stream bytes before the current sequence */
    uint32_t state;
    uint32_t payload;             /* of the current sequence */
    uint8_t held[ASSAY_HELD_MAX]; /* the bytes of the current sequence that earlier pieces had */
    uint8_t held_count;
    uint8_t again[2]; /* bytes after an unpaired lead surrogate, to be fed again */
    uint8_t again_count;
    uint8_t absorb; /* continuation bytes that the last replacement would still absorb */
    bool after_error;
};
_Static_assert(sizeof(struct walk) <= sizeof((struct assay_stream *)0)->state, "a stream has room for a walk");

/* The most continuation bytes after an error with this lead that its replacement absorbs. Only UTF-8 has policies that
 * absorb some, and in it none follows an error of two bytes or more. */
static uint8_t absorbed_after(enum assay_policy policy, uint8_t lead, enum assay_fault fault)
{
    if (policy == ASSAY_POLICY_JDK && fault == ASSAY_FAULT_SURROGATE)
        return 2;
    if (policy != ASSAY_POLICY_PER_SEQUENCE || lead < 0xC0 || lead > 0xFD)
        return 0;
    /* In the 6-byte scheme, the number of leading one bits is the length of the sequence; these constants are the first
     * lead of each length. */
    return (uint8_t)(1u + (lead >= 0xE0) + (lead >= 0xF0) + (lead >= 0xF8) + (lead >= 0xFC));
}

/* How many U+FFFD replace an error of this length. */
static size_t replacements_for(enum assay_policy policy, size_t length, bool after_error)
{
    switch (policy) {
    case ASSAY_POLICY_SKIP: return 0;
    case ASSAY_POLICY_PER_RUN: return !after_error;
    case ASSAY_POLICY_PER_BYTE: return length;
    default: return 1;
    }
}

/* Writes what the policy puts in place of the error `token`. Returns false if there is no room. */
ALWAYS_INLINE bool replace(struct walk *walk, enum assay_policy policy, const uint8_t *bytes, const struct token *token,
                           struct output *out)
{
    size_t held_count = walk->held_count, length = held_count + token->taken - token->again;
    if (policy == ASSAY_POLICY_SURROGATEESCAPE) {
        if (length > out->left)
            return false;
        for (size_t i = 0; i < length; i++)
            emit(out, 0xDC00u + (i < held_count ? walk->held[i] : bytes[i - held_count]), 1);
    } else if (!emit(out, REPLACEMENT, replacements_for(policy, length, walk->after_error))) {
        return false;
    }
    walk->absorb = absorbed_after(policy, held_count > 0 ? walk->held[0] : bytes[0], token->fault);
    return true;
}

/* Moves past a token. Returns false if bytes of earlier pieces, which are no longer in `held`, must be fed first. */
ALWAYS_INLINE bool move_past(struct walk *walk, const struct token *token, size_t *at)
{
    size_t held_count = walk->held_count;
    ASSUME(token->again <= held_count + token->taken && token->again <= token->taken + sizeof walk->again);
    walk->after_error = token->event != CHARACTER;
    walk->consumed += held_count + token->taken - token->again;
    walk->held_count = 0;
    walk->state = token->state;
    if (token->again <= token->taken) {
        *at += token->taken - token->again;
        return true;
    }
    walk->again_count = (uint8_t)(token->again - token->taken);
    memcpy(walk->again, walk->held + held_count - walk->again_count, walk->again_count);
    return false;
}

/* Decodes one piece. `walk` changes only after the output of a token is written, so OUTPUT_FULL and ILL_FORMED leave it
 * before that token. */
ALWAYS_INLINE struct assay_result decode_piece(const struct automaton *dfa, struct walk *walk, enum assay_policy policy,
                                               const uint8_t *bytes, size_t byte_count, bool last, struct output *out)
{
    struct assay_result result = {.status = ASSAY_OK};
    size_t at = 0;
    while (at < byte_count || (last && !is_at_boundary(dfa, walk->state))) {
        if (walk->absorb > 0 && at < byte_count && is_continuation(dfa, bytes[at])) {
            walk->absorb--;
            at++;
            continue;
        }
        walk->absorb = 0;
        const uint8_t *here = at < byte_count ? bytes + at : bytes; /* may be NULL if nothing is left */
        struct token token = next_token(dfa, walk->state, walk->payload, here, byte_count - at);
        if (token.event == END && !last) {
            ASSUME(token.taken <= sizeof walk->held - walk->held_count);
            memcpy(walk->held + walk->held_count, here, token.taken);
            walk->held_count = (uint8_t)(walk->held_count + token.taken);
            walk->state = token.state;
            walk->payload = token.code_point;
            at = byte_count;
            break;
        }
        if (token.event == END)
            token = last_token(dfa, &token);
        if (token.event != CHARACTER && policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){(size_t)walk->consumed, walk->held_count + token.taken - token.again,
                                               token.fault, token.fault == ASSAY_FAULT_TRUNCATED};
            break;
        }
        if (token.event == CHARACTER ? !emit(out, token.code_point, 1) : !replace(walk, policy, here, &token, out)) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        if (!move_past(walk, &token, &at))
            break;
    }
    result.read = at;
    return result;
}

/* Decodes the held bytes that must be decoded again (walk->again), then the piece. Only the first token of a piece can
 * leave such bytes, and then none of the piece's bytes is consumed. */
ALWAYS_INLINE struct assay_result decode_refed_then_piece(const struct automaton *dfa, struct walk *walk,
                                                          enum assay_policy policy, const uint8_t *bytes,
                                                          size_t byte_count, bool last, struct output *out)
{
    struct assay_result result;
    if ((dfa->encoding->policies >> policy & 1) == 0)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    bool more;
    do {
        uint8_t again[sizeof walk->again];
        size_t again_count = walk->again_count;
        bool is_again = dfa->encoding->past_lead != NULL && again_count > 0;
        memcpy(again, walk->again, sizeof again);
        walk->again_count = 0;
        result = decode_piece(dfa, walk, policy, is_again ? again : bytes, is_again ? again_count : byte_count,
                              last && !is_again, out);
        if (is_again) {
            walk->again_count = (uint8_t)(again_count - result.read);
            memcpy(walk->again, again + result.read, walk->again_count);
            result.read = 0;
        }
        more = result.status == ASSAY_OK && (is_again || walk->again_count > 0);
    } while (more);
    result.written = out->written;
    return result;
}

ALWAYS_INLINE struct assay_result feed(const struct automaton *dfa, struct assay_stream *stream, const uint8_t *bytes,
                                       size_t byte_count, bool last, struct output *out)
{
    struct walk walk;
    memcpy(&walk, stream->state, sizeof walk);
    struct assay_result result = decode_refed_then_piece(dfa, &walk, stream->policy, bytes, byte_count, last, out);
    memcpy(stream->state, &walk, sizeof walk);
    return result;
}

ALWAYS_INLINE struct assay_result decode(const struct automaton *dfa, enum assay_policy policy, const uint8_t *bytes,
                                         size_t byte_count, struct output *out)
{
    struct walk walk = {0};
    return decode_refed_then_piece(dfa, &walk, policy, bytes, byte_count, true, out);
}

OPERATION_OF_ENGINE struct assay_result dfa_decode_utf32(const struct automaton *dfa, enum assay_policy policy,
                                                         const uint8_t *bytes, size_t byte_count, uint32_t *out,
                                                         size_t capacity)
{
    return decode(dfa, policy, bytes, byte_count, &(struct output){TO_UTF32, out, capacity, 0});
}

OPERATION_OF_ENGINE struct assay_result dfa_decode_utf16(const struct automaton *dfa, enum assay_policy policy,
                                                         const uint8_t *bytes, size_t byte_count, uint16_t *out,
                                                         size_t capacity)
{
    return decode(dfa, policy, bytes, byte_count, &(struct output){TO_UTF16, out, capacity, 0});
}

OPERATION_OF_ENGINE struct assay_result dfa_feed_utf32(const struct automaton *dfa, struct assay_stream *stream,
                                                       const uint8_t *bytes, size_t byte_count, bool last,
                                                       uint32_t *out, size_t capacity)
{
    return feed(dfa, stream, bytes, byte_count, last, &(struct output){TO_UTF32, out, capacity, 0});
}

OPERATION_OF_ENGINE struct assay_result dfa_feed_utf16(const struct automaton *dfa, struct assay_stream *stream,
                                                       const uint8_t *bytes, size_t byte_count, bool last,
                                                       uint16_t *out, size_t capacity)
{
    return feed(dfa, stream, bytes, byte_count, last, &(struct output){TO_UTF16, out, capacity, 0});
}

OPERATION_OF_ENGINE struct assay_count dfa_count(const struct automaton *dfa, enum assay_policy policy,
                                                 const uint8_t *bytes, size_t byte_count)
{
    struct output utf32 = {COUNT_UTF32, NULL, SIZE_MAX, 0}, utf16 = {COUNT_UTF16, NULL, SIZE_MAX, 0};
    enum assay_status status = decode(dfa, policy, bytes, byte_count, &utf32).status;
    decode(dfa, policy, bytes, byte_count, &utf16);
    return (struct assay_count){status, utf32.written, utf16.written};
}

#endif
