/* bench_latency.c - how long one URL takes through dp_apply: median, 99th and 99.9th percentile.
 *
 *     bench_latency NAME RULES URLS      RULES: a compiled file
 *
 * Each call is timed by the processor's counter; what reading the counter itself takes is measured in the same way and
 * subtracted. All URLs are run through several times, in the order of the file, so that between two calls with one URL
 * there are all others; the time of a URL is the median of its calls. An interrupt or another process strikes one URL
 * in one pass and not in most, so what is left is the engine's, with the caches as the other URLs leave them.
 * SPDX-License-Identifier: Apache-2.0
 */
#define BENCH_COUNT_ALLOCATIONS
#include "bench.h"

#include "dustpan.h"

#if defined __x86_64__
#include <x86intrin.h>
static inline uint64_t ticks(void)
{
    unsigned cpu;
    _mm_lfence(); /* rdtscp waits for what is before it, not for what comes after */
    uint64_t t = __rdtscp(&cpu);
    _mm_lfence();
    return t;
}
#else
static inline uint64_t ticks(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}
#endif

enum { PASSES = 5 };

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double ns_per_tick(void)
{
    uint64_t clock = bench_clock(CLOCK_MONOTONIC), tick = ticks(), now;
    while ((now = bench_clock(CLOCK_MONOTONIC)) - clock < 20000000) {}
    return (double)(now - clock) / (double)(ticks() - tick);
}

/* The least that two readings one after another differ by. */
static uint64_t overhead(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 100000; i++) {
        uint64_t start = ticks(), took = ticks() - start;
        least = took < least ? took : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    static char out[1 << 16];
    if (argc != 4) {
        fputs("usage: bench_latency NAME RULES URLS\n", stderr);
        return 2;
    }
    size_t      n, count;
    char       *urls = bench_read(argv[3], &n);
    uint64_t   *at = bench_lines(urls, n, &count);
    uint32_t(*took)[PASSES] = malloc((count + 1) * sizeof *took), *median = malloc((count + 1) * sizeof *median);
    dp_scratch *s;
    dp_engine  *e;
    dp_error    err = {0};
    bench_run   run = bench_start();
    if (!took || !median || dp_engine_open(&e, argv[2], 0, 0, &err) != DP_OK || dp_scratch_new(&s) != DP_OK) {
        fprintf(stderr, "bench_latency: %s\n", err.message);
        return 2;
    }
    double   tick = ns_per_tick();
    uint64_t none = overhead(), allocations = 0;
    for (int pass = -1; pass < PASSES; pass++) { /* the first warms */
        allocations = bench_allocations;
        for (size_t i = 0; i < count; i++) {
            uint64_t start = ticks();
            dp_apply(e, s, urls + at[i], at[i + 1] - at[i] - 1, out, sizeof out);
            uint64_t t = ticks() - start;
            took[i][pass < 0 ? 0 : pass] = (uint32_t)(t > none ? t - none : 0);
        }
        allocations = bench_allocations - allocations;
    }
    for (size_t i = 0; i < count; i++) {
        qsort(took[i], PASSES, sizeof *took[i], by_value);
        median[i] = took[i][PASSES / 2];
    }
    qsort(median, count, sizeof *median, by_value);
    static const struct {
        const char *name;
        double      share;
    } rows[] = {{"p50", .5}, {"p99", .99}, {"p99.9", .999}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && count; i++) {
        uint64_t ns = (uint64_t)(median[(size_t)((double)(count - 1) * rows[i].share)] * tick);
        printf("%s: %s\t1\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", argv[1], rows[i].name, ns, ns,
               bench_memory("VmHWM:") - run.memory, allocations);
    }
    dp_scratch_free(s);
    dp_engine_free(e);
    free(took);
    free(median);
    free(at);
    free(urls);
    return 0;
}
