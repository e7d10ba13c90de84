/* SPDX-License-Identifier: MIT
 *
 * registry.h - all codecs: the rows of codecs.def, then the loadable codecs.
 *
 * Safe to read from any number of threads while nothing is being loaded.
 */
#ifndef ASSAY_REGISTRY_H
#define ASSAY_REGISTRY_H

#include "built_in.h"

#ifdef __cplusplus
extern "C" {
#endif

size_t registry_count(void);
const struct registry_row *registry_at(size_t index);

/* Finds a codec by encoding and name, even if this CPU cannot run it; NULL if there is none. */
const struct registry_row *registry_find(const char *encoding, const char *name);

/* Returns the codec with which the other codecs of the encoding are compared; NULL if the encoding is unknown. */
const struct assay_codec *registry_reference(const char *encoding);

/* True if the codec is the reference of its encoding. Each encoding has one, so a loop over references is a loop over
 * encodings. */
bool registry_is_reference(const struct registry_row *row);

/* How a scheme lays out its bits (schemes/scheme.h); NULL for all other encodings. */
struct scheme;
const struct scheme *registry_scheme(const char *encoding);

/* Adds a shared library that exports `assay_codec`; it stays loaded. Returns NULL, or the reason for a
 * failure as a sentence (valid until the next call). */
const char *registry_load(const char *path);

/* Adds a codec. Its first struct_size bytes are copied; its names are kept by address. Returns false if there is no
 * room for more. */
bool registry_add(const struct assay_codec *codec);

/* True if a codec is one that registry_add() made. */
bool registry_is_loaded(const struct assay_codec *codec);

/* Names and sentences of codec.h's lists. The parser returns ASSAY_POLICY_COUNT for an unknown name. */
const char *assay_fault_name(enum assay_fault fault);
const char *assay_fault_sentence(enum assay_fault fault);
const char *assay_policy_name(enum assay_policy policy);
const char *assay_policy_sentence(enum assay_policy policy);
enum assay_policy assay_policy_parse(const char *name);

#ifdef __cplusplus
}
#endif

#endif
