/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that gives no answer to some calls.
 *
 *   NAME      a string: its name
 *   END       what it does instead of an answer
 *   WHEN      a condition on `bytes`, `count`, `error` and `calls` (this one included): calls that get no answer
 *   ANSWER    the answer to the others
 *   AT_LOAD   a statement to run when the library is loaded
 */
#include "codec.h"
#include "valid.h"

#include <stdlib.h>
#include <unistd.h>

#ifndef WHEN
#define WHEN error == NULL || count < sizeof page
#endif
#ifndef ANSWER
#define ANSWER page[0] == bytes[0]
#endif

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    static int calls;
    volatile char page[4096];
    calls++;
    page[count % sizeof page] = 1;
    if (WHEN)
        END;
    return ANSWER;
}

#ifdef AT_LOAD
__attribute__((constructor)) static void begin(void)
{
    AT_LOAD;
}
#endif

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", NAME), .validate = validate};
