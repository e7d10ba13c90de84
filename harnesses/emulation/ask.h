/* SPDX-License-Identifier: MIT
 *
 * ask.h - the same calls of AVX-512 intrinsics, with the instructions and emulated.
 */
#ifndef ASSAY_EMULATION_ASK_H
#define ASSAY_EMULATION_ASK_H

#include <stddef.h>
#include <stdint.h>

enum { REGISTER_BYTES = 64, ANSWERS_MAX = 128 };

/* The arguments of the calls. */
struct operands {
    uint8_t a[REGISTER_BYTES], b[REGISTER_BYTES], c[REGISTER_BYTES];
    uint64_t mask;
} __attribute__((aligned(REGISTER_BYTES)));

/* The result of each call, in the order of the calls; `call` is its source text. */
struct answers {
    struct answer {
        const char *call;
        size_t byte_count;
        uint8_t bytes[REGISTER_BYTES];
    } list[ANSWERS_MAX];
    size_t count;
};

void ask_instructions(const struct operands *operands, struct answers *answers);
void ask_emulation(const struct operands *operands, struct answers *answers);
void ask_canary(const struct operands *operands, struct answers *answers);

#endif
