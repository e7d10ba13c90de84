/* SPDX-License-Identifier: MIT
 *
 * kill.h - whether the golden vectors, asked as `assay check` asks them, tell a mutant from the right decoder.
 */
#ifndef ASSAY_KILL_H
#define ASSAY_KILL_H

#include "../assay/vectors/ask.h"
#include "../assay/vectors/positions.h"
#include "mistake.h"

/* A probe of an encoding, and the file that it is in; of the positions tier, in its place the question about a text of a line. */
struct shot {
    const struct probe *probe; /* NULL: of the positions tier */
    const char *file;
    const struct line *line;
    uint32_t offset, index;
    enum operation operation;
};

struct range {
    const struct assay_codec *base; /* the reference of the encoding */
    const struct vectors *vectors;
    struct shot *shots; /* every probe of the encoding, in the order of the files */
    size_t shot_count, shot_capacity;
    struct seat *seat;
    struct converter converter;
};

/* What became of a mutant. */
struct fate {
    const char *file;  /* that kills it first; NULL: it survives */
    const char *field; /* in which it differs there: a field of core/compare.h, or "crash" */
};

struct range range_load(const char *vectors_folder, const char *encoding);

/* Puts everything to it, until something kills it. */
struct fate range_shoot(struct range *range, const struct assay_codec *codec);

/* Adds the questions of the positions tier that `wants` (../assay/vectors/positions.h) takes, one by one: all would be too many. */
void range_add_positions(struct range *range, bool (*wants)(enum operation operation, enum assay_policy policy));

/* Puts one probe to it. Returns the field in which it differs, or NULL. */
const char *range_shoot_once(struct range *range, const struct assay_codec *codec, const struct shot *shot);

/* lanes.c: prints a line for every `stride`th lane mutant of the encoding. */
void shoot_lanes(struct range *range, size_t stride);

/* The examples of its kinds. Copies the bytes of that of an index, in the encoding's order; returns how many, 0 behind the last. */
size_t lane_example(const struct assay_codec *base, size_t index, uint8_t bytes[16]);
enum { LANE_CODE_POINT_COUNT = 8 };
extern const uint32_t lane_code_points[LANE_CODE_POINT_COUNT];

/* made.c: inputs made of these examples that every lane mutant has to differ on. */
struct range range_make(const char *encoding);

#endif
