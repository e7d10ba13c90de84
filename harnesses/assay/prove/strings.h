/* SPDX-License-Identifier: MIT
 *
 * strings.h - the strings of kinds that a decoder can distinguish by looking back: after text without an error, which
 * ends in all kinds of bytes that such text can end in, a byte of each kind.
 */
#ifndef ASSAY_PROVE_STRINGS_H
#define ASSAY_PROVE_STRINGS_H

#include "rules.h"

enum { STRING_MAX = 16, STRINGS_MAX = 100000 };

struct string {
    uint8_t bytes[STRING_MAX];
    size_t count;
};

struct strings {
    struct string *list; /* strings_free releases it */
    size_t count;
};

/* The strings of kinds that a byte can depend on: the byte, and at most three bytes before it, or five if `far`; one
 * byte fewer, and again, while there are more than STRINGS_MAX strings. */
struct strings strings_of(const struct rules *rules, const struct kinds *kinds, bool far);
void strings_free(struct strings *strings);

#endif
