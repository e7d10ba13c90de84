/* SPDX-License-Identifier: MIT
 *
 * rules.h - the prover's definition of well-formed: the rows and the step of each reference (codecs/reference/),
 * compiled a second time without the reference's loop. All theorems compare codecs with these. Nothing here reads a
 * codec's tables.
 */
#ifndef ASSAY_PROVE_RULES_H
#define ASSAY_PROVE_RULES_H

#include "../../../codecs/codec.h"

enum { RULE_BYTES_MAX = 8, KINDS_MAX = 40 };

/* A character (fault NONE) or an error; or, if the fault is TRUNCATED and more bytes may come, undecided. */
struct rule_step {
    size_t length;
    uint32_t code_point;
    enum assay_fault fault;
};

/* The rules of one encoding. `step` is given at least one byte, and looks at RULE_BYTES_MAX bytes at most. */
struct rules {
    const char *encoding;
    struct rule_step (*step)(const uint8_t *bytes, size_t byte_count, bool last, bool after_lead);
    bool (*are_alike)(uint8_t a,
                      uint8_t b); /* the rows and the step treat these two bytes alike, except for the code point */
};

/* Returns NULL for an encoding without rules: a scheme. */
const struct rules *rules_of(const char *encoding);

/* Bytes that the rules do not distinguish are of one kind. */
struct kinds {
    size_t count;
    uint8_t of[256];          /* the kind of each byte */
    uint8_t first[KINDS_MAX]; /* the first byte of each kind */
};
struct kinds kinds_of(const struct rules *rules);

/* The rules as an automaton: the state after some bytes. */
struct rule_state {
    uint8_t pending[RULE_BYTES_MAX];
    size_t count;
    bool after_lead; /* the last character was a lead surrogate */
};

struct rule_event {
    size_t offset, length;
    uint32_t code_point;
    enum assay_fault fault; /* NONE: a character */
};

/* Writes the events that become certain with one more byte, with offsets from the first pending byte. Returns their
 * number, at most RULE_BYTES_MAX. */
size_t rules_feed(const struct rules *rules, struct rule_state *state, uint8_t byte, struct rule_event *events);

/* Writes all events of a string and returns their number, at most one for each byte. `last`: the input ends with the
 * string. */
size_t rules_run(const struct rules *rules, const uint8_t *bytes, size_t byte_count, bool last,
                 struct rule_event *events);

/* States with the same identity have the same future: it consists of the kinds of the pending bytes, and whether a lead
 * precedes them. */
uint64_t rule_state_identity(const struct kinds *kinds, const struct rule_state *state);

#endif
