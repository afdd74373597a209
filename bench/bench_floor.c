/* bench_floor.c - what the machine needs for the least that could be done to each URL.
 *
 *     bench_floor URLS
 *
 *     floor: copy          memcpy of the text, which no answer can do without
 *     floor: lines         find the line ends (memchr)
 *     floor: hash          find the line ends and hash each line (XXH3, 64 bits): each byte once through a register
 *     floor: copy lines    the lines, each copied to an output buffer, one by one
 *     floor: miss          a load that depends on the one before, from 1 GB: the latency of memory (items: loads)
 *     floor: misses        the same loads, not waiting for each other
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PASSES = 2, LOADS = 2000000, CYCLE = 1 << 24 /* places, one in each cache line */ };

static volatile uint64_t sink; /* so that nothing is optimised away */

static const char *next_line(const char *p, const char *end)
{
    return (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
}

static void copy(const char *p, size_t n, char *out)
{
    memcpy(out, p, n);
    sink += (uint64_t)out[n / 2];
}

static void lines(const char *p, size_t n, char *out)
{
    (void)out;
    for (const char *end = p + n; p < end; p = next_line(p, end))
        sink++;
}

static void hash(const char *p, size_t n, char *out)
{
    (void)out;
    for (const char *end = p + n, *next; p < end; p = next) {
        next = next_line(p, end);
        sink += XXH3_64bits(p, (size_t)(next - p));
    }
}

static void copy_lines(const char *p, size_t n, char *out)
{
    for (const char *end = p + n, *next; p < end; p = next) {
        next = next_line(p, end);
        memcpy(out, p, (size_t)(next - p));
        out += next - p;
    }
    sink += (uint64_t)out[-1];
}

/* One cycle through all cache lines in random order: Sattolo's shuffle. */
typedef struct place {
    uint64_t next, unused[7];
} place;

static place *make_cycle(void)
{
    place   *v = aligned_alloc(sizeof *v, CYCLE * sizeof *v);
    uint64_t x = 88172645463325252u;
    if (!v)
        bench_die("memory");
    for (uint64_t i = 0; i < CYCLE; i++)
        v[i].next = i;
    for (uint64_t i = CYCLE - 1; i > 0; i--) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        uint64_t j = x % i, t = v[i].next;
        v[i].next = v[j].next;
        v[j].next = t;
    }
    return v;
}

static void memory(const place *v)
{
    bench_run run = bench_start();
    uint64_t  at = 0, x = 1;
    for (int i = 0; i < LOADS; i++)
        at = v[at].next;
    sink += at;
    bench_print("floor: miss", LOADS, &run);
    run = bench_start();
    for (int i = 0; i < LOADS; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        at += v[x >> 40].next;
    }
    sink += at;
    bench_print("floor: misses", LOADS, &run);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(const char *p, size_t n, char *out);
    } rows[] = {
        {"floor: copy", copy}, {"floor: lines", lines}, {"floor: hash", hash}, {"floor: copy lines", copy_lines}};
    if (argc != 2) {
        fputs("usage: bench_floor URLS\n", stderr);
        return 2;
    }
    size_t n, count;
    char  *text = bench_read(argv[1], &n), *out = malloc(n + 1);
    free(bench_lines(text, n, &count));
    if (!out)
        bench_die("memory");
    memset(out, 1, n);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int j = 0; j < PASSES; j++) {
            bench_run run = bench_start();
            rows[i].run(text, n, out);
            bench_print(rows[i].name, count, &run);
        }
    place *v = make_cycle();
    for (int i = 0; i < PASSES; i++)
        memory(v);
    free(v);
    free(out);
    free(text);
    return 0;
}
