/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that claims to be UTF-8, made of a scheme (codecs/schemes/) with rules that no encoding and no
 * scheme has.
 *
 *   SCHEME       the initializers of its struct scheme
 *   REFUSES_AB   1: refuses 29 41, though each is well-formed alone
 */
#include "schemes/step.h"
#include "schemes/scheme.c"

static const struct scheme scheme_planted = {SCHEME};
static const struct encoding planted = {OF_SCHEME(scheme_planted)};
#define ENCODING planted
#define NAME "utf-8"
#include "reference/codec.inc"

static bool refuses(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    for (size_t i = 1; REFUSES_AB && i < count; i++)
        if (bytes[i - 1] == 0x29 && bytes[i] == 0x41)
            return false;
    return planted_reference_validate(bytes, count, error);
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "planted"), .validate = refuses,
                                        .decode_utf32 = planted_reference_decode_utf32,
                                        .encode_utf32 = planted_reference_encode_utf32};
