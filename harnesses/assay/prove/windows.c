/* SPDX-License-Identifier: MIT
 *
 * Theorem `windows`: every string of four bytes through a kernel, 16 of them in each block, one block of each stride.
 */
#include "contexts.h"
#include "kernels.h"
#include "theorems.h"

#include <string.h>

enum {
    WINDOW_BYTES = 4,
    WINDOWS_IN_BLOCK = BLOCK_BYTES / WINDOW_BYTES,
    STRIDES = 256 / WINDOWS_IN_BLOCK, /* for the 256 bytes that can be the fourth */
    PADDING = BLOCK_BYTES
};

/* Where, in a block of windows, the last bytes of windows are. */
static const uint64_t last_bytes = UINT64_C(0x8888888888888888);

struct windows {
    struct proof *proof;
    const struct contexts *contexts;
    const struct kernels *kernels;
    uint8_t padded[PADDING + STRIDES * STRIDE_BYTES];
    uint32_t last_of[256];      /* windows that are zero but for their last byte, which is the index */
    size_t context;             /* the one that `expected` is for */
    uint64_t expected[STRIDES]; /* the lanes that are wrong */
    uint32_t remainders[256];   /* of CRC-32 */
    uint32_t certificate;
};

/* CRC-32 of ISO-HDLC (zlib), which a second program can compute easily. */
static void begin_certificate(struct windows *windows)
{
    windows->certificate = UINT32_MAX;
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t remainder = byte;
        for (int bit = 0; bit < 8; bit++)
            remainder = remainder >> 1 ^ (remainder & 1 ? UINT32_C(0xEDB88320) : 0);
        windows->remainders[byte] = remainder;
    }
}

static void add_to_certificate(struct windows *windows, uint8_t byte)
{
    windows->certificate = windows->certificate >> 8 ^ windows->remainders[(windows->certificate ^ byte) & 0xFF];
}

/* Returns the bits of the last bytes of windows, next to each other. */
static uint16_t gather_last_bits(uint64_t lanes)
{
    uint64_t bits = (lanes & last_bytes) >> LOOK_BACK; /* one in each 4 bits, then 2 in each 8, and so on */
    bits = (bits | bits >> 3) & UINT64_C(0x0303030303030303);
    bits = (bits | bits >> 6) & UINT64_C(0x000F000F000F000F);
    bits = (bits | bits >> 12) & UINT64_C(0x000000FF000000FF);
    return (uint16_t)(bits | bits >> 24);
}

/* Adds to the certificate the three bytes of a context, then a bit for each of the 256 bytes after them: 1 if the
 * kernel found an error there. */
static void certify(struct windows *windows, const uint8_t bytes[LOOK_BACK], const uint64_t *wrong)
{
    for (size_t i = 0; i < LOOK_BACK; i++)
        add_to_certificate(windows, bytes[i]);
    for (size_t stride = 0; stride < STRIDES; stride++) {
        uint16_t bits = gather_last_bits(wrong[stride]);
        add_to_certificate(windows, (uint8_t)bits);
        add_to_certificate(windows, (uint8_t)(bits >> 8));
    }
}

static uint8_t *block_of_windows(struct windows *windows, size_t stride)
{
    return windows->padded + PADDING + stride * STRIDE_BYTES + stride % STRIDE_BLOCKS * BLOCK_BYTES;
}

static void prepare_last_bytes(struct windows *windows)
{
    for (size_t last = 0; last < 256; last++)
        memcpy(&windows->last_of[last], (uint8_t[WINDOW_BYTES]){0, 0, 0, (uint8_t)last}, WINDOW_BYTES);
}

/* Writes the three bytes before each of the 256. */
static void put_bytes(struct windows *windows, const uint8_t bytes[LOOK_BACK])
{
    uint32_t first;
    memcpy(&first, (uint8_t[WINDOW_BYTES]){bytes[0], bytes[1], bytes[2], 0}, WINDOW_BYTES);
    for (size_t stride = 0; stride < STRIDES; stride++) {
        const uint32_t *last = windows->last_of + stride * WINDOWS_IN_BLOCK;
        uint32_t block[WINDOWS_IN_BLOCK];
        for (size_t number = 0; number < WINDOWS_IN_BLOCK; number++)
            block[number] = first | last[number];
        memcpy(block_of_windows(windows, stride), block, sizeof block);
    }
}

/* Notes the expected answers, unless they are those that were noted last. */
static void expect_context(struct windows *windows, size_t context)
{
    const enum context_verdict *verdicts = windows->contexts->verdicts[context];
    if (windows->context == context)
        return;
    windows->context = context;
    memset(windows->expected, 0, sizeof windows->expected);
    for (size_t last = 0; last < 256; last++)
        if (verdicts[windows->contexts->kinds.of[last]] == WRONG)
            windows->expected[last / WINDOWS_IN_BLOCK] |= UINT64_C(8) << last % WINDOWS_IN_BLOCK * WINDOW_BYTES;
}

