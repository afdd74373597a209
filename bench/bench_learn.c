/* bench_learn.c - what `learn` costs before any method begins: reading, by domain, labelling, making each site.
 *
 *     bench_learn NAME FILE     FILE: clusters, a list or a log of any format that is recognised
 *
 * One thread. Items are URLs, so peak bytes divided by items are the bytes a URL, its text included.
 * SPDX-License-Identifier: Apache-2.0
 */
#define BENCH_COUNT_ALLOCATIONS
#include "bench.h"

#include "input/reader.h"
#include "learn/run/schedule.h"
#include "store/loglines.h"

static dp_err add(void *ctx, const dp_fact *f)
{
    return dp_facts_add(ctx, f, NULL);
}

static void read_records(dp_facts *s, const char *path)
{
    dp_loglines             lines = {.put = add, .ctx = s};
    const dp_reader_options o = {0};
    dp_fact_maker           m = {0};
    dp_reader              *r;
    dp_record               rec;
    dp_fact                 f;
    if (dp_reader_open(&r, &path, 1, &o, NULL) != DP_OK)
        bench_die(path);
    for (bool more = true, any;;) {
        if (dp_reader_next(r, &rec, &more, NULL) != DP_OK)
            bench_die(path);
        if (!more)
            break;
        if (dp_fact_make(&m, &f, &rec, &any) != DP_OK || (any && dp_loglines_add(&lines, &f) != DP_OK))
            bench_die("memory");
    }
    if (dp_loglines_flush(&lines) != DP_OK)
        bench_die("memory");
    dp_reader_close(r);
    dp_fact_maker_done(&m);
}

static dp_err make_site(void *ctx, uint32_t site, dp_corpus *c, dp_pool *pool, dp_partition *p, dp_error *err)
{
    dp_arena a = {0};
    dp_site  s;
    (void)site, (void)pool, (void)p, (void)err;
    *(size_t *)ctx += c->nown;
    dp_err code = dp_corpus_site(&s, c, DP_STR("site"), &a);
    dp_arena_done(&a);
    return code;
}

int main(int argc, char **argv)
{
    dp_facts   facts = {0};
    dp_folder *folder;
    dp_plan    plan;
    size_t     urls = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: bench_learn NAME FILE\n");
        return 2;
    }
    bench_run run = bench_start();
    if (dp_folder_new(&folder, &(dp_folder_how){.parent = "/tmp"}, NULL) != DP_OK ||
        dp_buckets_new(&facts.buckets, DP_BUCKETS, SIZE_MAX, folder, 0) != DP_OK)
        bench_die("memory");
    read_records(&facts, argv[2]);
    bool last[DP_BUCKETS];
    memset(last, true, sizeof last);
    dp_schedule visit = {.plan = &plan, .facts = &facts, .memory = SIZE_MAX, .last = last,
                      .each = make_site, .ctx = &urls};
    if (dp_plan_make(&plan, &facts, NULL) != DP_OK || dp_schedule_run(&visit, NULL) != DP_OK)
        bench_die("memory");
    bench_print(argv[1], urls, &run);
    dp_plan_done(&plan);
    dp_buckets_free(facts.buckets);
    dp_facts_done(&facts);
    dp_folder_remove(folder);
    return 0;
}
