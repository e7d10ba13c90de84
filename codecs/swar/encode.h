/* SPDX-License-Identifier: MIT
 *
 * encode.h - UTF-8 from code points and from UTF-16 units: ASCII in groups, everything else one by one.
 */
#ifndef ASSAY_SWAR_ENCODE_H
#define ASSAY_SWAR_ENCODE_H

#include "../assume.h"
#include "../codec.h"
#include "../inline.h"

enum { ESCAPE = 0xDC00, ENCODED_MOST = 4 };

/* Writes the bytes of a scalar value (Unicode 17.0, Table 3-6), and other bytes after them, up to ENCODED_MOST. Returns
 * how many belong to the value. */
ALWAYS_INLINE size_t put_bytes(uint8_t out[ENCODED_MOST], uint32_t scalar)
{
    ASSUME(scalar <= 0x10FFFF);
    if (scalar < 0x800) { /* one byte or two without a branch, which spaces between words would make unpredictable */
        bool two = scalar >= 0x80;
        out[0] = (uint8_t)(two ? 0xC0 | scalar >> 6 : scalar);
        out[1] = (uint8_t)(0x80 | (scalar & 0x3F));
        return 1 + (size_t)two;
    }
    bool four = scalar > 0xFFFF;
    if (four)
        *out++ = (uint8_t)(0xF0 | scalar >> 18);
    out[0] = (uint8_t)((four ? 0x80 | (scalar >> 12 & 0x3F) : 0xE0 | scalar >> 12));
    out[1] = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
    out[2] = (uint8_t)(0x80 | (scalar & 0x3F));
    return 3 + (size_t)four;
}

/* An array of `count` units, of 32 bits if they are wide, else of 16. */
struct units {
    const void *first;
    size_t count;
    bool are_wide;
};

/* The next code point, how many units it has, and what is wrong with it. */
struct piece {
    uint32_t code_point;
    size_t length;
    enum assay_fault fault;
};

ALWAYS_INLINE struct piece piece_of_utf32(const uint32_t *units)
{
    uint32_t unit = units[0];
    return (struct piece){unit, 1,
                          unit > 0x10FFFF      ? ASSAY_FAULT_OUT_OF_RANGE
                          : unit >> 11 == 0x1B ? ASSAY_FAULT_SURROGATE
                                               : ASSAY_FAULT_NONE};
}

ALWAYS_INLINE struct piece piece_of_utf16(const uint16_t *units, size_t unit_count)
{
    ASSUME(unit_count > 0);
    uint32_t unit = units[0];
    if (unit >> 11 != 0x1B)
        return (struct piece){unit, 1, ASSAY_FAULT_NONE};
    if (unit >> 10 == 0x36 && unit_count > 1 && units[1] >> 10 == 0x37)
        return (struct piece){0x10000 + ((unit & 0x3FF) << 10 | (units[1] & 0x3FF)), 2, ASSAY_FAULT_NONE};
    return (struct piece){unit, 1, ASSAY_FAULT_UNPAIRED_SURROGATE};
}

ALWAYS_INLINE struct piece piece_at(const struct units *units, size_t at)
{
    ASSUME(at < units->count);
    return units->are_wide ? piece_of_utf32((const uint32_t *)units->first + at)
                           : piece_of_utf16((const uint16_t *)units->first + at, units->count - at);
}

/* Writes what the policy puts in place of a unit that is no scalar value. Returns false if the policy stops there. */
ALWAYS_INLINE bool put_error(enum assay_policy policy, uint32_t code_point, bool in_run, uint8_t out[ENCODED_MOST],
                             size_t *length)
{
    switch (policy) {
    case ASSAY_POLICY_STRICT: return false;
    case ASSAY_POLICY_SURROGATEESCAPE:
        if (code_point < ESCAPE + 0x80 || code_point > ESCAPE + 0xFF)
            return false;
        out[0] = (uint8_t)(code_point - ESCAPE);
        *length = 1;
        return true;
    default: {
        bool is_silent = policy == ASSAY_POLICY_SKIP || (policy == ASSAY_POLICY_PER_RUN && in_run);
        *length = is_silent ? 0 : put_bytes(out, 0xFFFD);
        return true;
    }
    }
}

