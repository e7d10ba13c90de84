/* SPDX-License-Identifier: MIT
 *
 * step.h - the step of a scheme, from the layout of its bytes. A scheme is the reference of its own encoding, so it
 * uses the loop of every reference, and its codec comes from the same template.
 */
#ifndef ASSAY_SCHEME_STEP_H
#define ASSAY_SCHEME_STEP_H

#include "../reference/loop.h"
#include "scheme.h"

_Static_assert((size_t)SCHEME_LONGEST <= LONGEST, "the loop has room for the sequences of any scheme");

static struct step step_of_scheme(const struct encoding *encoding, const struct ahead *ahead)
{
    struct scheme_step step = scheme_step(encoding->scheme, ahead->bytes, ahead->count);
    enum assay_fault fault = step.is_open && !ahead->last ? ASSAY_FAULT_TRUNCATED : step.fault;
    return (struct step){step.length, step.code_point, fault};
}

static size_t encode_in_scheme(const struct encoding *encoding, uint32_t code_point, uint8_t out[LONGEST])
{
    return scheme_encode(encoding->scheme, code_point, out);
}

/* The members that are the same for all schemes. */
#define OF_SCHEME(scheme_) \
    .step = step_of_scheme, .encode = encode_in_scheme, .policies = POLICIES_OF_ALL, .scheme = &(scheme_)

/* Operations that codecs of schemes lack. In some schemes, such as UNARY, the bytes near a byte do not show which
 * sequence it belongs to. UTF-16 cannot represent values above U+10FFFF. */
#define CUTS (OPERATION_BIT(BOUNDARY) | OPERATION_BIT(CONCAT))
#define DECODED_AS_UTF16 (OPERATION_BIT(COUNT) | OPERATION_BIT(DECODE_UTF16) | OPERATION_BIT(FEED_UTF16))

#endif
