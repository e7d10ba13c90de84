/* SPDX-License-Identifier: MIT
 *
 * report.h - the key of a divergence or of a broken law, and the letter that explains it to a person.
 */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include "claim.h"

#include <stdio.h>

enum { KEY_SIZE = 256 }; /* room for any key */

/* "utf8-validate-avx2-offset": encoding, operation, codec, first field that differs. Names a folder. */
void report_key(const struct divergence *divergence, char *key, size_t key_size);

/* Writes the letter. `again` is the command that shows the divergence again; NULL: no such line. */
void report_letter(FILE *out, const struct divergence *divergence, const char *again);

/* The same for a codec that gives no answer. `end`: the word for what happened, in the key; `sentence`: the same in the
 * letter. */
void report_silence_key(const struct asking *silent, const char *end, char *key, size_t key_size);
void report_silence_letter(FILE *out, const struct asking *silent, const char *sentence);

/* True if `is_known` is true for the key of a codec that ends in this way during the operation. */
bool report_silence_key_is_known(const struct assay_codec *codec, enum operation operation, const char *end,
                                 bool (*is_known)(const char *key));

/* The same for a law that is broken: "wtf8-law-reference-cuts-are-undone". */
void report_breach_key(const struct breach *breach, char *key, size_t key_size);
void report_breach(FILE *out, const struct breach *breach, const char *again);

/* "E0 9F BF" */
void report_hex(FILE *out, const void *units, size_t unit_size, size_t count);

/* Writes a span as a sentence. `bytes` is the whole input. */
void report_span(FILE *out, const struct assay_span *span, const uint8_t *bytes, size_t byte_count);

#endif
