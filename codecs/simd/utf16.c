/* SPDX-License-Identifier: MIT
 *
 * utf16.c - the codecs for UTF-16 and WTF-16 as bytes, compiled once for each instruction set.
 */
#include "isa/chosen.h"

#include "utf16/decode.h"
#include "utf16/well_formed.h"

/* The policies that speak of bytes have no meaning here. */
#define POLICIES_OF_UNITS (POLICY(STRICT) | POLICY(WHATWG) | POLICY(PER_RUN) | POLICY(SKIP))

static const struct encoding utf16le = {.big_endian = false, .policies = POLICIES_OF_UNITS};
#define ENCODING utf16le
#define NAME "utf-16le"
#include "codec.inc"

static const struct encoding utf16be = {.big_endian = true, .policies = POLICIES_OF_UNITS};
#define ENCODING utf16be
#define NAME "utf-16be"
#include "codec.inc"

static const struct encoding wtf16le = {.big_endian = false, .surrogates = JOINED, .policies = POLICIES_OF_UNITS};
#define ENCODING wtf16le
#define NAME "wtf-16le"
#include "codec.inc"

static const struct encoding wtf16be = {.big_endian = true, .surrogates = JOINED, .policies = POLICIES_OF_UNITS};
#define ENCODING wtf16be
#define NAME "wtf-16be"
#include "codec.inc"
