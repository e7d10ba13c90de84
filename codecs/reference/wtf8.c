/* SPDX-License-Identifier: MIT
 *
 * The references for WTF-8 and for generalized UTF-8, from the specification of WTF-8. Generalized UTF-8 (section 5)
 * holds every code point; a lead surrogate and a trail in a row are two code points like any other two. WTF-8 (section
 * 6) is "identical to generalized UTF-8, with the additional well-formedness constraint that a surrogate pair byte
 * sequence is ill-formed". The specification does not define how ill-formed bytes are decoded (6.2); here a trail after
 * a lead is refused at its second byte, the first that distinguishes it from other characters.
 */
#include "rows.h"

/* WTF-8, Table 3: Well-formed byte sequences representing a single code point. */
static const struct row table_3[] = {
    /* clang-format off */
    {0x0000,   0x007F,   1, {{0x00, 0x7F}}},
    {0x0080,   0x07FF,   2, {{0xC2, 0xDF}, {0x80, 0xBF}}},
    {0x0800,   0x0FFF,   3, {{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}}},
    {0x1000,   0xFFFF,   3, {{0xE1, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {0x10000,  0x3FFFF,  4, {{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {0x40000,  0xFFFFF,  4, {{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {0x100000, 0x10FFFF, 4, {{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}}},
    /* clang-format on */
};

static const struct rows rows = {ROWS(table_3), .has_four_byte_form = true,
                                 .surrogate_fault = ASSAY_FAULT_SURROGATE_PAIR};

static const struct encoding generalized = {BY_ROWS(rows), .policies = POLICIES_OF_BYTES};
#define ENCODING generalized
#define NAME "generalized-utf-8"
#include "codec.inc"

static const struct encoding wtf8 = {BY_ROWS(rows), .policies = POLICIES_OF_BYTES, .joins_surrogates = true};
#define ENCODING wtf8
#define NAME "wtf-8"
#include "codec.inc"
