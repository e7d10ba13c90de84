/* SPDX-License-Identifier: MIT
 *
 * sweep.h - the state of an enumeration, and the functions that its parts share. Each part is `sweep_ID` in a file of
 * this folder.
 */
#ifndef ASSAY_SWEEP_H
#define ASSAY_SWEEP_H

#include "../../core/compare.h"
#include "../../core/convert.h"
#include "../../core/silence.h"
#include "../../core/tokens.h"
#include "../cli.h"

/* The state of one part. */
struct sweep {
    struct comparer comparer;
    const char *part;
    unsigned asks;               /* the operations that the part asks, one bit each (parts.def) */
    size_t stride, input_number; /* every `stride`th input is in the sample */
    size_t from;                 /* the first unit of unit-pairs: first where to begin, later the current one */
    bool has_little_room;        /* `diff` asks about little room only at random */
    uint64_t inputs, asked_once; /* the second counts for which questions with `once` have a shift, too */
    size_t known;                /* chunks that a checkpoint knew (chunks.h) */
    json_t *digests;             /* of all strings, if a part has any; NULL: none */
    json_t *sorts;               /* divergences: the count for each key */
    json_t *shown;               /* keys whose letter was written, in this part or before */
    double begun, shown_at;      /* ns */
};

void sweep_on_divergence(void *context, const struct divergence *divergence);

/* Writes the command that enumerates the running part from sweep->from on, and a line end. */
void sweep_write_rest(FILE *out, const struct sweep *sweep);

/* Writes the last line of the letter of a codec that gives no answer: the command that repeats the question. */
void sweep_write_again(FILE *out, const struct asking *silent);

/* Counts a codec that gives no answer as a divergence, and writes its letter, once for each key. */
void sweep_on_silence(struct sweep *sweep, const struct asking *silent, const char *end, const char *sentence);

/* The running part. */
extern struct sweep *sweep_under_way;

/* True with --fail-fast. */
extern bool sweep_fails_fast;

/* True if --fail-fast ends the enumeration. */
bool has_ended(uint64_t diverged);

/* Counts an input. Returns true if it is in the sample of this run. */
bool count_input(struct sweep *sweep);

/* Shows progress once a second on a terminal, once a minute elsewhere. */
void show_progress(struct sweep *sweep, size_t done, size_t all);

/* Reports a fault that no question shows: the reference's, or that of a codec that changes its answer. */
void note_failure(struct sweep *sweep, const struct assay_codec *codec, const char *what, int digits, uint64_t value);

/* Fails if the codec that others are compared with does not have an operation that a part calls directly. */
void sweep_needs(const struct comparer *comparer, enum operation operation);

/* For long runs: each of the following questions uses one placement only, which alternates with `number`; some are also
 * asked at an address that does not depend on their length. */
void alternate_placement(struct sweep *sweep, size_t number);

/* Runs a step, which asks codecs. If a codec gives no answer, it has failed: the step runs again, and must not ask that
 * codec (sweep_leaves_out). */
void sweep_survive(struct sweep *sweep, void (*step)(struct sweep *sweep, const void *context), const void *context);

/* The same for a step that asks only one codec: if that gives no answer, the step is left out. */
typedef void sweep_step(struct sweep *sweep, const struct assay_codec *codec, const void *context);
void sweep_survive_codec(struct sweep *sweep, const struct assay_codec *codec, sweep_step *step, const void *context);

/* True for a codec that gave no answer in the current step, or gave none several times. Is a comparer's
 * `should_skip`. */
bool sweep_leaves_out(void *context, const struct assay_codec *codec, enum operation operation);

/* compare() as a step of its own, with `once` of some questions twice. */
void sweep_compare(struct sweep *sweep, const struct question *question);

void ask_all(struct sweep *sweep, enum operation operation, enum assay_policy policy, const void *input, size_t count);

/* Joins the first `left_count` bytes of the input and the others. */
void ask_joined(struct sweep *sweep, const void *input, size_t count, size_t left_count);

/* Half are `whatwg`, a quarter `strict`. */
enum assay_policy roll_policy(struct dice *dice);

/* Asks with too little room, with just enough, with little more, and with as much as such an input may need. */
void ask_with_rooms(struct sweep *sweep, struct dice *dice, struct question question);

