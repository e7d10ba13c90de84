/* SPDX-License-Identifier: MIT
 *
 * A shift-based automaton: each byte has a 64-bit word that holds, for every state, six bits of the next
 * one; the state is the number of bits by which to shift the word. One load that does not wait for the
 * state, one shift that does. The idea is Per Vognsen's ("Shift-based DFAs").
 */
#include "engine.h"

/* Only the low six bits of the result count: they are the next state. */
static inline uint32_t step_shift(uint32_t state, uint8_t byte)
{
    return (uint32_t)(utf8_shift[byte] >> state) & 63;
}

static const struct automaton shift = {step_shift, NULL, 6, 6};
#define FORM shift
#include "codec.inc"
