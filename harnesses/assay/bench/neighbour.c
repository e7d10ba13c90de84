/* SPDX-License-Identifier: MIT
 *
 * The calibrator: whether a neighbour takes part of the core, as a thread on the other half of it does (a hyperthread, or the sibling of a
 * virtual core).
 *
 * A neighbour takes execution ports and places at allocation, so independent additions take longer, while a chain of dependent
 * additions, which uses one port, does not. Measured on an Ice Lake: four additions in 1.26 cycles alone, in 1.58 to 2.5 with a neighbour.
 */
#include "bench.h"

#include <stdlib.h>
#include <sys/resource.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#define IS_CHANGED(value) __asm__ volatile("" : "+r"(value))

/* Not inlined: both calls run the same code, so the first brings it into the caches. */
__attribute__((noinline)) AT_A_LINE static void add(int count)
{
    unsigned long a = 1, b = 1, c = 1, d = 1;
    for (int i = 0; i < count / 16; i++) {
#define ADD_EACH \
    a += 1, b += 1, c += 1, d += 1; \
    IS_CHANGED(a); \
    IS_CHANGED(b); \
    IS_CHANGED(c); \
    IS_CHANGED(d);
        ADD_EACH ADD_EACH ADD_EACH ADD_EACH
    }
}

/* For tests, the readings: a list of factors of the reading of a core alone, which repeats from its start; NULL otherwise. */
static const char *fake_readings(void)
{
    const char *list = getenv("ASSAY_BENCH_NEIGHBOUR");
    return list != NULL && *list != '\0' ? list : NULL;
}

#define FAKE_NS 1000.0

static double fake_reading(const char *list)
{
    static const char *at;
    char *end;
    if (at == NULL || *at == '\0')
        at = list;
    double times = strtod(at, &end);
    if (end == at || (*end != ',' && *end != '\0') || !(times >= 1))
        cli_fail("ASSAY_BENCH_NEIGHBOUR: '%s' is no list of numbers of 1 or more, separated by commas", list);
    at = *end == ',' ? end + 1 : end;
    return FAKE_NS * times;
}

double neighbour_reading(void)
{
    if (fake_readings() != NULL)
        return fake_reading(fake_readings());
    add(NEIGHBOUR_ADDITIONS / 16);
    double begin = cli_now_ns();
    add(NEIGHBOUR_ADDITIONS);
    return cli_now_ns() - begin;
}

/* True of processors of which each does at least three additions a cycle: all with AVX2 and ADX. Asked once: under a hypervisor, cpuid takes
 * microseconds. */
static bool is_wide(void)
{
#ifdef __x86_64__
    enum { ADX = 1 << 19, AVX2 = 1 << 5 };
    static unsigned has, eax, ecx, edx;
    static bool is_asked;
    if (!is_asked)
        is_asked = __get_cpuid_count(7, 0, &eax, &has, &ecx, &edx) || true;
    return (has & ADX) != 0 && (has & AVX2) != 0;
#else
    return false;
#endif
}

double neighbour_absent(double least, double cycle_ns)
{
    if (fake_readings() != NULL)
        return FAKE_NS;
    double alone = NEIGHBOUR_ADDITIONS / 3.0 * cycle_ns;
    return is_wide() && alone < least ? alone : least;
}

long neighbour_preemptions(void)
{
    struct rusage usage;
    return fake_readings() == NULL && getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}