/* The same of the text, decoded to UTF-16 and UTF-32, and made well-formed. */
void ask_all_decoders(struct sweep *sweep, struct dice *dice, enum assay_policy policy, const uint8_t *text,
                      size_t count);

/* Asks a codec that was asked directly, and was wrong about at least three bytes, the question again, with its shift,
 * or else in all placements, for the letter. If it is now right, reports that. */
void ask_again(struct sweep *sweep, const struct assay_codec *codec, struct question question);

/* ---- verdicts, asked directly ---------------------------------------------------------------------------------- */

/* In this order the compiler does not load the last two members of a span together: they were just written one by one,
 * and it would wait for that. */
static inline bool is_same_span(const struct assay_span *a, const struct assay_span *b)
{
    return a->fault == b->fault && a->offset == b->offset && a->incomplete == b->incomplete && a->length == b->length;
}

/* True if the codec's verdict on the bytes is not as expected, or its first error is not. For a series of calls after
 * one asking_directly(). */
static inline bool has_wrong_verdict(const struct assay_codec *codec, const uint8_t *bytes, size_t count, bool expected,
                                     const struct assay_span *expected_error)
{
    struct assay_span error;
    asking.seconds = 0;
    bool is_well_formed = codec->validate(bytes, count, &error);
    return is_well_formed != expected || (!is_well_formed && !is_same_span(expected_error, &error) &&
                                          /* figures that the codec does not know count as equal */
                                          compare_spans(expected_error, &error) != FIELD_NONE);
}

/* ---- inputs ------------------------------------------------------------------------------------------------ */

enum { NEAR = 160, GAPS = 18, TAIL_MAX = 70, LONGEST_TOKEN = sizeof((struct token *)0)->bytes };

/* Characters of each length; both NUL and space, since each has hidden a fault. */
static const uint32_t fillers[] = {0x00, ' ', 0xE9, 0x20AC, 0x1F600};
enum { SPACES = 1, TWO_BYTES = 2, THREE_BYTES = 3, FOUR_BYTES = 4, FILLER_COUNT = sizeof fillers / sizeof fillers[0] };
enum { ASCII_COUNT = 2 }; /* the first fillers */

/* Writes a filler in the encoding. Returns its length. */
size_t put_filler(const struct sweep *sweep, size_t filler, uint8_t character[ASSAY_ENCODED_MAX(1)]);

/* Fills `count` bytes with one repeated character. If they are not a multiple of its length, the first bytes are ASCII.
 * Returns `count`. */
size_t fill(const struct sweep *sweep, uint8_t *out, size_t count, size_t filler);

/* Fills `count` bytes with one byte of ASCII; in UTF-16, with spaces. Returns `count`. */
size_t put_ascii(const struct sweep *sweep, uint8_t byte, uint8_t *out, size_t count);

enum { RANGE_COUNT = 4 }; /* ASCII, and what takes two, three and four bytes in UTF-8 */

/* Writes a random character of the range with this number, from 0. Returns its length. */
size_t put_at_random(const struct sweep *sweep, struct dice *dice, size_t range, uint8_t out[ASSAY_ENCODED_MAX(1)]);

/* Fills `count` bytes with random characters, as many of each range. Where none fits, it is ASCII. */
void fill_at_random(const struct sweep *sweep, struct dice *dice, uint8_t *out, size_t count);

const struct token_set *tokens_for(const struct sweep *sweep);

size_t put_token(uint8_t *out, const struct token *token);

/* The number of units that the reference writes with enough room. */
size_t needed_for(const struct comparer *comparer, struct question question);

/* Writes a unit that is an error, if the encoding has one: FF, or DC DC, a trail surrogate in either byte order.
 * Returns its length. */
size_t put_error(const struct sweep *sweep, uint8_t error[2]);

enum { UNIT_COUNT = 0x10000 };

#define PART(id, name, encoding, sentence, asks) void sweep_##id(struct sweep *sweep);
#define MINUTES_PART PART
#define HOURS_PART PART
#define LONG_PART PART
#include "parts.def"
#undef PART
#undef MINUTES_PART
#undef HOURS_PART
#undef LONG_PART

#endif
