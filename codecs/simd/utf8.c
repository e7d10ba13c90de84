/* SPDX-License-Identifier: MIT
 *
 * utf8.c - the codecs for UTF-8, compiled once for each instruction set. UTF-8 is an object of its own, so that the
 * data of the encoding are constants in it.
 */
#include "isa/chosen.h"

#include "tables/utf8.h"
#define ONLY_ENCODING utf8
#include "bytes/operations.h"

#define ENCODING utf8
#define NAME "utf-8"
#include "codec.inc"
