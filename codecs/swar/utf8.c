/* SPDX-License-Identifier: MIT
 *
 * UTF-8 on any machine, in 64-bit words.
 */
#include "encode.h"
#include "strings.h"

#define ENCODING utf8
#define NAME "utf-8"
#define CODEC swar
#define METHOD swar
#include "../codec_template.inc"
