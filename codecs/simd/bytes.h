/* SPDX-License-Identifier: MIT
 *
 * bytes.h - all that codec.inc needs, for encodings of bytes.
 */
#ifndef ASSAY_SIMD_BYTES_H
#define ASSAY_SIMD_BYTES_H

#include "count.h"
#include "decode.h"
#include "encode.h"
#include "join.h"
#include "repair_bytes.h"
#include "validate.h"

#endif
