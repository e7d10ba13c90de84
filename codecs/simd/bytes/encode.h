/* SPDX-License-Identifier: MIT
 *
 * encode.h - encoding from UTF-32 and UTF-16: by vectors where they can, else one code point at a time.
 */
#ifndef ASSAY_SIMD_BYTES_ENCODE_H
#define ASSAY_SIMD_BYTES_ENCODE_H

#include "units.h"

/* Writes the bytes of a code point, in Table 3-6's four forms. Returns their number. In most texts the next character
 * is as long as the one before, so branches cost less than a computed length. */
KERNEL_PART size_t encode_one(uint32_t code_point, uint8_t out[4])
{
    uint8_t last = (uint8_t)(0x80 | (code_point & 0x3F)), second_last = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
    if (code_point <= 0x7F) {
        out[0] = (uint8_t)code_point;
        return 1;
    }
    if (code_point <= 0x7FF) {
        out[0] = (uint8_t)(0xC0 | code_point >> 6);
        out[1] = last;
        return 2;
    }
    if (code_point <= 0xFFFF) {
        out[0] = (uint8_t)(0xE0 | code_point >> 12);
        out[1] = second_last;
        out[2] = last;
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | code_point >> 18);
    out[1] = (uint8_t)(0x80 | (code_point >> 12 & 0x3F));
    out[2] = second_last;
    out[3] = last;
    return 4;
}

enum { MOST = 4, LONGEST = 6 }; /* bytes of a code point: in UTF-8, and in all encodings */

/* The same in any encoding that holds the code point: a supplementary one may be two surrogates, and U+0000 may have
 * two bytes. */
KERNEL_PART size_t encode_in(const struct encoding *encoding, uint32_t code_point, uint8_t out[LONGEST])
{
    if (encoding->writes_long_nul && code_point == 0) {
        memcpy(out, (const uint8_t[2]){LEAD_OF_NUL, 0x80}, 2);
        return 2;
    }
    bool in_pairs = encoding->surrogates == IN_PAIRS || encoding->surrogates == JOINED;
    if (!in_pairs || code_point <= 0xFFFF)
        return encode_one(code_point, out);
    uint8_t trail[4];
    encode_one((code_point - 0x10000) >> 10 | 0xD800, out);
    encode_one((code_point & 0x3FF) | 0xDC00, trail);
    memcpy(out + SURROGATE_BYTES, trail, SURROGATE_BYTES);
    return 2 * SURROGATE_BYTES;
}

/* A code point of the input, how many units it has, and what is wrong with it. */
struct code_point_read {
    uint32_t code_point;
    size_t length;
    enum assay_fault fault;
};

/* Reads the code point at unit `at`, which is less than unit_count. A pair of surrogates is one code point among 16-bit
 * units, and in WTF-8 (surrogates APART) among code points, too. What is above U+10FFFF is returned with its fault. */
KERNEL_PART struct code_point_read read_code_point(enum form form, const struct encoding *encoding, const void *units,
                                                   size_t unit_count, size_t at)
{
    const uint16_t *units16 = (const uint16_t *)units + (form == UTF16 ? at : 0);
    const uint32_t *units32 = (const uint32_t *)units + (form == UTF32 ? at : 0);
    uint32_t first = form == UTF16 ? units16[0] : units32[0];
    if ((first & 0xFFFFF800) != 0xD800) {
        bool too_great = form == UTF32 && first > 0x10FFFF;
        return (struct code_point_read){first, 1, too_great ? ASSAY_FAULT_OUT_OF_RANGE : ASSAY_FAULT_NONE};
    }
    if ((form == UTF16 || encoding->surrogates == APART) && (first & 0x0400) == 0 && unit_count - at >= 2) {
        uint32_t second = form == UTF16 ? units16[1] : units32[1];
        if ((second & 0xFFFFFC00) == 0xDC00)
            return (struct code_point_read){((first & 0x3FF) << 10 | (second & 0x3FF)) + 0x10000, 2, ASSAY_FAULT_NONE};
    }
    if (encoding->encodes_surrogates)
        return (struct code_point_read){first, 1, ASSAY_FAULT_NONE};
    return (struct code_point_read){first, 1, form == UTF16 ? ASSAY_FAULT_UNPAIRED_SURROGATE : ASSAY_FAULT_SURROGATE};
}

