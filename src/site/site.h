/* site/site.h - what is learned together: the URLs of one site, and what is known of each.
 *
 *     url[]  sorted         cluster[]   by[]       size  sketch  hits ...       arrow[]
 *     http://a.com/            0        text       (only the columns that some      redirects and
 *     http://a.com/?sid=1      0        text        record has)                     rel=canonical
 *     http://a.com/b           1        text
 *
 * A site is one registrable domain, or several that mirror each other (site/group.h). Every learner reads this
 * and nothing else of the input.
 *
 * Invariants:
 *   - URLs are in stage-0 form, distinct, sorted by bytes: the same whatever the order of the input.
 *   - Clusters are numbered in the order of their first URL; those of one URL are there too (singletons).
 *     A URL of which nothing is known has DP_NO_CLUSTER: it can be counted, but never speaks for or against.
 *   - All memory is the caller's arena.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_SITE_H
#define DP_SITE_SITE_H

#include "base/arena.h"
#include "base/err.h"

/* What says that two URLs show one page, weak to strong (docs/learning.md); `by=` of rules lists the names. */
typedef enum dp_by {
    DP_BY_LIST,
    DP_BY_SIZE,
    DP_BY_NEAR, /* sketch, simhash */
    DP_BY_CANONICAL,
    DP_BY_REDIRECT,
    DP_BY_TEXT, /* also a clusters file of which nothing else is said */
    DP_BY_DIGEST,
    DP_BY_FETCH,
    DP_BYS
} dp_by;

const char *dp_by_name(dp_by by);
bool        dp_by_find(dp_by *by, dp_str name);

#define DP_NO_CLUSTER UINT32_MAX

/* What a log says of an answer beside its size, as a number: with this bit a hash of its ETag, which is another one for
 * another page; without it one of its media type. */
#define DP_TAG_OF_VERSION 0x80000000u

/* A directed pair: `from` redirects to `to`, or names it as canonical. Indexes of URLs. */
typedef struct dp_arrow {
    uint32_t from, to;
    uint8_t  by; /* DP_BY_REDIRECT or DP_BY_CANONICAL */
} dp_arrow;

/* 32-bit numbers: arrays of these are what learning costs. Columns below `is_soft` are NULL when no record has them. */
typedef struct dp_site {
    dp_str           name;      /* its least registrable domain */
    size_t           n;         /* below 2^32 - 1 */
    const dp_str    *url;       /* [n] */
    const uint32_t  *cluster;   /* [n] */
    const uint8_t   *by;        /* [n] a dp_by: why the URL is in its cluster */
    uint32_t         nclusters;
    const uint32_t  *size;      /* [nclusters] URLs in it */
    const uint8_t   *fold;      /* [nclusters] base/fold.h */
    const uint8_t   *is_soft;   /* [nclusters] 1: an error page under many unlike URLs */
    const int64_t   *size_min, *size_max;  /* [n] bytes over all fetches; -1: not known */
    const uint32_t  *usual;     /* [n] bytes, where a log knows no more of a page; UINT32_MAX: not known */
    uint32_t         spread;    /* bytes by which they differ from one fetch to the next (site/usual.h) */
    const uint32_t  *guessed;   /* [n] bytes taken off it without proof (learn/sizes/shown_pairs.h); or NULL */
    dp_str           newest_version; /* of a log: the greatest number of a version in its paths; n == 0: none */
    const uint32_t  *tag;       /* [n] of a log: what else it says of the page (DP_TAG_OF_VERSION); 0: nothing */
    const uint32_t  *linked;    /* [n] of a log: requests that came from another page of the host */
    const struct dp_arrow *sent; /* [nsent] of a log: redirects, as their clients went on; by from */
    size_t           nsent;
    const dp_str    *gone;      /* [ngone] URLs that were only answered 404 or 410; sorted, none of `url` */
    size_t           ngone;
    const uint64_t (*sketch)[4];           /* [n] all 0: not known */
    const uint64_t  *simhash;              /* [n] 0: not known */
    const double    *importance;           /* [n] < 0: not known */
    const uint32_t  *inlinks, *hops;       /* [n] UINT32_MAX: not known */
    const uint32_t  *hits;                 /* [n] times it was seen */
    const uint8_t   *resource;             /* [n] 1 + dp_resource by its content type, where its name says another */
    const uint8_t   *is_named;             /* [n] 1: no record is of it, others lead there; NULL also in one domain */
    const uint32_t  *client_at, *client;   /* clients of URL i: client[client_at[i]] to client[client_at[i + 1] - 1] */
    int64_t          newest;               /* time of a record; 0: not known */
    const dp_arrow  *arrow;                /* [narrow] by from, to, by */
    size_t           narrow;
} dp_site;

/* One URL as a test or a reader knows it. */
typedef struct dp_site_page {
    dp_str url;     /* in stage-0 form */
    dp_str cluster; /* its id; n == 0: not known */
    dp_by  by;
} dp_site_page;

/* A site out of pages: sorted, distinct (of contradicting clusters the one most pages say, then the least by bytes),
 * folds by the clusters' ids. For tests, and for callers that have nothing but clusters. All in `a`; the texts of
 * URLs are not copied. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_site_make(dp_site *out, dp_str name, const dp_site_page *page, size_t n, dp_arena *a);

#endif
