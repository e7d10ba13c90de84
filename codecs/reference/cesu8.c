/* SPDX-License-Identifier: MIT
 *
 * The reference for CESU-8 (Unicode Technical Report 26), and for what the JDK decodes under that name. CESU-8 writes
 * UTF-16 code units, each in the shortest form of UTF-8, so a supplementary character takes six bytes.
 */
#include "rows.h"

/* UTR 26, 2.1 and 2.2: one, two, three or six bytes, never F0..FF, no unpaired surrogate. The first six rows are those
 * of UTF-8; they are typed again, since each reference can be checked with its own document alone. The last row is for
 * the JDK's decoder only: any code unit. */
static const struct row table[] = {
    /* clang-format off */
    {0x0000,  0x007F,   1, {{0x00, 0x7F}}},
    {0x0080,  0x07FF,   2, {{0xC2, 0xDF}, {0x80, 0xBF}}},
    {0x0800,  0x0FFF,   3, {{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}}},
    {0x1000,  0xCFFF,   3, {{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {0xD000,  0xD7FF,   3, {{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}}},
    {0xE000,  0xFFFF,   3, {{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {0x10000, 0x10FFFF, 6, {{0xED, 0xED}, {0xA0, 0xAF}, {0x80, 0xBF}, {0xED, 0xED}, {0xB0, 0xBF}, {0x80, 0xBF}}},
    {0xD800,  0xDFFF,   3, {{0xED, 0xED}, {0xA0, 0xBF}, {0x80, 0xBF}}},
    /* clang-format on */
};
enum { ROWS_OF_UTR_26 = 7 };

static const struct rows rows = {
    .table = table, .count = ROWS_OF_UTR_26, .surrogate_fault = ASSAY_FAULT_UNPAIRED_SURROGATE};
static const struct rows rows_of_jdk = {ROWS(table)};

static const struct encoding cesu8 = {BY_ROWS(rows), .policies = POLICIES_OF_BYTES};
#define ENCODING cesu8
#define NAME "cesu-8"
#include "codec.inc"

static const struct encoding cesu8jdk = {BY_ROWS(rows_of_jdk), .policies = POLICIES_OF_BYTES};
#define ENCODING cesu8jdk
#define NAME "cesu-8-jdk"
#include "codec.inc"
