/* SPDX-License-Identifier: MIT
 *
 * Bjoern Hoehrmann's automaton, "Flexible and Economical UTF-8 Decoder", in both published forms. A table maps a byte
 * to one of 12 classes, another one state and class to the next state.
 */
#include "utf8_tables.h"

/* The first form: states 0..8, each with a row of 16 entries. */
static inline uint64_t step_2008(uint64_t state, uint8_t byte)
{
    return utf8_hoehrmann2008[256 + state * 16 + utf8_hoehrmann2008[byte]];
}

/* The form of 2010: states are multiplied in advance by 12, the length of a row. */
static inline uint64_t step_2010(uint64_t state, uint8_t byte)
{
    return utf8_hoehrmann2010[256 + state + utf8_hoehrmann2010[byte]];
}

static const struct automaton utf8_hoehrmann2008_automaton = {&utf8, step_2008, utf8_hoehrmann2008, 1, UINT32_MAX};
#define ENCODING utf8
#define NAME "utf-8"
#define CODEC hoehrmann2008
#include "codec.inc"

static const struct automaton utf8_hoehrmann2010_automaton = {&utf8, step_2010, utf8_hoehrmann2010, utf8_class_count,
                                                              UINT32_MAX};
#define ENCODING utf8
#define NAME "utf-8"
#define CODEC hoehrmann2010
#include "codec.inc"
