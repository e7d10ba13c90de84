/* SPDX-License-Identifier: MIT
 *
 * ask.h - how `assay check` and the museum ask a codec a question of the vectors.
 */
#ifndef ASSAY_VECTORS_ASK_H
#define ASSAY_VECTORS_ASK_H

#include "../../core/compare.h"
#include "../../core/convert.h"
#include "vectors.h"

/* Variants of a question: buffers at different places with different ends, calls with little room, and the last one,
 * addresses that do not depend on lengths (shift_for). */
enum { VARIANT_SHIFTED = 5, VARIANT_COUNT };

/* Sets the room and the placement of a variant. Returns false if the variant does not change this question. */
bool variant_apply(size_t variant, const struct probe *probe, struct question *asked, enum placement *placement);

/* Returns what differs, or NULL. */
const char *conversion_differs(const struct conversion *expected, enum outcome outcome, const struct converter *actual);

#endif
