/* SPDX-License-Identifier: MIT
 *
 * mutator.h - the interface between the mutator and the engines. Sizes are in bytes.
 */
#ifndef ASSAY_MUTATOR_H
#define ASSAY_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* The encoding whose tokens the mutator inserts. A libFuzzer target defines it. */
extern const char *mutator_encoding __attribute__((weak));

/* libFuzzer's own mutation (NULL under other engines), and the functions that libFuzzer calls. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned int seed);

/* AFL++'s custom mutator API. */
void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t count, uint8_t **out, uint8_t *other, size_t other_count,
                       size_t max_size);
void afl_custom_deinit(void *data);

#endif
