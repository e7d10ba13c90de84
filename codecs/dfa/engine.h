/* SPDX-License-Identifier: MIT
 *
 * engine.h - every operation of a codec, over a table-driven automaton. Included by each codec of this
 * folder, which brings the automaton's step; all tables are derived by scripts/generate.
 *
 * The rules for using such an automaton, from Hoehrmann's "Flexible and Economical UTF-8 Decoder":
 * well-formed means that the walk ENDS in the accepting state, not that it never rejected; and a byte
 * that rejects in the middle of a sequence has to be fed again, from the start.
 */
#ifndef ASSAY_DFA_ENGINE_H
#define ASSAY_DFA_ENGINE_H

#include "../codec.h"
#include "utf8_tables.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { REPLACEMENT = 0xFFFD, ACCEPT = 0, HELD_MAX = 3 };

/* One form of the automaton. `scale` is what its states are multiplied by; unscaled, they are the row
 * numbers of utf8_faults. */
struct automaton {
    uint32_t (*step)(uint32_t state, uint8_t byte);
    const uint8_t *classes; /* of the 256 bytes; NULL if the form has none */
    uint32_t reject;
    uint32_t scale;
};

ALWAYS_INLINE bool is_continuation(uint8_t byte)
{
    return utf8_lead_payload[byte] == 0x3F;
}

ALWAYS_INLINE enum assay_fault fault_of(const struct automaton *dfa, uint32_t state, uint8_t byte)
{
    return (enum assay_fault)utf8_faults[state / dfa->scale][byte];
}

/* What the walk comes to next. */
enum event { CHARACTER, ERROR, END };
struct token {
    enum event event;
    size_t taken; /* bytes that belong to it, of those at hand */
    uint32_t code_point;
    uint32_t state; /* where an END leaves the walk */
    enum assay_fault fault;
};

/* Walks on from `state`, until a character is complete, a byte rejects, or the bytes end. */
ALWAYS_INLINE struct token next_token(const struct automaton *dfa, uint32_t state, uint32_t code_point,
                                      const uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++) {
        uint8_t byte = bytes[i];
        uint32_t next = dfa->step(state, byte);
        if (next == dfa->reject)
            return (struct token){ERROR, state == ACCEPT ? 1 : i, 0, ACCEPT, fault_of(dfa, state, byte)};
        code_point = (state == ACCEPT ? 0 : code_point << 6) | (byte & utf8_lead_payload[byte]);
        state = next;
        if (state == ACCEPT)
            return (struct token){CHARACTER, i + 1, code_point, ACCEPT, ASSAY_FAULT_NONE};
    }
    return (struct token){END, byte_count, code_point, state, ASSAY_FAULT_NONE};
}

/* The next error at or after *at, which then is where to go on. False at the end of a well-formed rest.
 * Only the state is tracked here, so this is as fast as the automaton can be. */
ALWAYS_INLINE bool next_error(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count, size_t *at,
                              struct assay_span *error)
{
    size_t start = *at;
    uint32_t state = ACCEPT;
    for (size_t i = start; i < byte_count; i++) {
        uint32_t next = dfa->step(state, bytes[i]);
        if (next == dfa->reject) {
            size_t length = i > start ? i - start : 1;
            *error = (struct assay_span){start, length, fault_of(dfa, state, bytes[i]), false};
            *at = start + length;
            return true;
        }
        state = next;
        if (state == ACCEPT)
            start = i + 1;
    }
    *at = byte_count;
    if (state == ACCEPT)
        return false;
    *error = (struct assay_span){start, byte_count - start, ASSAY_FAULT_TRUNCATED, true};
    return true;
}

ALWAYS_INLINE bool dfa_validate(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count,
                                struct assay_span *error)
{
    struct assay_span first = {0};
    size_t at = 0;
    bool well_formed = !next_error(dfa, bytes, byte_count, &at, &first);
    if (error != NULL)
        *error = first;
    return well_formed;
}

