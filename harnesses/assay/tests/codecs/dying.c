/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that gives no answer to some calls.
 *
 *   NAME      a string: its name
 *   END       what it does instead of an answer
 *   WHEN      a condition on `bytes`, `count`, `error` and `calls` (this one included): calls that get no answer
 *   ANSWER    the answer to the others
 *   AT_LOAD   a statement to run when the library is loaded
 *   AT_UNLOAD the same, when the process ends
 *   WALK      a condition: while it is true, its walk has a next step
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

#ifdef AT_UNLOAD
__attribute__((destructor)) static void end(void)
{
    AT_UNLOAD;
}
#endif

#ifdef WALK
static void walk(const uint8_t *bytes, size_t count, void (*visit)(void *, const struct assay_step *), void *context)
{
    while (WALK)
        visit(context, &(const struct assay_step){.byte = bytes[0], .offset = count});
}
#else
enum { walk }; /* NULL */
#endif

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", NAME), .validate = validate, .walk = walk};
