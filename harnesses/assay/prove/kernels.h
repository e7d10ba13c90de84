/* SPDX-License-Identifier: MIT
 *
 * kernels.h - the vector kernels that validate, lane by lane. kernel.c compiles the templates of codecs/simd/bytes/ once more for
 * each instruction set, with the flags of the codecs, and shows what they look at before they make one verdict of it.
 */
#ifndef ASSAY_PROVE_KERNELS_H
#define ASSAY_PROVE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCK_BYTES = 64, STRIDE_BLOCKS = 4, STRIDE_BYTES = STRIDE_BLOCKS * BLOCK_BYTES };

/* Which kernel: of a block (wrong_bytes); of a stride (blocks_are_wrong), where leads of four bytes may stand or are refused. For
 * theorem `lanes` only: KERNEL_STRIDE_IS_ASCII is the test whether a stride is ASCII (blocks_are_ascii), and the last three are these
 * forms of half a stride, which AVX-512 has in its loop for ASCII. */
enum kernel_form {
    KERNEL_BLOCK,
    KERNEL_STRIDE,
    KERNEL_STRIDE_WITHOUT_FOURS,
    KERNEL_STRIDE_IS_ASCII,
    KERNEL_HALF_STRIDE,
    KERNEL_HALF_STRIDE_WITHOUT_FOURS,
    KERNEL_HALF_STRIDE_IS_ASCII,
    KERNEL_FORM_COUNT
};

/* The kernels of an instruction set for one encoding. */
struct kernels {
    const char *encoding, *isa;

    /* For each of `count` strides, the lanes in which it finds an error: bit i for lane i, of a stride the lanes of its four
     * blocks together. KERNEL_BLOCK looks at one block of each: number i % STRIDE_BLOCKS of stride i. Three bytes before the
     * first stride are read. */
    void (*wrong_lanes)(enum kernel_form form, const uint8_t *strides, size_t count, uint64_t *wrong);

    /* Both read the three bytes before an address. */
    bool (*is_cut_before)(const uint8_t *bytes);
    bool (*has_fours_before)(const uint8_t *bytes);
};

/* NULL if there are none: the encoding is not decided by the kernels alone, or the codec is none of vectors. */
const struct kernels *kernels_of(const char *encoding, const char *isa);

/* Takes the kernels of a shared library, which exports `struct kernels kernels`, in place of those of its instruction set.
 * Returns NULL, or why not. */
const char *kernels_load(const char *library);

#endif
