/* SPDX-License-Identifier: MIT
 *
 * The reference for Modified UTF-8, from the documentation of java.io.DataInput, and for what DataInput.readUTF
 * accepts. A string is a sequence of any UTF-16 code units: U+0000 takes two bytes, a supplementary character is its
 * two surrogates, and surrogates may be unpaired. The length that Java writes before the string is not part of it.
 */
#include "rows.h"

/* java.io.DataInput, "Modified UTF-8": U+0001..U+007F in one byte, U+0000 and U+0080..U+07FF in two, all others in
 * three. The rows after these are accepted only by readUTF, which checks no more than the patterns 0xxxxxxx, 110xxxxx
 * 10xxxxxx and 1110xxxx 10xxxxxx 10xxxxxx. */
static const struct row table[] = {
    /* clang-format off */
    {0x0001,  0x007F,   1, {{0x01, 0x7F}}},
    {0x0000,  0x0000,   2, {{0xC0, 0xC0}, {0x80, 0x80}}},
    {0x0080,  0x07FF,   2, {{0xC2, 0xDF}, {0x80, 0xBF}}},
    {0x0800,  0x0FFF,   3, {{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}}},
    {0x10000, 0x10FFFF, 6, {{0xED, 0xED}, {0xA0, 0xAF}, {0x80, 0xBF}, {0xED, 0xED}, {0xB0, 0xBF}, {0x80, 0xBF}}},
    {0x1000,  0xFFFF,   3, {{0xE1, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {0x0000,  0x0000,   1, {{0x00, 0x00}}},
    {0x0000,  0x007F,   2, {{0xC0, 0xC1}, {0x80, 0xBF}}},
    {0x0000,  0x07FF,   3, {{0xE0, 0xE0}, {0x80, 0x9F}, {0x80, 0xBF}}},
    /* clang-format on */
};
enum { ROWS_THAT_ARE_WRITTEN = 6 };

static const struct rows rows = {.table = table, .count = ROWS_THAT_ARE_WRITTEN};
static const struct rows rows_of_readutf = {ROWS(table)};

static const struct encoding mutf8 = {BY_ROWS(rows), .policies = POLICIES_OF_BYTES};
#define ENCODING mutf8
#define NAME "mutf-8"
#include "codec.inc"

static const struct encoding readutf = {BY_ROWS(rows_of_readutf), .policies = POLICIES_OF_BYTES};
#define ENCODING readutf
#define NAME "mutf-8-readutf"
#include "codec.inc"
