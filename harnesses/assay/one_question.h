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

/* Asks all codecs; without a policy, under each. `input` has the bytes of the units, the least significant byte
 * first. Fails if the options do not make a question. */
void one_question_ask(struct comparer *comparer, const struct one_question *options, const uint8_t *bytes,
                      size_t byte_count);

/* Fails, with the list of operations, if none has the name. */
enum operation one_question_parse_operation(const char *name);

/* Fails if an option is given that only works with --operation. */
void one_question_require_none(const struct one_question *options);

/* Writes the options and the input, each after a space. */
void one_question_write(FILE *out, const struct question *question);

/* True if `assay diff` asks this question, or one with more room, about the input alone. About more than
 * EXAMINE_THOROUGH_MAX bytes it asks only some operations (examine.c); about pieces, only for few bytes, one cut and
 * enough room (harnesses/fuzz/stream.c); the units of an encoder have up to 21 bits (harnesses/fuzz/roundtrip.c). */
bool one_question_is_in_diff(const struct question *question);

/* Returns the input of `assay diff` that asks this question, alone or with the options, in the form of INPUT; NULL if
 * it is longer than a line should be. The caller frees it. */
char *one_question_input(const struct question *question, bool is_in_diff);

/* Writes the command `assay diff` that asks all codecs, and a loaded one, this question: with the input alone if
 * `is_in_diff`, else with the options. */
void one_question_write_diff(FILE *out, const struct assay_codec *codec, const struct question *question,
                             bool is_in_diff);

#endif
