/* SPDX-License-Identifier: MIT
 *
 * A shift-based automaton: each byte has a 64-bit word with six bits of next state for every state; the state is the
 * number of bits by which to shift the word. A step is one load, which does not wait for the state, and one shift,
 * which does. The idea is Per Vognsen's ("Shift-based DFAs"). A word has room for ten states.
 */
#ifndef ASSAY_DFA_SHIFT_H
#define ASSAY_DFA_SHIFT_H

#include "engine.h"

enum { STATE_BITS = 6, STATE_MASK = (1 << STATE_BITS) - 1 };

/* Shift instructions use only the low six bits of the count, so the mask costs no instruction. */
#define AUTOMATON_OF(encoding_, form) \
    static inline uint64_t encoding_##_step(uint64_t state, uint8_t byte) \
    { \
        return encoding_##_shift[byte] >> (state & STATE_MASK); \
    } \
    static const struct automaton encoding_##_##form##_automaton = {&encoding_, encoding_##_step, NULL, STATE_BITS, \
                                                                    STATE_MASK}

#endif
