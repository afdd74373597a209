/* bench_learn.c - what `learn` costs before any method begins: reading, labelling, grouping, making each site.
 *
 *     bench_learn NAME FILE     FILE: clusters, a list or a log of any format that is recognised
 *
 * One thread. Items are URLs, so peak bytes divided by items are the bytes a URL, its text included.
 * SPDX-License-Identifier: Apache-2.0
 */
#define BENCH_COUNT_ALLOCATIONS
#include "bench.h"

#include "input/reader.h"
#include "site/group.h"

static void read_records(dp_corpus *c, const char *path)
{
    const dp_reader_options o = {0};
    dp_reader              *r;
    dp_record               rec;
    if (dp_reader_open(&r, &path, 1, &o, NULL) != DP_OK)
        bench_die(path);
    for (bool more = true;;) {
        if (dp_reader_next(r, &rec, &more, NULL) != DP_OK)
            bench_die(path);
        if (!more)
            break;
        if (dp_corpus_add(c, &rec) != DP_OK)
            bench_die("memory");
    }
    dp_reader_close(r);
}

int main(int argc, char **argv)
{
    dp_corpus   c = {0};
    dp_sitelist l;
    dp_arena    a = {0};
    dp_site     s;
    if (argc != 3) {
        fprintf(stderr, "usage: bench_learn NAME FILE\n");
        return 2;
    }
    bench_run run = bench_start();
    read_records(&c, argv[2]);
    if (dp_corpus_label(&c) != DP_OK || dp_sitelist_make(&l, &c, DP_GROUP_LINKED) != DP_OK)
        bench_die("memory");
    for (size_t i = 0; i < l.n; i++) {
        if (dp_corpus_site(&s, &c, l.v[i].name, l.url + l.v[i].from, l.v[i].n, &a) != DP_OK)
            bench_die("memory");
        dp_arena_reset(&a);
    }
    bench_print(argv[1], c.n, &run);
    dp_arena_done(&a);
    dp_sitelist_done(&l);
    dp_corpus_done(&c);
    return 0;
}
