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
    char *bytes; /* one more than `length`; that byte is 0 after byte_string_end() */
    size_t length, capacity;
};

/* Makes room for `more` bytes after the others, and returns its address. The caller increases `length`. */
char *byte_string_room(struct byte_string *text, size_t more);

void byte_string_add(struct byte_string *text, const char *word);
void byte_string_add_bytes(struct byte_string *text, const void *bytes, size_t count);
void byte_string_add_char(struct byte_string *text, char one);
void byte_string_add_number(struct byte_string *text, size_t number);

/* Add HEX and SCALARS, in the form of the protocol. */
void byte_string_add_hex(struct byte_string *text, const uint8_t *bytes, size_t count);
void byte_string_add_scalar(struct byte_string *text, uint32_t scalar);

/* Removes bytes from the beginning. */
void byte_string_drop(struct byte_string *text, size_t count);

/* Terminates it with a zero byte. */
char *byte_string_end(struct byte_string *text);
void byte_string_free(struct byte_string *text);

/* Prints what a subject printed as harmless text: printable ASCII, and all else as \xHH; at most `most` bytes of it. */
void print_escaped(FILE *out, const char *bytes, size_t count, size_t most);

/* The same as a string of its own, for the caller to free. */
char *escaped(const char *bytes, size_t count, size_t most);

/* Prints the last lines that a subject wrote to standard error, escaped, after "; on standard error:"; nothing if there
 * are none. */
void print_errors(FILE *out, const struct byte_string *errors);

/* Drops the beginning of a subject's standard error, as far as print_errors() does not need it. */
void trim_errors(struct byte_string *errors);

#endif
