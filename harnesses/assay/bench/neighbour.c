/* SPDX-License-Identifier: MIT
 *
 * The calibrator measures two things: whether a neighbour (a hyperthread, or the sibling of a virtual core) uses part
 * of the core, and how long a cycle is.
 *
 * A neighbour uses execution ports and allocation slots, so independent additions take longer, while a chain of
 * dependent additions, which uses one port, does not. Measured on an Ice Lake: four additions in 1.26 cycles alone, in
 * 1.58 to 2.5 with a neighbour.
 */
#include "bench.h"

#include <stdlib.h>
#include <sys/resource.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#define IS_CHANGED(value) __asm__ volatile("" : "+r"(value))

/* Not inlined: both calls run the same code, so the first brings it into the caches. */
__attribute__((noinline)) AT_A_LINE static void run_additions(int count)
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

/* For tests, the environment may replace readings by a repeated list of factors: of a reading without neighbours, or of
 * a cycle at the first clock. With either list, no other reading is real. */
struct fake {
    const char *variable, *at;
    double ns;
};
static struct fake fake_neighbour = {"ASSAY_BENCH_NEIGHBOUR", NULL, 1000},
                   fake_clock = {"ASSAY_BENCH_CLOCK", NULL, 0.25};

static const char *list_of(const struct fake *fake)
{
    const char *list = getenv(fake->variable);
    return list != NULL && *list != '\0' ? list : NULL;
}

bool neighbour_is_replaced(void)
{
    return list_of(&fake_neighbour) != NULL || list_of(&fake_clock) != NULL;
}

static double fake_reading(struct fake *fake)
{
    const char *list = list_of(fake);
    char *end;
    if (list == NULL)
        return fake->ns;
    if (fake->at == NULL || *fake->at == '\0')
        fake->at = list;
    double times = strtod(fake->at, &end);
    if (end == fake->at || (*end != ',' && *end != '\0') || !(times >= 1))
        cli_fail("%s: '%s' is no list of numbers of 1 or more, separated by commas", fake->variable, list);
    fake->at = *end == ',' ? end + 1 : end;
    return fake->ns * times;
}

double neighbour_reading(void)
{
    if (neighbour_is_replaced())
        return fake_reading(&fake_neighbour);
    run_additions(NEIGHBOUR_ADDITIONS / 16);
    double begin = cli_now_ns();
    run_additions(NEIGHBOUR_ADDITIONS);
    return cli_now_ns() - begin;
}

/* Returns the nanoseconds of CLOCK_STEPS dependent additions. */
enum { CLOCK_STEPS = 16384 };
__attribute__((noinline)) AT_A_LINE static double time_chain(void)
{
    unsigned long value = 1;
    double begin = cli_now_ns();
    for (int i = 0; i < CLOCK_STEPS / 16; i++) {
#define STEP \
    value += value; \
    IS_CHANGED(value);
#define STEPS4 STEP STEP STEP STEP
        STEPS4 STEPS4 STEPS4 STEPS4
    }
    return cli_now_ns() - begin;
}

double clock_cycle(void)
{
    enum { CHAINS = 3 }; /* the shortest of some readings, because an interrupt lengthens one */
    if (neighbour_is_replaced())
        return fake_reading(&fake_clock);
    double least = time_chain();
    for (int i = 1; i < CHAINS; i++) {
        double now = time_chain();
        least = now < least ? now : least;
    }
    return least / CLOCK_STEPS;
}

/* True for processors that all do at least three additions a cycle: those with AVX2 and ADX. Asked only once, because
 * cpuid takes microseconds under a hypervisor. */
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
    if (neighbour_is_replaced())
        return fake_neighbour.ns;
    double alone = NEIGHBOUR_ADDITIONS / 3.0 * cycle_ns;
    return is_wide() && alone < least ? alone : least;
}

long neighbour_preemptions(void)
{
    struct rusage usage;
    return !neighbour_is_replaced() && getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}