/* Writes the policy's output for a code point that the encoding does not hold. Returns ILL_FORMED if the policy stops
 * there. */
KERNEL_PART enum assay_status encode_error(enum assay_policy policy, uint32_t code_point, bool in_run, uint8_t out[4],
                                           size_t *length)
{
    switch (policy) {
    case ASSAY_POLICY_STRICT: return ASSAY_ILL_FORMED;
    case ASSAY_POLICY_SURROGATEESCAPE:
        if (code_point < ESCAPE + 0x80 || code_point > ESCAPE + 0xFF)
            return ASSAY_ILL_FORMED;
        out[0] = (uint8_t)(code_point - ESCAPE);
        *length = 1;
        return ASSAY_OK;
    default:
        *length = encode_one(REPLACEMENT, out);
        if (policy == ASSAY_POLICY_SKIP || (policy == ASSAY_POLICY_PER_RUN && in_run))
            *length = 0;
        return ASSAY_OK;
    }
}

/* True if all code points that the encoding holds are written as in UTF-8. */
KERNEL_PART bool writes_utf8(const struct encoding *encoding)
{
    return !encoding->writes_long_nul && encoding->surrogates != IN_PAIRS && encoding->surrogates != JOINED;
}

/* Converts 32 code points to 16-bit units. Returns false if one of them has two units, or if the encoding does not hold
 * it. */
KERNEL_PART bool narrow_block(const struct encoding *encoding, const uint32_t *code_points, uint16_t *units)
{
    const uint64_t high_bytes = UINT64_C(0xAAAAAAAAAAAAAAAA);
    vec v;
    if (!vec_narrow_units(&v, code_points) ||
        (!encoding->encodes_surrogates && (vec_bits(vec_between(v, 0xD8, 0xDF)) & high_bytes) != 0))
        return false;
    vec_store(units, v);
    return true;
}

/* Converts code points to UTF-16, one at a time, up to the first that the encoding does not hold. Returns the numbers
 * read and written. No branch depends on the number of units, which a processor cannot predict. */
KERNEL_PART struct progress convert_few_to_utf16(const struct encoding *encoding, const uint32_t *code_points,
                                                 size_t count, uint16_t *units)
{
    size_t read = 0, written = 0;
    for (; read < count; read++) {
        uint32_t code_point = code_points[read], is_pair = code_point > 0xFFFF;
        if (code_point > 0x10FFFF || (code_point - 0xD800 < 0x800 && !encoding->encodes_surrogates))
            break;
        /* the lead is first, so it is the low half */
        uint32_t pair = 0xDC00D7C0 + (code_point >> 10) + (code_point << 22 >> 6);
        uint32_t both = code_point ^ ((code_point ^ pair) & (0 - is_pair));
        memcpy(units + written, &both, sizeof both);
        written += 1 + is_pair;
    }
    return (struct progress){read, written};
}

/* The same, with 32 at once where possible. */
KERNEL_PART struct progress convert_to_utf16(const struct encoding *encoding, const uint32_t *code_points, size_t count,
                                             uint16_t *units)
{
    enum { AT_ONCE = VEC_BYTES / sizeof *units };
    struct progress done = {0, 0}, more = {0, 0};
    for (size_t wanted = 0; more.read == wanted && done.read < count;) {
        size_t left = count - done.read;
        wanted = left < AT_ONCE ? left : AT_ONCE;
        if (left >= AT_ONCE && narrow_block(encoding, code_points + done.read, units + done.written))
            more = (struct progress){AT_ONCE, AT_ONCE};
        else
            more = convert_few_to_utf16(encoding, code_points + done.read, wanted, units + done.written);
        done.read += more.read;
        done.written += more.written;
    }
    return done;
}

/* Encodes code points for encodings that write each of the two units of a supplementary one by itself (UTR 26):
 * converts to UTF-16 first. */
