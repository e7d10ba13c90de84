/* SPDX-License-Identifier: MIT
 *
 * decode.h - decoding, whole and in pieces, under every policy; counting. decode_lossy.h decodes blocks with errors
 * under `whatwg`. Everything else is decoded character by character: the end of the input, output with little room, and
 * errors under the other policies.
 */
#ifndef ASSAY_SWAR_DECODE_H
#define ASSAY_SWAR_DECODE_H

#include "validate.h"

/* ---- decoding --------------------------------------------------------------------------------------- */

enum form { UTF32, UTF16, COUNT };

struct output {
    void *units;
    size_t capacity, written;
    struct assay_count count; /* for the form COUNT, which writes no units */
};

ALWAYS_INLINE void put(enum form form, struct output *out, uint32_t unit)
{
    if (form == UTF16)
        ((uint16_t *)out->units)[out->written++] = (uint16_t)unit;
    else
        ((uint32_t *)out->units)[out->written++] = unit;
}

/* Writes a code point of any size. In UTF-16 it may take a pair (Unicode 17.0, Table 3-5). */
ALWAYS_INLINE void put_character(enum form form, struct output *out, uint32_t code_point)
{
    if (form == UTF16 && code_point > 0xFFFF) {
        put(form, out, 0xD7C0 + (code_point >> 10));
        put(form, out, 0xDC00 + (code_point & 0x3FF));
    } else {
        put(form, out, code_point);
    }
}

/* Writes a code point `times` times. Returns false, with nothing written, if there is no room. */
ALWAYS_INLINE bool emit(enum form form, struct output *out, uint32_t code_point, size_t times)
{
    bool is_pair = code_point > 0xFFFF;
    if (form == COUNT) {
        out->count.utf32_units += times;
        out->count.utf16_units += is_pair ? 2 * times : times;
        return true;
    }
    if (out->capacity - out->written < (form == UTF16 && is_pair ? 2 * times : times))
        return false;
    for (size_t i = 0; i < times; i++)
        put_character(form, out, code_point);
    return true;
}

ALWAYS_INLINE void widen16(uint16_t *restrict units, const uint8_t *restrict bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        units[i] = bytes[i];
}

ALWAYS_INLINE void widen32(uint32_t *restrict units, const uint8_t *restrict bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        units[i] = bytes[i];
}

/* Writes byte_count bytes, the first `count` of which are ASCII, as units. The output then ends after these `count`. */
ALWAYS_INLINE void put_ascii(enum form form, struct output *out, const uint8_t *bytes, size_t byte_count, size_t count)
{
    ASSUME(count <= byte_count && byte_count <= out->capacity - out->written);
    if (form == UTF16)
        widen16((uint16_t *)out->units + out->written, bytes, byte_count);
    else
        widen32((uint32_t *)out->units + out->written, bytes, byte_count);
    out->written += count;
}

/* Decodes from the character boundary `at` until there is an error, or little input or room is left. Returns the
 * boundary where it stopped. A character is tried first with the length of the one before: most texts have runs. */
ALWAYS_INLINE size_t decode_clean(enum form form, struct output *out, const uint8_t *bytes, size_t byte_count,
                                  size_t at)
{
    struct output to = *out;
    size_t left = byte_count - at, room = to.capacity - to.written, most = left < room ? left : room;
    const size_t least = WORD_BYTES + LONGEST; /* a word is loaded also after the last character */
    if (most < least)
        return at;
    const uint8_t *next = bytes + at, *last = next + (most - least);
    while (next <= last) {
        const uint8_t *begin = next;
        uint64_t word = load_word(next), others = word & IN_EACH_BYTE(0x80);
        uint32_t code_point;
        if (others == 0 && last - next >= BLOCK_BYTES && is_ascii_block(next)) {
            put_ascii(form, &to, next, BLOCK_BYTES, BLOCK_BYTES);
            next += BLOCK_BYTES;
        } else if ((word & 0x80) == 0) {
            size_t count = others == 0 ? WORD_BYTES : (size_t)__builtin_ctzll(others) / 8;
            put_ascii(form, &to, next, WORD_BYTES, count);
            next += count;
        } else {
            for (; next <= last && read_two(word, &code_point); word = load_word(next += 2))
                put(form, &to, code_point);
            for (; next <= last && read_three(word, &code_point); word = load_word(next += 3))
                put(form, &to, code_point);
            for (; next <= last && read_four(word, &code_point); word = load_word(next += 4))
                put_character(form, &to, code_point);
            if (next == begin)
                break;
        }
    }
    out->written = to.written;
    return (size_t)(next - bytes);
}

/* Decodes blocks while they have errors, with one U+FFFD for each maximal subpart. Returns where it stopped: the end of
 * a character or maximal subpart. Decodes nothing if fewer than REACH bytes precede `at`, if less than a block of input
 * or of room is left, or if the block has characters of four bytes. */
