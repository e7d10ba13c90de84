/* SPDX-License-Identifier: MIT
 *
 * built_in.h - the codecs that are part of the program: the rows of codecs.def as a table, and which of them is the
 * fastest here.
 */
#ifndef ASSAY_BUILT_IN_H
#define ASSAY_BUILT_IN_H

#include "codec.h"
#include "cpu.h"

#ifdef __cplusplus
extern "C" {
#endif

struct registry_row {
    const struct assay_codec *codec; /* NULL: not in this build, because it is for another processor */
    const char *encoding;            /* "utf-8" */
    const char *name;                /* "avx2" */
    enum cpu_isa needs;
};

/* The rows, in the order of codecs.def. */
size_t built_in_count(void);
const struct registry_row *built_in_at(size_t index);

/* True if the codec is built and this CPU has its instruction set. */
bool registry_runs(const struct registry_row *row);

/* Returns the codec of the encoding in the last row that this CPU runs; NULL if there is none. Rows are in ascending
 * order of speed, so it is the fastest. */
const struct assay_codec *built_in_fastest(const char *encoding);

#ifdef __cplusplus
}
#endif

#endif
