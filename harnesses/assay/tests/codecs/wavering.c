/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that validates like the reference, except if `error` is NULL.
 *
 *   WITHOUT_ERROR   what it returns then
 */
#include "codec.h"

extern const struct assay_codec codec_utf8_reference;

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    return error != NULL ? codec_utf8_reference.validate(bytes, count, error) : (WITHOUT_ERROR);
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "wavering"), .validate = validate};
