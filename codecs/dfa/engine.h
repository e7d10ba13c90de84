/* SPDX-License-Identifier: MIT
 *
 * engine.h - every operation of a codec, over a table-driven automaton. Each codec of this folder includes it and
 * supplies the automaton's step. scripts/generate derives all tables.
 *
 * Two rules for such an automaton, from Hoehrmann's "Flexible and Economical UTF-8 Decoder": a string is well-formed
 * only if the walk ENDS in the accepting state (that it never rejected is not enough), and a byte that is rejected in
 * the middle of a sequence is fed again, from the start state.
 */
#ifndef ASSAY_DFA_ENGINE_H
#define ASSAY_DFA_ENGINE_H

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
    const uint8_t *past_lead; /* for each state: see bytes_past_lead(); NULL if pairs are not two surrogates */
    uint32_t after_lead;      /* the state after a lead surrogate, if a trail is refused there; else 0 */
    bool holds_surrogates;
    bool refuses_pairs; /* a lead and a trail, two code points, cannot both be encoded (WTF-16) */
    size_t nul_length;  /* bytes of U+0000 */
    size_t unit;        /* bytes of a code unit: 1, or 2 in UTF-16, whose errors are whole units */
    bool is_swapped;    /* the low byte of a unit comes first: UTF-16LE */
    unsigned policies;  /* those that are offered, one bit each */
};

/* One form of the automaton of an encoding. */
struct automaton {
    const struct encoding *encoding;
    uint64_t (*step)(uint64_t state, uint8_t byte);
    const uint8_t *classes; /* for each of the 256 bytes; NULL if the form has none */
    uint32_t scale;         /* what the states are multiplied by */
    uint32_t state_mask;    /* the bits of `step`'s result that are the next state; `step` ignores the others */
};

/* In the amalgamation, where size counts, the codecs of one form share the functions of their operations (ASSAY_ONE_ENGINE), and the form
 * defines STEP from the data of an automaton. Elsewhere each codec has its own functions, with its automaton as constants. */
#ifndef ASSAY_ONE_ENGINE
#define OPERATION_OF_ENGINE ALWAYS_INLINE
#else
#ifdef __clang__
#define OPERATION_OF_ENGINE static __attribute__((noinline))
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

ALWAYS_INLINE bool rejects(const struct automaton *dfa, uint32_t state)
{
    return state == REJECT * dfa->scale;
}

/* True at a character boundary, whether or not the state remembers the character before it. */
ALWAYS_INLINE bool is_between(const struct automaton *dfa, uint32_t state)
{
    return state == ACCEPT || (dfa->encoding->after_lead != 0 && state == dfa->encoding->after_lead * dfa->scale);
}

/* For encodings that write a supplementary character as two surrogates: if the first one is complete and the second is
 * not, the number of bytes read after the first; else NO_HALF. If the state refuses the next byte, the lead is a
 * character or an error by itself, and those bytes are fed again. */
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
    return is_between(dfa, state) || dfa->encoding->unit > 1 ? read + 1 : read;
}

/* The bits of a byte after the first. */
ALWAYS_INLINE unsigned payload_width(const struct automaton *dfa)
{
    return dfa->encoding->unit == 1 ? 6 : 8;
}

/* The payload with that of one more byte. At a character boundary it starts from zero. */
ALWAYS_INLINE uint32_t add_payload(const struct automaton *dfa, uint32_t state, uint32_t payload, uint8_t byte)
{
    return (is_between(dfa, state) ? 0 : payload << payload_width(dfa)) | (byte & dfa->encoding->payload[byte]);
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
    size_t taken;        /* bytes of this piece that were read */
    size_t again;        /* bytes at the end, also of earlier pieces, that are not of the token and are fed again */
    uint32_t code_point; /* for END, the payload so far */
    uint32_t state;      /* the state after the token */
    enum assay_fault fault;
};

/* The token of a walk that ends, or refuses a byte, after a complete lead surrogate: the lead, as a character or an
 * error. */
