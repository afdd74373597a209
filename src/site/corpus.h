/* site/corpus.h - the facts of one site: distinct URLs, and what is known of each.
 *
 *     dp_fact ─► take ─►  url 0: size sketch hits ... ─► label ─► clusters ─► dp_corpus_site
 *                          url 1: ...
 *                          redirects, rel=canonical, clients
 *
 * Reads site/fact.h. Which domains are one site is found in site/group.h, from the clusters of each domain alone; then
 * the facts of all its domains come together here. Of a URL that comes more than once:
 *
 *     size             the range over all; of a log, which says no more, how often each came (site/usual.h)
 *     digest, text,    those of the newest record; where times are equal or not known, of the least
 *     sketch, simhash  content, so that the order of the input does not matter
 *     cluster          what most records say, then the least (by hash); who contradicts is counted
 *     importance, inlinks  the greatest        hops  the least        hits  the sum
 *     clients          the DP_CLIENTS_KEPT of the least hashes
 *     linked, tags     of a log: the sum; how often each came
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
 * What is found depends on the facts of the site alone, so that sites can be learned anywhere and in any order. A URL
 * of another site to which this one leads is known by its text: it has a cluster, but it is none of the site's URLs.
 *
 * What others say of this site says nothing about it: anybody can lead to anything. A URL that only they name is none
 * of its URLs, and has no cluster; who names it is kept for site/group.h alone.
 *
 * Invariants:
 *   - URLs are in stage-0 form, and compared byte by byte; so are names of domains.
 *   - A cluster's id is 64 bits of a hash of its name; derived ones are hashes of contents or URLs, never
 *     numbers, so that the folds of a page do not depend on the rest of the input.
 *
 * Memory a URL, beside its text: 8 place, 5 to 11 look-up while taking, 4 host, 4 cluster, 4 hits, 1 why; a
 * cluster 9 and, while taking, 13 to 19; and only where some record has it: sizes 16, sketch 32, simhash 8,
 * importance 8, in-links 4, hops 4, time 8, digest 25, text 16, clients and other spellings 16 each.
 * Joining by content takes 36 more for a while.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_CORPUS_H
#define DP_SITE_CORPUS_H

#include "base/intern.h"
#include "base/ordinal.h"
#include "base/words/strlist.h"
#include "content/soft.h"
#include "site/counted.h"
#include "site/fact.h"
#include "site/site.h"

enum { DP_CLIENTS_KEPT = 8, DP_SIZES_KEPT = 64, DP_TAGS_KEPT = 8 };

/* Who of another site leads to a URL of this one. */
typedef struct dp_caller {
    uint32_t url;
    uint32_t domain; /* of dp_corpus.calling */
    uint64_t from;   /* hash of the URL */
} dp_caller;

