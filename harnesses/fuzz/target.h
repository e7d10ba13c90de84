/* SPDX-License-Identifier: MIT
 *
 * target.h - the variables of a fuzz target that replay.c sets.
 */
#ifndef ASSAY_TARGET_H
#define ASSAY_TARGET_H

#include "../core/claim.h"

/* The claim and the encoding of a target: all that distinguishes it from other targets. */
extern const struct claim *const target_claim;
extern const char *const target_encoding;

/* The loadable codecs of a target without ASSAY_CODECS in its environment: paths, with colons between them; NULL:
 * none. */
extern const char *const target_codecs;

extern struct examiner target_examiner;

/* Called for each finding, before its letter. Returns whether to print the letter; by default always true. */
extern bool (*target_record_key)(const char *key);

/* Called after each finding; by default abort(). */
extern void (*target_after_finding)(void);

/* Called when a codec crashes or hangs (see silence.h). */
void target_silence(void);

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

#endif
