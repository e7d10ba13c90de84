/* SPDX-License-Identifier: MIT
 *
 * reader.h - reads the cases of a file: the notations of the format, and the questions made from them. All memory is
 * the pool's, and lives as long as the vectors.
 */
#ifndef ASSAY_VECTORS_READER_H
#define ASSAY_VECTORS_READER_H

#include "../../core/convert.h"
#include "vectors.h"
#include "node.h"
#include "pool.h"

/* Bytes, 16-bit units or 32-bit units. */
struct units {
    const void *units;
    size_t count;
};

/* The state of reading the cases of one file. */
struct reader {
    struct pool **pool;
    const struct assay_codec *reference; /* of the encoding whose codecs are asked */
    struct probe *probes;                /* of the current case */
    size_t probe_count, probe_capacity;
    const struct conversion *conversions; /* likewise */
    size_t conversion_count;
    size_t stream_count;               /* likewise, if they are fed to one decoder */
    const struct signature *signature; /* the signature that decoders of the encoding remove; NULL: none */
    bool has_policy[ASSAY_POLICY_COUNT];
    char policies[128]; /* their names, separated by spaces */
};

/* Returns the first policy of the file at or after `policy`; ASSAY_POLICY_COUNT if there is none. */
enum assay_policy reader_policy(const struct reader *reader, enum assay_policy policy);
#define reader_each_policy(reader, policy) \
    for (enum assay_policy policy = reader_policy(reader, 0); policy < ASSAY_POLICY_COUNT; \
         policy = reader_policy(reader, policy + 1))

/* ---- the notations ----------------------------------------------------------------------------- */

struct units reader_bytes(struct reader *reader, const struct node *node);

/* Reads 32-bit units, each at most `largest`. */
struct units reader_scalars(struct reader *reader, const struct node *node, uint32_t largest);

/* Converts to UTF-16: a unit up to FFFF becomes one unit, another two (Unicode 17.0, Table 3-5). */
struct units reader_utf16(struct reader *reader, struct units scalars);

/* Reads errors: in ascending order, without overlap, within an input of `limit` units. */
const struct assay_span *reader_spans(struct reader *reader, const struct node *array, const char *fields, size_t limit,
                                      size_t *count);

/* ---- questions --------------------------------------------------------------------------------- */

/* A call of decode or encode, and its expected output. */
struct call {
    enum operation operation;
    enum assay_policy policy;
    struct units input, output;
    const struct assay_span *stop; /* the error at which the policy stops, or NULL */
};

/* Appends a probe for the call to the case. Returns the probe, whose other members the caller may change before the
 * next one is appended. */
struct probe *reader_add_call(struct reader *reader, const struct call *call);

/* Appends the same call with room for few units. */
void reader_add_limits(struct reader *reader, const struct node *limits, const struct call *call);

/* ---- kinds of cases, each read by a function -------------------------------------------------------- */

#define STREAM_FIELDS "pieces well_formed spans error_piece emitted"

/* decode.c: bytes that are there at once, and bytes that come in pieces. */
void read_decode(struct reader *reader, const struct node *test);
void read_limited(struct reader *reader, const struct node *test);
void read_stream(struct reader *reader, const struct node *test);
void read_reuse(struct reader *reader, const struct node *test);

/* encode.c */
void read_encode(struct reader *reader, const struct node *test);
void read_encode_utf16(struct reader *reader, const struct node *test);

/* strings.c: where a string may be cut, concatenation, and conversion to another encoding. */
void read_boundaries(struct reader *reader, const struct node *test);
void read_concat(struct reader *reader, const struct node *test);
void read_convert(struct reader *reader, const struct node *test);

#endif