ALWAYS_INLINE size_t dfa_spans(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count,
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

/* Writes a code point `times` times, or returns false and writes nothing. */
ALWAYS_INLINE bool emit(struct output *out, uint32_t code_point, size_t times)
{
    bool pair = code_point > 0xFFFF && (out->form == TO_UTF16 || out->form == COUNT_UTF16);
    size_t units = pair ? 2 * times : times;
    if (units > out->left)
        return false;
    if (out->form == TO_UTF32) {
        for (size_t i = 0; i < times; i++)
            ((uint32_t *)out->units)[out->written + i] = code_point;
    } else if (out->form == TO_UTF16) {
        uint16_t *units16 = (uint16_t *)out->units + out->written;
        for (size_t i = 0; i < times; i++)
            units16[i] = (uint16_t)code_point;
        if (pair) { /* only characters come in pairs, and those come once */
            units16[0] = (uint16_t)(0xD7C0 + (code_point >> 10));
            units16[1] = (uint16_t)(0xDC00 | (code_point & 0x3FF));
        }
    }
    out->left -= units;
    out->written += units;
    return true;
}

/* A walk through the automaton, kept between pieces in assay_stream.state. */
struct walk {
    uint64_t consumed;      /* bytes of the stream before the sequence that is under way */
    uint32_t state;
    uint32_t code_point;    /* as far as it is known */
    uint8_t held[HELD_MAX]; /* the bytes of the sequence under way, as far as earlier pieces had them */
    uint8_t held_count;
    uint8_t absorb;         /* continuation bytes that would belong to the last replacement */
    bool after_error;
};
_Static_assert(sizeof(struct walk) <= sizeof ((struct assay_stream *)0)->state, "a stream has room for a walk");

/* How many continuation bytes after an error that began with this lead go into the same replacement. */
static uint8_t absorbed_after(enum assay_policy policy, uint8_t lead, size_t length, enum assay_fault fault)
{
    if (policy == ASSAY_POLICY_JDK && fault == ASSAY_FAULT_SURROGATE)
        return 2;
    if (policy != ASSAY_POLICY_PER_SEQUENCE || lead < 0xC0 || lead > 0xFD)
        return 0;
    /* In the 6-byte scheme the number of leading one bits is the length; the thresholds are its leads. */
    size_t asked_for = 1u + (lead >= 0xE0) + (lead >= 0xF0) + (lead >= 0xF8) + (lead >= 0xFC);
    return (uint8_t)(asked_for - (length - 1));
}

/* Writes what the policy puts in place of the error that `token` ends; false if that has no room. */
ALWAYS_INLINE bool replace(struct walk *walk, enum assay_policy policy, const uint8_t *bytes,
                           const struct token *token, struct output *out)
{
    size_t held_count = walk->held_count, length = held_count + token->taken;
    switch (policy) {
    case ASSAY_POLICY_SKIP: break;
    case ASSAY_POLICY_PER_RUN:
        if (!walk->after_error && !emit(out, REPLACEMENT, 1)) return false;
        break;
    case ASSAY_POLICY_PER_BYTE:
        if (!emit(out, REPLACEMENT, length)) return false;
        break;
    case ASSAY_POLICY_SURROGATEESCAPE:
        if (length > out->left) return false;
        for (size_t i = 0; i < length; i++)
            emit(out, 0xDC00u + (i < held_count ? walk->held[i] : bytes[i - held_count]), 1);
        break;
    default:
        if (!emit(out, REPLACEMENT, 1)) return false;
    }
    walk->absorb = absorbed_after(policy, held_count > 0 ? walk->held[0] : bytes[0], length, token->fault);
    return true;
}

/* The walk changes only once the output of a token is written, so a call that stops leaves it before that token. */
ALWAYS_INLINE struct assay_result dfa_run(const struct automaton *dfa, struct assay_stream *stream,
                                          const uint8_t *bytes, size_t byte_count, bool last, struct output *out)
{
    struct walk kept, *walk = &kept;
    memcpy(walk, stream->state, sizeof *walk);
    struct assay_result result = {.status = ASSAY_OK};
    size_t at = 0;
    while (at < byte_count || (last && walk->state != ACCEPT)) {
        if (walk->absorb > 0 && at < byte_count && is_continuation(bytes[at])) {
            walk->absorb--;
            walk->consumed++;
            at++;
            continue;
        }
        walk->absorb = 0;
        const uint8_t *here = at < byte_count ? bytes + at : bytes; /* which may be NULL, if there is nothing left */
        struct token token = next_token(dfa, walk->state, walk->code_point, here, byte_count - at);
        if (token.event == END && !last) {
            memcpy(walk->held + walk->held_count, here, token.taken);
            walk->held_count = (uint8_t)(walk->held_count + token.taken);
            walk->state = token.state;
            walk->code_point = token.code_point;
            at = byte_count;
            break;
        }
        if (token.event == END)
            token.fault = ASSAY_FAULT_TRUNCATED;
        if (token.event != CHARACTER && stream->policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){(size_t)walk->consumed, walk->held_count + token.taken, token.fault,
                                               token.event == END};
            break;
        }
        if (token.event == CHARACTER ? !emit(out, token.code_point, 1)
                                     : !replace(walk, stream->policy, here, &token, out)) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        walk->after_error = token.event != CHARACTER;
        walk->consumed += walk->held_count + token.taken;
        walk->held_count = 0;
        walk->state = ACCEPT;
        at += token.taken;
    }
    memcpy(stream->state, walk, sizeof *walk);
    result.read = at;
    result.written = out->written;
    return result;
}

ALWAYS_INLINE struct assay_result dfa_run_whole(const struct automaton *dfa, enum assay_policy policy,
                                                const uint8_t *bytes, size_t byte_count, struct output *out)
{
    struct assay_stream stream;
    assay_stream_start(&stream, policy);
    return dfa_run(dfa, &stream, bytes, byte_count, true, out);
}

