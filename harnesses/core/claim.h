/* SPDX-License-Identifier: MIT
 *
 * claim.h - a claim is a property that must hold for every input; an examiner is the state of its check.
 *
 * A claim is one file in harnesses/fuzz/ and one row of claims.def. The build makes a libFuzzer target, an AFL++ target
 * and a replayer of it, and `assay diff` checks it.
 */
#ifndef ASSAY_CLAIM_H
#define ASSAY_CLAIM_H

#include "compare.h"
#include "dice.h"

enum effort {
    SAMPLED, /* for fuzzers: a few questions for each input, chosen by the input's last bytes */
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
    const struct question *question; /* NULL if the law needs several questions */
    const char *how;                 /* further conditions, in words; NULL: none */
};

struct examiner {
    struct comparer comparer;
    enum effort effort;
    unsigned policies; /* offered by the encoding's reference, one bit each; 0: not determined yet */
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

/* Counts a law as skipped if the codec did not answer, but the reference of its encoding offers the operation. */
void claim_skip_absent(struct examiner *examiner, const struct answer *answer, enum operation operation,
                       enum assay_policy policy);

/* Returns how many codecs of the comparer's panel a law is checked on: 1, the reference, with which the others are
 * compared; or all of them if the effort is THOROUGH. */
size_t claim_codec_count(const struct examiner *examiner);

/* Begins the check of an input, and returns dice that depend on it (see dice_from). Chooses the placement. */
struct dice claim_begin(struct examiner *examiner, const uint8_t *bytes, size_t byte_count);

/* Returns a random policy that the encoding's reference offers: no codec could answer under another one. */
enum assay_policy claim_policy(struct examiner *examiner, struct dice *dice);

#endif
