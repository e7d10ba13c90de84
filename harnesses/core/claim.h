/* SPDX-License-Identifier: MIT
 *
 * claim.h - something that must hold for every input, and what it is checked with.
 *
 * A claim is one file in harnesses/fuzz/ and one line of CMake. From it come a libFuzzer target, an AFL++
 * target, a replayer, and a part of `assay diff`.
 */
#ifndef ASSAY_CLAIM_H
#define ASSAY_CLAIM_H

#include "compare.h"
#include "dice.h"

enum effort {
    SAMPLED, /* what a fuzzer can afford on each input: which questions are asked follows from the input's end */
    THOROUGH /* all of them: for replay, and for one input in a person's hand */
};

enum law {
#define LAW(claim, id, name, encoding, operation, fault, sentence) LAW_##id,
#include "laws.def"
};

const char *law_name(enum law law);
const char *law_sentence(enum law law);

/* A law that a codec, the reference or another, breaks on an input. */
struct breach {
    const struct assay_codec *codec;
    enum law law;
    const uint8_t *bytes;
    size_t byte_count;
    const struct question *question; /* what was asked; NULL: more than one thing */
    const char *how;                 /* what else brought it about, as words; NULL: nothing */
};

struct examiner {
    struct comparer comparer;
    enum effort effort;
    unsigned policies; /* that the encoding's reference offers, a bit each; 0: it was not asked yet */
    void (*on_breach)(void *context, const struct breach *breach);
    uint64_t laws_broken;
};

struct claim {
    const char *name;
    const char *sentence;
    void (*check)(struct examiner *examiner, const uint8_t *bytes, size_t byte_count);
};

/* Counts the answer, and reports the breach if `holds` is false. */
void claim_law(struct examiner *examiner, bool holds, const struct breach *breach);

/* Counts a law as skipped: a codec does not offer what it would have to be asked. */
void claim_skip(struct examiner *examiner);

/* The same where a codec has no answer, and the reference has one: what an encoding has not, no codec lacks. */
void claim_skip_absent(struct examiner *examiner, const struct answer *answer, enum operation operation, enum assay_policy policy);

/* How many of the comparer's panel a law is asked of: the reference, with which the others are compared, or, where there is
 * time, everybody. */
size_t claim_witnesses(const struct examiner *examiner);

/* Begins an examination: the choices that follow from the input (see dice_from), the placement among them. */
struct dice claim_begin(struct examiner *examiner, const uint8_t *bytes, size_t byte_count);

/* A policy by chance, of those that the encoding's reference offers: an input that is asked about another is wasted. */
enum assay_policy claim_policy(struct examiner *examiner, struct dice *dice);

#endif
