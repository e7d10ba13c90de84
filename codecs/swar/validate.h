/* SPDX-License-Identifier: MIT
 *
 * validate.h - the next character or error, one by one or block by block; on these, the verdict and the spans of
 * errors.
 */
#ifndef ASSAY_SWAR_VALIDATE_H
#define ASSAY_SWAR_VALIDATE_H

#include "decode_lossy.h"

/* ---- one by one ------------------------------------------------------------------------------------- */

enum { REPLACEMENT = 0xFFFD, LONGEST = 4 }; /* bytes of a character */

ALWAYS_INLINE bool is_continuation(uint8_t byte)
{
    return byte >> 6 == 2;
}

/* A character; or a maximal subpart, with its fault. */
struct token {
    uint32_t code_point;
    size_t length;
    enum assay_fault fault;
};

ALWAYS_INLINE struct token error_token(size_t length, enum assay_fault fault)
{
    return (struct token){REPLACEMENT, length, fault};
}

/* The token of a byte that is neither ASCII nor a lead. */
static struct token token_of_stray(uint8_t byte)
{
    return error_token(1, is_continuation(byte) ? ASSAY_FAULT_STRAY_CONTINUATION
                          : byte <= 0xC1        ? ASSAY_FAULT_OVERLONG
                          : byte <= 0xF7        ? ASSAY_FAULT_OUT_OF_RANGE
                                                : ASSAY_FAULT_INVALID_LEAD);
}

/* The fault of a code point written in `length` bytes. Needs only its bits from the first two bytes. */
static enum assay_fault fault_of(uint32_t code_point, size_t length)
{
    ASSUME(length >= 2 && length <= LONGEST);
    if (code_point < (length == 3 ? 0x800u : length == 4 ? 0x10000u : 0))
        return ASSAY_FAULT_OVERLONG;
    if (code_point >> 11 == 0xD800 >> 11)
        return ASSAY_FAULT_SURROGATE;
    return code_point > 0x10FFFF ? ASSAY_FAULT_OUT_OF_RANGE : ASSAY_FAULT_NONE;
}

/* The first token of the bytes. */
ALWAYS_INLINE struct token next_token(const uint8_t *bytes, size_t byte_count)
{
    ASSUME(byte_count > 0);
    uint8_t lead = bytes[0];
    if (lead < 0x80)
        return (struct token){lead, 1, ASSAY_FAULT_NONE};
    if (lead < 0xC2 || lead > 0xF4)
        return token_of_stray(lead);
    size_t length = 2u + (lead >= 0xE0) + (lead >= 0xF0);
    uint32_t code_point = (lead & (0x7Fu >> length)) << 6 * (length - 1);
    for (size_t i = 1; i < length; i++) {
        if (i == byte_count)
            return error_token(i, ASSAY_FAULT_TRUNCATED);
        if (!is_continuation(bytes[i]))
            return error_token(i, ASSAY_FAULT_MISSING_CONTINUATION);
        code_point |= (bytes[i] & 0x3Fu) << 6 * (length - 1 - i);
        enum assay_fault fault = i == 1 ? fault_of(code_point, length) : ASSAY_FAULT_NONE;
        if (fault != ASSAY_FAULT_NONE)
            return error_token(1, fault);
    }
    return (struct token){code_point, length, ASSAY_FAULT_NONE};
}

static struct assay_span span_of(const struct token *token, size_t at)
{
    return (struct assay_span){at, token->length, token->fault, token->fault == ASSAY_FAULT_TRUNCATED};
}

/* ---- block by block --------------------------------------------------------------------------------- */

/* Returns the last character boundary at or before `at`. `from` must be a boundary, and the bytes between must be
 * well-formed, except that the last character may be incomplete. */
static size_t boundary_before(const uint8_t *bytes, size_t from, size_t at)
{
    ASSUME(from <= at);
    for (size_t back = 1; back <= 3 && back <= at - from; back++)
        if (bytes[at - back] >= (back == 1 ? 0xC0 : back == 2 ? 0xE0 : 0xF0))
            return at - back;
    return at;
}

/* The end of the ASCII blocks that begin at `at`. */
ALWAYS_INLINE size_t skip_ascii(const uint8_t *bytes, size_t byte_count, size_t at)
{
    while (byte_count - at >= BLOCK_BYTES && is_ascii_block(bytes + at))
        at += BLOCK_BYTES;
    return at;
}

/* Skips well-formed blocks from the character boundary `from`. Returns the last boundary that no error precedes, as far
 * as whole blocks show. Adds the units up to there to *count, unless it is NULL. */