/* Refutes the theorem with the first window for whose last byte the kernel's answer is not the expected one. */
static bool refute_window(struct windows *windows, const char *form, const uint64_t *wrong, const uint64_t *expected)
{
    for (size_t last = 0; last < 256; last++) {
        size_t stride = last / WINDOWS_IN_BLOCK, number = last % WINDOWS_IN_BLOCK;
        uint64_t bit = UINT64_C(8) << number * WINDOW_BYTES;
        const uint8_t *window = block_of_windows(windows, stride) + number * WINDOW_BYTES;
        if (((wrong[stride] ^ expected[stride]) & bit) != 0)
            return refute(windows->proof,
                          "the kernel of %s says that the last byte of %02X %02X %02X %02X is %s, and it is %s", form,
                          window[0], window[1], window[2], window[3], (wrong[stride] & bit) != 0 ? "wrong" : "right",
                          (expected[stride] & bit) != 0 ? "wrong" : "right");
    }
    return false;
}

static bool ask(struct windows *windows, enum kernel_form form, const uint64_t *expected)
{
    uint64_t wrong[STRIDES], unlike = 0;
    windows->kernels->wrong_lanes(form, windows->padded + PADDING, STRIDES, wrong);
    for (size_t i = 0; i < STRIDES; i++)
        unlike |= (wrong[i] ^ expected[i]) & last_bytes;
    windows->proof->cases += 256;
    if (form == KERNEL_BLOCKS)
        certify(windows, block_of_windows(windows, 0), wrong);
    return unlike == 0 || refute_window(windows, kernel_form_name(form), wrong, expected);
}

/* A stride that refuses leads of four is asked only if none is among the three bytes before it. If the last of these is
 * one, the stride before refused it, and the kernel must report every byte as wrong. */
static bool ask_without_fours(struct windows *windows, enum kernel_form form, const uint8_t bytes[LOOK_BACK])
{
    const uint8_t one_before[LOOK_BACK] = {0, bytes[0], bytes[1]};
    uint64_t all[STRIDES];
    if (windows->kernels->has_fours_before(one_before + LOOK_BACK))
        return true;
    for (size_t i = 0; i < STRIDES; i++)
        all[i] = last_bytes;
    return ask(windows, form, windows->kernels->has_fours_before(bytes + LOOK_BACK) ? all : windows->expected);
}

/* True if the kernel is right about the end of the input, or ASCII, after three bytes. */
static bool agrees_on_end(struct windows *windows, const uint8_t bytes[LOOK_BACK], size_t context)
{
    bool is_cut = windows->kernels->is_cut_before(bytes + LOOK_BACK);
    windows->proof->cases++;
    return is_cut != windows->contexts->ends_well[context] ||
           refute(windows->proof, "is_cut_before says of %02X %02X %02X that a sequence %s", bytes[0], bytes[1],
                  bytes[2], is_cut ? "is cut after them" : "is not cut after them");
}

static bool ask_context(struct windows *windows, const uint8_t bytes[LOOK_BACK])
{
    size_t context = context_of(windows->contexts, bytes);
    if (!windows->contexts->can_be[context])
        return true;
    if (!agrees_on_end(windows, bytes, context))
        return false;
    put_bytes(windows, bytes);
    expect_context(windows, context);
    bool holds = ask(windows, KERNEL_BLOCK, windows->expected) && ask(windows, KERNEL_BLOCKS, windows->expected) &&
                 ask_without_fours(windows, KERNEL_BLOCKS_WITHOUT_FOURS, bytes);
    return holds &&
           (!windows->kernels->has_other_forms || (ask(windows, KERNEL_BY_ONE_SHIFT, windows->expected) &&
                                                   ask(windows, KERNEL_BY_SHIFTS, windows->expected) &&
                                                   ask_without_fours(windows, KERNEL_BY_SHIFTS_WITHOUT_FOURS, bytes)));
}

bool applies_windows(const struct assay_codec *codec)
{
    return kernels_of(codec->encoding, codec->name) != NULL;
}

void prove_windows(struct proof *proof)
{
    struct windows *windows = cli_alloc(1, sizeof *windows);
    struct contexts *contexts = contexts_of(proof);
    windows->proof = proof;
    windows->contexts = contexts;
    windows->kernels = kernels_of(proof->codec->encoding, proof->codec->name);
    windows->context = CONTEXTS_MAX; /* none yet */
    prepare_last_bytes(windows);
    begin_certificate(windows);
    for (size_t pair = proof->offset; pair < 65536 && proof->outcome == PROVEN; pair += proof->stride)
        for (unsigned third = 0; third < 256; third++)
            if (!ask_context(windows, (uint8_t[]){(uint8_t)(pair >> 8), (uint8_t)pair, (uint8_t)third}))
                break;
    if (contexts != NULL)
        snprintf(proof->found, sizeof proof->found, "%zu contexts of kinds, verdicts %08X", contexts->count,
                 (unsigned)~windows->certificate);
    free(contexts);
    free(windows);
}
