/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

unsigned dp_machine_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 1 ? (unsigned)n : 1;
}

uint64_t dp_machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : (uint64_t)2 << 30;
}

uint64_t dp_machine_usual_memory(void)
{
    return dp_machine_memory() / 2;
}

uint64_t dp_clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

bool dp_clock_is_due(uint64_t *last, uint64_t ms)
{
    uint64_t now = dp_clock_ms();
    if (now - *last < ms)
        return false;
    *last = now;
    return true;
}

double dp_clock_thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
