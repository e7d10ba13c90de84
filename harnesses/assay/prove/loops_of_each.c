/* SPDX-License-Identifier: MIT
 *
 * The loops of validation that are written once for all instruction sets.
 */
#define LOOPS_OF loops_of_each
#include "loops.inc"
