/* SPDX-License-Identifier: MIT
 *
 * prove.h - what the theorems of `assay prove` share. PROOF.md has the argument.
 */
#ifndef ASSAY_PROVE_PROVE_H
#define ASSAY_PROVE_PROVE_H

#include "../../../codecs/registry.h"
#include "rules.h"

#include <string.h>

enum conclusion { PROVEN, REFUTED };

enum { SHOWN_MAX = 96 }; /* of the bytes that refute a theorem, as many are shown */

/* A theorem about a codec. One thread proves it. */
struct proof {
    const struct registry_row *row;
    const struct assay_codec *codec;
    const struct rules *rules;
    struct kinds kinds;
    size_t stride,
        offset; /* of the largest enumerations every stride-th part is checked, from this one on; 1 and 0: all */
    const struct proof *shared; /* another proof, of which this one is a part as well; NULL: none */
    enum conclusion outcome;
    uint64_t cases;
    double seconds;
    struct {
        const char *operation; /* NULL: none yet */
        uint8_t bytes[SHOWN_MAX];
        size_t byte_count;
    } asked;         /* what a codec that crashes was asked last */
    char found[160]; /* what else was counted, in words; may be empty */
    char why[512];   /* why it is refuted */
};

/* Refutes a theorem with a reason, unless it is refuted already. Returns false. */
bool refute(struct proof *proof, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a string for which the codec differs from the rules. */
bool refute_on(struct proof *proof, const uint8_t *bytes, size_t byte_count, const char *what);

/* Notes what the codec is asked now. */
static inline void note_asked(struct proof *proof, const char *operation, const uint8_t *bytes, size_t byte_count)
{
    proof->asked.operation = operation;
    memcpy(proof->asked.bytes, bytes, byte_count < SHOWN_MAX ? byte_count : SHOWN_MAX);
    proof->asked.byte_count = byte_count;
}

/* True if the figures of an error that the codec states are the expected ones. Loadable codecs may not state all. */
bool span_agrees(const struct assay_span *own, const struct assay_span *expected);

/* True if the codec's answers for this string are those of the rules, for all operations that it has: verdict, first
 * error, all errors, and the output of `whatwg` in UTF-32 and in UTF-16. At most ASKED_MAX bytes. */
enum { ASKED_MAX = 2048 };
bool agrees_on(struct proof *proof, const uint8_t *bytes, size_t byte_count);

#endif
