/* SPDX-License-Identifier: MIT */
#include "vec_avx512.h"

#include "utf8.h"

const struct assay_codec codec_utf8_avx512 = UTF8_CODEC("avx512");
