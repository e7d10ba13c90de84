/* SPDX-License-Identifier: MIT
 *
 * cpu.h - which of the instruction sets named in codecs.def this CPU has.
 *
 * The environment variable ASSAY_WITHOUT takes them away one by one ("avx512,avx2"), so that one machine
 * runs every path. A name that codecs.def does not have is an error, because a test that takes away nothing
 * would prove nothing.
 */
#ifndef ASSAY_CPU_H
#define ASSAY_CPU_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cpu_isa {
    CPU_ANY, /* nothing beyond what the compiler may use anyway */
#define ISA(name, processor, flags) CPU_##name,
#include "codecs.def"
    CPU_ISA_COUNT
};

/* "any", "sse41", ... */
const char *cpu_isa_name(enum cpu_isa isa);

/* True if this build emulates the instruction set, even on a CPU that has it: its codecs run on any CPU, slowly. */
bool cpu_emulates(enum cpu_isa isa);

/* True if this CPU has the instruction set or it is emulated, and ASSAY_WITHOUT does not take it away. */
bool cpu_has(enum cpu_isa isa);

/* True if ASSAY_WITHOUT takes the instruction set away. */
bool cpu_is_without(enum cpu_isa isa);

/* Returns the first word in ASSAY_WITHOUT (up to a comma, a space or the end) that names no instruction set; NULL if
 * none. */
const char *cpu_unknown_override(void);

#ifdef __cplusplus
}
#endif

#endif
