/* bench_dust.c - learning substitutions from a list in memory.
 *
 *     bench_dust NAME FILE [MEMORY]     FILE: a URL a line; or URL, status, size, sketch as `plant --list` writes them
 *
 * Items are distinct URLs. Time and memory are those of dp_dust_learn: the texts are there already.
 * SPDX-License-Identifier: Apache-2.0
 */
#define BENCH_COUNT_ALLOCATIONS
#include "bench.h"

#include "learn/dust/dust.h"

/* A line as a page: its first column, and the size in its third. */
static dp_dust_url read_line(const char *p, size_t n)
{
    const char *tab = memchr(p, '\t', n), *end = p + n;
    dp_dust_url u = {.url = {p, tab ? (size_t)(tab - p) : n}};
    const char *size = tab ? memchr(tab + 1, '\t', (size_t)(end - tab - 1)) : NULL;
    if (size && size[1] >= '0' && size[1] <= '9') {
        u.has_size = true;
        u.size_min = u.size_max = strtoll(size + 1, NULL, 10);
    }
    return u;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: bench_dust NAME FILE [MEMORY]\n", stderr);
        return 2;
    }
    size_t       bytes, n, count = 0;
    char        *text = bench_read(argv[2], &bytes);
    uint64_t    *at = bench_lines(text, bytes, &n);
    dp_dust_url *v = calloc(n + 1, sizeof *v);
    if (!v)
        bench_die("memory");
    for (size_t i = 0; i < n; i++)
        if (text[at[i]] != '#')
            v[count++] = read_line(text + at[i], at[i + 1] - at[i] - 1);
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    dp_dust_result  r;
    dp_arena        a = {0};
    o.memory = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    bench_run run = bench_start();
    if (dp_dust_learn(&r, v, count, &o, &a) != DP_OK)
        bench_die("learning");
    bench_print(argv[1], r.urls, &run);
    fprintf(stderr, "%zu detected, %zu rules, %zu parameters\n", r.detected, r.rules.n, r.nparam);
    dp_arena_done(&a);
    free(v);
    free(at);
    free(text);
    return 0;
}
