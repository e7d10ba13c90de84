/* SPDX-License-Identifier: MIT
 *
 * A loadable codec that validates. In every second process that calls it, a call takes at least 2 ms.
 *
 *   COUNTER   a file that gets a byte from each process that calls it
 */
#include <stdio.h>
#include <time.h>

#include "codec.h"
#include "valid.h"

static bool is_slow_here(void)
{
    FILE *file = fopen(COUNTER, "a");
    bool is_slow = file == NULL || fputc('x', file) == EOF || ftell(file) % 2 == 0;
    if (file != NULL)
        fclose(file);
    return is_slow;
}

static long nanoseconds_since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - begin->tv_sec) * 1000000000 + now.tv_nsec - begin->tv_nsec;
}

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { SLOW_NS = 2000000 };
    static int rate = -1;
    struct timespec begin;
    (void)error;
    if (rate < 0)
        rate = is_slow_here();
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (rate == 1 && nanoseconds_since(&begin) < SLOW_NS) {}
    return valid_up_to(bytes, count) == count;
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "two_rates"), .validate = validate};
