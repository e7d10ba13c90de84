/* SPDX-License-Identifier: MIT
 *
 * damage.h - the parts of `assay damage`: a text in an encoding, damages to it, and their effects on the text.
 */
#ifndef ASSAY_DAMAGE_H
#define ASSAY_DAMAGE_H

#include "../../core/claim.h"
#include "../cli.h"

/* A kind of damage to a byte: identifier, name, sentence. */
/* clang-format off */
#define DAMAGES(X) \
    X(DELETED, "deleted", "a byte is lost") \
    X(INSERTED, "inserted", "a byte, any of the 256, comes in") \
    X(SUBSTITUTED, "substituted", "a byte becomes another, any of the 255") \
    X(DUPLICATED, "duplicated", "a byte is there twice") \
    X(SWAPPED, "swapped", "a byte changes places with the next, which differs")
/* clang-format on */

/* The same kinds for a burst, several bytes in a row. */
/* clang-format off */
#define BURST_DAMAGES(X) \
    X(DELETED, "deleted", "the bytes are lost") \
    X(INSERTED, "inserted", "as many bytes, at random, come in") \
    X(SUBSTITUTED, "zeroed", "the bytes become 00") \
    X(DUPLICATED, "repeated", "the bytes are there twice") \
    X(SWAPPED, "moved", "the bytes change places with as many after them, which differ")
/* clang-format on */

enum { BURST_MAX = 8 }; /* bytes */

enum damage {
#define X(id, name, sentence) DAMAGE_##id,
    DAMAGES(X)
#undef X
        DAMAGE_COUNT
};

/* The number of damages of one kind, and their effects: sums over all damages, and the worst of one. Characters are
 * code points. */
struct damage_tally {
    uint64_t times;
    uint64_t undetected;             /* the damaged text is well-formed */
    uint64_t turned;                 /* undetected, and characters of the text became other characters */
    uint64_t lost, lost_worst;       /* characters of the text that are not in the output */
    uint64_t strange, strange_worst; /* characters of the output that are not of the text; U+FFFD does not count */
    uint64_t spread, spread_worst;   /* bytes after the damage until decoding is in step again */
};

void damage_tally_add(struct damage_tally *sum, const struct damage_tally *tally);

/* A text, as its characters. */
struct text {
    char *name;
    uint32_t *characters;
    size_t character_count;
    size_t excerpt, excerpt_count; /* of the characters */
};

/* Part of a text in an encoding. The caller frees it with damage_text_free(). */
struct damage_text {
    const struct assay_codec *codec;
    const uint32_t *characters; /* not owned */
    size_t character_count;
    uint8_t *bytes;
    size_t byte_count;
    size_t *begins;   /* offsets in `bytes` of each character and of the end */
    uint8_t *damaged; /* room for the damaged bytes */
    uint32_t *out;    /* room for what they decode to */
};

struct damage_text damage_text_new(const struct assay_codec *codec, const uint32_t *characters, size_t character_count);
void damage_text_free(struct damage_text *text);

/* Applies every damage of every kind at every place, and adds the effects to tallies[DAMAGE_COUNT]: to one byte, or to
 * a burst of 2 to BURST_MAX bytes. At each place 256 random bursts of `dice` are inserted; a substituted burst is
 * zeros, once. */
void damage_exhaustively(const struct damage_text *text, size_t burst, struct dice *dice, struct damage_tally *tallies);

/* Applies `count` damages at random places of the text; all kinds are equally frequent. */
void damage_sampled(const struct damage_text *text, size_t burst, struct dice *dice, size_t count,
                    struct damage_tally *tallies);

#endif
