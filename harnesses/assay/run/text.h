/* SPDX-License-Identifier: MIT
 *
 * text.h - bytes that grow: what is sent to a subject, and what came from it.
 */
#ifndef ASSAY_RUN_TEXT_H
#define ASSAY_RUN_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct text {
    char *bytes; /* one more than `length`, and that is 0 where text_end was called */
    size_t length, capacity;
};

/* Makes room for `more` bytes after what is there, and returns where they go; `length` is the caller's to raise. */
char *text_room(struct text *text, size_t more);

void text_add(struct text *text, const char *word);
void text_add_bytes(struct text *text, const void *bytes, size_t count);
void text_add_char(struct text *text, char one);
void text_add_number(struct text *text, size_t number);

/* HEX and SCALARS, as the protocol has them. */
void text_add_hex(struct text *text, const uint8_t *bytes, size_t count);
void text_add_scalar(struct text *text, uint32_t scalar);

/* Takes bytes away from the beginning. */
void text_drop(struct text *text, size_t count);

/* Terminates it with a zero byte. */
char *text_end(struct text *text);
void text_free(struct text *text);

/* What a subject printed, as text that does no harm: printable ASCII, and all else as \xHH; at most `most` bytes of it. */
void print_escaped(FILE *out, const char *bytes, size_t count, size_t most);

/* The same as a string of its own, for the caller to free. */
char *escaped(const char *bytes, size_t count, size_t most);

/* The last lines of what a subject wrote on standard error, after "; on standard error:", escaped; nothing if it wrote nothing. */
void print_errors(FILE *out, const struct text *errors);

/* Drops the beginning of what a subject wrote on standard error, as far as print_errors does not need it. */
void trim_errors(struct text *errors);

#endif
