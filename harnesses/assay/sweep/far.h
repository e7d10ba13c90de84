/* SPDX-License-Identifier: MIT
 *
 * far.h - what the files of the part `far` share.
 */
#ifndef ASSAY_SWEEP_FAR_H
#define ASSAY_SWEEP_FAR_H

#include "sweep.h"

#include "../prove/kernels.h"

/* Near the largest values of 8 and 16 bits, and larger. */
static const size_t far[] = {255, 256, 257, 65535, 65536, 65537, 70000};
enum { FAR_COUNT = sizeof far / sizeof far[0], FAR_MAX = 70000, AFTER_FAR = 64 };

/* Those that replace errors. */
static const enum operation replacing[] = {OP_DECODE_UTF32, OP_DECODE_UTF16, OP_TO_WELL_FORMED};
enum { REPLACING_COUNT = sizeof replacing / sizeof replacing[0] };

/* Of codecs that look for bytes that are not ASCII in much text at once, and then check only where they are. After the
 * first block, a codec may check a stride, and take steps from its end on: of four strides, or of eight. */
enum {
    BLOCK = BLOCK_BYTES,
    STRIDE = STRIDE_BYTES,
    HALF_STRIDE = STRIDE / 2,
    FOUR_STRIDES = 4 * STRIDE,
    EIGHT_STRIDES = 8 * STRIDE,
    BATCH = 64 * HALF_STRIDE,
    FIRST_STEP = BLOCK + STRIDE,
    AFTER_STEP = FIRST_STEP + EIGHT_STRIDES
};

/* Writes characters at the begin of the stride after the first block of a text, of the first four strides after it, and
 * of the next four: a codec may take eight strides of text with 4-byte characters at once, and four of other text. */
void far_begin_step(struct sweep *sweep, uint8_t *text, size_t filler);

/* Writes a byte that continues nothing, or a trail without a lead, and returns the number of its bytes. It is found
 * only by looking at it; an FF (put_error()), also by looking at the byte after it. */
size_t far_put_stray(const struct sweep *sweep, uint8_t stray[2]);

/* Asks for the verdict. A codec may check text that begins with ASCII in another way, as English prose is ASCII for the
 * most part, unless the text is very long. If it has less than PROSE_END bytes, and its first block is ASCII, this asks
 * again about the same text with other characters at its begin. */
void far_ask_verdict(struct sweep *sweep, uint8_t *input, size_t count);

/* Asks all questions whose answer is about errors, under one policy; for the verdict as far_ask_verdict(). */
void far_ask_about_errors(struct sweep *sweep, uint8_t *input, size_t count);

/* ---- questions for the verdict ---------------------------------------------------------------------------------
 *
 * On texts that are asked about in place, and so often that copying them, or asking the reference about all of each,
 * would take most of the time. */

/* A text, and the verdict of the reference. */
struct far_text {
    uint8_t *bytes;
    size_t count;
    bool is_well_formed;
    struct assay_span error;
    const bool *left_out; /* for each codec of the panel: not asked about this text; NULL: all are */
};

/* Asks a codec for its verdict, in place, with and without the error. Returns false if it is wrong; the letter is then
 * written. */
bool far_ask(struct sweep *sweep, const struct assay_codec *codec, const struct far_text *text);

/* Takes a step, which gets the text, for each codec that validates; as far_ask_verdict(), also with another begin. If
 * the first block has no byte from 80 on, the verdict must not depend on its first four bytes: in Modified UTF-8, none
 * of these is 00. */
void far_ask_each(struct sweep *sweep, sweep_step *step, const struct far_text *text);

/* The same, with far_ask() as the step. */
void far_ask_all(struct sweep *sweep, const struct far_text *text);

/* For each codec of the panel: whether it reads all of a long text that begins with an error. Such a codec would take
 * too long if it were asked about many of them (far_text.left_out). To be freed. */
bool *far_who_reads_on(struct sweep *sweep);

#define QUESTION(id) void far_##id(struct sweep *sweep);
#include "far.def"

#endif
