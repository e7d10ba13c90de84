/* SPDX-License-Identifier: MIT */
#include "vec_avx2.h"

#include "utf8.h"

const struct assay_codec codec_utf8_avx2 = UTF8_CODEC("avx2");
