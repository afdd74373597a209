/* bench_translate.c - a neural translator alone, in memory: URLs through dp_translate, one thread.
 *
 *     bench_translate NAME MODEL URLS     two rows: "NAME, cold", the list with an empty memo, so that each of its
 *                                         templates is decoded once; "NAME, memoised", the list again
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define BENCH_COUNT_ALLOCATIONS
#include "bench.h"

#include "learn/seq2seq/translate.h"

enum { BATCH = 1024, PASSES = 3 };

static void pass(dp_translator *t, dp_translate_desk *d, const dp_str *url, size_t n)
{
    static size_t ends[BATCH];
    dp_buf        out = {0};
    for (size_t i = 0; i < n; i += BATCH) {
        dp_buf_reset(&out);
        if (dp_translate(t, d, url + i, n - i < BATCH ? n - i : BATCH, &out, ends) != DP_OK)
            bench_die("memory");
    }
    dp_buf_done(&out);
}

static void measure(const char *name, const char *how, dp_translator *t, dp_translate_desk *d, const dp_str *url,
                    size_t n)
{
    char      row[256];
    bench_run run = bench_start();
    pass(t, d, url, n);
    snprintf(row, sizeof row, "%s, %s", name, how);
    bench_print(row, n, &run);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: bench_translate NAME MODEL URLS\n", stderr);
        return 2;
    }
    size_t       n, count;
    char        *text = bench_read(argv[3], &n);
    uint64_t    *at = bench_lines(text, n, &count);
    dp_str      *url = calloc(count + 1, sizeof *url);
    dp_seq_model m = {0};
    dp_error     err = {0};
    if (!url)
        bench_die("memory");
    for (size_t i = 0; i < count; i++)
        url[i] = (dp_str){text + at[i], at[i + 1] - at[i] - 1};
    if (dp_seq_model_load(&m, argv[2], &err) != DP_OK)
        bench_die(err.message);
    for (int i = 0; i < PASSES; i++) {
        dp_translator     *t;
        dp_translate_desk *d;
        if (dp_translator_new(&t, &m, true) != DP_OK || dp_translate_desk_new(&d) != DP_OK)
            bench_die("memory");
        measure(argv[1], "cold", t, d, url, count);
        measure(argv[1], "memoised", t, d, url, count);
        dp_translate_desk_free(d);
        dp_translator_free(t);
    }
    dp_seq_model_done(&m);
    free(url);
    free(at);
    free(text);
    return 0;
}
