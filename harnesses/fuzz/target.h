/* SPDX-License-Identifier: MIT
 *
 * target.h - what the replayer knows of a fuzz target that an engine does not.
 */
#ifndef ASSAY_TARGET_H
#define ASSAY_TARGET_H

#include "../core/claim.h"

extern struct examiner target_examiner;

/* Whether the letter of a finding is to be written; of a target that ends with it, it always is. */
extern bool (*target_is_news)(const char *key);

/* What follows a finding: abort, unless somebody wants to go on. */
extern void (*target_after_finding)(void);

/* Follows when a codec gives no answer. */
void target_silence(void);

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

#endif
