/* SPDX-License-Identifier: MIT
 *
 * positions.h - the positions tier (vectors/FORMAT.md): its parts and lines, and the questions that a line asks.
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
    size_t certain;         /* after this many bytes of the part; SIZE_MAX: at the end of the input */
    /* code points if the part is decoded; bytes if it is encoded or converted */
    struct units outputs[ASSAY_POLICY_COUNT];
    bool stops[ASSAY_POLICY_COUNT]; /* the policy stops here */
};

struct part {
    const char *operation, *name;
    struct units input;
    const struct segment *segments;
    size_t segment_count;
    bool has_policy[ASSAY_POLICY_COUNT];
};

/* The data that all lines of an encoding share. */
struct tier {
    const struct assay_codec *reference;
    const struct part *parts; /* sorted by operation and name */
    size_t part_count;
};

struct line {
    const struct tier *tier;
    size_t number;            /* of the line, in its file */
    enum operation operation; /* OP_DECODE_UTF32, also of conversions, OP_ENCODE_UTF32 or OP_ENCODE_UTF16 */
    const char *to;           /* converts to this encoding; NULL: does not convert */
    const size_t *offsets;
    size_t offset_count;
    const struct part *before, *pad, *filler, *subject, *after; /* NULL if there is none */
    size_t times;
};

/* Reads the tables of the category `name`, ENCODING/positions, from a folder `complete`. */
struct category positions_read(struct pool **pool, const char *folder, const char *name, const char *codec_encoding);

/* Receives the questions of a line. A question is valid until the next one. Each function returns false to skip the
 * rest of the line. */
struct line_asker {
    void *context;
    bool (*probe)(void *context, const struct probe *probe);
    bool (*conversion)(void *context, const struct conversion *conversion);
    /* ask every share-th question about a text, beginning with a different one for each text. 1: all */
    size_t share;
    /* true if question number `index` about a text, when it is its turn, is to be made; NULL: all are */
    bool (*wants)(void *context, const struct line *line, size_t offset, size_t index, enum operation operation,
                  enum assay_policy policy);
};

/* The tests check built-in codecs by enumeration, too. So a loaded codec is asked more questions, and those of
 * is_always_asked() about every text. */
enum { SHARE_OF_BUILT_IN = 191, SHARE_OF_LOADED = 8 };

void line_ask(const struct line *line, const struct line_asker *asker);

/* The same for the text at one offset. Returns false if the asker returned false. */
bool line_ask_at(const struct line *line, size_t offset, const struct line_asker *asker);

#endif
