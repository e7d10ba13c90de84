/* SPDX-License-Identifier: MIT
 *
 * partial.h - the second function that the library of partial.c exports, besides the codec.
 */
#ifndef ASSAY_PARTIAL_H
#define ASSAY_PARTIAL_H

#include "../../codecs/codec.h"

/* Makes `assay_codec` offer everything but what the words name (see partial.c). */
void partial_leave_out(const char *words);

#endif
