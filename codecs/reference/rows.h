/* SPDX-License-Identifier: MIT
 *
 * rows.h - the step of an encoding of bytes, from its table of well-formed sequences, the rows.
 */
#ifndef ASSAY_REFERENCE_ROWS_H
#define ASSAY_REFERENCE_ROWS_H

#include "loop.h"

struct byte_range {
    uint8_t low, high;
};

/* Code points first..last, and the range of each byte of their sequences. */
struct row {
    uint32_t first, last;
    size_t length; /* 1, 2, 3, 4; or 6: a surrogate pair of three bytes each */
    struct byte_range bytes[6];
};

/* The table. The first row that matches decides: of two rows that begin alike, the longer sequence stands first; of two
 * rows for one code point, the first is written. */
struct rows {
    const struct row *table;
    size_t count;
    bool has_four_byte_form;          /* if false, F0..FF begin nothing */
    enum assay_fault surrogate_fault; /* the fault of a surrogate that no row, or no rule, accepts */
};

#define ROWS(rows_) .table = (rows_), .count = sizeof(rows_) / sizeof(rows_)[0]

/* The policies that all encodings of bytes have. The other policies are those of decoders of UTF-8. */
#define POLICIES_OF_BYTES (POLICIES_OF_ALL | POLICY(PER_BYTE))

/* ---- bits: Unicode 17.0, Table 3-6; for code units, UTR 26, 2.2 ------------------------------------- */

static uint32_t bits_of(const uint8_t *bytes, size_t length)
{
    ASSUME((length >= 1 && length <= 4) || length == 6);
    switch (length) {
    case 1: return bytes[0];
    case 2: return (bytes[0] & 0x1Fu) << 6 | (bytes[1] & 0x3Fu);
    case 3: return (bytes[0] & 0x0Fu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
    case 4: return (bytes[0] & 0x07u) << 18 | (bytes[1] & 0x3Fu) << 12 | (bytes[2] & 0x3Fu) << 6 | (bytes[3] & 0x3Fu);
    default: return scalar_of_pair(bits_of(bytes, 3), bits_of(bytes + 3, 3));
    }
}

static void put_bits(uint32_t code_point, size_t length, uint8_t *out)
{
    ASSUME((length >= 1 && length <= 4) || length == 6);
    switch (length) {
    case 1: out[0] = (uint8_t)code_point; break;
    case 2:
        out[0] = (uint8_t)(0xC0 | code_point >> 6);
        out[1] = (uint8_t)(0x80 | (code_point & 0x3F));
        break;
    case 3:
        out[0] = (uint8_t)(0xE0 | code_point >> 12);
        out[1] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (code_point & 0x3F));
        break;
    case 4:
        out[0] = (uint8_t)(0xF0 | code_point >> 18);
        out[1] = (uint8_t)(0x80 | (code_point >> 12 & 0x3F));
        out[2] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
        out[3] = (uint8_t)(0x80 | (code_point & 0x3F));
        break;
    default: put_bits(lead_of(code_point), 3, out); put_bits(trail_of(code_point), 3, out + 3);
    }
}

static size_t encode_by_rows(const struct encoding *encoding, uint32_t code_point, uint8_t out[LONGEST])
{
    for (size_t i = 0; i < encoding->rows->count; i++) {
        const struct row *row = &encoding->rows->table[i];
        if (row->first <= code_point && code_point <= row->last) {
            put_bits(code_point, row->length, out);
            return row->length;
        }
    }
    return 0;
}

/* ---- faults ------------------------------------------------------------------------------------------- */

/* The fault of a byte that begins no row. */
static enum assay_fault fault_of_first(const struct rows *rows, uint8_t first)
{
    if (is_continuation(first))
        return ASSAY_FAULT_STRAY_CONTINUATION;
    if (first == 0xC0 || first == 0xC1)
        return ASSAY_FAULT_OVERLONG;
    if (first >= 0xF5 && first <= 0xF7 && rows->has_four_byte_form)
        return ASSAY_FAULT_OUT_OF_RANGE;
    return ASSAY_FAULT_INVALID_LEAD;
}

