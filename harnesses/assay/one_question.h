/* SPDX-License-Identifier: MIT
 *
 * one_question.h - one question as options of `assay diff`, for the command in a letter.
 */
#ifndef ASSAY_ONE_QUESTION_H
#define ASSAY_ONE_QUESTION_H

#include "../core/compare.h"

#include <stdio.h>

/* The options' values; NULL: not given. */
struct one_question {
    const char *operation, *policy, *capacity, *cuts, *room, *shifts;
};

/* Asks all codecs. `input` has the bytes of the units, the least significant byte first. Fails if the options do not
 * make a question. */
void one_question_ask(struct comparer *comparer, const struct one_question *options, const uint8_t *bytes,
                      size_t byte_count);

/* Fails, with the list of operations, if none has the name. */
enum operation one_question_parse_operation(const char *name);

/* Fails if an option is given that only works with --operation. */
void one_question_require_none(const struct one_question *options);

/* Returns the input of the question in the form of INPUT: of each unit the `written_unit` least significant bytes, the
 * least significant first. The caller frees the text. */
char *one_question_input(const struct question *question, size_t written_unit);

/* Writes the options and the input, each after a space. */
void one_question_write(FILE *out, const struct question *question);

#endif
