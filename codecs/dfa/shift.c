/* SPDX-License-Identifier: MIT
 *
 * A shift-based automaton: each byte has a 64-bit word that holds, for every state, six bits of the next
 * one; the state is the number of bits by which to shift the word. One load that does not wait for the
 * state, one shift that does. The idea is Per Vognsen's ("Shift-based DFAs"). A word has room for ten states.
 */
#include "cesu8_tables.h"
#include "cesu8jdk_tables.h"
#include "generalized_tables.h"
#include "readutf_tables.h"
#include "utf16be_tables.h"
#include "utf16le_tables.h"
#include "utf8_tables.h"

enum { STATE_BITS = 6 };

/* Only the low six bits of the result count: they are the next state. */
#define AUTOMATON_OF(encoding_)                                                                                        \
    static inline uint32_t encoding_##_step(uint32_t state, uint8_t byte)                                              \
    {                                                                                                                  \
        return (uint32_t)(encoding_##_shift[byte] >> state) & 63;                                                      \
    }                                                                                                                  \
    static const struct automaton encoding_##_shift_automaton = {&encoding_, encoding_##_step, NULL, STATE_BITS}

AUTOMATON_OF(utf8);
#define ENCODING utf8
#define NAME "utf-8"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(generalized);
#define ENCODING generalized
#define NAME "generalized-utf-8"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(cesu8);
#define ENCODING cesu8
#define NAME "cesu-8"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(cesu8jdk);
#define ENCODING cesu8jdk
#define NAME "cesu-8-jdk"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(readutf);
#define ENCODING readutf
#define NAME "mutf-8-readutf"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(utf16le);
#define ENCODING utf16le
#define NAME "utf-16le"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(utf16be);
#define ENCODING utf16be
#define NAME "utf-16be"
#define CODEC shift
#include "codec.inc"
