/* SPDX-License-Identifier: MIT
 *
 * promise.h - the properties that UTF-8 promises besides being decodable, as checks of any codec on any short text.
 *
 * The first four are the design goals of "How UTF-8 Encoding Works"; the others are from Unicode (2.5, 5.22) and
 * "Inventing UTF-8".
 */
#ifndef ASSAY_PROMISE_H
#define ASSAY_PROMISE_H

#include "claim.h"

/* Each is also a law with the same identifier. */
#define PROMISES(X) X(ASCII) X(NO_ZERO) X(SYNC) X(SORTS) X(SORTS_UTF16) X(DISJOINT) X(LOCAL) X(CONCATENATES)

enum promise {
#define X(id) PROMISE_##id,
    PROMISES(X)
#undef X
        PROMISE_COUNT
};

enum law promise_law(enum promise promise);
const char *promise_name(enum promise promise); /* name and sentence are the law's */
const char *promise_sentence(enum promise promise);

/* True if users of the encoding rely on the promise. */
bool promise_is_claimed(enum promise promise, const char *encoding);

/* True if the codec offers what the checks need: validation, and decoding to UTF-32 under strict, skip and whatwg. */
bool promise_can_be_asked(const struct assay_codec *codec);

/* A text: characters that are encoded one by one and concatenated. */
enum { SPELLING_BYTES = 40, SPELLING_CHARACTERS = 16 };
struct spelling {
    size_t character_count, byte_count;
    uint32_t characters[SPELLING_CHARACTERS];
    size_t begins[SPELLING_CHARACTERS + 1]; /* offsets of each character in `bytes`, and of the end */
    uint8_t bytes[SPELLING_BYTES];
};

/* Adds a character as the codec encodes it. Returns false if the codec cannot, or if there is no room. */
bool spelling_add(struct spelling *spelling, const struct assay_codec *codec, uint32_t character);

/* True if the codec decodes the text to its characters. */
bool spelling_is_read(const struct assay_codec *codec, const struct spelling *spelling);

/* True if the codec also takes the text for well-formed. If not, adjacent characters change when they are concatenated,
 * and no promise but CONCATENATES can be checked on the text. */
bool spelling_concatenates(const struct assay_codec *codec, const struct spelling *spelling);

/* Returns the longest well-formed prefix of these bytes that fits. */
struct spelling spelling_of(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count);

/* True if the codec keeps the promise on this text, or it cannot be checked; else `said` says where it does not.
 * `concatenates` is spelling_concatenates() of the text, which a caller asks once for all promises. LOCAL tries every
 * damage to one byte; with dice, a random one. */
enum { SAID_SIZE = 160 };
bool promise_holds(enum promise promise, const struct assay_codec *codec, const struct spelling *spelling,
                   bool concatenates, struct dice *dice, char said[SAID_SIZE]);

#endif
