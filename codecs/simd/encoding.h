/* SPDX-License-Identifier: MIT
 *
 * encoding.h - the data that describe an encoding to the vector algorithms. See tables/utf8.h and tables/family.h.
 *
 * The tables decide on everything but U+0000 in two bytes, and surrogates that are errors or not by what is beside
 * them. Text that the tables accept is well-formed. Where they refuse something, the marks (bytes/marks.h) decide.
 */
#ifndef ASSAY_SIMD_ENCODING_H
#define ASSAY_SIMD_ENCODING_H

#include "../codec.h"

#include <stdint.h>

/* What surrogates of three bytes are. */
enum surrogates {
    AS_THE_TABLES_SAY, /* refused, or characters like any other */
    APART,             /* characters, but a trail is refused right after a lead (WTF-8, section 6) */
    IN_PAIRS,          /* halves of supplementary characters, and nothing else (UTR 26) */
    JOINED             /* characters; a lead and the trail after it are one supplementary character (Java) */
};

struct encoding {
    /* What is wrong with two adjacent bytes: the bits that their three entries have in common. */
    uint8_t first_high[16];  /* by the high nibble of the first byte */
    uint8_t first_low[16];   /* by its low nibble */
    uint8_t second_high[16]; /* by the high nibble of the second byte */

    uint8_t not_second; /* the bits for a lead and a continuation byte that it does not take */
    /* the bit for the first two bytes of a surrogate if the surrogates around it decide about it; else 0 */
    uint8_t surrogate_second;
    uint8_t two_continuations; /* the top bit: wrong, unless the bytes before require a third or fourth byte */

    uint8_t first_lead, last_lead; /* bytes that begin a sequence of two bytes or more */
    uint8_t first_lead_of_3;       /* of three bytes or more */
    uint8_t first_lead_of_4;       /* of four bytes; FF, which is never a lead, if there are none */
    uint8_t lead_of_surrogates;    /* begins U+D800..U+DFFF, also where those are refused */

    enum surrogates surrogates;
    enum assay_fault fault_of_surrogates; /* the fault of surrogates that are refused */
    bool encodes_surrogates;              /* as characters of three bytes */
    bool writes_long_nul;                 /* U+0000 becomes C0 80 */
    bool refuses_00;                      /* only C0 80 is U+0000; the byte 00 is an error */
    unsigned policies;                    /* those that are offered, one bit each */

    bool big_endian; /* for UTF-16 (utf16/decode.h), which uses only this, the policies and, for WTF-16, `surrogates` */
};

#define POLICY(id) (1u << ASSAY_POLICY_##id)

static inline bool offers(const struct encoding *encoding, enum assay_policy policy)
{
    return (encoding->policies >> policy & 1) != 0;
}

/* True if everything that the tables refuse is ill-formed. */
static inline bool tables_are_final(const struct encoding *encoding)
{
    return encoding->surrogates == AS_THE_TABLES_SAY && !encoding->refuses_00;
}

/* The first byte of U+0000 in two bytes. */
enum { LEAD_OF_NUL = 0xC0 };

#endif
