/* SPDX-License-Identifier: MIT
 *
 * verbs.h - calls of the verbs of codecs/simd and their answers: by an instruction set (ask.c), and by a scalar model
 * (model.c).
 */
#ifndef ASSAY_VERBS_H
#define ASSAY_VERBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANE_COUNT = 64, TEXT_BYTES = 3 * LANE_COUNT, GUARD_BYTES = LANE_COUNT, ANSWERS_MAX = 80, PATTERN = 0xA5 };

/* Names are those of verbs.def. */
struct operands {
    uint8_t A[LANE_COUNT], B[LANE_COUNT], C[LANE_COUNT], text[TEXT_BYTES], entries[16];
    uint64_t T, U;
    uint8_t byte, high_byte, low_byte, first, last;
    uint32_t wide[LANE_COUNT / 2], ascii[LANE_COUNT / 4];
    const uint8_t *some;
    size_t count;
};

/* The answer to one call, which is its text. Bytes that have `any` are not compared; no bytes: not asked. */
struct answer {
    const char *call;
    size_t byte_count;
    uint8_t bytes[sizeof(uint32_t) * LANE_COUNT + GUARD_BYTES], any[sizeof(uint32_t) * LANE_COUNT + GUARD_BYTES];
};

struct answers {
    struct answer list[ANSWERS_MAX];
    size_t count;
};

/* Adds an answer of `byte_count` bytes; all of them are compared. */
struct answer *next_answer(struct answers *answers, const char *call, size_t byte_count);

void ask_verbs(const struct operands *operands, struct answers *answers);
void ask_model(const struct operands *operands, struct answers *answers);

/* The verbs that encode take what they can: `read` units of `count`, and write `written` bytes. */
enum encoder { ENCODE_16, ENCODE_32, ENCODE_SHORT_16, ENCODE_SHORT_32, ENCODE_CESU8, ENCODE_MUTF8, ENCODER_COUNT };
struct encoded {
    size_t read, written;
};
extern const char *const encoder_names[ENCODER_COUNT];

/* With an instruction set, up to `count` (1 to 64) units, of 32 bits for ENCODE_32 and ENCODE_SHORT_32. */
struct encoded encode_by_verb(enum encoder encoder, const void *units, size_t count, uint8_t *out, size_t capacity);

/* The bytes of the first `count` units; false, if these have an error, or end amid a pair. */
bool encode_by_model(enum encoder encoder, const void *units, size_t count, uint8_t *out, size_t *byte_count);

/* Writes the characters that end in bytes 64 to 127 of well-formed UTF-8, given where characters end in bytes 0 to 63
 * (`last_ends`) and 64 to 127 (`ends`). Returns how many; 0 if the instruction set has no verb for it. */
size_t put_characters_by_verb(const uint8_t *text, uint64_t last_ends, uint64_t ends, uint32_t *out);

#endif
