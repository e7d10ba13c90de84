/* SPDX-License-Identifier: MIT
 *
 * encoding.h - what an encoding is to the vector algorithms: data. See utf8_tables.h.
 */
#ifndef ASSAY_SIMD_ENCODING_H
#define ASSAY_SIMD_ENCODING_H

#include <stdint.h>

struct encoding {
    /* What is wrong with two neighbouring bytes: the bits that these entries have in common. */
    uint8_t first_high[16];  /* by the high nibble of the first byte */
    uint8_t first_low[16];   /* by its low nibble */
    uint8_t second_high[16]; /* by the high nibble of the second byte */

    uint8_t not_second;        /* the bits for a lead, then a continuation byte that it does not take */
    uint8_t two_continuations; /* the top bit: wrong, unless the bytes before ask for a third or a fourth byte */

    uint8_t first_lead, last_lead; /* bytes that begin a sequence of two and more */
    uint8_t first_lead_of_3;       /* and of three and more */
    uint8_t first_lead_of_4;       /* and of four */
    uint8_t lead_of_surrogates;    /* would begin U+D800..U+DFFF, if those could be encoded */
};

#endif