/* A zeroed one is valid and empty; what stands above `n` may be set before the first fact. */
typedef struct dp_corpus {
    dp_by         named;   /* what the column `cluster` counts as; DP_BY_LIST (0) stands for text */
    const dp_str *domain;  /* [ndomain] of the site; NULL: every URL is its own */
    size_t        ndomain;
    bool          by_host; /* they are hosts */
    bool          no_soft; /* soft errors are not looked for: who asks which domains share clusters need not know */

    size_t      n, cap;   /* URLs; below 2^31 */
    size_t      nown;     /* of the site */
    dp_strlist  url;
    dp_index    seen;     /* their numbers; given back by dp_corpus_label */
    uint32_t   *host;     /* [n] */
    dp_intern   host_number;
    dp_strlist  host_name;
    uint8_t    *is_own;   /* [hosts] 1: of the site */
    uint32_t    own_cap, last_host;

    uint32_t   *label;    /* [n] a cluster; DP_NO_CLUSTER */
    uint8_t    *by;       /* [n] dp_by */
    uint32_t   *hits;     /* [n] times it was seen as a page; NULL after dp_corpus_label when none was twice */
    dp_ordinals clusters; /* ids */
    uint8_t    *fold;     /* [clusters.n] */
    uint8_t    *is_soft;  /* [clusters.n]; NULL before dp_corpus_label, and with no_soft */
    uint32_t    fold_cap;

    /* Columns of n, NULL while no record has them. */
    int64_t  *size_min, *size_max; /* -1: not known */
    uint64_t (*sketch)[4];
    uint64_t *simhash;
    double   *importance; /* NaN: not known */
    uint32_t *inlinks, *hops;
    int64_t  *time;
    uint8_t  *is_hearsay; /* 1: only other sites speak of it */
    uint8_t  *is_plain;   /* 1: a record that says what page it is has it in its stage-0 form */

    dp_clusters content;  /* digests, texts and slots; page i is URL i, as far as it reaches */
    dp_slot    *slots;    /* of the last fact */
    size_t      slot_cap;
    dp_counted  votes;    /* URL, cluster: of all records but a URL's first */
    dp_counted  redirect, canonical; /* from, to */
    dp_counted  client;   /* URL, hash */
    dp_counted  sizes;    /* URL, bytes: of records that say nothing else of the page */
    uint8_t    *resource; /* [n] 1 + dp_resource, where the content type says another one than the name; NULL: none */
    uint32_t   *linked;   /* [n] requests that came from another page of the host; NULL: none */
    dp_counted  tags;     /* URL, dp_fact_size.size of dp_fact.tags */
    dp_counted  followed; /* from, to: as their clients went on */
    dp_ordinals gone;     /* URLs answered 404 or 410, by dp_fact_hash */
    dp_strlist  gone_url; /* [gone.n] */
    dp_counted  spelling; /* URL, hash: as other records that say what page it is have it */
    dp_caller  *caller;   /* [ncaller] */
    uint32_t    ncaller, caller_cap;
    dp_intern   calling;  /* domains that lead here, numbered */

    uint64_t    names, contents; /* URLs whose cluster is a name of the input; that are known by content */
    uint64_t    contradicting; /* URLs that records put into different clusters */
    uint64_t    soft;          /* clusters that are soft errors */
    int64_t     newest;        /* time of a record; 0: none has one */
    uint64_t    alike;         /* pages that differ from another one in a few places of which nothing is known */
    uint64_t    spellings;     /* URLs as the input has them, of which stage 0 makes others: so many more than URLs */
} dp_corpus;

/* Before the first fact: so many will come, and most are of another URL. DP_ENOMEM. */
dp_err dp_corpus_expect(dp_corpus *c, uint64_t facts);

/* DP_ENOMEM, DP_ELIMIT: then it may only be given up. */
dp_err dp_corpus_take(dp_corpus *c, const dp_fact *f);

/* The number of the cluster whose name has that hash and fold, new or not. */
dp_err dp_corpus_cluster(dp_corpus *c, uint64_t id, uint8_t fold, uint32_t *number);

/* The id of the cluster of those that lead to a URL of which nothing else is known. */
uint64_t dp_corpus_url_id(dp_str url);

/* After the last fact: find the clusters. */
dp_err dp_corpus_label(dp_corpus *c);

void dp_corpus_done(dp_corpus *c);

static inline dp_str dp_corpus_url(const dp_corpus *c, uint32_t i)
{
    return dp_strlist_get(&c->url, i);
}

static inline bool dp_corpus_owns(const dp_corpus *c, uint32_t i)
{
    return c->is_own[c->host[i]] && !(c->is_hearsay && c->is_hearsay[i]);
}

/* The site of all its own URLs. All in `a` but the texts, which are the corpus's. Of the corpus nothing may be asked
 * any more but its counts: all else is given back. DP_ENOMEM. */
dp_err dp_corpus_site(dp_site *out, dp_corpus *c, dp_str name, dp_arena *a);

#endif
