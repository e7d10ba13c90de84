/* SPDX-License-Identifier: MIT
 *
 * deviations.h - the deviations of decoders by others (../subjects/deviations.def), for fuzz targets.
 */
#ifndef ASSAY_DEVIATIONS_H
#define ASSAY_DEVIATIONS_H

#include "../core/compare.h"

/* Returns the sentence of a deviation that is listed for the codec and applies to the question; NULL if there is
 * none. */
const char *deviation_of(const struct divergence *divergence);

#endif
