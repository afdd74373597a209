/* bench_apply.c - the engine alone, in memory: URLs through dp_apply_batch, one thread, no file read or written.
 *
 *     bench_apply NAME RULES URLS      RULES: text or compiled
 *
 * One pass warms caches, branch predictors and the scratch; the passes that follow are measured, one line each.
 * SPDX-License-Identifier: Apache-2.0
 */
#define BENCH_COUNT_ALLOCATIONS
#include "bench.h"

#include "dustpan.h"

enum { PASSES = 3, BATCH = 1024, ROOM = 1 << 20 };

static dp_engine *open_engine(const char *path)
{
    dp_engine *e = NULL;
    dp_rules  *r = NULL;
    dp_error   err = {0};
    dp_err     code;
    if (dp_is_compiled(path, &err) == 1) {
        code = dp_engine_open(&e, path, 0, 0, &err);
    } else {
        code = dp_rules_new(&r);
        if (code == DP_OK)
            code = dp_rules_read(r, path, &err);
        if (code == DP_OK)
            code = dp_engine_new(&e, r, 0, 0, &err);
    }
    if (code != DP_OK) {
        fprintf(stderr, "%s:%zu: %s\n", err.file, err.line, err.message);
        exit(2);
    }
    dp_rules_free(r);
    return e;
}

static void pass(const dp_engine *e, dp_scratch *s, const char *urls, const uint64_t *at, size_t count)
{
    static char     out[ROOM];
    static uint64_t ends[BATCH];
    static uint8_t  flags[BATCH];
    for (size_t i = 0; i < count;) {
        size_t n = count - i < BATCH ? count - i : BATCH;
        size_t done = dp_apply_batch(e, s, DP_KEY, urls, at + i, n, 1, out, sizeof out, ends, flags);
        if (done == 0 || done > n)
            bench_die("dp_apply_batch");
        i += done;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: bench_apply NAME RULES URLS\n", stderr);
        return 2;
    }
    size_t      n, count;
    char       *urls = bench_read(argv[3], &n);
    uint64_t   *at = bench_lines(urls, n, &count);
    dp_scratch *s;
    uint64_t    held = bench_memory("VmRSS:");
    dp_engine  *e = open_engine(argv[2]);
    if (dp_scratch_new(&s) != DP_OK)
        bench_die("memory");
    pass(e, s, urls, at, count);
    for (int i = 0; i < PASSES; i++) {
        bench_run run = bench_start();
        run.memory = held;
        pass(e, s, urls, at, count);
        bench_print(argv[1], count, &run);
    }
    dp_scratch_free(s);
    dp_engine_free(e);
    free(at);
    free(urls);
    return 0;
}
