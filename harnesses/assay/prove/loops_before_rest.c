/* SPDX-License-Identifier: MIT
 *
 * The loop of validation that skips ASCII at the begin of a text longer than the second-level cache, as on a processor
 * where that is not prefetched. A question stands for the validation of what follows.
 */
#include "../../../codecs/cpu_vendor.h"

#define cpu_is_intel() false
#define PREFETCHED LONG
#ifdef CANARY /* leaves out a byte */
#define VALIDATE_REST(encoding, bytes, byte_count, error) ask_text(encoding, (bytes) + 1, (byte_count)-1, error)
#else
#define VALIDATE_REST ask_text
#endif
#define LOOPS_OF loops_before_rest
#include "loops.inc"
