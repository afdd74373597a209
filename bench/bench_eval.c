/* bench_eval.c - how long an evaluation takes, and how much memory a URL. Items are URLs.
 *
 *     bench_eval NAME RULES CLUSTERS [by-rule]     records to scores through the library, one thread
 *
 * The peak is that of the process; what the library says that it needed a URL goes to standard error.
 * SPDX-License-Identifier: Apache-2.0
 */
#define BENCH_COUNT_ALLOCATIONS
#include "bench.h"

#include "dustpan.h"

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5) {
        fputs("usage: bench_eval NAME RULES CLUSTERS [by-rule]\n", stderr);
        return 2;
    }
    dp_error    err = {0};
    dp_engine  *e;
    dp_eval    *v;
    double      urls = 0, f1 = 0;
    const char *path = argv[3];
    bench_must(dp_engine_open(&e, argv[2], 0, 0, &err), &err);
    bench_must(dp_eval_new(&v), &err);
    bench_must(dp_eval_add(v, "rules", e), &err);
    bench_must(dp_eval_set(v, DP_EVAL_BY_RULE, argc == 5), &err);
    bench_must(dp_eval_input(v, DP_INPUT_FORMAT, "clusters"), &err);
    bench_run run = bench_start();
    bench_must(dp_eval_run(v, &path, 1, &err), &err);
    bench_must(dp_eval_metric(v, "urls", &urls), &err);
    bench_must(dp_eval_metric(v, "f1", &f1), &err);
    bench_print(argv[1], (uint64_t)urls, &run);
    fprintf(stderr, "bench: %s: %.0f URLs, %.1f bytes each with text of examples, F1 %.4f\n", argv[1], urls,
            (double)dp_eval_bytes(v) / urls, f1);
    dp_eval_free(v);
    dp_engine_free(e);
    return 0;
}
