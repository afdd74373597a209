/* site/corpus.h - all records of a run: distinct URLs, and what is known of each.
 *
 *     dp_record ─► add ─►  url 0: size sketch hits ...   ─► label ─►  cluster of each URL, why
 *                           url 1: ...                                       │
 *                           redirects, rel=canonical, clients                ▼
 *                                                                  site/group.h, then dp_corpus_site
 *
 * Reads input/record.h. Only pages (GET, answered 200, as far as the input says) and redirects count; other
 * records are passed over and counted. Of a URL that comes more than once:
 *
 *     size             the range over all
 *     digest, text,    those of the newest record; where times are equal or not known, of the least
 *     sketch, simhash  content, so that the order of the input does not matter
 *     cluster          what most records say, then the least (by hash); who contradicts is counted
 *     importance, inlinks  the greatest        hops  the least        hits  the sum
 *     clients          the DP_CLIENTS_KEPT of the least hashes
 *     redirect         where most records lead, then to the least URL; so for rel=canonical
 *
 * Which URLs show the same page, in this order (the first that speaks of a URL has the say):
 *
 *     cluster    the column, by=text unless the options say otherwise
 *     content    equal digests or texts (content/cluster.h), by=digest or text
 *     redirect   the URL it leads to in the end, by=redirect; where that has no cluster either, both have one
 *     canonical  the same for rel=canonical; a page that is only named takes the cluster of who names it
 *     near       equal sketches or simhashes, by=near; only when no URL has anything above
 *
 * Clusters of many URLs that have nothing in common are soft errors, whoever names them (content/soft.h).
 *
 * Invariants:
 *   - URLs are in stage-0 form. Two of one 64-bit hash count as one: among 10^8 that happens with chance
 *     3 in 10^4.
 *   - A cluster's id is 64 bits of a hash of its name; derived ones are hashes of contents or URLs, never
 *     numbers, so that the folds of a page do not depend on the rest of the input.
 *
 * Memory a URL, beside its text: 8 place, 8 hash and 5 to 11 look-up while reading, 4 host, 4 cluster, 4 hits, 1 why; a
 * cluster 9 and, while reading, 13 to 19; and only where some record has it: sizes 16, sketch 32, simhash 8,
 * importance 8, in-links 4, hops 4, time 8, digest 25, text 16, clients 16 each. Joining by content takes
 * 36 more for a while.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_CORPUS_H
#define DP_SITE_CORPUS_H

#include "base/intern.h"
#include "base/ordinal.h"
#include "base/strlist.h"
#include "content/soft.h"
#include "input/record.h"
#include "site/counted.h"
#include "site/evidence.h"
#include "site/site.h"
#include "url/frame.h"

enum { DP_CLIENTS_KEPT = 8, DP_LEAST_CONTENT = 512 /* bytes: digests of less say nothing */ };

typedef enum dp_corpus_count {
    DP_CORPUS_RECORDS,
    DP_CORPUS_NOT_URLS,
    DP_CORPUS_ERRORS,      /* answered 4xx or 5xx, or not at all */
    DP_CORPUS_NOT_PAGES,   /* other methods, other answers without a target */
    DP_CORPUS_REDIRECTS,
    DP_CORPUS_CONTRADICTING, /* URLs that records put into different clusters */
    DP_CORPUS_SOFT,        /* clusters that are soft errors */
    DP_CORPUS_COUNTS
} dp_corpus_count;

/* A zeroed one is valid and empty; `named` may be set before the first record. */
typedef struct dp_corpus {
    dp_by       named;    /* what the column `cluster` counts as; DP_BY_LIST (0) stands for text */
    size_t      n, cap;   /* URLs; below 2^31 */
    dp_strlist  url;
    dp_ordinals seen;     /* their hashes; given back by dp_corpus_label */
    uint32_t   *host;     /* [n] */
    dp_intern   host_number;
    dp_strlist  host_name;
    uint32_t    last_host;

    uint32_t   *label;    /* [n] a cluster; DP_NO_CLUSTER */
    uint8_t    *by;       /* [n] dp_by */
    uint32_t   *hits;     /* [n] times it was seen as a page; NULL after dp_corpus_label when none was twice */
    dp_ordinals clusters; /* ids */
    uint8_t    *fold;     /* [clusters.n] */
    uint8_t    *is_soft;  /* [clusters.n]; NULL before dp_corpus_label */
    uint32_t    fold_cap;

    /* Columns of n, NULL while no record has them. */
    int64_t  *size_min, *size_max; /* -1: not known */
    uint64_t (*sketch)[4];
    uint64_t *simhash;
    double   *importance; /* NaN: not known */
    uint32_t *inlinks, *hops;
    int64_t  *time;

    dp_clusters content;  /* digests and texts; page i is URL i, as far as it reaches */
    dp_counted  votes;    /* URL, cluster: of all records but a URL's first */
    dp_counted  redirect, canonical; /* from, to */
    dp_counted  client;   /* URL, hash */

    uint64_t    total[DP_CORPUS_COUNTS];
    dp_witness  witness;
    dp_frame    frame;
    dp_buf      form, link;
} dp_corpus;

/* DP_ENOMEM, DP_ELIMIT: then it may only be given up. */
dp_err dp_corpus_add(dp_corpus *c, const dp_record *r);

/* The number of the cluster of that name, new or not. */
dp_err dp_corpus_cluster(dp_corpus *c, dp_str name, uint32_t *number, bool *fresh);

/* After the last record: find the clusters. */
dp_err dp_corpus_label(dp_corpus *c);

void dp_corpus_done(dp_corpus *c);

static inline dp_str dp_corpus_url(const dp_corpus *c, uint32_t i)
{
    return dp_strlist_get(&c->url, i);
}

/* The site of `n` of its URLs, in any order; sorts `url`. All in `a` but the texts, which are the corpus's. */
dp_err dp_corpus_site(dp_site *out, const dp_corpus *c, dp_str name, uint32_t *url, size_t n, dp_arena *a);

/* Bytes that it holds. */
uint64_t dp_corpus_bytes(const dp_corpus *c);

#endif