static struct progress encode_each32(const struct encoding *encoding, const uint32_t *code_points, size_t count,
                                     uint8_t *out, size_t room)
{
    enum { AT_ONCE = 256 };
    uint16_t units[2 * AT_ONCE];
    struct progress done = {0, 0}, encoded = {room > 0, 0}; /* with capacity 0, `out` may be NULL */
    while (encoded.read > 0) {
        size_t left = count - done.read;
        struct progress there =
            convert_to_utf16(encoding, code_points + done.read, left < AT_ONCE ? left : AT_ONCE, units);
        encoded = vec_encode_each16(encoding, units, there.written, out + done.written, room - done.written);
        for (; there.written > encoded.read; there.read--) /* a pair is encoded whole, or not at all */
            there.written -= 1 + (size_t)(code_points[done.read + there.read - 1] > 0xFFFF);
        done.read += there.read;
        done.written += encoded.written;
    }
    return done;
}

/* Encodes with vectors as much as they can. */
KERNEL_PART struct progress encode_bulk(enum form form, const struct encoding *encoding, const void *units, size_t at,
                                        size_t unit_count, uint8_t *out, size_t room)
{
    size_t left = unit_count - at;
    const uint16_t *units16 = (const uint16_t *)units + (form == UTF16 ? at : 0);
    const uint32_t *units32 = (const uint32_t *)units + (form == UTF32 ? at : 0);
    if (!writes_utf8(encoding))
        return form == UTF16 ? vec_encode_each16(encoding, units16, left, out, room)
                             : encode_each32(encoding, units32, left, out, room);
    return form == UTF16 ? vec_encode16(units16, left, out, room) : vec_encode32(units32, left, out, room);
}

/* Encodes code points one by one, up to `end`. Stops before an error, before a code point whose bytes are not those of
 * UTF-8, and where there is no room for the four bytes of the longest sequence of UTF-8. */
static struct progress encode_singly(enum form form, const struct encoding *encoding, const void *units, size_t at,
                                     size_t unit_count, size_t end, uint8_t *out, size_t room)
{
    size_t read = at, written = 0;
    while (read < end && read < unit_count && room - written >= MOST) {
        struct code_point_read taken = read_code_point(form, encoding, units, unit_count, read);
        if (taken.fault != ASSAY_FAULT_NONE || (taken.code_point > 0xFFFF && !writes_utf8(encoding)) ||
            (taken.code_point == 0 && encoding->writes_long_nul))
            break;
        written += encode_one(taken.code_point, out + written);
        read += taken.length;
    }
    return (struct progress){read - at, written};
}

/* Encodes one code point, or the policy's output for an error. */
KERNEL_PART enum assay_status encode_next(const struct encoding *encoding, enum assay_policy policy,
                                          const struct code_point_read *taken, bool *in_run, uint8_t *out, size_t room,
                                          size_t *length)
{
    uint8_t bytes[LONGEST];
    if (taken->fault == ASSAY_FAULT_NONE)
        *length = encode_in(encoding, taken->code_point, bytes);
    else if (encode_error(policy, taken->code_point, *in_run, bytes, length) == ASSAY_ILL_FORMED)
        return ASSAY_ILL_FORMED;
    if (room < *length)
        return ASSAY_OUTPUT_FULL;
    for (size_t i = 0; i < *length; i++)
        out[i] = bytes[i];
    *in_run = taken->fault != ASSAY_FAULT_NONE;
    return ASSAY_OK;
}

