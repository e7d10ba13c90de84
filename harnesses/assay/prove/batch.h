/* SPDX-License-Identifier: MIT
 *
 * batch.h - the batch of codecs/simd/bytes/validate.h, which asks whether a half stride is ASCII when that is needed. So
 * questions come in the order of the bytes. PROOF.md says why this stands for the batch that asks before.
 */
#ifndef ASSAY_PROVE_BATCH_H
#define ASSAY_PROVE_BATCH_H

struct batch {
    const uint8_t *begin;
    size_t halves;
};

KERNEL_PART struct batch batch_at(const struct encoding *encoding, const uint8_t *begin, const uint8_t *end)
{
    (void)encoding;
    return (struct batch){begin, halves_of_batch(begin, end)};
}

KERNEL_PART size_t next_other(const struct encoding *encoding, const struct batch *batch, size_t from)
{
    while (from < batch->halves && blocks_are_plain_ascii(encoding, batch->begin + from * HALF_STRIDE, HALF_STRIDE))
        from++;
    return from;
}

#endif
