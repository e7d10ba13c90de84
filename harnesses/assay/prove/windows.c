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
    uint64_t expected[STRIDES]; /* for the current context: the lanes that are wrong */
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

/* Adds to the certificate the three bytes of a context, then a bit for each of the 256 bytes after them: 1 if the
 * kernel found an error there. */
static void certify(struct windows *windows, const uint8_t bytes[LOOK_BACK], const uint64_t *wrong)
{
    for (size_t i = 0; i < LOOK_BACK; i++)
        add_to_certificate(windows, bytes[i]);
    for (size_t stride = 0; stride < STRIDES; stride++) {
        unsigned bits = 0;
        for (size_t number = 0; number < WINDOWS_IN_BLOCK; number++)
            bits |= (unsigned)(wrong[stride] >> (number * WINDOW_BYTES + LOOK_BACK) & 1) << number;
        add_to_certificate(windows, (uint8_t)bits);
        add_to_certificate(windows, (uint8_t)(bits >> 8));
    }
}

static uint8_t *window_at_hand(struct windows *windows, size_t fourth)
{
    size_t stride = fourth / WINDOWS_IN_BLOCK, number = fourth % WINDOWS_IN_BLOCK;
    return windows->padded + PADDING + stride * STRIDE_BYTES + stride % STRIDE_BLOCKS * BLOCK_BYTES +
           number * WINDOW_BYTES;
}

/* Writes the three bytes before each of the 256, and notes the expected answers. */
static void put_context(struct windows *windows, const uint8_t bytes[LOOK_BACK])
{
    const enum context_verdict *verdicts = windows->contexts->verdicts[context_of(windows->contexts, bytes)];
    memset(windows->expected, 0, sizeof windows->expected);
    for (size_t fourth = 0; fourth < 256; fourth++) {
        uint8_t *window = window_at_hand(windows, fourth);
        memcpy(window, bytes, LOOK_BACK);
        window[LOOK_BACK] = (uint8_t)fourth;
        if (verdicts[windows->contexts->kinds.of[fourth]] == WRONG)
            windows->expected[fourth / WINDOWS_IN_BLOCK] |= UINT64_C(8) << fourth % WINDOWS_IN_BLOCK * WINDOW_BYTES;
    }
}

/* Refutes the theorem with the first window for whose last byte the kernel's answer is not the expected one. */
static bool refute_window(struct windows *windows, const char *form, const uint64_t *wrong)
{
    for (size_t fourth = 0; fourth < 256; fourth++) {
        uint64_t bit = UINT64_C(8) << fourth % WINDOWS_IN_BLOCK * WINDOW_BYTES;
        size_t stride = fourth / WINDOWS_IN_BLOCK;
        const uint8_t *window = window_at_hand(windows, fourth);
        if (((wrong[stride] ^ windows->expected[stride]) & bit) != 0)
            return refute(windows->proof,
                          "the kernel of %s says that the last byte of %02X %02X %02X %02X is %s, and it is %s", form,
                          window[0], window[1], window[2], window[3], (wrong[stride] & bit) != 0 ? "wrong" : "right",
                          (windows->expected[stride] & bit) != 0 ? "wrong" : "right");
    }
    return false;
}

static bool ask(struct windows *windows, enum kernel_form form)
{
    static const char *const names[] = {"blocks", "strides", "strides without 4-byte characters"};
    uint64_t wrong[STRIDES], unlike = 0;
    windows->kernels->wrong_lanes(form, windows->padded + PADDING, STRIDES, wrong);
    for (size_t i = 0; i < STRIDES; i++)
        unlike |= (wrong[i] ^ windows->expected[i]) & last_bytes;
    windows->proof->cases += 256;
    if (form == KERNEL_STRIDE)
        certify(windows, window_at_hand(windows, 0), wrong);
    return unlike == 0 || refute_window(windows, names[form], wrong);
}

/* A stride that refuses leads of four is asked only if none is among the three bytes before it. If the last of these is
 * one, the stride before refused it, and the kernel must report every byte as wrong. */
static bool ask_without_fours(struct windows *windows, const uint8_t bytes[LOOK_BACK])
{
    const uint8_t one_before[LOOK_BACK] = {0, bytes[0], bytes[1]};
    if (windows->kernels->has_fours_before(one_before + LOOK_BACK))
        return true;
    if (windows->kernels->has_fours_before(bytes + LOOK_BACK))
        for (size_t i = 0; i < STRIDES; i++)
            windows->expected[i] = last_bytes;
    return ask(windows, KERNEL_STRIDE_WITHOUT_FOURS);
}

/* True if the kernel is right about the end of the input, or ASCII, after three bytes. */
static bool agrees_on_end(struct windows *windows, const uint8_t bytes[LOOK_BACK])
{
    bool is_cut = windows->kernels->is_cut_before(bytes + LOOK_BACK);
    windows->proof->cases++;
    return is_cut != windows->contexts->ends_well[context_of(windows->contexts, bytes)] ||
           refute(windows->proof, "is_cut_before says of %02X %02X %02X that a sequence %s", bytes[0], bytes[1],
                  bytes[2], is_cut ? "is cut after them" : "is not cut after them");
}

static bool ask_context(struct windows *windows, const uint8_t bytes[LOOK_BACK])
{
    if (!windows->contexts->can_be[context_of(windows->contexts, bytes)])
        return true;
    if (!agrees_on_end(windows, bytes))
        return false;
    put_context(windows, bytes);
    return ask(windows, KERNEL_BLOCK) && ask(windows, KERNEL_STRIDE) && ask_without_fours(windows, bytes);
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
