/* SPDX-License-Identifier: MIT
 *
 * rules.h - what is well-formed, for the prover: the rows and the one step of each reference (codecs/reference/), compiled a
 * second time without the reference's loop. All theorems compare codecs with these. Nothing here reads a table of a codec.
 */
#ifndef ASSAY_PROVE_RULES_H
#define ASSAY_PROVE_RULES_H

#include "../../../codecs/codec.h"

enum { RULE_BYTES_MAX = 8, KINDS_MAX = 40 };

/* A character (fault NONE), an error, or, where the fault is TRUNCATED and more may come, neither yet. */
struct rule_step {
    size_t length;
    uint32_t code_point;
    enum assay_fault fault;
};

/* The rules of one encoding. `step` looks at up to RULE_BYTES_MAX bytes, at least one. */
struct rules {
    const char *encoding;
    struct rule_step (*step)(const uint8_t *bytes, size_t byte_count, bool last, bool after_lead);
    bool (*are_alike)(uint8_t a,
                      uint8_t b); /* the rows and the step do not distinguish these two bytes, but for the code point */
};

/* NULL for an encoding without rules: a scheme. */
const struct rules *rules_of(const char *encoding);

/* Bytes that the rules do not distinguish are of one kind. */
struct kinds {
    size_t count;
    uint8_t of[256];          /* kind of each byte */
    uint8_t first[KINDS_MAX]; /* the first byte of each kind */
};
struct kinds kinds_of(const struct rules *rules);

/* The rules as an automaton: what is under way after some bytes. */
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

/* The events that one more byte makes certain, offsets from the first pending byte; returns how many (at most
 * RULE_BYTES_MAX). */
size_t rules_feed(const struct rules *rules, struct rule_state *state, uint8_t byte, struct rule_event *events);

/* Writes all events of a string and returns their number, one per byte at most. `last`: the string is the end of the input. */
size_t rules_run(const struct rules *rules, const uint8_t *bytes, size_t byte_count, bool last,
                 struct rule_event *events);

/* States with the same identity have the same future: the kinds of the pending bytes, and whether a lead is before them. */
uint64_t rule_state_identity(const struct kinds *kinds, const struct rule_state *state);

#endif
