/* SPDX-License-Identifier: MIT
 *
 * kill.h - finds out if the golden vectors, asked as by `assay check`, distinguish a mutant from the correct decoder.
 */
#ifndef ASSAY_KILL_H
#define ASSAY_KILL_H

#include "../assay/vectors/ask.h"
#include "../assay/vectors/positions.h"
#include "mistake.h"

/* A question to a mutant: a probe and its file; or, for the positions tier, question number `index` about the text of a
 * line at an offset. */
struct trial {
    const struct probe *probe; /* NULL: a question of the positions tier */
    const char *file;
    const struct line *line;
    uint32_t offset, index;
    enum operation operation;
};

struct trials {
    const struct assay_codec *base; /* the reference of the encoding */
    const struct vectors *vectors;
    struct trial *list; /* probes in the order of the files, then questions of the positions tier */
    size_t count, capacity;
    struct seat *seat;
    struct converter converter;
    uint64_t asked; /* answers compared */
};

/* The question that kills a mutant. */
struct kill {
    const char *file;  /* the first file that kills it; "policies": it gives fewer or more answers; NULL: it survives */
    const char *field; /* the field that differs: one of core/compare.h, or "crash"; of "policies", "status" */
};

struct trials trials_load(const char *vectors_folder, const char *encoding);

/* From this call on, a crash of a mutant counts as an answer. Must be called before the functions below. */
void trials_survive_crashes(void);

/* Asks the codec questions until one kills it: those of the readable vectors, of the positions tier, of both. */
struct kill trials_run_readable(struct trials *trials, const struct assay_codec *codec);
struct kill trials_run_positions(struct trials *trials, const struct assay_codec *codec);
struct kill trials_run(struct trials *trials, const struct assay_codec *codec);

/* Asks all questions of the readable vectors. Returns a digest of the numbers of those that kill. */
uint64_t trials_kill_set(struct trials *trials, const struct mistake *mistake);

/* Adds those questions of the positions tier that `wants` (../assay/vectors/positions.h) selects. All would be too
 * many. */
void trials_add_positions(struct trials *trials, bool (*wants)(enum operation operation, enum assay_policy policy));

/* Asks one question. Returns the name of the field that differs, or NULL. */
const char *trials_run_one(struct trials *trials, const struct assay_codec *codec, const struct trial *trial);

/* lane_mutants.c: prints a line for every `stride`th lane mutant of the encoding. */
void run_lanes(struct trials *trials, size_t stride);

/* lane_mutants.c: copies the bytes of example number `index`, in the encoding's order. Returns how many; 0 after the
 * last example. */
size_t lane_example(const struct assay_codec *base, size_t index, uint8_t bytes[16]);
enum { LANE_CODE_POINT_COUNT = 8 };
extern const uint32_t lane_code_points[LANE_CODE_POINT_COUNT];

/* code_mutants.c: reads one mutant of the codec's code from each line of standard input, and runs it for up to
 * `seconds`; without a codec, each is a library. `members` lists the members of struct assay_codec whose operations are
 * asked. */
void run_code(struct trials *trials, const struct assay_codec *codec, const char *members, unsigned seconds);

/* lane_inputs.c: inputs made of these examples, on which every lane mutant must be wrong. */
struct trials trials_make(const char *encoding);

#endif
