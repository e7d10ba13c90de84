/* SPDX-License-Identifier: MIT
 *
 * prove.h - what the theorems of `assay prove` share. PROOF.md has the argument.
 */
#ifndef ASSAY_PROVE_PROVE_H
#define ASSAY_PROVE_PROVE_H

#include "../../../codecs/registry.h"
#include "rules.h"

enum conclusion { PROVEN, REFUTED, NOT_RUN };

/* One theorem about one codec. Each is proven by one thread. */
struct proof {
    const struct registry_row *row;
    const struct assay_codec *codec;
    const struct rules *rules;
    struct kinds kinds;
    size_t stride,
        offset; /* of the largest enumerations, every stride-th part is taken, from this one on; 1 and 0: all */
    enum conclusion outcome;
    uint64_t cases;
    double seconds;
    char found[160]; /* what was counted besides cases, in words; may be empty */
    char why[512];   /* how it is refuted, or why it did not run */
};

/* Notes how a theorem is refuted: the first time only. Returns false. */
bool refute(struct proof *proof, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a string on which the codec does not do what the rules say. */
bool refute_on(struct proof *proof, const uint8_t *bytes, size_t byte_count, const char *what);

/* Whether an error is the expected one, as far as the codec knows: loadable ones may not know all of it. */
bool span_agrees(const struct assay_span *own, const struct assay_span *expected);

/* Whether, in all that it offers, the codec says of this whole string what the rules say: verdict, first error, all errors,
 * and the output of `whatwg` in UTF-32 and in UTF-16. At most ASKED_MAX bytes. */
enum { ASKED_MAX = 2048 };
bool agrees_on(struct proof *proof, const uint8_t *bytes, size_t byte_count);

#endif
