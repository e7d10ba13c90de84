/* SPDX-License-Identifier: MIT
 *
 * partial.h - what the library of a codec that does not offer everything exports beside it.
 */
#ifndef ASSAY_PARTIAL_H
#define ASSAY_PARTIAL_H

#include "../../codecs/codec.h"

/* From now on `assay_codec` leaves out what the words name (see partial.c), and offers all else. */
void partial_leave_out(const char *words);

#endif