enum { AT_ONCE = 16 };

/* Narrows groups of ASCII units, in loops that compilers vectorise. Returns how many units. */
#define DEFINE_NARROW(name, unit) \
    static size_t name(const unit *restrict units, size_t most, uint8_t *restrict out) \
    { \
        size_t at = 0; \
        for (; most - at >= AT_ONCE; at += AT_ONCE) { \
            unit any = 0; \
            for (size_t i = 0; i < AT_ONCE; i++) \
                any = (unit)(any | units[at + i]); \
            if (any > 0x7F) \
                break; \
            for (size_t i = 0; i < AT_ONCE; i++) \
                out[at + i] = (uint8_t)units[at + i]; \
        } \
        return at; \
    }
DEFINE_NARROW(narrow_utf16, uint16_t)
DEFINE_NARROW(narrow_utf32, uint32_t)
#undef DEFINE_NARROW

ALWAYS_INLINE size_t narrow(const struct units *units, size_t at, size_t most, uint8_t *out)
{
    return units->are_wide ? narrow_utf32((const uint32_t *)units->first + at, most, out)
                           : narrow_utf16((const uint16_t *)units->first + at, most, out);
}

/* Encodes from *at on, while there is a group of units, no error in it, and room for its longest output. Advances *at
 * and *written. */
ALWAYS_INLINE void encode_groups(const struct units *units, size_t *at, uint8_t *out, size_t capacity, size_t *written)
{
    size_t from = *at, to = *written;
    bool is_right = true;
    while (is_right && units->count - from >= AT_ONCE && capacity - to >= ENCODED_MOST * AT_ONCE) {
        size_t left = units->count - from, room = capacity - to;
        size_t ascii = narrow(units, from, left < room ? left : room, out + to);
        from += ascii;
        to += ascii;
        for (size_t end = from + AT_ONCE; is_right && ascii == 0 && from < end;) {
            struct piece piece = piece_at(units, from);
            is_right = piece.fault == ASSAY_FAULT_NONE;
            to += is_right ? put_bytes(out + to, piece.code_point) : 0;
            from += is_right ? piece.length : 0;
        }
    }
    *at = from;
    *written = to;
}

ALWAYS_INLINE struct assay_result encode(enum assay_policy policy, struct units units, uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    size_t at = 0, written = 0;
    bool in_run = false;
    while (at < units.count) {
        size_t begin = at, room, length;
        encode_groups(&units, &at, out, capacity, &written);
        in_run = in_run && at == begin;
        if (at == units.count)
            break;
        struct piece piece = piece_at(&units, at);
        room = capacity - written;
        uint8_t aside[ENCODED_MOST], *to = room < ENCODED_MOST ? aside : out + written;
        bool is_error = piece.fault != ASSAY_FAULT_NONE;
        if (!is_error) {
            length = put_bytes(to, piece.code_point);
        } else if (!put_error(policy, piece.code_point, in_run, to, &length)) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){at, piece.length, piece.fault, false};
            break;
        }
        if (room < length) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        for (size_t i = 0; to == aside && i < length; i++)
            out[written + i] = aside[i];
        written += length;
        at += piece.length;
        in_run = is_error;
    }
    result.read = at;
    result.written = written;
    return result;
}

static struct assay_result swar_encode_utf32(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                             uint8_t *out, size_t capacity)
{
    return encode(policy, (struct units){units, unit_count, true}, out, capacity);
}

static struct assay_result swar_encode_utf16(enum assay_policy policy, const uint16_t *units, size_t unit_count,
                                             uint8_t *out, size_t capacity)
{
    return encode(policy, (struct units){units, unit_count, false}, out, capacity);
}

#endif
