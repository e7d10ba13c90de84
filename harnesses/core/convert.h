/* SPDX-License-Identifier: MIT
 *
 * convert.h - conversion from one encoding to another, for `assay convert`, `assay subject` and the laws of
 * conversion.
 *
 * A conversion decodes to code points, or to units if one side is UTF-16, and encodes these. The policy applies to the
 * errors of both steps: ill-formed input in decoding, code points that the other encoding cannot hold in encoding.
 *
 * Surrogates: an encoding either holds surrogate code points (WTF-8, generalized UTF-8, Modified UTF-8) or does not
 * (UTF-8, CESU-8). UTF-16 together with one that does is potentially ill-formed UTF-16 (WTF-8, section 4), and
 * conversion both ways never fails (6.3). UTF-16 together with any other encoding, or with UTF-16, must be well-formed.
 *
 * Generalized UTF-8 alone may have a lead and a trail surrogate side by side as two characters. UTF-16 would make one
 * character of them, so the trail is an error there (WTF-8, section 4.1).
 */
#ifndef ASSAY_CONVERT_H
#define ASSAY_CONVERT_H

#include "../../codecs/registry.h"
#include "arena.h"

/* `utf-8-sig`, `utf-16le-sig`, `utf-16be-sig`: an encoding in which one U+FEFF at the very beginning is a signature,
 * which is removed. */
struct signature {
    const char *name, *encoding;
    uint8_t bytes[3];
    size_t byte_count;
};

/* Finds a signature by a name that ends in `-sig`, or by the encoding's name without it. NULL: there is none. */
const struct signature *signature_find(const char *name);
const struct signature *signature_of(const char *encoding);

/* True if the bytes begin with the signature; false if it is NULL. */
bool signature_begins(const struct signature *signature, const uint8_t *bytes, size_t byte_count);

/* An encoding, and the codec that is used for it. */
struct form {
    const struct assay_codec *codec;
    const struct signature *signature; /* the signature that is removed; NULL: none */
};

/* Finds an encoding by name, with the named codec if that runs here, else with the reference. Returns false if there is
 * no such encoding. */
bool form_find(const char *encoding, const char *codec, struct form *form);

enum outcome {
    CONVERTED,
    INPUT_ILL_FORMED, /* the policy stops at the input's first error */
    NOT_HELD,         /* the policy stops at a code point that the other encoding cannot hold */
    NOT_OFFERED,      /* one of the two codecs lacks the operation or the policy */
    CONTRACT_BROKEN   /* a loadable codec broke the contract of codec.h */
};

/* Initialise with zeros, but for `placement`. Its memory grows with the largest conversion; converter_end() frees it. A
 * decoder's steps may depend on where its output is, so the place is a function of the size and the placement: no
 * earlier conversion changes the result. */
struct converter {
    uint8_t *bytes; /* the output of the last conversion */
    size_t byte_count;
    struct assay_span error; /* under INPUT_ILL_FORMED and NOT_HELD: in bytes of the input */

    enum placement placement; /* the end of the output, and of the units between, that touches a guard page */
    struct arena output, units, points;
};

enum outcome convert(struct converter *converter, const struct form *from, const struct form *to,
                     enum assay_policy policy, const uint8_t *bytes, size_t byte_count);

/* Concatenates two strings of one encoding (see codec.h), with the codec's `concat` if it has one. A string that is
 * ill-formed by itself gives INPUT_ILL_FORMED, with the error as an offset in
 * that string; which of the two it is, is not returned. */
enum outcome concatenate(struct converter *converter, const struct assay_codec *codec, const uint8_t *left,
                         size_t left_count, const uint8_t *right, size_t right_count);

void converter_end(struct converter *converter);

/* True if encoding the text of these well-formed bytes gives the same bytes. False for surrogate pairs in generalized
 * UTF-8 (WTF-8, section 5), and for text that only readUTF accepts. */
bool spelling_is_canonical(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count);

/* True if well-formed bytes have an adjacent lead and trail surrogate that are two characters. */
bool has_surrogate_pair(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count);

/* True if the encoding has surrogate code points; if its code units have 16 bits; and, for those, if the high byte
 * comes first. */
bool encoding_holds_surrogates(const struct assay_codec *codec);
bool encoding_is_utf16(const struct assay_codec *codec);
bool encoding_is_big_endian(const struct assay_codec *codec);

#endif