/* The fault at a later byte: no row has this byte at its position. */
static enum assay_fault fault_of_later(const struct rows *rows, uint8_t first, uint8_t later)
{
    if (!is_continuation(later))
        return ASSAY_FAULT_MISSING_CONTINUATION;
    if (first == 0xED)
        return rows->surrogate_fault;
    if (first == 0xF4)
        return ASSAY_FAULT_OUT_OF_RANGE;
    return ASSAY_FAULT_OVERLONG; /* C0, E0 and F0 */
}

/* ---- the step --------------------------------------------------------------------------------------------- */

static bool is_in(struct byte_range range, uint8_t byte)
{
    return range.low <= byte && byte <= range.high;
}

/* The number of bytes that match the row. */
static size_t matched_bytes(const struct row *row, const struct ahead *ahead)
{
    size_t count = 0;
    while (count < row->length && count < ahead->count && is_in(row->bytes[count], ahead->bytes[count]))
        count++;
    return count;
}

static bool is_refused_trail(const struct encoding *encoding, const struct ahead *ahead)
{
    return encoding->joins_surrogates && ahead->after_lead && ahead->bytes[0] == 0xED && ahead->count > 1 &&
           ahead->bytes[1] >= 0xB0 && ahead->bytes[1] <= 0xBF;
}

static struct step step_by_rows(const struct encoding *encoding, const struct ahead *ahead)
{
    ASSUME(ahead->count > 0);
    const struct rows *rows = encoding->rows;
    uint8_t first = ahead->bytes[0];
    size_t matched = 0;   /* the longest prefix of a sequence */
    bool is_open = false; /* some row would match with more bytes */
    if (is_refused_trail(encoding, ahead))
        return (struct step){1, 0, rows->surrogate_fault};
    const struct row *end = rows->table + rows->count;
    for (const struct row *row = rows->table; row < end; row++) {
        if (!is_in(row->bytes[0], first))
            continue;
        size_t count = matched_bytes(row, ahead);
        bool is_whole = count == row->length;
        if (is_whole && (!is_open || ahead->last))
            return (struct step){count, bits_of(ahead->bytes, count), ASSAY_FAULT_NONE};
        matched = count > matched ? count : matched;
        is_open |= !is_whole && count == ahead->count;
    }
    if (is_open)
        return (struct step){ahead->count, 0, ASSAY_FAULT_TRUNCATED};
    if (matched == 0)
        return (struct step){1, 0, fault_of_first(rows, first)};
    /* a lead surrogate; the bytes after it are read again, from the first one (D84) */
    if (matched >= 3 && first == 0xED)
        return (struct step){3, 0, ASSAY_FAULT_UNPAIRED_SURROGATE};
    return (struct step){matched, 0, fault_of_later(rows, first, ahead->bytes[matched])};
}

/* Steps begin at bytes that are not continuation bytes. Exception: the second ED of a surrogate pair, whose step begins
 * at the lead before it. If no such byte is near enough, `at` is a stray continuation byte. */
static size_t start_near_by_rows(const uint8_t *bytes, size_t at)
{
    size_t start = at;
    while (start > 0 && at - start < 3 && is_continuation(bytes[start]))
        start--;
    if (is_continuation(bytes[start]))
        return at;
    bool has_lead_before = bytes[start] == 0xED && start >= 3 && bytes[start - 3] == 0xED && bytes[start - 2] >= 0xA0 &&
                           bytes[start - 2] <= 0xAF && is_continuation(bytes[start - 1]);
    return has_lead_before ? start - 3 : start;
}

/* The members that are the same for all encodings with rows. */
#define BY_ROWS(rows_) \
    .step = step_by_rows, .start_near = start_near_by_rows, .encode = encode_by_rows, .rows = &(rows_)

#endif
