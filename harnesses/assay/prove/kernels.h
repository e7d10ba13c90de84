/* SPDX-License-Identifier: MIT
 *
 * kernels.h - the vector kernels that validate, lane by lane. kernel.c compiles the templates of codecs/simd/bytes/
 * again for each instruction set, with the flags of the codecs, and shows the vectors from which they compute their
 * verdict.
 */
#ifndef ASSAY_PROVE_KERNELS_H
#define ASSAY_PROVE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCK_BYTES = 64, STRIDE_BLOCKS = 4, STRIDE_BYTES = STRIDE_BLOCKS * BLOCK_BYTES };

/* Lengths, in bytes, around which inputs are chosen, because validation goes another way there. kernel.c compares them
 * with the codecs. */
enum {
    FEW_LENGTH = 2 * STRIDE_BYTES,    /* up to here, all blocks are checked at once */
    LONG_LENGTH = 8 * STRIDE_BYTES,   /* from here on, validation has loops over strides, which begin at a cache line */
    FOURS_LENGTH = 64 * STRIDE_BYTES, /* for at least as long leads of four are expected after one */
    PROSE_END = 256 * STRIDE_BYTES,   /* before this, text that begins with ASCII is first checked as English prose */
    PREFETCHED_LENGTH = 1 << 20,      /* from here on, validation prefetches, or first skips ASCII */
    FAR_LENGTH = 8 << 20              /* from here on, kernels load a block once and not four times (AVX-512) */
};

/* The forms of the kernel: for a block (wrong_bytes); for several blocks, such as a stride (blocks_are_wrong), where
 * leads of four are allowed or refused; three that shift one of the loaded bytes before a block, or all (AVX-512); and,
 * only in theorem `lanes`, the test whether blocks are ASCII (blocks_are_ascii). */
enum kernel_form {
    KERNEL_BLOCK,
    KERNEL_BLOCKS,
    KERNEL_BLOCKS_WITHOUT_FOURS,
    KERNEL_BY_ONE_SHIFT,
    KERNEL_BY_SHIFTS,
    KERNEL_BY_SHIFTS_WITHOUT_FOURS,
    KERNEL_IS_ASCII,
    KERNEL_FORM_COUNT
};

/* As in messages. */
static inline const char *kernel_form_name(enum kernel_form form)
{
    static const char *const names[] = {"one block",
                                        "blocks",
                                        "blocks without characters of four bytes",
                                        "blocks, shifted",
                                        "blocks from memory",
                                        "blocks from memory without characters of four bytes",
                                        "blocks of ASCII"};
    return names[form];
}

static inline bool kernel_refuses_fours(enum kernel_form form)
{
    return form == KERNEL_BLOCKS_WITHOUT_FOURS || form == KERNEL_BY_SHIFTS_WITHOUT_FOURS;
}

static inline bool kernel_shifts_all(enum kernel_form form)
{
    return form == KERNEL_BY_SHIFTS || form == KERNEL_BY_SHIFTS_WITHOUT_FOURS;
}

/* The kernels of an instruction set for one encoding. */
struct kernels {
    const char *encoding, *isa;

    /* For each of `count` strides, returns the lanes in which the kernel finds an error: bit i for lane i; for a
     * stride, the OR of its four blocks. KERNEL_BLOCK looks at one block of each stride: number i % STRIDE_BLOCKS of
     * stride i. Reads three bytes before the first stride. */
    void (*wrong_lanes)(enum kernel_form form, const uint8_t *strides, size_t count, uint64_t *wrong);

    /* Both read the three bytes before the address. */
    bool (*is_cut_before)(const uint8_t *bytes);
    bool (*has_fours_before)(const uint8_t *bytes);

    /* The number of the first half stride from `from` on that is not ASCII, in the batch at `begin`; without one, the
     * number of all. */
    size_t (*next_other)(const uint8_t *begin, const uint8_t *end, size_t from);

    bool has_other_forms; /* otherwise those that look back in another way are the same as the others */
};

/* Returns NULL if there are none: the kernels alone do not decide the encoding, or the codec does not use vectors. */
const struct kernels *kernels_of(const char *encoding, const char *isa);

/* Replaces the kernels of an instruction set by those of a shared library, which exports `struct kernels kernels`.
 * Returns NULL, or the reason of a failure. */
const char *kernels_load(const char *library);

#endif
