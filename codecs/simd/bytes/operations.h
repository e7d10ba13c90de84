/* SPDX-License-Identifier: MIT
 *
 * operations.h - every operation of codec.inc, for encodings of bytes.
 */
#ifndef ASSAY_SIMD_BYTES_OPERATIONS_H
#define ASSAY_SIMD_BYTES_OPERATIONS_H

#include "count.h"
#include "decode.h"
#include "encode.h"
#include "boundary.h"
#include "well_formed.h"
#include "validate.h"

#endif
