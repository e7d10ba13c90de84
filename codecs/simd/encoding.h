/* SPDX-License-Identifier: MIT
 *
 * encoding.h - what an encoding is to the vector algorithms: data. See tables/utf8.h and tables/family.h.
 *
 * The tables speak of the plain part of an encoding: what has neither a surrogate that only its neighbours make right,
 * nor U+0000 in two bytes. Text that they take is well-formed; where they refuse something, the marks (bytes/marks.h) decide.
 */
#ifndef ASSAY_SIMD_ENCODING_H
#define ASSAY_SIMD_ENCODING_H

#include "../codec.h"

#include <stdint.h>

/* What surrogates are. */
enum surrogates {
    AS_THE_TABLES_SAY, /* refused, or characters like any other */
    APART,             /* characters, but a trail is refused right after a lead (WTF-8, section 6) */
    IN_PAIRS,          /* halves of supplementary characters, and nothing else (UTR 26) */
    JOINED             /* characters, and two halves of a supplementary one where a trail follows a lead (Java) */
};

struct encoding {
    /* What is wrong with two neighbouring bytes: the bits that these entries have in common. */
    uint8_t first_high[16];  /* by the high nibble of the first byte */
    uint8_t first_low[16];   /* by its low nibble */
    uint8_t second_high[16]; /* by the high nibble of the second byte */

    uint8_t not_second;        /* the bits for a lead, then a continuation byte that it does not take */
    uint8_t surrogate_second;  /* the bit for the first two bytes of a surrogate, where neighbours decide on it; or 0 */
    uint8_t two_continuations; /* the top bit: wrong, unless the bytes before ask for a third or a fourth byte */

    uint8_t first_lead, last_lead; /* bytes that begin a sequence of two and more */
    uint8_t first_lead_of_3;       /* and of three and more */
    uint8_t first_lead_of_4;       /* and of four; FF, which is no lead, where there is none */
    uint8_t lead_of_surrogates;    /* begins U+D800..U+DFFF, or would if those could be encoded */

    enum surrogates surrogates;
    enum assay_fault fault_of_surrogates; /* what is wrong with those that are refused */
    bool encodes_surrogates;              /* as characters of three bytes */
    bool writes_long_nul;                 /* U+0000 becomes C0 80 */
    bool refuses_00;                      /* and only that becomes U+0000: the byte 00 is nothing */
    unsigned policies;                    /* those that are offered, a bit for each */

    bool big_endian; /* of UTF-16 (utf16/decode.h), which has nothing else of these but the policies */
};

#define POLICY(id) (1u << ASSAY_POLICY_##id)

static inline bool offers(const struct encoding *encoding, enum assay_policy policy)
{
    return (encoding->policies >> policy & 1) != 0;
}

/* Whether what the tables refuse is ill-formed in any case. */
static inline bool tables_are_final(const struct encoding *encoding)
{
    return encoding->surrogates == AS_THE_TABLES_SAY && !encoding->refuses_00;
}

/* What U+0000 in two bytes begins with. */
enum { LEAD_OF_NUL = 0xC0 };

#endif
