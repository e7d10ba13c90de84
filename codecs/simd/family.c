/* SPDX-License-Identifier: MIT
 *
 * family.c - the codecs for the relatives of UTF-8, compiled once for each instruction set: they share its code.
 */
#include "isa/chosen.h"

#include "bytes/operations.h"
#include "tables/family.h"

#define ENCODING generalized
#define NAME "generalized-utf-8"
#include "codec.inc"

#define ENCODING wtf8
#define NAME "wtf-8"
#include "codec.inc"

#define ENCODING cesu8
#define NAME "cesu-8"
#include "codec.inc"

#define ENCODING cesu8jdk
#define NAME "cesu-8-jdk"
#include "codec.inc"

#define ENCODING mutf8
#define NAME "mutf-8"
#include "codec.inc"

#define ENCODING readutf
#define NAME "mutf-8-readutf"
#include "codec.inc"
