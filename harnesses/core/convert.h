/* SPDX-License-Identifier: MIT
 *
 * convert.h - from one encoding to another: what `assay convert`, the subject and the laws of conversion share.
 *
 * Text passes as code points; where one side is UTF-16, as its units. Each of the two steps meets its own errors under
 * the policy: decoding those of the input, encoding what the other encoding cannot hold.
 *
 * Surrogates: an encoding either holds surrogate code points (WTF-8, generalized UTF-8, Modified UTF-8) or does not
 * (UTF-8, CESU-8). UTF-16 does so towards those that do: it is then potentially ill-formed UTF-16 (WTF-8, section 4), which
 * is converted either way without failure (6.3). Towards all others, and towards itself, it has to be well-formed.
 */
#ifndef ASSAY_CONVERT_H
#define ASSAY_CONVERT_H

#include "../../codecs/registry.h"

/* An encoding by name: that of a codec, or `utf-8-sig`, UTF-8 without the U+FEFF that it may begin with. */
struct form {
    const struct assay_codec *codec;
    bool strips_signature;
};

/* The form of that name, with the codec of that name if it has one that runs here, else with its reference. False if
 * there is no such encoding. */
bool form_find(const char *encoding, const char *codec, struct form *form);

/* U+FEFF in UTF-8, as `utf-8-sig` may begin. */
enum { SIGNATURE_LENGTH = 3 };
extern const uint8_t signature[SIGNATURE_LENGTH];

enum outcome {
    CONVERTED,
    INPUT_ILL_FORMED, /* under the policy, the input's first error ends it */
    NOT_HELD,         /* so does a code point that the other encoding cannot hold */
    NOT_OFFERED,      /* by one of the two codecs: the operation, or the policy */
    CONTRACT_BROKEN   /* a loaded codec did not do what codec.h says */
};

/* Memory that grows with the largest conversion. All zero at first; converter_end gives it back. */
struct converter {
    uint8_t *bytes; /* what the last conversion made */
    size_t byte_count;
    struct assay_span error; /* under INPUT_ILL_FORMED and NOT_HELD: in bytes of the input */

    size_t byte_capacity, unit_capacity;
    void *units;
};

enum outcome convert(struct converter *converter, const struct form *from, const struct form *to,
                     enum assay_policy policy, const uint8_t *bytes, size_t byte_count);

/* Two strings of one encoding as one (see codec.h), by the codec's own means if it has any. What is ill-formed for itself
 * is INPUT_ILL_FORMED, with the error of that string. */
enum outcome concatenate(struct converter *converter, const struct assay_codec *codec, const uint8_t *left,
                         size_t left_count, const uint8_t *right, size_t right_count);

void converter_end(struct converter *converter);

/* Whether well-formed bytes are what their text is encoded as. Of generalized UTF-8, surrogate pairs are not (WTF-8,
 * section 5), nor what only readUTF takes. */
bool spelling_is_canonical(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count);

/* Whether surrogate code points are text in this encoding; and whether it is UTF-16, in which only units are. */
bool encoding_holds_surrogates(const struct assay_codec *codec);
bool encoding_is_utf16(const struct assay_codec *codec);

#endif
