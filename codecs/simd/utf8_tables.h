/* SPDX-License-Identifier: MIT
 *
 * UTF-8 as data for the vector algorithms. What is wrong with a pair of neighbouring bytes are the bits that
 * first_high[high nibble of the first], first_low[its low nibble] and second_high[high nibble of the second]
 * have in common (Keiser & Lemire 2021, "Validating UTF-8 in less than one instruction per byte").
 * Derived from Unicode 17.0, Table 3-7.
 */
#ifndef ASSAY_SIMD_UTF8_TABLES_H
#define ASSAY_SIMD_UTF8_TABLES_H

#include "encoding.h"

#define TL 0x01 /* too long: 00..7F, then 80..BF */
#define CC 0x80 /* two continuations: 80..BF, then 80..BF */
#define TS 0x02 /* too short: C0..FF, then 00..7F C0..FF */
#define C_8B 0x04 /* C0..C1, then 80..BF */
#define E_89 0x08 /* E0, then 80..9F */
#define E_AB 0x10 /* ED, then A0..BF */
#define F_8 0x20 /* F0 F5..FF, then 80..8F */
#define F_9B 0x40 /* F4..FF, then 90..BF */

static const struct encoding utf8 = {
    .first_high = {
        /* 0 */ TL,
        /* 1 */ TL,
        /* 2 */ TL,
        /* 3 */ TL,
        /* 4 */ TL,
        /* 5 */ TL,
        /* 6 */ TL,
        /* 7 */ TL,
        /* 8 */ CC,
        /* 9 */ CC,
        /* A */ CC,
        /* B */ CC,
        /* C */ TS | C_8B,
        /* D */ TS,
        /* E */ TS | E_89 | E_AB,
        /* F */ TS | F_8 | F_9B,
    },
    .first_low = {
        /* 0 */ TL | CC | TS | C_8B | E_89 | F_8,
        /* 1 */ TL | CC | TS | C_8B,
        /* 2 */ TL | CC | TS,
        /* 3 */ TL | CC | TS,
        /* 4 */ TL | CC | TS | F_9B,
        /* 5 */ TL | CC | TS | F_8 | F_9B,
        /* 6 */ TL | CC | TS | F_8 | F_9B,
        /* 7 */ TL | CC | TS | F_8 | F_9B,
        /* 8 */ TL | CC | TS | F_8 | F_9B,
        /* 9 */ TL | CC | TS | F_8 | F_9B,
        /* A */ TL | CC | TS | F_8 | F_9B,
        /* B */ TL | CC | TS | F_8 | F_9B,
        /* C */ TL | CC | TS | F_8 | F_9B,
        /* D */ TL | CC | TS | E_AB | F_8 | F_9B,
        /* E */ TL | CC | TS | F_8 | F_9B,
        /* F */ TL | CC | TS | F_8 | F_9B,
    },
    .second_high = {
        /* 0 */ TS,
        /* 1 */ TS,
        /* 2 */ TS,
        /* 3 */ TS,
        /* 4 */ TS,
        /* 5 */ TS,
        /* 6 */ TS,
        /* 7 */ TS,
        /* 8 */ TL | CC | C_8B | E_89 | F_8,
        /* 9 */ TL | CC | C_8B | E_89 | F_9B,
        /* A */ TL | CC | C_8B | E_AB | F_9B,
        /* B */ TL | CC | C_8B | E_AB | F_9B,
        /* C */ TS,
        /* D */ TS,
        /* E */ TS,
        /* F */ TS,
    },
    .not_second = C_8B | E_89 | E_AB | F_8 | F_9B,
    .two_continuations = CC,
    .first_lead = 0xC2,
    .first_lead_of_3 = 0xE0,
    .first_lead_of_4 = 0xF0,
    .last_lead = 0xF4,
    .lead_of_surrogates = 0xED,
};

#undef TL
#undef CC
#undef TS
#undef C_8B
#undef E_89
#undef E_AB
#undef F_8
#undef F_9B

#endif