ALWAYS_INLINE struct assay_count dfa_count(const struct automaton *dfa, enum assay_policy policy, const uint8_t *bytes,
                                           size_t byte_count)
{
    struct output utf32 = {COUNT_UTF32, NULL, SIZE_MAX, 0}, utf16 = {COUNT_UTF16, NULL, SIZE_MAX, 0};
    enum assay_status status = dfa_run_whole(dfa, policy, bytes, byte_count, &utf32).status;
    dfa_run_whole(dfa, policy, bytes, byte_count, &utf16);
    return (struct assay_count){status, utf32.written, utf16.written};
}

/* ---- encoding --------------------------------------------------------------------------------- */

/* Bytes of a code point, from the last to the first; returns how many. `out` is where they begin. */
static size_t dfa_encode_one(uint32_t code_point, uint8_t out[4])
{
    static const uint32_t first_beyond[] = {0x80, 0x800, 0x10000};
    static const uint8_t lead_mark[] = {0x00, 0xC0, 0xE0, 0xF0};
    size_t length = 1;
    while (length < 4 && code_point >= first_beyond[length - 1])
        length++;
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (uint8_t)(0x80 + code_point % 0x40);
        code_point /= 0x40;
    }
    out[0] = (uint8_t)(lead_mark[length - 1] + code_point);
    return length;
}

/* Takes the next code point off the units, joining surrogate pairs; says how many units that were. */
static size_t dfa_take(const void *units, bool is_utf16, size_t unit_count, size_t at, uint32_t *code_point)
{
    if (!is_utf16) {
        *code_point = ((const uint32_t *)units)[at];
        return 1;
    }
    const uint16_t *utf16 = units;
    *code_point = utf16[at];
    if (utf16[at] >> 10 != 0x36 || at + 1 == unit_count || utf16[at + 1] >> 10 != 0x37)
        return 1;
    *code_point = ((uint32_t)utf16[at] << 10) + utf16[at + 1] - 0x35FDC00u; /* (D800 << 10) + DC00 - 10000 */
    return 2;
}

static struct assay_result dfa_encode(enum assay_policy policy, const void *units, bool is_utf16, size_t unit_count,
                                      uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool after_error = false;
    while (result.read < unit_count) {
        uint32_t code_point;
        uint8_t bytes[4];
        size_t taken = dfa_take(units, is_utf16, unit_count, result.read, &code_point), length;
        bool surrogate = code_point >> 11 == 0x1B, error = surrogate || code_point > 0x10FFFF;
        if (!error) {
            length = dfa_encode_one(code_point, bytes);
        } else if (policy == ASSAY_POLICY_SURROGATEESCAPE && code_point >= 0xDC80 && code_point <= 0xDCFF) {
            bytes[0] = (uint8_t)code_point;
            length = 1;
        } else if (policy == ASSAY_POLICY_STRICT || policy == ASSAY_POLICY_SURROGATEESCAPE) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){result.read, 1, ASSAY_FAULT_OUT_OF_RANGE, false};
            if (surrogate)
                result.error.fault = is_utf16 ? ASSAY_FAULT_UNPAIRED_SURROGATE : ASSAY_FAULT_SURROGATE;
            break;
        } else {
            bool silent = policy == ASSAY_POLICY_SKIP || (policy == ASSAY_POLICY_PER_RUN && after_error);
            length = silent ? 0 : dfa_encode_one(REPLACEMENT, bytes);
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

static struct assay_result dfa_encode_utf32(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                            uint8_t *out, size_t capacity)
{
    return dfa_encode(policy, units, false, unit_count, out, capacity);
}

static struct assay_result dfa_encode_utf16(enum assay_policy policy, const uint16_t *units, size_t unit_count,
                                            uint8_t *out, size_t capacity)
{
    return dfa_encode(policy, units, true, unit_count, out, capacity);
}

/* ---- watching ----------------------------------------------------------------------------------- */

static void dfa_walk(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count,
                     void (*visit)(void *context, const struct assay_step *step), void *context)
{
    uint32_t state = ACCEPT, code_point = 0;
    for (size_t i = 0; i < byte_count;) {
        uint8_t byte = bytes[i];
        bool inside = state != ACCEPT;
        code_point = (inside ? code_point << 6 : 0) | (byte & utf8_lead_payload[byte]);
        uint32_t next = dfa->step(state, byte);
        struct assay_step step = {i, byte, dfa->classes != NULL ? dfa->classes[byte] : ASSAY_NO_CLASS, state, next,
                                  code_point, next == ACCEPT, next == dfa->reject};
        visit(context, &step);
        state = step.rejects ? ACCEPT : next;
        if (!step.rejects || !inside)
            i++;
    }
}

#endif