ALWAYS_INLINE size_t skip_clean(const uint8_t *bytes, size_t byte_count, size_t from, struct assay_count *count)
{
    struct leads before = {0};
    size_t at = from, begun = 0, fours = 0;
    for (; byte_count - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
        if (boundary_before(bytes, from, at) == at) {
            size_t others = skip_ascii(bytes, byte_count, at);
            begun += others - at;
            at = others;
            if (byte_count - at < BLOCK_BYTES)
                break;
        }
        struct structure found = structure_of(load_block(bytes + at), &before);
        if (found.wrong != 0)
            break;
        before = found.leads;
        if (count != NULL) {
            begun += BLOCK_BYTES - count_bits(found.continuations);
            fours += count_bits(found.leads.of_4);
        }
    }
    size_t end = boundary_before(bytes, from, at);
    if (count != NULL) { /* less the character that is incomplete */
        count->utf32_units += begun - (end < at);
        count->utf16_units += begun - (end < at) + fours - (end < at && bytes[end] >= 0xF0);
    }
    return end;
}

/* Returns true if the word begins with a character of two bytes (of three, of four). Sets *code_point, which has no
 * meaning if the result is false. */
ALWAYS_INLINE bool read_two(uint64_t word, uint32_t *code_point)
{
    *code_point = (uint32_t)((word & 0x1F) << 6 | (word >> 8 & 0x3F));
    return (word & 0xC0E0) == 0x80C0 && *code_point >= 0x80;
}

ALWAYS_INLINE bool read_three(uint64_t word, uint32_t *code_point)
{
    *code_point = (uint32_t)((word & 0x0F) << 12 | (word >> 8 & 0x3F) << 6 | (word >> 16 & 0x3F));
    return (word & 0xC0C0F0) == 0x8080E0 && *code_point >= 0x800 && *code_point >> 11 != 0xD800 >> 11;
}

ALWAYS_INLINE bool read_four(uint64_t word, uint32_t *code_point)
{
    *code_point =
        (uint32_t)((word & 7) << 18 | (word >> 8 & 0x3F) << 12 | (word >> 16 & 0x3F) << 6 | (word >> 24 & 0x3F));
    return (word & 0xC0C0C0F8) == 0x808080F0 && *code_point - 0x10000 <= 0xFFFFF;
}

/* Skips characters one by one from `at` up to `end`, while a word of input is left. Adds units to *count, unless it is
 * NULL. Returns the end of the last one. */
ALWAYS_INLINE size_t skip_characters(const uint8_t *bytes, size_t byte_count, size_t at, size_t end,
                                     struct assay_count *count)
{
    size_t characters = 0, fours = 0, last = byte_count < WORD_BYTES ? 0 : byte_count - (WORD_BYTES - 1);
    for (size_t length; at < end && at < last; at += length) {
        uint64_t word = load_word(bytes + at), others = word & IN_EACH_BYTE(0x80);
        uint32_t code_point;
        if ((word & 0x80) == 0)
            length = others == 0 ? WORD_BYTES : (size_t)__builtin_ctzll(others) / 8;
        else
            length = read_two(word, &code_point)     ? 2
                     : read_three(word, &code_point) ? 3
                     : read_four(word, &code_point)  ? 4
                                                     : 0;
        if (length == 0)
            break;
        characters += (word & 0x80) == 0 ? length : 1;
        fours += (word & 0x80) != 0 && length == 4;
    }
    if (count != NULL) {
        count->utf32_units += characters;
        count->utf16_units += characters + fours;
    }
    return at;
}

/* Skips well-formed characters from the boundary `at`, and returns the boundary where it stopped: at an error, or near
 * the end of the input. It takes whole blocks; after a block with an error it goes one by one up to *look_again, the
 * end of that block. Start with *look_again = 0. */
ALWAYS_INLINE size_t skip(const uint8_t *bytes, size_t byte_count, size_t at, size_t *look_again,
                          struct assay_count *count)
{
    if (at >= *look_again) {
        at = skip_clean(bytes, byte_count, at, count);
        *look_again = at + BLOCK_BYTES;
    }
    return skip_characters(bytes, byte_count, at, *look_again, count);
}

/* Finds the next error from *at on, and sets *at to where it begins. Returns false if there is none. */
static bool next_error(const uint8_t *bytes, size_t byte_count, size_t *at, struct token *token)
{
    for (size_t look_again = 0;; *at += token->length) {
        *at = skip(bytes, byte_count, *at, &look_again, NULL);
        if (*at == byte_count)
            return false;
        *token = next_token(bytes + *at, byte_count - *at);
        if (token->fault != ASSAY_FAULT_NONE)
            return true;
    }
}

static bool swar_validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    size_t at = 0;
    struct token token;
    bool found = next_error(bytes, byte_count, &at, &token);
    if (error != NULL)
        *error = found ? span_of(&token, at) : (struct assay_span){0};
    return !found;
}

static size_t swar_spans(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity)
{
    size_t count = 0;
    struct token token;
    for (size_t at = 0; next_error(bytes, byte_count, &at, &token); at += token.length, count++)
        if (count < capacity)
            spans[count] = span_of(&token, at);
    return count;
}

#endif
