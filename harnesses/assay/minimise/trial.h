/* SPDX-License-Identifier: MIT
 *
 * trial.h - asks about an input in a child process, which a codec may crash, end, or leave damaged for the next input.
 */
#ifndef ASSAY_MINIMISE_TRIAL_H
#define ASSAY_MINIMISE_TRIAL_H

#include "../../core/report.h"

/* A finding on an input: a divergence, a broken law, or a codec that gives no answer. */
struct finding {
    char key[KEY_SIZE];
    const struct assay_codec *codec;
    enum operation operation;  /* OPERATION_COUNT: a law */
    const struct claim *claim; /* the claim that asked; NULL: none, the input was large */
    bool is_silence;
    size_t letter_size;
    char *letter; /* the letter, zero-terminated; the caller frees it */
};

struct trial {
    const char *encoding;
    const uint8_t *bytes;
    size_t byte_count;
    bool is_thorough;             /* see struct examination */
    const char *again;            /* the command for the letter's last line; NULL: no such line */
    const struct finding *wanted; /* ask only what can show this key, and stop when it shows; NULL: ask everything */
};

/* Sets the list of findings, one for each key, for the caller to free, and returns their number; with `wanted`, 0 or 1.
 * A codec that gives no answer is the last of them. Ends the program, with a reason, if nothing can be asked. */
size_t trial_run(const struct trial *trial, struct finding **findings);

#endif
