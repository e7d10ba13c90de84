/* SPDX-License-Identifier: MIT
 *
 * chunks.h - divides parts that take minutes or hours into chunks. Chunks run on all cores, in shards on several
 * machines, and continue from a checkpoint. A chunk has all strings of 4 bytes that begin with the same 14 bits.
 */
#ifndef ASSAY_SWEEP_CHUNKS_H
#define ASSAY_SWEEP_CHUNKS_H

#include "sweep.h"

enum { CHUNK_COUNT = 1 << 14, STRINGS_IN_CHUNK = 1 << 18 };

/* Sums over strings in order, as vectors/FORMAT.md defines them for complete/utf-8-digests.tsv; and `errors`, in which
 * the value of a string is offset * 65536 + length * 256 + fault of its first error, or 0. The sums of two adjacent
 * ranges can be combined. */
#define DIGESTS(X) X(verdict) X(strict) X(whatwg) X(errors)
struct digests {
#define X(name) uint64_t name;
    DIGESTS(X)
#undef X
};

/* Adds the values of the next string. */
void digests_add(struct digests *digests, const struct digests *values);

/* A range of chunks, the result of each, and the program that computed it. */
struct chunks {
    const char *part, *encoding;
    uint64_t program;          /* a checksum of the program's file, so that a checkpoint belongs to one program */
    size_t shard, shard_count; /* from 1 */
    size_t from, to;           /* the shard's chunks */
    bool is_done[CHUNK_COUNT];
    struct digests of[CHUNK_COUNT];
};

/* Sets `from` and `to`. */
void chunks_choose(struct chunks *chunks, size_t shard, size_t shard_count);

size_t chunks_done(const struct chunks *chunks);

/* Returns the digests over all chunks of the range. All must be done. */
struct digests chunks_digests(const struct chunks *chunks);
json_t *chunks_as_json(const struct chunks *chunks);

/* checkpoint.c: writes or reads a file, whole or not at all. chunks_read() returns false if there is no file; it ends
 * the program if the file is damaged, or belongs to another part, shard or program. A shard_count of 0 accepts any
 * shard. */
void chunks_write(const struct chunks *chunks, const char *path);
bool chunks_read(struct chunks *chunks, const char *path);

/* Returns a checksum of this program's file. */
uint64_t program_sum(void);

/* Reads the finished checkpoints of all shards into one. Ends the program if a chunk is missing or occurs twice. */
void chunks_merge(struct chunks *chunks, char **paths, int count);

/* Compares the digests of all strings of 4 bytes with the published ones. Returns NULL if they are equal or none are
 * published. */
const char *chunks_unlike_published(const struct chunks *chunks);

/* The options of a run in chunks. */
struct chunk_options {
    size_t shard, shard_count, jobs;
    const char *checkpoint; /* NULL: none */
};
extern struct chunk_options chunk_options;

/* Runs the chunks that are not done, on all cores, each by `run`. Sets sweep->digests if all strings were covered. */
void sweep_in_chunks(struct sweep *sweep, void (*run)(struct sweep *sweep, size_t chunk, struct digests *digests));

#endif
