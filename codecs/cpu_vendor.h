/* SPDX-License-Identifier: MIT
 *
 * cpu_vendor.h - for kernels that are fastest on the processors of one vendor. Apart from cpu.h, which has another ISA
 * than the SIMD codecs.
 */
#ifndef ASSAY_CPU_VENDOR_H
#define ASSAY_CPU_VENDOR_H

#include <stdbool.h>

/* True on Intel's processors. The environment variable ASSAY_VENDOR, intel or amd, decides otherwise; it is read
 * once. */
bool cpu_is_intel(void) __attribute__((const));

/* Returns the value of ASSAY_VENDOR if it is neither intel nor amd; otherwise NULL. */
const char *cpu_unknown_vendor(void);

#endif
