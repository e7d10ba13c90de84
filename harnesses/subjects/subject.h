/* SPDX-License-Identifier: MIT
 *
 * subject.h - what the adapters share. An adapter makes a loadable codec (codec.h) of a decoder by others, a page
 * each: it calls what a user of that library would call, and adds nothing that the library does not need.
 *
 * Libraries that only convert whole strings are given enough room or not asked: with less than always suffices an
 * adapter says ASSAY_UNSUPPORTED. Figures of an error that a library does not tell are ASSAY_UNKNOWN.
 */
#ifndef ASSAY_SUBJECT_H
#define ASSAY_SUBJECT_H

#include "../../codecs/codec.h"

/* Defines the codec. In C++, a constant is visible outside only if it was declared so. */
#ifdef __cplusplus
#define SUBJECT(name_) \
    extern "C" const struct assay_codec assay_codec; \
    const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", name_)
#else
#define SUBJECT(name_) \
    extern const struct assay_codec assay_codec; \
    const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", name_)
#endif

/* A verdict in the form of codec.h. `offset`: that of the first error, or `byte_count` if there is none. */
static inline bool subject_verdict(size_t offset, size_t byte_count, struct assay_span *error)
{
    bool is_well_formed = offset == byte_count;
    if (error != NULL) {
        error->offset = is_well_formed ? 0 : offset;
        error->length = is_well_formed ? 0 : ASSAY_UNKNOWN;
        error->fault = ASSAY_FAULT_NONE;
        error->incomplete = false;
    }
    return is_well_formed;
}

static inline struct assay_result subject_result(enum assay_status status, size_t read, size_t written)
{
    struct assay_result result = {status, read, written, {0, 0, ASSAY_FAULT_NONE, false}};
    if (status == ASSAY_ILL_FORMED) {
        result.error.offset = read;
        result.error.length = ASSAY_UNKNOWN;
    }
    return result;
}

#define SUBJECT_UNSUPPORTED subject_result(ASSAY_UNSUPPORTED, 0, 0)

/* The result of a conversion of `count` units, of which the first `good` are well-formed. */
static inline struct assay_result subject_converted(size_t good, size_t count, size_t written)
{
    return subject_result(good == count ? ASSAY_OK : ASSAY_ILL_FORMED, good, written);
}

#endif
