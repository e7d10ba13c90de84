/* SPDX-License-Identifier: MIT
 *
 * promise.h - what UTF-8 promises of text beyond being decodable, as checks of any codec on any short text.
 *
 * The first four are the design goals of "How UTF-8 Encoding Works"; the others are what Unicode (2.5, 5.22) and
 * "Inventing UTF-8" ask for beside them.
 */
#ifndef ASSAY_PROMISE_H
#define ASSAY_PROMISE_H

#include "claim.h"

/* Each is a law, too, of the same identifier. */
#define PROMISES(X) X(ASCII) X(NO_ZERO) X(SYNC) X(SORTS) X(SORTS_UTF16) X(DISJOINT) X(LOCAL) X(CONCATENATES)

enum promise {
#define X(id) PROMISE_##id,
    PROMISES(X)
#undef X
    PROMISE_COUNT
};

enum law promise_law(enum promise promise);
const char *promise_name(enum promise promise); /* that of the law, as is the sentence */
const char *promise_sentence(enum promise promise);

/* Whether those who use the encoding rely on it. */
bool promise_is_claimed(enum promise promise, const char *encoding);

/* Whether a codec offers what promises are checked with: validation, and decoding to UTF-32 under strict, skip and whatwg. */
bool promise_can_be_asked(const struct assay_codec *codec);

/* A text, each character spelled by itself, one behind the other. */
enum { SPELLING_BYTES = 40, SPELLING_CHARACTERS = 16 };
struct spelling {
    size_t character_count, byte_count;
    uint32_t characters[SPELLING_CHARACTERS];
    size_t begins[SPELLING_CHARACTERS + 1]; /* of each character in `bytes`, and of the end */
    uint8_t bytes[SPELLING_BYTES];
};

/* Adds a character as the codec encodes it. False if it cannot, or if there is no room. */
bool spelling_add(struct spelling *spelling, const struct assay_codec *codec, uint32_t character);

/* Whether the codec decodes it to its characters. */
bool spelling_is_read(const struct assay_codec *codec, const struct spelling *spelling);

/* The longest beginning of these bytes that is well-formed and fits. */
struct spelling spelling_of(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count);

/* Whether the promise is kept on this text. If not, `said` tells where it is broken. LOCAL tries every damage, or, with
 * dice, one. */
enum { SAID_SIZE = 160 };
bool promise_holds(enum promise promise, const struct assay_codec *codec, const struct spelling *spelling, struct dice *dice,
                   char said[SAID_SIZE]);

#endif
