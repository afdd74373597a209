/* bench_seen.c - how fast a dp_seen takes keys, and how many bytes a key takes. Two lines; items are keys.
 *
 *     bench_seen NAME FILE KEYS     "NAME"         add the lines of KEYS in batches and commit each, FILE made new
 *                                   "NAME: again"  the same keys once more: none is fresh
 *
 * In place of the peak stands the size of FILE: memory beyond a batch is the system's cache of it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#include "dustpan.h"

enum { BATCH = 16384 /* lines, about what `apply` has in a chunk */ };

static void add_all(const char *name, dp_seen *s, const char *text, const uint64_t *at, size_t n, uint64_t want)
{
    static uint8_t fresh[BATCH];
    dp_error       err = {0};
    bench_run      run = bench_start();
    uint64_t       found = 0, count, bytes;
    for (size_t i = 0; i < n; i += BATCH) {
        size_t k = n - i < BATCH ? n - i : BATCH;
        bench_must(dp_seen_add(s, text, at + i, k, 1, fresh, &err), &err);
        bench_must(dp_seen_commit(s, &err), &err);
        for (size_t j = 0; j < k; j++)
            found += fresh[j];
    }
    uint64_t wall = bench_clock(CLOCK_MONOTONIC) - run.wall, cpu = bench_clock(CLOCK_PROCESS_CPUTIME_ID) - run.cpu;
    bench_must(dp_seen_count(s, &count, &bytes, &err), &err);
    if (want != UINT64_MAX && found != want)
        bench_die("wrong answers");
    printf("%s\t%zu\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t0\n", name, n, wall, cpu, bytes);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: bench_seen NAME FILE KEYS\n", stderr);
        return 2;
    }
    size_t    size, n;
    char     *text = bench_read(argv[3], &size), again[128], lock[4096];
    uint64_t *at = bench_lines(text, size, &n);
    dp_seen  *s;
    dp_error  err = {0};
    snprintf(again, sizeof again, "%s: again", argv[1]);
    snprintf(lock, sizeof lock, "%s-lock", argv[2]);
    unlink(argv[2]);
    unlink(lock);
    bench_must(dp_seen_open(&s, argv[2], 1, 0, &err), &err);
    add_all(argv[1], s, text, at, n, UINT64_MAX);
    add_all(again, s, text, at, n, 0);
    dp_seen_close(s);
    unlink(argv[2]);
    unlink(lock);
    free(text);
    free(at);
    return 0;
}
