/* SPDX-License-Identifier: MIT
 *
 * The lanes of the kernels that are written once for all instruction sets.
 */
#define LANES_OF lanes_of_each
#include "lanes.inc"
