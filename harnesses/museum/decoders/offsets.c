/* SPDX-License-Identifier: MIT
 *
 * Decoders that count in too few bits, or report an error one place off.
 */
#include "../mistake.h"

static void offset_in_8_bits(struct moment *moment, struct assay_span *span)
{
    (void)moment;
    span->offset = (uint8_t)span->offset;
}

static void offset_in_16_bits(struct moment *moment, struct assay_span *span)
{
    (void)moment;
    span->offset = (uint16_t)span->offset;
}

static void offset_from_this_piece(struct moment *moment, struct assay_span *span)
{
    if (moment->memory->calls > 0 && moment->at >= 0)
        span->offset = (size_t)moment->at;
}

const struct mistake mistakes_offsets[] = {
    {"offset-in-8-bits", "keeps the offset of an error in a byte", .span = offset_in_8_bits},
    {"offset-in-16-bits", "keeps the offset of an error in two bytes", .span = offset_in_16_bits},
    {"offset-from-this-piece", "counts the offset of an error from the start of the piece, not of the stream", .offers = OFFERS_FEED,
     .span = offset_from_this_piece},
    END_OF_MISTAKES,
};
