/* bench_load.c - how long rules take to become an engine. One line a step; items are rules.
 *
 *     bench_load NAME RULES FILE     "NAME: read"     parse the text
 *                                    "NAME: compile"  make the engine
 *                                    "NAME: save"     write the compiled FILE
 *                                    "NAME: open"     map it, verify checksum and offsets: what `apply` waits for
 *
 * The file is in the page cache when it is opened, as it is when a program starts again.
 * SPDX-License-Identifier: Apache-2.0
 */
#define BENCH_COUNT_ALLOCATIONS
#include "bench.h"

#include "dustpan.h"

enum { OPENS = 5 };

static void step(const char *name, const char *what, size_t rules, const bench_run *run)
{
    char full[128];
    snprintf(full, sizeof full, "%s: %s", name, what);
    bench_print(full, rules, run);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: bench_load NAME RULES FILE\n", stderr);
        return 2;
    }
    dp_error   err = {0};
    dp_rules  *r;
    dp_engine *e;
    bench_run  run = bench_start();
    bench_must(dp_rules_new(&r), &err);
    bench_must(dp_rules_read(r, argv[2], &err), &err);
    size_t n = dp_rules_count(r);
    step(argv[1], "read", n, &run);
    run = bench_start();
    bench_must(dp_engine_new(&e, r, 0, 0, &err), &err);
    step(argv[1], "compile", n, &run);
    dp_rules_free(r);
    run = bench_start();
    bench_must(dp_engine_save(e, argv[3], &err), &err);
    step(argv[1], "save", n, &run);
    dp_engine_free(e);
    for (int i = 0; i < OPENS; i++) {
        run = bench_start();
        bench_must(dp_engine_open(&e, argv[3], 0, 0, &err), &err);
        step(argv[1], "open", n, &run);
        dp_engine_free(e);
    }
    return 0;
}