ALWAYS_INLINE struct token lead_alone(const struct automaton *dfa, size_t taken, size_t past, uint32_t payload)
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
        if (rejects(dfa, next)) {
            size_t past = bytes_past_lead(dfa, state);
            if (past != NO_HALF)
                return lead_alone(dfa, i, past, payload);
            return (struct token){ERROR, refused_length(dfa, state, i), 0, 0, ACCEPT, fault_of(dfa, state, byte)};
        }
        payload = add_payload(dfa, state, payload, byte);
        state = next;
        if (is_between(dfa, state))
            return (struct token){CHARACTER, i + 1, 0, code_point_of(dfa, payload), state, ASSAY_FAULT_NONE};
    }
    return (struct token){END, byte_count, 0, payload, state, ASSAY_FAULT_NONE};
}

/* What an END means if no bytes follow. */
ALWAYS_INLINE struct token last_token(const struct automaton *dfa, const struct token *end)
{
    size_t past = bytes_past_lead(dfa, end->state);
    if (past != NO_HALF && dfa->encoding->holds_surrogates)
        return lead_alone(dfa, end->taken, past, end->code_point);
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
        if (rejects(dfa, next)) {
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
        if (is_between(dfa, state))
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

/* Unrolls a loop over the bytes of a chunk. Not under sanitizers: the checks of 64 steps take clang 14 three times as long to compile. */
#ifdef SANITIZES
#define UNROLL_CHUNK
#else
#define UNROLL_CHUNK _Pragma("GCC unroll 64")
#endif

/* Not zero if one of the next CHUNK bytes is not ASCII. Reads eight at a time. */
ALWAYS_INLINE uint64_t beyond_ascii(const uint8_t *bytes)
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

/* Returns the last known character boundary that no error precedes. A rejected walk stays rejected, so the state is
 * checked only now and then, and each step is the automaton's alone. No branch depends only on whether a chunk begins
 * at a character boundary, which cannot be predicted. */
ALWAYS_INLINE size_t skip_well_formed(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count)
{
    size_t between = 0;
    uint64_t state = ACCEPT;
    for (size_t at = 0; byte_count - at >= CHUNK; at += CHUNK) {
        between = state == ACCEPT ? at : between;
        uint64_t unlike_ascii = state | beyond_ascii(bytes + at); /* ACCEPT is zero */
        /* Without this, gcc 12 would make two branches of it. */
        __asm__("" : "+r"(unlike_ascii));
        if (dfa->encoding->nul_length == 1 && unlike_ascii == 0)
            continue;
        UNROLL_CHUNK
        for (size_t i = 0; i < CHUNK; i++) {
            state = STEP(dfa, state, bytes[at + i]);
            __asm__("" : "+r"(state)); /* in order: gcc 12 would do all loads first, and spill them */
        }
        state &= dfa->state_mask;
        if (rejects(dfa, (uint32_t)state))
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

/* ---- decoding ------------------------------------------------------------------------------- */

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
    uint64_t consumed; /* stream bytes before the current sequence */
    uint32_t state;
    uint32_t payload;             /* of the current sequence */
    uint8_t held[ASSAY_HELD_MAX]; /* the bytes of the current sequence that earlier pieces had */
    uint8_t held_count;
    uint8_t again[2]; /* bytes after a lead surrogate that stayed alone, to be fed again */
    uint8_t again_count;
    uint8_t absorb; /* continuation bytes that the last replacement would still absorb */
    bool after_error;
};
_Static_assert(sizeof(struct walk) <= sizeof((struct assay_stream *)0)->state, "a stream has room for a walk");

/* The number of continuation bytes after an error with this lead that its replacement absorbs. */
static uint8_t absorbed_after(enum assay_policy policy, uint8_t lead, size_t length, enum assay_fault fault)
{
    ASSUME(length > 0);
    if (policy == ASSAY_POLICY_JDK && fault == ASSAY_FAULT_SURROGATE)
        return 2;
    if (policy != ASSAY_POLICY_PER_SEQUENCE || lead < 0xC0 || lead > 0xFD)
        return 0;
    /* In the 6-byte scheme the number of leading one bits is the length; the thresholds are its leads. */
    size_t asked_for = 1u + (lead >= 0xE0) + (lead >= 0xF0) + (lead >= 0xF8) + (lead >= 0xFC);
    return (uint8_t)(asked_for - (length - 1));
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
    walk->absorb = absorbed_after(policy, held_count > 0 ? walk->held[0] : bytes[0], length, token->fault);
    return true;
}

/* Moves past a token. Returns false if bytes of earlier pieces, no longer in `held`, must be fed first. */
ALWAYS_INLINE bool go_on(struct walk *walk, const struct token *token, size_t *at)
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

/* Decodes one piece. `walk` changes only after the output of a token is written, so a call that returns OUTPUT_FULL or
 * ILL_FORMED leaves it before that token. */
ALWAYS_INLINE struct assay_result run_piece(const struct automaton *dfa, struct walk *walk, enum assay_policy policy,
                                            const uint8_t *bytes, size_t byte_count, bool last, struct output *out)
{
    struct assay_result result = {.status = ASSAY_OK};
    size_t at = 0;
    while (at < byte_count || (last && !is_between(dfa, walk->state))) {
        if (walk->absorb > 0 && at < byte_count && is_continuation(dfa, bytes[at])) {
            walk->absorb--;
            walk->consumed++;
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
        if (!go_on(walk, &token, &at))
            break;
    }
    result.read = at;
    return result;
}

/* Feeds walk->again before the piece. Such bytes are found only by the first token of a piece, when none of its bytes
 * is consumed. */
ALWAYS_INLINE struct assay_result run_on(const struct automaton *dfa, struct walk *walk, enum assay_policy policy,
                                         const uint8_t *bytes, size_t byte_count, bool last, struct output *out)
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
        result = run_piece(dfa, walk, policy, is_again ? again : bytes, is_again ? again_count : byte_count,
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
    struct assay_result result = run_on(dfa, &walk, stream->policy, bytes, byte_count, last, out);
    memcpy(stream->state, &walk, sizeof walk);
    return result;
}

ALWAYS_INLINE struct assay_result decode(const struct automaton *dfa, enum assay_policy policy, const uint8_t *bytes,
                                         size_t byte_count, struct output *out)
{
    struct walk walk = {0};
    return run_on(dfa, &walk, policy, bytes, byte_count, true, out);
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

/* ---- encoding --------------------------------------------------------------------------------- */

/* Writes the bytes of a code point, last byte first, in the shortest form of at least `least_length` bytes. */
static size_t put_form(uint32_t code_point, size_t least_length, uint8_t *out)
{
    static const uint32_t first_beyond[] = {0x80, 0x800, 0x10000};
    static const uint8_t lead_mark[] = {0x00, 0xC0, 0xE0, 0xF0};
    size_t length = least_length;
    ASSUME(least_length >= 1 && least_length <= 4 && code_point <= 0x10FFFF);
    while (length < 4 && code_point >= first_beyond[length - 1])
        length++;
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (uint8_t)(0x80 + code_point % 0x40);
        code_point /= 0x40;
    }
    out[0] = (uint8_t)(lead_mark[length - 1] + code_point);
    return length;
}

static size_t put_unit(const struct encoding *encoding, uint32_t unit, uint8_t *out)
{
    if (encoding->unit == 1)
        return put_form(unit, 1, out);
    out[encoding->is_swapped] = (uint8_t)(unit >> 8);
    out[!encoding->is_swapped] = (uint8_t)unit;
    return 2;
}

/* Writes the bytes of a code point, up to LONGEST. Returns how many. */
static size_t encode_one(const struct encoding *encoding, uint32_t code_point, uint8_t *out)
{
    if (encoding->past_lead != NULL && code_point > 0xFFFF)
        return put_unit(encoding, 0xD7C0 + (code_point >> 10), out) +
               put_unit(encoding, 0xDC00 | (code_point & 0x3FF), out + surrogate_length(encoding));
    if (encoding->unit > 1)
        return put_unit(encoding, code_point, out);
    return put_form(code_point, code_point == 0 ? encoding->nul_length : 1, out);
}

enum { PAIR_BIAS = 0x35FDC00 }; /* (D800 << 10) + DC00 - 10000 */

/* Takes the next code point from the units. Returns how many units it had. */
static size_t take_code_point(const void *units, bool is_utf16, bool joins, size_t unit_count, size_t at,
                              uint32_t *code_point)
{
    uint32_t unit = is_utf16 ? ((const uint16_t *)units)[at] : ((const uint32_t *)units)[at];
    ASSUME(at < unit_count);
    *code_point = unit;
    if (!joins || unit >> 10 != 0x36 || at + 1 == unit_count)
        return 1;
    uint32_t next = is_utf16 ? ((const uint16_t *)units)[at + 1] : ((const uint32_t *)units)[at + 1];
    if (next >> 10 != 0x37)
        return 1;
    *code_point = (unit << 10) + next - PAIR_BIAS;
    return 2;
}

/* True if the code points at `at` - 1 and `at` are a lead and a trail that the encoding would read as another one. */
static bool makes_refused_pair(const struct encoding *encoding, const void *units, bool is_utf16, size_t at)
{
    const uint32_t *code_points = units;
    return encoding->refuses_pairs && !is_utf16 && at > 0 && code_points[at - 1] >> 10 == 0x36 &&
           code_points[at] >> 10 == 0x37;
}

static struct assay_result encode(const struct encoding *encoding, enum assay_policy policy, const void *units,
                                  bool is_utf16, size_t unit_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool after_error = false, joins = is_utf16 || encoding->after_lead != 0;
    if ((encoding->policies >> policy & 1) == 0)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    while (result.read < unit_count) {
        uint32_t code_point;
        uint8_t bytes[LONGEST];
        size_t taken = take_code_point(units, is_utf16, joins, unit_count, result.read, &code_point), length;
        bool surrogate = code_point >> 11 == 0x1B, pair = makes_refused_pair(encoding, units, is_utf16, result.read);
        bool error = pair || (surrogate && !encoding->holds_surrogates) || code_point > 0x10FFFF;
        if (!error) {
            length = encode_one(encoding, code_point, bytes);
        } else if (policy == ASSAY_POLICY_SURROGATEESCAPE && code_point >= 0xDC80 && code_point <= 0xDCFF) {
            bytes[0] = (uint8_t)code_point;
            length = 1;
        } else if (policy == ASSAY_POLICY_STRICT || policy == ASSAY_POLICY_SURROGATEESCAPE) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){result.read, 1, ASSAY_FAULT_OUT_OF_RANGE, false};
            if (pair)
                result.error.fault = ASSAY_FAULT_SURROGATE_PAIR;
            else if (surrogate)
                result.error.fault = is_utf16 ? ASSAY_FAULT_UNPAIRED_SURROGATE : ASSAY_FAULT_SURROGATE;
            break;
        } else {
            bool silent = policy == ASSAY_POLICY_SKIP || (policy == ASSAY_POLICY_PER_RUN && after_error);
            length = silent ? 0 : encode_one(encoding, REPLACEMENT, bytes);
        }
        if (length > capacity - result.written) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        for (size_t i = 0; i < length; i++)
            out[result.written + i] = bytes[i];
        result.written += length;
        result.read += taken;
        after_error = error;
    }
    return result;
}

OPERATION_OF_ENGINE struct assay_result dfa_encode_utf32(const struct automaton *dfa, enum assay_policy policy,
                                                         const uint32_t *units, size_t unit_count, uint8_t *out,
                                                         size_t capacity)
{
    return encode(dfa->encoding, policy, units, false, unit_count, out, capacity);
}

OPERATION_OF_ENGINE struct assay_result dfa_encode_utf16(const struct automaton *dfa, enum assay_policy policy,
                                                         const uint16_t *units, size_t unit_count, uint8_t *out,
                                                         size_t capacity)
{
    return encode(dfa->encoding, policy, units, true, unit_count, out, capacity);
}

/* ---- cutting and joining ---------------------------------------------------------------------- */

/* Walks from ASSAY_HELD_MAX bytes before `at`. If that is inside a character, the bytes that remain of it decode as
 * errors or as characters, and the walk is at a true boundary after them. A character has at most ASSAY_HELD_MAX + 1
 * bytes. */
OPERATION_OF_ENGINE size_t dfa_boundary(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count, size_t at)
{
    size_t start = (at > ASSAY_HELD_MAX ? at - ASSAY_HELD_MAX : 0) / dfa->encoding->unit * dfa->encoding->unit,
           end = start;
    uint32_t state = ACCEPT;
    if (at >= byte_count)
        return byte_count;
    while (end <= at) {
        start = end;
        struct token token = next_token(dfa, state, 0, bytes + start, byte_count - start);
        if (token.event == END)
            token = last_token(dfa, &token);
        state = token.state;
        end = start + token.taken - token.again;
    }
    return start;
}

/* True if a well-formed string ends with a lead surrogate after which the automaton refuses the start of the other
 * string. */
ALWAYS_INLINE bool refuses_to_follow(const struct automaton *dfa, const uint8_t *left, size_t left_count,
                                     const uint8_t *right, size_t right_count)
{
    size_t length = surrogate_length(dfa->encoding);
    if (dfa->encoding->after_lead == 0 || left_count < length || right_count < length)
        return false;
    uint32_t state = ACCEPT;
    for (size_t i = left_count - length; i < left_count; i++)
        state = next_state(dfa, state, left[i]);
    return state == dfa->encoding->after_lead * dfa->scale &&
           rejects(dfa, next_state(dfa, next_state(dfa, state, right[0]), right[1]));
}

OPERATION_OF_ENGINE struct assay_result dfa_concat(const struct automaton *dfa, const uint8_t *left, size_t left_count,
                                                   const uint8_t *right, size_t right_count, uint8_t *out,
                                                   size_t capacity)
{
    struct assay_result result = {.status = ASSAY_ILL_FORMED};
    if (!dfa_validate(dfa, left, left_count, &result.error))
        return result;
    if (!dfa_validate(dfa, right, right_count, &result.error)) {
        result.read = left_count;
        return result;
    }
    uint8_t joint[LONGEST];
    size_t joint_count = 0, cut = 0;
    if (refuses_to_follow(dfa, left, left_count, right, right_count)) {
        cut = surrogate_length(dfa->encoding);
        struct token lead = next_token(dfa, ACCEPT, 0, left + left_count - cut, cut);
        struct token trail = next_token(dfa, ACCEPT, 0, right, cut);
        joint_count = encode_one(dfa->encoding, (lead.code_point << 10) + trail.code_point - PAIR_BIAS, joint);
    }
    size_t left_kept = left_count - cut, right_kept = right_count - cut;
    if (left_kept + joint_count + right_kept > capacity)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    if (left_kept > 0)
        memcpy(out, left, left_kept);
    if (joint_count > 0)
        memcpy(out + left_kept, joint, joint_count);
    if (right_kept > 0)
        memcpy(out + left_kept + joint_count, right + cut, right_kept);
    return (struct assay_result){
        .status = ASSAY_OK, .read = left_count + right_count, .written = left_kept + joint_count + right_kept};
}

/* ---- well-formed text from any ---------------------------------------------------------------- */

/* What replaces a token: bytes, written `times` times after `taken_back` bytes of the output are dropped. */
struct substitute {
    const uint8_t *bytes;
    size_t length, times, taken_back;
};

/* A character after an error is kept, except a trail: if the output ends with a lead and the automaton refuses the two
 * in a row, they become the one character `joint`. */
ALWAYS_INLINE struct substitute substitute_after_error(const struct automaton *dfa, const uint8_t *bytes, size_t length,
                                                       uint32_t code_point, const uint8_t *out, size_t written,
                                                       uint8_t joint[LONGEST])
{
    if (!refuses_to_follow(dfa, out, written, bytes, length))
        return (struct substitute){bytes, length, 1, 0};
    size_t cut = surrogate_length(dfa->encoding);
    struct token lead = next_token(dfa, ACCEPT, 0, out + written - cut, cut);
    return (struct substitute){
        joint, encode_one(dfa->encoding, (lead.code_point << 10) + code_point - PAIR_BIAS, joint), 1, cut};
}

/* Writes the substitute. Returns false, with nothing written, if there is no room. */
ALWAYS_INLINE bool put_substitute(struct assay_result *result, const struct substitute *substitute, uint8_t *out,
                                  size_t capacity)
{
    if (substitute->length * substitute->times > capacity - result->written + substitute->taken_back)
        return false;
    ASSUME(result->written >= substitute->taken_back);
    result->written -= substitute->taken_back;
    for (size_t time = 0; time < substitute->times; time++)
        for (size_t i = 0; i < substitute->length; i++)
            out[result->written++] = substitute->bytes[i];
    return true;
}

OPERATION_OF_ENGINE struct assay_result dfa_to_well_formed(const struct automaton *dfa, enum assay_policy policy,
                                                           const uint8_t *bytes, size_t byte_count, uint8_t *out,
                                                           size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    uint8_t replacement[LONGEST], joint[LONGEST], absorb = 0;
    size_t replacement_length = encode_one(dfa->encoding, REPLACEMENT, replacement);
    uint32_t state = ACCEPT;
    bool after_error = false;
    if ((dfa->encoding->policies >> policy & 1) == 0 || policy == ASSAY_POLICY_SURROGATEESCAPE)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    while (result.read < byte_count) {
        const uint8_t *here = bytes + result.read;
        if (absorb > 0 && is_continuation(dfa, *here)) {
            absorb--;
            result.read++;
            continue;
        }
        struct token token = next_token(dfa, state, 0, here, byte_count - result.read);
        if (token.event == END)
            token = last_token(dfa, &token);
        size_t length = token.taken - token.again;
        bool is_error = token.event != CHARACTER;
        if (is_error && policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){result.read, length, token.fault, token.fault == ASSAY_FAULT_TRUNCATED};
            break;
        }
        struct substitute substitute = {here, length, 1, 0};
        if (is_error)
            substitute =
                (struct substitute){replacement, replacement_length, replacements_for(policy, length, after_error), 0};
        else if (after_error)
            substitute = substitute_after_error(dfa, here, length, token.code_point, out, result.written, joint);
        if (!put_substitute(&result, &substitute, out, capacity)) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        absorb = is_error ? absorbed_after(policy, *here, length, token.fault) : 0;
        after_error = is_error;
        state = token.state;
        result.read += length;
    }
    return result;
}

/* ---- watching ----------------------------------------------------------------------------------- */

OPERATION_OF_ENGINE void dfa_walk(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count,
                                  void (*visit)(void *context, const struct assay_step *step), void *context)
{
    uint32_t state = ACCEPT, payload = 0;
    for (size_t i = 0; i < byte_count;) {
        uint8_t byte = bytes[i];
        uint32_t next = next_state(dfa, state, byte), before = payload;
        bool refused = rejects(dfa, next), accepted = is_between(dfa, next);
        payload = add_payload(dfa, state, payload, byte);
        struct assay_step step = {i,        byte,   dfa->classes != NULL ? dfa->classes[byte] : ASSAY_NO_CLASS,
                                  state,    next,   accepted ? code_point_of(dfa, payload) : payload,
                                  accepted, refused};
        size_t past = bytes_past_lead(dfa, state);
        if (refused && past != NO_HALF) {
            struct token lead = lead_alone(dfa, 0, past, before);
            step.accepts = lead.event == CHARACTER;
            step.code_point = lead.code_point;
            i -= past;
        } else if (!refused || refused_length(dfa, state, 0) > 0) {
            i++;
        }
        visit(context, &step);
        state = refused ? ACCEPT : next;
    }
}

#endif
