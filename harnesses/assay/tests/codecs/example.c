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

#include <stdlib.h>

#ifndef ENCODING
#define ENCODING "utf-8"
#endif
#ifndef WRONG
#define WRONG 0
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
    size_t at = 0;
    if (error != NULL)
        *error = (struct assay_span){0};
    while (at < count) {
        uint8_t lead = bytes[at];
        size_t more = lead < 0x80               ? 0
                      : lead < 0xC2 - 2 * WRONG ? 9
                      : lead < 0xE0             ? 1
                      : lead < 0xF0             ? 2
                      : lead < 0xF5             ? 3
                                                : 9;
        size_t length = 1;
        bool good = more < 9;
        for (; good && length <= more && at + length < count; length++) {
            uint8_t low = 0x80, high = 0xBF, byte = bytes[at + length];
            if (length == 1 && lead == 0xE0)
                low = 0xA0;
            if (length == 1 && lead == 0xED)
                high = 0x9F;
            if (length == 1 && lead == 0xF0)
                low = 0x90;
            if (length == 1 && lead == 0xF4)
                high = 0x8F;
            good = byte >= low && byte <= high;
        }
        if (!good || length <= more) {
            if (error != NULL)
                *error = (struct assay_span){at, ASSAY_UNKNOWN, ASSAY_FAULT_NONE, false};
            return false;
        }
        at += length;
    }
    return true;
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
