/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that validates as the reference does and reports of an error only its offset.
 *
 *   NAME, ENCODING   strings: what it says it is
 *   WRONG            1: takes C0 and C1 as leads
 *   BEFORE           a statement to run first, for example one that crashes
 *   OFFERED          the initializers of its operations; none if it is empty
 *   OLDER_BY         a number of bytes: the codec has an older struct of the ABI, smaller by that number, and no
 *                    function after it
 */
#include "codec.h"
#include "valid.h"

#include <stdlib.h>

#ifndef ENCODING
#define ENCODING "utf-8"
#endif
#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef OFFERED
#define OFFERED .validate = validate
#endif

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    BEFORE;
    size_t at = valid_up_to(bytes, count);
    if (error != NULL)
        *error = at == count ? (struct assay_span){0} : (struct assay_span){at, ASSAY_UNKNOWN, ASSAY_FAULT_NONE, false};
    return at == count;
}

#ifdef OLDER_BY
extern struct assay_codec assay_codec;
struct assay_codec assay_codec = {ASSAY_CODEC_HEADER(ENCODING, NAME), OFFERED};

__attribute__((constructor)) static void age(void)
{
    assay_codec.struct_size = ASSAY_CODEC_LEAST_SIZE - OLDER_BY;
    *(uintptr_t *)&assay_codec.to_well_formed = 1;
}
#else
extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER(ENCODING, NAME), OFFERED};
#endif
