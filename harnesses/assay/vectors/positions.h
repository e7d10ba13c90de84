/* SPDX-License-Identifier: MIT
 *
 * positions.h - the positions tier (vectors/FORMAT.md): its parts and lines as they are read, and what a line asks.
 */
#ifndef ASSAY_VECTORS_POSITIONS_H
#define ASSAY_VECTORS_POSITIONS_H

#include "vectors.h"
#include "pool.h"
#include "reader.h"

/* A character or an error of a part. */
struct segment {
    size_t length;          /* in units of the input: bytes, 16-bit or 32-bit units */
    enum assay_fault fault; /* NONE: a character */
    size_t certain;         /* after this many bytes of the part; SIZE_MAX: at the end of input */
    struct units outputs[ASSAY_POLICY_COUNT]; /* of decoding, code points; of encoding and converting, bytes */
    bool stops[ASSAY_POLICY_COUNT];           /* the policy stops here */
};

struct part {
    const char *operation, *name;
    struct units input;
    const struct segment *segments;
    size_t segment_count;
    bool has_policy[ASSAY_POLICY_COUNT];
};

/* What the lines of an encoding have in common. */
struct tier {
    const struct assay_codec *reference;
    const struct part *parts; /* by operation and name */
    size_t part_count;
};

struct line {
    const struct tier *tier;
    size_t number; /* of the line in its table */
    enum operation operation; /* OP_DECODE_UTF32, also of conversions, OP_ENCODE_UTF32 or OP_ENCODE_UTF16 */
    const char *to;           /* converts to this encoding; NULL: does not convert */
    const size_t *offsets;
    size_t offset_count;
    const struct part *before, *pad, *filler, *subject, *after; /* NULL where nothing stands */
    size_t times;
};

/* Reads the tier in a folder `complete` that is the category `name`, ENCODING/positions. */
struct category positions_read(struct pool **pool, const char *folder, const char *name, const char *codec_encoding);

/* Puts the questions of a line to codecs. The memory of a question lasts until the next. Either function returns false to skip the
 * rest of the line. */
struct line_asker {
    void *context;
    bool (*probe)(void *context, const struct probe *probe);
    bool (*conversion)(void *context, const struct conversion *conversion);
    size_t share; /* of all that can be asked about a text, every `share`th question, which take turns; 1: everything */
    /* Whether to make that question at all, the `index`th about a text, which has its turn; NULL: each. */
    bool (*wants)(void *context, const struct line *line, size_t offset, size_t index, enum operation operation, enum assay_policy policy);
};

/* Codecs from outside, which no sweep asks, hear more: verdict and errors of each text, too. */
enum { SHARE_OF_BUILT_IN = 191, SHARE_OF_LOADED = 8 };

void line_ask(const struct line *line, const struct line_asker *asker);

/* The same of the text for one offset; false to hear no more. */
bool line_ask_at(const struct line *line, size_t offset, const struct line_asker *asker);

#endif
