/* bench.h - what the programs of this folder share: clocks, peak memory, counted allocations, one line of result.
 *
 * A program prints raw lines, one a measurement; bench/run repeats them, takes medians and sets them in relation:
 *
 *     name <TAB> items <TAB> nanoseconds <TAB> CPU nanoseconds <TAB> peak bytes <TAB> allocations
 *
 * Each program is one .c file, so that everything here is static.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BENCH_H
#define DP_BENCH_H

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dustpan.h"

static inline uint64_t bench_clock(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A field of /proc/self/status, in bytes: "VmHWM:" is the peak, "VmRSS:" the present. */
static inline uint64_t bench_memory(const char *field)
{
    char  line[256];
    long  kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, field, strlen(field)) == 0)
            kb = strtol(line + strlen(field), NULL, 10);
    if (f)
        fclose(f);
    return (uint64_t)kb * 1024;
}

/* A program whose data cannot be read measures nothing. */
static inline void bench_must(dp_err code, const dp_error *err)
{
    if (code == DP_OK)
        return;
    fprintf(stderr, "%s:%zu: %s\n", err->file, err->line, err->message);
    exit(2);
}

/* One measurement, from bench_start to bench_print. */
typedef struct bench_run {
    uint64_t wall, cpu, memory, allocations;
} bench_run;

static uint64_t bench_allocations; /* counted where BENCH_COUNT_ALLOCATIONS is set */

static inline bench_run bench_start(void)
{
    uint64_t memory = bench_memory("VmRSS:");
    return (bench_run){bench_clock(CLOCK_MONOTONIC), bench_clock(CLOCK_PROCESS_CPUTIME_ID), memory, bench_allocations};
}

/* The peak is what the process needed at most beyond what it held at the start. */
static inline void bench_print(const char *name, uint64_t items, const bench_run *start)
{
    uint64_t wall = bench_clock(CLOCK_MONOTONIC) - start->wall,
             cpu = bench_clock(CLOCK_PROCESS_CPUTIME_ID) - start->cpu;
    uint64_t count = bench_allocations - start->allocations, peak = bench_memory("VmHWM:");
    printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", name, items, wall, cpu,
           peak > start->memory ? peak - start->memory : 0, count);
    fflush(stdout);
}

static inline _Noreturn void bench_die(const char *what)
{
    perror(what);
    exit(2);
}

/* A whole file in memory, not mapped, so that its pages are there. */
static inline char *bench_read(const char *path, size_t *n)
{
    struct stat st;
    int         fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0)
        bench_die(path);
    char *p = malloc((size_t)st.st_size + 1);
    for (*n = 0; p && *n < (size_t)st.st_size;) {
        ssize_t got = read(fd, p + *n, (size_t)st.st_size - *n);
        if (got <= 0)
            bench_die(path);
        *n += (size_t)got;
    }
    if (!p)
        bench_die(path);
    p[*n] = 0;
    close(fd);
    return p;
}

/* Lines of a text that ends with LF: line i goes from at[i] to at[i + 1] - 1. */
static inline uint64_t *bench_lines(const char *p, size_t n, size_t *count)
{
    size_t    cap = 1024;
    uint64_t *at = malloc(cap * sizeof *at);
    *count = 0;
    for (const char *q = p; at; q++) {
        at[(*count)++] = (uint64_t)(q - p);
        if (*count == cap)
            at = realloc(at, (cap *= 2) * sizeof *at);
        if ((size_t)(q - p) >= n || !(q = memchr(q, '\n', n - (size_t)(q - p))))
            break;
    }
    if (!at)
        bench_die("memory");
    at[--*count] = n;
    return at;
}

#ifdef BENCH_COUNT_ALLOCATIONS
/* glibc lets a program put its own functions in the place of malloc and friends. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t k, size_t n);
void *__libc_realloc(void *p, size_t n);

void *malloc(size_t n)
{
    bench_allocations++;
    return __libc_malloc(n);
}

void *calloc(size_t k, size_t n)
{
    bench_allocations++;
    return __libc_calloc(k, n);
}

void *realloc(void *p, size_t n)
{
    bench_allocations++;
    return __libc_realloc(p, n);
}
#endif

#endif
