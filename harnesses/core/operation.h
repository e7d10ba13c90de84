/* SPDX-License-Identifier: MIT
 *
 * operation.h - the rows of operations.def at run time, and a call of any of them in one form. Needs no system: it is
 * also part of the WebAssembly module.
 */
#ifndef ASSAY_OPERATION_H
#define ASSAY_OPERATION_H

#include "../../codecs/operations.h"

/* The columns of operations.def. */
const char *operation_name(enum operation operation);
enum operation_shape operation_shape(enum operation operation);
size_t operation_input_unit(enum operation operation);  /* bytes */
size_t operation_output_unit(enum operation operation); /* bytes */
const char *operation_unit_word(enum operation operation);
enum operation operation_whole(enum operation operation);
bool operation_has_policy(enum operation operation);

/* Returns a capacity, in output units, that suffices for the whole answer under any policy. */
size_t capacity_for(enum operation operation, size_t input_count);

/* True if the codec has the operation. */
bool codec_has(const struct assay_codec *codec, enum operation operation);

/* The arguments of a codec's function. Which of them are used depends on the operation's shape. */
struct arguments {
    enum assay_policy policy;
    const void *input;
    size_t input_count; /* units */
    void *output;
    size_t capacity;             /* units */
    struct assay_stream *stream; /* FEED, in place of the policy */
    bool last;                   /* FEED */
    size_t at;                   /* BOUNDARY */
    const void *right;           /* CONCAT, where `input` is the left string */
    size_t right_count;
};

/* Calls an operation that the codec has. If its shape does not return a struct assay_result, one is made: the status is
 * the verdict, `written` the number of spans; counts and a boundary are written as output units. */
struct assay_result codec_call(const struct assay_codec *codec, enum operation operation, const struct arguments *with);

#endif
