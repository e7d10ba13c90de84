/* SPDX-License-Identifier: MIT
 *
 * The loop of validation that skips ASCII at the begin of a text longer than the second-level cache, and the one that
 * skips English prose where such a text comes from memory, as on a processor where ASCII is not prefetched. A question
 * stands for the validation of what follows.
 */
#include "../../../codecs/cpu_vendor.h"

#define cpu_is_intel() false
#define PREFETCHED LONG
#define FAR_BYTES SHORTEST_FAR
#define VEC_PROSE_BY_HALVES
#ifdef CANARY /* leaves out a byte */
#define VALIDATE_REST(encoding, bytes, byte_count, error) ask_text(encoding, (bytes) + 1, (byte_count)-1, error)
#else
#define VALIDATE_REST ask_text
#endif
#define LOOPS_OF loops_before_rest
#include "loops.inc"
