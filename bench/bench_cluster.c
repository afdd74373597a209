/* bench_cluster.c - joining pages that are the same, and reading them out of an archive.
 *
 *     bench_cluster join NAME N MODE    N pages with sketches and simhashes made up, joined in memory;
 *                                       MODE: digest, shingles K, simhash K (k as one word: simhash3)
 *     bench_cluster tsv N               the same pages as lines "url status digest sketch simhash" with header
 *     bench_cluster file NAME FILE MODE dp_cluster_run on a file, to /dev/null; MODE as above, or both
 *
 * Of the pages a third is alone; the others are in clusters of 2 to 100, small ones more often. Pages
 * of a cluster share their digest (two in three), two or more min-hashes, and all but 0 to 3 bits of the simhash.
 * SPDX-License-Identifier: Apache-2.0
 */
#define BENCH_COUNT_ALLOCATIONS
#include "bench.h"

#include "base/hash.h"
#include "base/rng.h"
#include "content/cluster.h"
#include "dustpan.h"

typedef struct maker {
    dp_rng      g;
    dp_evidence first; /* of the cluster at hand */
    uint64_t    left;  /* of its pages */
} maker;

static dp_evidence next_page(maker *m)
{
    dp_rng *g = &m->g;
    if (!m->left) {
        m->left = dp_rng_below(g, 3) == 0 ? 1 : 2 + 98 / (1 + dp_rng_below(g, 98));
        m->first = (dp_evidence){.has = DP_EVIDENCE_DIGEST | DP_EVIDENCE_SKETCH | DP_EVIDENCE_SIMHASH,
                                 .digest = {dp_rng_next(g) | 1, dp_rng_next(g)},
                                 .simhash = dp_rng_next(g)};
        for (int k = 0; k < 4; k++)
            m->first.sketch[k] = dp_rng_next(g) >> 7;
    }
    m->left--;
    dp_evidence e = m->first;
    if (dp_rng_below(g, 3) == 0) {
        e.digest = (dp_hash128){dp_rng_next(g) | 1, dp_rng_next(g)};
        for (uint64_t k = dp_rng_below(g, 3); k; k--)
            e.sketch[dp_rng_below(g, 4)] = dp_rng_next(g) >> 7;
        for (uint64_t k = dp_rng_below(g, 4); k; k--)
            e.simhash ^= 1ull << dp_rng_below(g, 64);
    }
    return e;
}

typedef struct choice {
    dp_sameness same;
    unsigned    uses;
} choice;

static choice parse_mode(const char *z)
{
    choice m = {{0, -1, false}, DP_EVIDENCE_DIGEST};
    if (strncmp(z, "shingles", 8) == 0)
        m = (choice){{(unsigned)(z[8] - '0'), -1, false}, DP_EVIDENCE_SKETCH};
    else if (strncmp(z, "simhash", 7) == 0)
        m = (choice){{0, z[7] - '0', false}, DP_EVIDENCE_SIMHASH};
    else if (strcmp(z, "both") == 0)
        m = (choice){{4, 3, true}, DP_EVIDENCE_SKETCH | DP_EVIDENCE_SIMHASH};
    return m;
}

static int join(const char *name, uint64_t n, const char *word)
{
    choice      mode = parse_mode(word);
    maker       m = {.g = dp_rng_seed(1)};
    dp_clusters c = {0};
    bench_run   run = bench_start();
    for (uint64_t i = 0; i < n; i++) {
        dp_evidence e = next_page(&m);
        e.has &= mode.uses;
        if (dp_clusters_add(&c, &e) != DP_OK)
            bench_die("memory");
    }
    bench_run whole = run; /* memory counts from here, time without making the pages */
    run = bench_start();
    run.memory = whole.memory;
    if (dp_clusters_join(&c, &mode.same) != DP_OK)
        bench_die("memory");
    bench_print(name, n, &run);
    dp_clusters_done(&c);
    return 0;
}

static int tsv(uint64_t n)
{
    maker m = {.g = dp_rng_seed(1)};
    puts("url\tstatus\tdigest\tsketch\tsimhash");
    for (uint64_t i = 0; i < n; i++) {
        dp_evidence e = next_page(&m);
        uint64_t    r = dp_rng_next(&m.g);
        printf("http://www.site%" PRIu64 ".example.com/section/%" PRIu64 "/page.html?item=%" PRIu64 "\t200\t%016" PRIx64
               "%016" PRIx64 "\t%016" PRIx64 ",%016" PRIx64 ",%016" PRIx64 ",%016" PRIx64 "\t%016" PRIx64 "\n",
               r % 997, r >> 20 & 63, i, e.digest.lo, e.digest.hi, e.sketch[0], e.sketch[1], e.sketch[2], e.sketch[3],
               e.simhash);
    }
    return 0;
}

static int file(const char *name, const char *path, const char *word)
{
    choice      mode = parse_mode(word);
    dp_cluster *c;
    dp_error    err;
    int         fd = open("/dev/null", O_WRONLY);
    bench_run   run = bench_start();
    if (fd < 0 || dp_cluster_new(&c) || dp_cluster_set(c, DP_CLUSTER_SHINGLES, mode.same.shingles) ||
        dp_cluster_set(c, DP_CLUSTER_SIMHASH, mode.same.simhash))
        bench_die("new");
    if (dp_cluster_run(c, &path, 1, fd, &err) != DP_OK) {
        fprintf(stderr, "%s: %s\n", err.file, err.message);
        return 2;
    }
    bench_print(name, dp_cluster_total(c, DP_CLUSTER_RECORDS), &run);
    dp_cluster_free(c);
    close(fd);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "join") == 0)
        return join(argv[2], strtoull(argv[3], NULL, 10), argv[4]);
    if (argc == 3 && strcmp(argv[1], "tsv") == 0)
        return tsv(strtoull(argv[2], NULL, 10));
    if (argc == 5 && strcmp(argv[1], "file") == 0)
        return file(argv[2], argv[3], argv[4]);
    fputs("usage: bench_cluster join NAME N MODE | tsv N | file NAME FILE MODE\n", stderr);
    return 2;
}
