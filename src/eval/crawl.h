/* eval/crawl.h - what rules are worth to a crawler that learned them on the way.
 *
 *     URLs in the order of the crawl:   first part, all fetched  |  rest: fetched unless the key was seen
 *
 * The rules were learned from the first part. What a crawler meets then is not only new pages under several URLs, but
 * old pages under ever new ones: `/login?return=...`. Dividing by pages, as eval/holdout.c does, cannot show that.
 *
 *     rest       URLs of the rest              needed     pages of the rest that the first part does not show
 *     avoidable  rest - needed                 fetched    URLs of the rest whose key was not seen before
 *     lost       needed pages never fetched    avoided    rest - fetched - lost: what is rightly not fetched
 *
 * So avoided <= avoidable: a lost page is no saving.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_CRAWL_H
#define DP_EVAL_CRAWL_H

#include "base/number.h"
#include "judge/groups.h"

/* The crawl: URLs by their numbers. */
typedef struct dp_crawl {
    uint32_t       *order;   /* [n] malloc'd */
    uint32_t        n, past; /* the first `past` of them were learned from */
    const uint32_t *cluster; /* [n] of each URL, by its number */
    const uint32_t *host;    /* the same */
    uint32_t        clusters, hosts;
} dp_crawl;

typedef struct dp_crawl_score {
    uint64_t rest, fetched, needed, lost;
    uint64_t bad; /* URLs that are not fetched though no URL of their key that was fetched shows their page */
} dp_crawl_score;

static inline uint64_t dp_crawl_avoidable(const dp_crawl_score *s)
{
    return s->rest - s->needed;
}

static inline uint64_t dp_crawl_avoided(const dp_crawl_score *s)
{
    return s->rest - s->fetched - s->lost;
}

static inline double dp_crawl_saved(const dp_crawl_score *s)
{
    return dp_share(dp_crawl_avoided(s), dp_crawl_avoidable(s));
}

/* The number in `s` that has this name in `eval --crawl --json`; false when there is none. */
bool dp_crawl_find(const dp_crawl_score *s, const char *name, double *value);

/* Put the URLs in order: by at[] (a record's number or its time), then by number. The past is what lies before `cut`;
 * with cut UINT64_MAX it is the first `share` of the URLs. DP_ENOMEM. */
dp_err dp_crawl_order(dp_crawl *c, const uint64_t *at, uint64_t cut, double share);
void   dp_crawl_done(dp_crawl *c);

/* Crawl by the keys of all URLs: into out[0], and where `by_host` is not NULL also into by_host[hosts], which are
 * zeroed before; a page counts for the host where it is needed first. DP_ENOMEM. */
dp_err dp_crawl_run(dp_crawl_score *out, dp_crawl_score *by_host, const dp_crawl *c, const uint64_t *key,
                    dp_pool *pool);

#endif
