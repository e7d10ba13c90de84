/* SPDX-License-Identifier: MIT
 *
 * claim.h - a property that must hold for every input, and the state of a check.
 *
 * A claim is one file in harnesses/fuzz/ and one row of claims.def. The build makes a libFuzzer target, an AFL++ target and
 * a replayer of it, and `assay diff` checks it.
 */
#ifndef ASSAY_CLAIM_H
#define ASSAY_CLAIM_H

#include "compare.h"
#include "dice.h"

enum effort {
    SAMPLED, /* for fuzzers: a few questions an input, chosen by the input's last bytes */
    THOROUGH /* all questions: for replay and `assay diff` */
};

enum law {
#define LAW(claim, id, name, encoding, operation, fault, sentence) LAW_##id,
#include "laws.def"
};

const char *law_name(enum law law);
const char *law_sentence(enum law law);

/* A law that a codec breaks on an input; the codec may be the reference. */
struct breach {
    const struct assay_codec *codec;
    enum law law;
    const uint8_t *bytes;
    size_t byte_count;
    const struct question *question; /* NULL: the law needs several questions */
    const char *how;                 /* the other conditions, in words; NULL: none */
};

struct examiner {
    struct comparer comparer;
    enum effort effort;
    unsigned policies; /* that the encoding's reference offers, one bit each; 0: not determined yet */
    void (*on_breach)(void *context, const struct breach *breach);
    uint64_t laws_broken;
};

struct claim {
    const char *name;
    const char *sentence;
    void (*check)(struct examiner *examiner, const uint8_t *bytes, size_t byte_count);
};

/* Counts an answer, and reports the breach if `holds` is false. */
void claim_law(struct examiner *examiner, bool holds, const struct breach *breach);

/* Counts a law as skipped, because a codec does not offer an operation or policy that the law needs. */
void claim_skip(struct examiner *examiner);

/* Counts a law as skipped if the codec gave no answer and the reference of its encoding offers one. */
void claim_skip_absent(struct examiner *examiner, const struct answer *answer, enum operation operation,
                       enum assay_policy policy);

/* Returns how many codecs of the comparer's panel a law is checked on: 1, the reference, with which the others are compared; or
 * all of them if the effort is THOROUGH. */
size_t claim_codec_count(const struct examiner *examiner);

/* Begins the check of one input, and returns the dice that depend on it (see dice_from). Chooses the placement. */
struct dice claim_begin(struct examiner *examiner, const uint8_t *bytes, size_t byte_count);

/* Returns a random policy of those that the encoding's reference offers: no codec could answer another. */
enum assay_policy claim_policy(struct examiner *examiner, struct dice *dice);

#endif
