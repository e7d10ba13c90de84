/* SPDX-License-Identifier: MIT
 *
 * The automata of the other encodings, in the form that Hoehrmann published for UTF-8 in 2010: a table maps a byte to
 * its class, another one state and class to the next state. States are multiplied in advance by the length of a row.
 */
#include "../inline.h"

/* With the sanitizers' checks, ten copies of each operation take clang 14 four times as long to compile. */
#ifdef SANITIZES
#define SHARES_OPERATIONS
#endif
#ifdef ASSAY_ONE_ENGINE
#define STEP(dfa, state, byte) (dfa)->classes[256 + (state) + (dfa)->classes[byte]]
#endif

#include "cesu8_tables.h"
#include "cesu8jdk_tables.h"
#include "generalized_tables.h"
#include "mutf8_tables.h"
#include "readutf_tables.h"
#include "utf16be_tables.h"
#include "utf16le_tables.h"
#include "wtf16be_tables.h"
#include "wtf16le_tables.h"
#include "wtf8_tables.h"

#define AUTOMATON_OF(encoding_) \
    static inline uint64_t encoding_##_step(uint64_t state, uint8_t byte) \
    { \
        return encoding_##_dfa[256 + state + encoding_##_dfa[byte]]; \
    } \
    static const struct automaton encoding_##_dfa_automaton = {&encoding_, encoding_##_step, encoding_##_dfa, \
                                                               encoding_##_class_count, UINT32_MAX}

AUTOMATON_OF(generalized);
#define ENCODING generalized
#define NAME "generalized-utf-8"
#define CODEC dfa
#include "codec.inc"

AUTOMATON_OF(wtf8);
#define ENCODING wtf8
#define NAME "wtf-8"
#define CODEC dfa
#include "codec.inc"

AUTOMATON_OF(cesu8);
#define ENCODING cesu8
#define NAME "cesu-8"
#define CODEC dfa
#include "codec.inc"

AUTOMATON_OF(cesu8jdk);
#define ENCODING cesu8jdk
#define NAME "cesu-8-jdk"
#define CODEC dfa
#include "codec.inc"

AUTOMATON_OF(mutf8);
#define ENCODING mutf8
#define NAME "mutf-8"
#define CODEC dfa
#include "codec.inc"

AUTOMATON_OF(readutf);
#define ENCODING readutf
#define NAME "mutf-8-readutf"
#define CODEC dfa
#include "codec.inc"

AUTOMATON_OF(utf16le);
#define ENCODING utf16le
#define NAME "utf-16le"
#define CODEC dfa
#include "codec.inc"

AUTOMATON_OF(utf16be);
#define ENCODING utf16be
#define NAME "utf-16be"
#define CODEC dfa
#include "codec.inc"

AUTOMATON_OF(wtf16le);
#define ENCODING wtf16le
#define NAME "wtf-16le"
#define CODEC dfa
#include "codec.inc"

AUTOMATON_OF(wtf16be);
#define ENCODING wtf16be
#define NAME "wtf-16be"
#define CODEC dfa
#include "codec.inc"
