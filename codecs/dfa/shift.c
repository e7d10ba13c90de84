/* SPDX-License-Identifier: MIT
 *
 * The automata of at most ten states as shift-based automata: see shift.h.
 */
#include "cesu8_tables.h"
#include "cesu8jdk_tables.h"
#include "generalized_tables.h"
#include "readutf_tables.h"
#include "shift.h"
#include "utf16be_tables.h"
#include "utf16le_tables.h"
#include "utf8_tables.h"
#include "wtf16be_tables.h"
#include "wtf16le_tables.h"

AUTOMATON_OF(utf8, shift);
#define ENCODING utf8
#define NAME "utf-8"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(generalized, shift);
#define ENCODING generalized
#define NAME "generalized-utf-8"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(cesu8, shift);
#define ENCODING cesu8
#define NAME "cesu-8"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(cesu8jdk, shift);
#define ENCODING cesu8jdk
#define NAME "cesu-8-jdk"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(readutf, shift);
#define ENCODING readutf
#define NAME "mutf-8-readutf"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(utf16le, shift);
#define ENCODING utf16le
#define NAME "utf-16le"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(utf16be, shift);
#define ENCODING utf16be
#define NAME "utf-16be"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(wtf16le, shift);
#define ENCODING wtf16le
#define NAME "wtf-16le"
#define CODEC shift
#include "codec.inc"

AUTOMATON_OF(wtf16be, shift);
#define ENCODING wtf16be
#define NAME "wtf-16be"
#define CODEC shift
#include "codec.inc"