KERNEL_PART struct assay_result encode(enum form form, const struct encoding *encoding, enum assay_policy policy,
                                       const void *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    if (!offers(encoding, policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    struct assay_result result = {.status = ASSAY_OK};
    bool in_run = false;
    size_t read = 0, written = 0;
    size_t next_bulk = 0; /* up to this index, units are encoded one at a time; then encode_bulk() is tried */
    while (read < unit_count) {
        uint8_t *to = written < capacity ? out + written : NULL; /* `out` may be NULL */
        bool is_tried = read >= next_bulk;
        struct progress done =
            is_tried ? encode_bulk(form, encoding, units, read, unit_count, to, capacity - written)
                     : encode_singly(form, encoding, units, read, unit_count, next_bulk, to, capacity - written);
        read += done.read;
        written += done.written;
        in_run = in_run && done.read == 0;
        if (is_tried)
            next_bulk = read + NARROW_UNITS;
        if (is_tried || done.read > 0)
            continue;
        struct code_point_read taken = read_code_point(form, encoding, units, unit_count, read);
        size_t length;
        result.status = encode_next(encoding, policy, &taken, &in_run, to, capacity - written, &length);
        if (result.status != ASSAY_OK) {
            if (result.status == ASSAY_ILL_FORMED)
                result.error = (struct assay_span){read, taken.length, taken.fault, false};
            break;
        }
        written += length;
        read += taken.length;
    }
    result.read = read;
    result.written = written;
    return result;
}

#ifdef VEC_ENCODE_SHORT

/* True if vec_encode_short() and vec_encode_middle() can encode for this encoding and policy. */
KERNEL_PART bool is_usual(const struct encoding *encoding, enum assay_policy policy)
{
    return offers(encoding, policy) && writes_utf8(encoding);
}

/* The next functions are not inlined, so that short strings, and then short texts, have few registers to save. */
static __attribute__((noinline)) struct assay_result encode_long16(const struct encoding *encoding,
                                                                   enum assay_policy policy, const uint16_t *units,
                                                                   size_t unit_count, uint8_t *out, size_t capacity)
{
    return encode(UTF16, encoding, policy, units, unit_count, out, capacity);
}

static __attribute__((noinline)) struct assay_result encode_long32(const struct encoding *encoding,
                                                                   enum assay_policy policy, const uint32_t *units,
                                                                   size_t unit_count, uint8_t *out, size_t capacity)
{
    return encode(UTF32, encoding, policy, units, unit_count, out, capacity);
}

#ifdef VEC_ENCODE_MIDDLE

/* Encodes what vec_encode_short() does not. If vec_encode_middle() meets an error, or has no room, all is encoded again
 * from the first unit on. */
KERNEL_PART struct assay_result encode_other(enum form form, const struct encoding *encoding, enum assay_policy policy,
                                             const void *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    size_t written = 0;
    if (is_usual(encoding, policy) && unit_count - 1 < VEC_ENCODE_MIDDLE) /* not 0 */
        written = vec_encode_middle(form == UTF32, units, unit_count, out, capacity);
    if (written > 0)
        return (struct assay_result){.status = ASSAY_OK, .read = unit_count, .written = written};
    return form == UTF16 ? encode_long16(encoding, policy, units, unit_count, out, capacity)
                         : encode_long32(encoding, policy, units, unit_count, out, capacity);
}

static __attribute__((noinline)) struct assay_result encode_other16(const struct encoding *encoding,
                                                                    enum assay_policy policy, const uint16_t *units,
                                                                    size_t unit_count, uint8_t *out, size_t capacity)
{
    return encode_other(UTF16, encoding, policy, units, unit_count, out, capacity);
}

static __attribute__((noinline)) struct assay_result encode_other32(const struct encoding *encoding,
                                                                    enum assay_policy policy, const uint32_t *units,
                                                                    size_t unit_count, uint8_t *out, size_t capacity)
{
    return encode_other(UTF32, encoding, policy, units, unit_count, out, capacity);
}

#else
#define encode_other16 encode_long16
#define encode_other32 encode_long32
#endif

/* Strings of 1 to 64 units take vec_encode_short(). What that does not encode, and other texts of up to
 * VEC_ENCODE_MIDDLE units, take vec_encode_middle(), if there is one. All else takes encode(): longer texts, those with
 * an error or too little room, and encodings that write surrogates by themselves. */
KERNEL_PART struct assay_result encode_whole(enum form form, const struct encoding *encoding, enum assay_policy policy,
                                             const void *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    enum { SHORT = 64 };
    size_t written = 0;
    bool is_short = unit_count - 1 < SHORT; /* not 0 */
    if (__builtin_expect(is_usual(encoding, policy) && is_short, true))
        written = vec_encode_short(form == UTF32, units, unit_count, out, capacity);
    if (__builtin_expect(written > 0, true))
        return (struct assay_result){.status = ASSAY_OK, .read = unit_count, .written = written};
    return form == UTF16 ? encode_other16(encoding, policy, units, unit_count, out, capacity)
                         : encode_other32(encoding, policy, units, unit_count, out, capacity);
}

#else
#define encode_whole encode
#endif

KERNEL_PART struct assay_result encode32_in(const struct encoding *encoding, enum assay_policy policy,
                                            const uint32_t *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    return encode_whole(UTF32, encoding, policy, units, unit_count, out, capacity);
}

KERNEL_PART struct assay_result encode16_in(const struct encoding *encoding, enum assay_policy policy,
                                            const uint16_t *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    return encode_whole(UTF16, encoding, policy, units, unit_count, out, capacity);
}

#endif
