/* SPDX-License-Identifier: MIT
 *
 * byte_string.h - bytes that grow: what is sent to a subject, and what came from it.
 */
#ifndef ASSAY_BYTE_STRING_H
#define ASSAY_BYTE_STRING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct byte_string {
    char *bytes; /* one more than `length`, and that is 0 where byte_string_end was called */
    size_t length, capacity;
};

/* Makes room for `more` bytes after what is there, and returns where they go; `length` is the caller's to raise. */
char *byte_string_room(struct byte_string *text, size_t more);

void byte_string_add(struct byte_string *text, const char *word);
void byte_string_add_bytes(struct byte_string *text, const void *bytes, size_t count);
void byte_string_add_char(struct byte_string *text, char one);
void byte_string_add_number(struct byte_string *text, size_t number);

/* HEX and SCALARS, as the protocol has them. */
void byte_string_add_hex(struct byte_string *text, const uint8_t *bytes, size_t count);
void byte_string_add_scalar(struct byte_string *text, uint32_t scalar);

/* Takes bytes away from the beginning. */
void byte_string_drop(struct byte_string *text, size_t count);

/* Terminates it with a zero byte. */
char *byte_string_end(struct byte_string *text);
void byte_string_free(struct byte_string *text);

/* What a subject printed, as text that does no harm: printable ASCII, and all else as \xHH; at most `most` bytes of it. */
void print_escaped(FILE *out, const char *bytes, size_t count, size_t most);

/* The same as a string of its own, for the caller to free. */
char *escaped(const char *bytes, size_t count, size_t most);

/* The last lines of what a subject wrote on standard error, after "; on standard error:", escaped; nothing if it wrote nothing. */
void print_errors(FILE *out, const struct byte_string *errors);

/* Drops the beginning of what a subject wrote on standard error, as far as print_errors does not need it. */
void trim_errors(struct byte_string *errors);

#endif
