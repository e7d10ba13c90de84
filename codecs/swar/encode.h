/* SPDX-License-Identifier: MIT
 *
 * encode.h - UTF-8 of code points and of UTF-16 units: ASCII many at once, all else one by one.
 */
#ifndef ASSAY_SWAR_ENCODE_H
#define ASSAY_SWAR_ENCODE_H

#include "../codec.h"
#include "../inline.h"

enum { ESCAPE = 0xDC00, ENCODED_MOST = 4 };

/* The bytes of a scalar value (Unicode 17.0, Table 3-6). Returns how many. */
ALWAYS_INLINE size_t put_bytes(uint8_t out[ENCODED_MOST], uint32_t scalar)
{
    if (scalar < 0x80) {
        out[0] = (uint8_t)scalar;
        return 1;
    }
    size_t length = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
    uint8_t *to = out + length - 1;
    *to-- = (uint8_t)(0x80 | (scalar & 0x3F));
    if (length > 2)
        *to-- = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
    if (length > 3)
        *to-- = (uint8_t)(0x80 | (scalar >> 12 & 0x3F));
    *to = (uint8_t)((0xF00 >> length & 0xFF) | scalar >> 6 * (length - 1));
    return length;
}

/* What comes next among the units, how many of them it is, and what is wrong with it. */
struct piece {
    uint32_t code_point;
    size_t length;
    enum assay_fault fault;
};

ALWAYS_INLINE struct piece piece_of_utf32(const uint32_t *units)
{
    uint32_t unit = units[0];
    return (struct piece){unit, 1, unit > 0x10FFFF        ? ASSAY_FAULT_OUT_OF_RANGE
                                   : unit >> 11 == 0x1B ? ASSAY_FAULT_SURROGATE
                                                        : ASSAY_FAULT_NONE};
}

/* Of at least one unit. */
ALWAYS_INLINE struct piece piece_of_utf16(const uint16_t *units, size_t unit_count)
{
    uint32_t unit = units[0];
    if (unit >> 11 != 0x1B)
        return (struct piece){unit, 1, ASSAY_FAULT_NONE};
    if (unit >> 10 == 0x36 && unit_count > 1 && units[1] >> 10 == 0x37)
        return (struct piece){0x10000 + ((unit & 0x3FF) << 10 | (units[1] & 0x3FF)), 2, ASSAY_FAULT_NONE};
    return (struct piece){unit, 1, ASSAY_FAULT_UNPAIRED_SURROGATE};
}

/* What the policy writes for what is no scalar value; false if it stops. */
ALWAYS_INLINE bool put_error(enum assay_policy policy, uint32_t code_point, bool in_run, uint8_t out[ENCODED_MOST], size_t *length)
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

/* Groups of ASCII, for loops that compilers turn into whatever vectors there are. */
#define DEFINE_NARROW(name, unit)                                                                                      \
    ALWAYS_INLINE size_t name(const unit *units, size_t most, uint8_t *out)                                            \
    {                                                                                                                  \
        size_t at = 0;                                                                                                 \
        for (; most - at >= AT_ONCE; at += AT_ONCE) {                                                                  \
            unit any = 0;                                                                                              \
            for (size_t i = 0; i < AT_ONCE; i++)                                                                       \
                any = (unit)(any | units[at + i]);                                                                     \
            if (any > 0x7F)                                                                                            \
                break;                                                                                                 \
            for (size_t i = 0; i < AT_ONCE; i++)                                                                       \
                out[at + i] = (uint8_t)units[at + i];                                                                  \
        }                                                                                                              \
        return at;                                                                                                     \
    }
DEFINE_NARROW(narrow_utf16, uint16_t)
DEFINE_NARROW(narrow_utf32, uint32_t)
#undef DEFINE_NARROW

/* Of units of 16 bits or of 32; one of them is NULL. */
ALWAYS_INLINE struct assay_result encode(enum assay_policy policy, const uint16_t *utf16, const uint32_t *utf32, size_t unit_count,
                                         uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    size_t at = 0, written = 0;
    bool in_run = false;
    while (at < unit_count) {
        struct piece piece = utf16 != NULL ? piece_of_utf16(utf16 + at, unit_count - at) : piece_of_utf32(utf32 + at);
        size_t left = unit_count - at, room = capacity - written, most = left < room ? left : room, length;
        if (piece.code_point < 0x80 && most >= AT_ONCE) {
            size_t ascii = utf16 != NULL ? narrow_utf16(utf16 + at, most, out + written) : narrow_utf32(utf32 + at, most, out + written);
            at += ascii;
            written += ascii;
            in_run = false;
            if (ascii > 0)
                continue;
        }
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

static struct assay_result encode_utf32(enum assay_policy policy, const uint32_t *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    return encode(policy, NULL, units, unit_count, out, capacity);
}

static struct assay_result encode_utf16(enum assay_policy policy, const uint16_t *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    return encode(policy, units, NULL, unit_count, out, capacity);
}

#endif
