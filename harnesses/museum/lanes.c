/* SPDX-License-Identifier: MIT */
#include "kill.h"

size_t shoot_lanes(struct range *range, size_t stride)
{
    (void)range, (void)stride;
    return 0;
}
