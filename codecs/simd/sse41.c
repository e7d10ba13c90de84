/* SPDX-License-Identifier: MIT */
#include "vec_sse41.h"

#include "utf8.h"

const struct assay_codec codec_utf8_sse41 = UTF8_CODEC("sse41");
