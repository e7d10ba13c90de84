/* SPDX-License-Identifier: MIT
 *
 * Preloaded into a program: its monotonic clock runs 100 times as fast, so that a test sees what is said each minute.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    enum { FACTOR = 100, SECOND = 1000000000 };
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_MONOTONIC && result == 0) {
        long fraction = now->tv_nsec * FACTOR;
        *now = (struct timespec){.tv_sec = now->tv_sec * FACTOR + fraction / SECOND, .tv_nsec = fraction % SECOND};
    }
    return result;
}
