/* SPDX-License-Identifier: MIT
 *
 * subject.h - what the files of `assay subject` share.
 */
#ifndef ASSAY_SUBJECT_H
#define ASSAY_SUBJECT_H

#include "../../core/arena.h"
#include "../../core/convert.h"
#include "../../core/question.h"
#include "../cli.h"

/* The codec. */
extern const struct registry_row *subject_row;

/* Options: write the fault of errors; offer only the codec's own encoding. */
extern bool subject_names_faults, subject_is_alone;

/* Memory that grows with the largest request, and is used for all requests. */
extern struct arena bytes_buffer, units_buffer, output_buffer;

/* Returns room for `count` units of `unit` bytes, which ends at a guard page; the earlier content is lost. */
void *buffer_room(struct arena *buffer, size_t count, size_t unit);

/* ---- replies --------------------------------------------------------------------------------- */

/* Writes the reply to a request that is not offered or not understood. */
void reply_skip(const char *id, const char *reason);

/* Writes a figure of an error, or `?` if a loaded codec does not know it. */
void reply_figure(size_t figure);

/* Writes an error without figures. */
void reply_bare_error(const char *id);

/* Writes an error. If the codec breaks its contract by an error of no bytes, writes only the word. */
void reply_error(const char *id, const struct assay_span *error);

void reply_bytes(const char *id, const uint8_t *bytes, size_t byte_count);

void print_scalars(const uint32_t *scalars, size_t count);

/* ---- fields of a request --------------------------------------------------------------------- */

/* Finds an encoding and the codec that answers for it. Returns false if it is not offered. */
bool subject_form(const char *name, struct form *form);

/* Parses HEX, or `-` for nothing. The bytes end at a guard page. */
bool parse_bytes(struct arena *buffer, const char *field, uint8_t **bytes, size_t *byte_count);

/* Parses code points, or `-` for none. One that does not fit 32 bits becomes UINT32_MAX, which is out of range as
 * well. They end at a guard page. */
bool parse_scalars(char *field, uint32_t **scalars, size_t *count);

/* True if HEX or CHUNKS begin with the signature that the encoding removes. No other U+FEFF is a signature, not even
 * the first code point of the output if an error before it was skipped. */
bool has_signature(const struct form *encoding, const char *chunks);

/* Each request is answered by a function `subject_NAME`. */
#define REQUEST(id_, name, word, fields_, reply, asks, asks_limited) void subject_##name(const char *id, char **fields);
#define VARIANT(id, word, name, asks)
#include "../requests.def"

#endif
