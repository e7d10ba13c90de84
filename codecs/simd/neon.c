/* SPDX-License-Identifier: MIT */
#include "vec_neon.h"

#include "utf8.h"

const struct assay_codec codec_utf8_neon = UTF8_CODEC("neon");
