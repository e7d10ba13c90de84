/* SPDX-License-Identifier: MIT
 *
 * cpu_stores.h - how long output is stored on this CPU. Apart from cpu.h, which has another ISA than the SIMD codecs.
 */
#ifndef ASSAY_CPU_STORES_H
#define ASSAY_CPU_STORES_H

#include <stdbool.h>

/* True if long output is written fastest by stores that go past the caches: on Intel's processors, not on AMD's
 * (simd/MEASUREMENTS.md). The environment variable ASSAY_PAST_CACHES, 1 or 0, decides otherwise. */
bool cpu_stores_past_caches(void);

#endif
