/* judge/groups.h - what a map from URLs to keys merges, rightly and wrongly.
 *
 *     (tag, key, item)  sort ──► runs of equal (tag, key)  ──►  n_g items of d_g clusters
 *      rule  hash URL            = groups                       good  n_g - d_g, bad  d_g - 1
 *
 * docs/evaluation.md: merges M = sum(n_g - 1), good merges G = sum(n_g - d_g), bad merges
 * B = sum(d_g - 1), so M = G + B. Linear: one radix sort in place, one walk. Used by
 * judge/replay.h for single rules and by eval/ for whole maps.
 *
 * Keys are 64-bit hashes. Two different keys among 10^8 URLs are taken for one with chance
 * 3 in 10^4, and then one merge too many is counted.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_JUDGE_GROUPS_H
#define DP_JUDGE_GROUPS_H

#include "base/err.h"
#include "base/pool.h"
#include "base/room.h"
#include "base/str.h"

/* 32-bit numbers: arrays of these are what evaluating costs. */
typedef struct dp_member {
    uint64_t key;
    uint32_t tag;  /* rule, host or 0 */
    uint32_t item; /* number of a URL, in input order */
} dp_member;

/* Members that come one by one. A zeroed one is empty; `v` is malloc'd. */
typedef struct dp_members {
    dp_member *v; /* [n] */
    size_t     n, cap;
} dp_members;

/* Whether there is room for `more` now; else memory is out, and nothing is changed. */
static inline bool dp_members_room(dp_members *m, size_t more)
{
    return DP_ROOM_FOR(m->v, m->n + more, m->cap);
}

/* False when memory is out. */
static inline bool dp_members_push(dp_members *m, dp_member new)
{
    if (!dp_members_room(m, 1))
        return false;
    m->v[m->n++] = new;
    return true;
}

/* By tag, key, item; in place. */
void dp_members_sort(dp_member *v, size_t n);

/* The same on all threads of `pool`, which may be NULL. */
void dp_members_sort_on(dp_pool *pool, dp_member *v, size_t n);

/* Whether `a` and `b` are in one group. */
static inline bool dp_member_same(const dp_member *a, const dp_member *b)
{
    return a->key == b->key && a->tag == b->tag;
}

/* The end of the group that begins at `i`. */
static inline size_t dp_group_end(const dp_member *v, size_t n, size_t i)
{
    size_t j = i + 1;
    while (j < n && dp_member_same(&v[i], &v[j]))
        j++;
    return j;
}

/* All that every metric of the papers is computed from. */
typedef struct dp_tally {
    uint64_t urls;     /* N */
    uint64_t groups;   /* F: pages that a crawl by these keys fetches */
    uint64_t clusters; /* C */
    uint64_t good, bad;
    uint64_t covered;  /* clusters of which some page is fetched, when the first URL of each group is */
} dp_tally;

/* Counts clusters within a group in constant time each: one stamp a cluster. */
typedef struct dp_stamps {
    uint32_t *of;     /* [n] last group the cluster was seen in */
    uint8_t  *marked; /* [n] for the caller: 0 after reset */
    uint32_t  n, now;
} dp_stamps;

dp_err dp_stamps_init(dp_stamps *s, uint32_t clusters);
void   dp_stamps_done(dp_stamps *s);

/* Begin a new group. */
void dp_stamps_next(dp_stamps *s);

/* Whether `cluster` is new in this group. */
static inline bool dp_stamps_add(dp_stamps *s, uint32_t cluster)
{
    bool fresh = s->of[cluster] != s->now;
    s->of[cluster] = s->now;
    return fresh;
}

/* Add up sorted members; cluster[item] says what each URL shows. Marks in `s` which clusters are
 * covered (2) and which are there (1 or more); they must be 0 before. */
dp_tally dp_groups_tally(const dp_member *v, size_t n, const uint32_t *cluster, dp_stamps *s);

#endif