ALWAYS_INLINE size_t decode_lossy(enum form form, struct output *out, const uint8_t *bytes, size_t byte_count,
                                  size_t at)
{
    struct roles roles = roles_at_boundary();
    size_t written = out->written, open = 0;
    bool has_errors = true;
    while (has_errors && at >= REACH && byte_count - at >= BLOCK_BYTES && out->capacity - written >= BLOCK_BYTES) {
        find_roles(bytes + at, &roles);
        if (roles.has_fourth)
            break;
        for (size_t i = 0; i < BLOCK_BYTES; i++) {
            written += roles.begins[i];
            if (form == UTF16)
                ((uint16_t *)out->units)[written - 1] = roles.unit[i];
            else
                ((uint32_t *)out->units)[written - 1] = roles.unit[i];
        }
        open = count_open(&roles);
        has_errors = roles.has_error;
        at += BLOCK_BYTES;
    }
    out->written = written - (open > 0);
    return at - open;
}

/* What a stream keeps between two pieces, in assay_stream.state; all zero at the start. */
struct memory {
    uint64_t position; /* stream offset of the first held byte, or of the next byte if none is held */
    uint8_t held[LONGEST - 1], held_count; /* an incomplete character */
    uint8_t absorb; /* continuation bytes after the last error that its replacement would absorb */
    bool in_run;    /* an error was last */
};
_Static_assert(sizeof(struct memory) <= sizeof((struct assay_stream *)0)->state, "a stream has room for its memory");

/* The number of continuation bytes after an error that its replacement absorbs. */
static uint8_t absorbed(enum assay_policy policy, uint8_t lead, const struct token *token)
{
    if (policy == ASSAY_POLICY_JDK && token->fault == ASSAY_FAULT_SURROGATE)
        return 2;
    if (policy != ASSAY_POLICY_PER_SEQUENCE || lead < 0xC0 || lead > 0xFD) /* the leads of RFC 2279 */
        return 0;
    return (uint8_t)(2u + (lead >= 0xE0) + (lead >= 0xF0) + (lead >= 0xF8) + (lead >= 0xFC) - token->length);
}

/* How many U+FFFD replace an error, under the policies that write U+FFFD. */
ALWAYS_INLINE size_t replacements_for(enum assay_policy policy, size_t length, bool in_run)
{
    switch (policy) {
    case ASSAY_POLICY_SKIP: return 0;
    case ASSAY_POLICY_PER_RUN: return in_run ? 0 : 1;
    case ASSAY_POLICY_PER_BYTE: return length;
    default: return 1;
    }
}

/* Writes what the policy puts in place of an error. Returns false if there is no room. */
static bool replace(enum form form, struct output *out, enum assay_policy policy, const uint8_t *bytes,
                    const struct token *token, bool in_run)
{
    if (policy != ASSAY_POLICY_SURROGATEESCAPE)
        return emit(form, out, REPLACEMENT, replacements_for(policy, token->length, in_run));
    if (form != COUNT && out->capacity - out->written < token->length)
        return false;
    for (size_t i = 0; i < token->length; i++)
        emit(form, out, ESCAPE + bytes[i], 1);
    return true;
}

/* Writes one token: its character, or what the policy puts in place of the error. Returns OK, and updates *memory; or,
 * with nothing written, OUTPUT_FULL, or ILL_FORMED for an error under `strict`. */
ALWAYS_INLINE enum assay_status put_token(enum form form, enum assay_policy policy, const uint8_t *bytes,
                                          const struct token *token, struct memory *memory, struct output *out)
{
    bool is_error = token->fault != ASSAY_FAULT_NONE;
    if (is_error && policy == ASSAY_POLICY_STRICT)
        return ASSAY_ILL_FORMED;
    if (is_error ? !replace(form, out, policy, bytes, token, memory->in_run) : !emit(form, out, token->code_point, 1))
        return ASSAY_OUTPUT_FULL;
    memory->absorb = is_error ? absorbed(policy, bytes[0], token) : 0;
    memory->in_run = is_error;
    return ASSAY_OK;
}

/* Decodes a piece, when no bytes of an earlier one are held. Leaves an incomplete character at its end unread, unless
 * the piece is the last. */
ALWAYS_INLINE struct assay_result decode(enum form form, enum assay_policy policy, const uint8_t *bytes,
                                         size_t byte_count, bool last, struct memory *memory, struct output *out)
{
    struct assay_result result = {.status = ASSAY_OK};
    size_t at = 0, look_again = 0, next;
    while (at < byte_count) {
        const uint8_t *here = bytes + at;
        if (memory->absorb > 0 && is_continuation(*here)) {
            memory->absorb--;
            at++;
            continue;
        }
        memory->absorb = 0;
        if (form == COUNT)
            next = skip(bytes, byte_count, at, &look_again, &out->count);
        else
            next = decode_clean(form, out, bytes, byte_count, at);
        if (form != COUNT && policy == ASSAY_POLICY_WHATWG)
            next = decode_lossy(form, out, bytes, byte_count, next);
        if (next > at) {
            memory->in_run = false;
            at = next;
            continue;
        }
        struct token token = next_token(here, byte_count - at);
        if (token.fault == ASSAY_FAULT_TRUNCATED && !last)
            break;
        result.status = put_token(form, policy, here, &token, memory, out);
        if (result.status == ASSAY_ILL_FORMED)
            result.error = span_of(&token, at);
        if (result.status != ASSAY_OK)
            break;
        at += token.length;
    }
    result.read = at;
    return result;
}

