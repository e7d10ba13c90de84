/* SPDX-License-Identifier: MIT
 *
 * far.h - what the files of the part `far` share: questions for the verdict on texts that are asked about in place, and
 * so often that copying them, or asking the reference about all of each, would take most of the time.
 */
#ifndef ASSAY_SWEEP_FAR_H
#define ASSAY_SWEEP_FAR_H

#include "sweep.h"

/* A text, and the verdict of the reference. */
struct far_text {
    const uint8_t *bytes;
    size_t count;
    bool is_well_formed;
    struct assay_span error;
};

/* Asks a codec for its verdict, in place. Returns false if it is wrong; the letter is then written. */
bool far_ask(struct sweep *sweep, const struct assay_codec *codec, const struct far_text *text);

/* Asks all codecs that validate. */
void far_ask_all(struct sweep *sweep, const struct far_text *text);

/* addresses.c: texts at each address modulo 64. */
void sweep_addresses(struct sweep *sweep);

/* very_long.c: errors in texts of 1 MiB. */
void sweep_very_long(struct sweep *sweep);

#endif
