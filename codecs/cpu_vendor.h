/* SPDX-License-Identifier: MIT
 *
 * cpu_vendor.h - for kernels that are fastest on the processors of one vendor. A header of its own, because cpu.h lists
 * codecs.def by a macro ISA, and the SIMD codecs have another of this name.
 */
#ifndef ASSAY_CPU_VENDOR_H
#define ASSAY_CPU_VENDOR_H

#include <stdbool.h>

/* Returns true on an Intel processor. The environment variable ASSAY_VENDOR, `intel` or `amd`, read at the first call,
 * overrides this; later changes have no effect. */
bool cpu_is_intel(void);

/* Returns the value of ASSAY_VENDOR if it is neither intel nor amd; otherwise NULL. */
const char *cpu_unknown_vendor(void);

#endif