static struct assay_count swar_count(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    struct output out = {.count = {ASSAY_OK, 0, 0}};
    out.count.status = decode(COUNT, policy, bytes, byte_count, true, &(struct memory){0}, &out).status;
    return out.count;
}

ALWAYS_INLINE struct assay_result decode_whole(enum form form, enum assay_policy policy, const uint8_t *bytes,
                                               size_t byte_count, void *units, size_t capacity)
{
    struct output out = {.units = units, .capacity = capacity};
    struct assay_result result = decode(form, policy, bytes, byte_count, true, &(struct memory){0}, &out);
    result.written = out.written;
    return result;
}

static struct assay_result swar_decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                             uint32_t *units, size_t capacity)
{
    return decode_whole(UTF32, policy, bytes, byte_count, units, capacity);
}

static struct assay_result swar_decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                             uint16_t *units, size_t capacity)
{
    return decode_whole(UTF16, policy, bytes, byte_count, units, capacity);
}

/* ---- in pieces -------------------------------------------------------------------------------------- */

/* Holds the first bytes of a character, after those already held. */
static void hold_bytes(struct memory *memory, const uint8_t *bytes, size_t byte_count)
{
    ASSUME(byte_count <= sizeof memory->held - memory->held_count);
    for (size_t i = 0; i < byte_count; i++)
        memory->held[memory->held_count++] = bytes[i];
}

/* Decodes the held bytes together with the first bytes of the piece: one character or error; or holds them all, if the
 * character is still incomplete. An error is never shorter than the held bytes, which began a character. `read` is the
 * number of bytes of the piece that are consumed. */
ALWAYS_INLINE struct assay_result decode_held(enum form form, enum assay_policy policy, const uint8_t *bytes,
                                              size_t byte_count, bool last, struct memory *memory, struct output *out)
{
    struct assay_result result = {.status = ASSAY_OK};
    uint8_t joined[LONGEST];
    size_t held = memory->held_count, count = held;
    memcpy(joined, memory->held, held);
    for (size_t i = 0; count < LONGEST && i < byte_count; i++)
        joined[count++] = bytes[i];
    struct token token = next_token(joined, count);
    if (token.fault == ASSAY_FAULT_TRUNCATED && !last) {
        hold_bytes(memory, bytes, byte_count);
        result.read = byte_count;
        return result;
    }
    result.status = put_token(form, policy, joined, &token, memory, out);
    if (result.status == ASSAY_ILL_FORMED)
        result.error = span_of(&token, (size_t)memory->position);
    if (result.status != ASSAY_OK)
        return result;
    ASSUME(token.length >= held);
    memory->position += token.length;
    memory->held_count = 0;
    result.read = token.length - held;
    return result;
}

ALWAYS_INLINE struct assay_result feed(enum form form, struct assay_stream *stream, const uint8_t *bytes,
                                       size_t byte_count, bool last, void *units, size_t capacity)
{
    struct output out = {.units = units, .capacity = capacity};
    struct assay_result result = {.status = ASSAY_OK};
    struct memory memory;
    memcpy(&memory, stream->state, sizeof memory);
    if (memory.held_count > 0)
        result = decode_held(form, stream->policy, bytes, byte_count, last, &memory, &out);
    size_t begin = result.read;
    if (result.status == ASSAY_OK && memory.held_count == 0 && begin < byte_count) {
        result = decode(form, stream->policy, bytes + begin, byte_count - begin, last, &memory, &out);
        result.error.offset += result.status == ASSAY_ILL_FORMED ? (size_t)memory.position : 0;
        memory.position += result.read;
        result.read += begin;
        if (result.status == ASSAY_OK) {
            hold_bytes(&memory, bytes + result.read, byte_count - result.read);
            result.read = byte_count;
        }
    }
    memcpy(stream->state, &memory, sizeof memory);
    result.written = out.written;
    return result;
}

static struct assay_result swar_feed_utf32(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,
                                           bool last, uint32_t *units, size_t capacity)
{
    return feed(UTF32, stream, bytes, byte_count, last, units, capacity);
}

static struct assay_result swar_feed_utf16(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,
                                           bool last, uint16_t *units, size_t capacity)
{
    return feed(UTF16, stream, bytes, byte_count, last, units, capacity);
}

#endif
