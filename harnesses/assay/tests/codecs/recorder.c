/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that validates, and appends each input, after its length, to the file KEPT; with PLACES, the
 * input's place in a cache line instead. It is slow, so that a turn is one call.
 */
#define _DEFAULT_SOURCE
#include "codec.h"
#include "valid.h"

#include <stdio.h>
#include <unistd.h>

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    static FILE *file;
    (void)error;
    if (file == NULL)
        file = fopen(KEPT, "wb");
#ifdef PLACES
    fprintf(file, "%zu ", (size_t)((uintptr_t)bytes % 64));
#else
    fprintf(file, "%zu ", count);
    fwrite(bytes, 1, count, file);
#endif
    fflush(file);
    usleep(200);
    return valid_up_to(bytes, count) == count;
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "recorder"), .validate = validate};
