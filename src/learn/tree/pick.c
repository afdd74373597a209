/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/pick.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/fold.h"
#include "base/room.h"
#include "site/lead.h"

enum {
    ALL_SOURCES = 1000, /* a cluster's sources up to that many are all taken, ... */
    SHARE_OF_REST = 20, /* ... and one of that many of the rest */
    STRATA = 10,
    TOKENS = 64 /* of a URL that are told apart */
};

/* ---- hosts ---------------------------------------------------------------------------------------------- */

/* The bytes of a stage-0 URL before its path: how many, and where the host begins in them. */
static size_t origin_of(dp_str url, size_t *host)
{
    const char *colon = memmem(url.p, url.n, "://", 3), *slash = memchr(url.p, '/', url.n);
    *host = colon && slash == colon + 1 ? (size_t)(colon - url.p) + 3 : 0;
    slash = *host < url.n ? memchr(url.p + *host, '/', url.n - *host) : NULL;
    return slash ? (size_t)(slash - url.p) : url.n;
}

static dp_err add_host(dp_tree_picks *p, dp_intern *known, dp_str name, uint32_t *out)
{
    if (dp_intern_find(known, name, out))
        return DP_OK;
    if (!DP_ROOM(p->host, p->nhost, p->host_cap))
        return DP_ENOMEM;
    *out = p->nhost;
    p->host[p->nhost++] = name;
    return dp_intern_add(known, name, *out) ? DP_OK : DP_ENOMEM;
}

static dp_err find_hosts(dp_tree_picks *p, const dp_site *s)
{
    dp_intern known = {0};
    dp_err    code = DP_OK;
    dp_str    before = {0}; /* origin of the URL before, with its slash: URLs are sorted */
    uint32_t  host = DP_TREE_NO_HOST;
    for (size_t i = 0; i < s->n && code == DP_OK; i++) {
        if (!before.n || !dp_str_starts(s->url[i], before)) {
            size_t at, end = origin_of(s->url[i], &at);
            dp_str name = dp_str_cut(s->url[i], at, end);
            host = DP_TREE_NO_HOST;
            if (name.n && !memchr(name.p, '@', name.n))
                code = add_host(p, &known, name, &host);
            before = end < s->url[i].n ? dp_str_cut(s->url[i], 0, end + 1) : (dp_str){0};
        }
        p->host_of[i] = host;
    }
    dp_intern_done(&known);
    return code;
}

static void order_by_host(dp_tree_picks *p, const dp_site *s)
{
    uint32_t *at = p->item_at;
    memset(at, 0, (p->nhost + 1) * sizeof *at);
    for (size_t i = 0; i < s->n; i++)
        if (p->host_of[i] != DP_TREE_NO_HOST)
            at[p->host_of[i] + 1]++;
    for (uint32_t h = 0; h < p->nhost; h++)
        at[h + 1] += at[h];
    for (size_t i = 0; i < s->n; i++)
        if (p->host_of[i] != DP_TREE_NO_HOST)
            p->item[at[p->host_of[i]]++] = (uint32_t)i;
    memmove(at + 1, at, p->nhost * sizeof *at);
    at[0] = 0;
}

/* ---- targets --------------------------------------------------------------------------------------------- */

/* What makes a URL a good target: all of them small. */
typedef struct rank {
    uint32_t dynamic;  /* has a query */
    uint32_t far;      /* hops from the root; where they are not known, segments of the path */
    uint32_t unlinked; /* UINT32_MAX - links to it */
    uint32_t weight;   /* W of docs/rule-format.md: so that rules lower it */
    uint32_t unseen;   /* UINT32_MAX - times it was seen */
    uint32_t item;
    uint32_t host;
} rank;

static rank rank_of(const dp_tree_picks *p, const dp_site *s, uint32_t item)
{
    dp_str      url = s->url[item];
    const char *query = memchr(url.p, '?', url.n);
    size_t      path_end = query ? (size_t)(query - url.p) : url.n;
    uint32_t    weight = (uint32_t)url.n, slashes = 0;
    for (size_t i = 0; i < url.n; i++) { /* no branches: the compiler takes many bytes at a time */
        unsigned char c = (unsigned char)url.p[i];
        weight += (uint32_t)((unsigned char)(c - 'A') < 26) + 2u * (uint32_t)((c == '?') | (c == '&') | (c == ';'));
    }
    for (size_t i = 0; i < path_end; i++)
        slashes += url.p[i] == '/';
    rank r = {.dynamic = query != NULL, .far = slashes, .weight = weight, .item = item, .host = p->host_of[item]};
    if (s->hops && s->hops[item] != UINT32_MAX)
        r.far = s->hops[item];
    if (s->inlinks && s->inlinks[item] != UINT32_MAX)
        r.unlinked = UINT32_MAX - s->inlinks[item];
    else
        r.unlinked = UINT32_MAX;
    r.unseen = s->hits ? UINT32_MAX - s->hits[item] : UINT32_MAX;
    return r;
}

/* Within one site, URLs are numbered in the order of their texts. */
static int by_rank(const void *x, const void *y)
{
    const rank *a = x, *b = y;
#define DP_TREE_LESS(field) \
    if (a->field != b->field) \
        return a->field < b->field ? -1 : 1
    DP_TREE_LESS(dynamic);
    DP_TREE_LESS(far);
    DP_TREE_LESS(unlinked);
    DP_TREE_LESS(weight);
    DP_TREE_LESS(unseen);
    DP_TREE_LESS(item);
#undef DP_TREE_LESS
    return 0;
}

static int by_host_and_rank(const void *x, const void *y)
{
    const rank *a = x, *b = y;
    return a->host != b->host ? (a->host < b->host ? -1 : 1) : by_rank(x, y);
}

/* ---- sources ------------------------------------------------------------------------------------------- */

typedef struct source {
    double   importance; /* or, where it is not known, how many tokens it has */
    uint64_t chance;     /* spread evenly, of the URL alone */
    uint32_t at;         /* in the ranks */
    bool     taken;
} source;

static int by_importance(const void *x, const void *y)
{
    const source *a = x, *b = y;
    if (a->importance < b->importance || a->importance > b->importance)
        return a->importance > b->importance ? -1 : 1;
    return (a->chance > b->chance) - (a->chance < b->chance);
}

static int by_chance(const void *x, const void *y)
{
    const source *a = x, *b = y;
    return (a->chance > b->chance) - (a->chance < b->chance);
}

static int by_place(const void *x, const void *y)
{
    const source *a = x, *b = y;
    return (a->at > b->at) - (a->at < b->at);
}

/* Different tokens of a URL: where importance is not known, URLs are sampled by that (WSDM'10, 3.2.1). */
static double tokens_of(dp_str url)
{
    uint64_t seen[TOKENS];
    size_t   n = 0;
    for (size_t i = 0, end; i <= url.n && n < TOKENS; i = end + 1) {
        for (end = i; end < url.n && !strchr("/&?;=", url.p[end]); end++) {}
        uint64_t hash = dp_hash_str(dp_str_cut(url, i, end));
        size_t   k = 0;
        while (k < n && seen[k] != hash)
            k++;
        if (k == n && end > i)
            seen[n++] = hash;
    }
    return (double)n;
}

/* Mark those of v[0 .. n) that are sampled: equal buckets by importance, and of each as many as its share of the
 * importance is (of the URLs, where importance is not known). */
static void sample(source *v, size_t n, bool weighted)
{
    size_t want = ALL_SOURCES + (n - ALL_SOURCES) / SHARE_OF_REST;
    double total = 0;
    qsort(v, n, sizeof *v, by_importance);
    for (size_t i = 0; i < n; i++)
        total += weighted ? v[i].importance : 1;
    for (size_t k = 0; k < STRATA; k++) {
        size_t from = n * k / STRATA, to = n * (k + 1) / STRATA;
        double part = 0;
        for (size_t i = from; i < to; i++)
            part += weighted ? v[i].importance : 1;
        size_t take = total > 0 ? (size_t)(part / total * (double)want + 0.5) : 0;
        qsort(v + from, to - from, sizeof *v, by_chance);
        for (size_t i = from; i < to; i++)
            v[i].taken = i - from < take;
    }
    qsort(v, n, sizeof *v, by_place);
}

/* ---- pairs --------------------------------------------------------------------------------------------- */

typedef struct picker {
    dp_tree_picks         *out;
    const dp_site         *s;
    const dp_tree_options *o;
    const dp_lead         *lead;   /* NULL: all hosts are of one domain */
    uint64_t               seed;
    rank                  *rank;   /* [] of the cluster at hand */
    source                *source; /* [] */
    size_t                 cap;    /* of pairs */
} picker;

static dp_err add_pair(picker *p, uint32_t u, uint32_t v)
{
    if (!DP_ROOM(p->out->pair, p->out->npair, p->cap))
        return DP_ENOMEM;
    p->out->pair[p->out->npair++] = (dp_tree_pair){u, v};
    return DP_OK;
}

/* One cluster on one host, best first. */
static dp_err pair_host(picker *p, const rank *v, size_t n)
{
    bool weighted = p->s->importance != NULL, all = p->o->all_sources || n <= ALL_SOURCES;
    for (size_t i = 0; i < n && !all; i++) {
        double importance = weighted ? p->s->importance[v[i].item] : tokens_of(p->s->url[v[i].item]);
        p->source[i] = (source){.importance = importance < 0 ? 0 : importance,
                                .chance = dp_hash_seeded(p->s->url[v[i].item].p, p->s->url[v[i].item].n, p->seed),
                                .at = (uint32_t)i,
                                .taken = true};
    }
    if (!all)
        sample(p->source + 1, n - 1, weighted);
    for (size_t t = 0; t < p->o->targets && t < n; t++)
        for (size_t i = t + 1; i < n; i++)
            if (all || p->source[i].taken)
                DP_TRY(add_pair(p, v[i].item, v[t].item));
    return DP_OK;
}

/* Whether `x` is the better target for URLs of all hosts: on the domain that stands for the other, then by rank. */
static bool is_better(const picker *p, const rank *x, const rank *y)
{
    int lead = p->lead ? dp_lead_compare(p->lead, p->lead->domain_of[y->item], p->lead->domain_of[x->item]) : 0;
    return lead ? lead > 0 : by_rank(x, y) < 0;
}

static dp_err pair_cluster(picker *p, const uint32_t *item, size_t n)
{
    size_t nrank = 0;
    for (size_t i = 0; i < n; i++)
        if (p->out->host_of[item[i]] != DP_TREE_NO_HOST)
            p->rank[nrank++] = rank_of(p->out, p->s, item[i]);
    if (nrank < 2)
        return DP_OK;
    qsort(p->rank, nrank, sizeof *p->rank, by_host_and_rank);
    size_t best = 0;
    for (size_t i = 1; i < nrank; i++)
        if (is_better(p, &p->rank[i], &p->rank[best]))
            best = i;
    for (size_t i = 0, j; i < nrank; i = j) {
        for (j = i + 1; j < nrank && p->rank[j].host == p->rank[i].host; j++) {}
        DP_TRY(pair_host(p, p->rank + i, j - i));
        if (p->rank[i].host != p->rank[best].host)
            DP_TRY(add_pair(p, p->rank[i].item, p->rank[best].item));
    }
    return DP_OK;
}

/* Stable, by the host of the source. */
static dp_err order_pairs(dp_tree_picks *out)
{
    dp_tree_pair *v = malloc((out->npair + 1) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    size_t *at = out->pair_at;
    memset(at, 0, (out->nhost + 1) * sizeof *at);
    for (size_t i = 0; i < out->npair; i++)
        at[out->host_of[out->pair[i].u] + 1]++;
    for (uint32_t h = 0; h < out->nhost; h++)
        at[h + 1] += at[h];
    for (size_t i = 0; i < out->npair; i++)
        v[at[out->host_of[out->pair[i].u]]++] = out->pair[i];
    memmove(at + 1, at, out->nhost * sizeof *at);
    at[0] = 0;
    free(out->pair);
    out->pair = v;
    return DP_OK;
}

static bool is_asked(const dp_site *s, const dp_learn_context *ctx, uint32_t cluster)
{
    bool soft = s->is_soft && s->is_soft[cluster];
    return s->size[cluster] > 1 && !soft && (!s->fold || ctx->folds >> s->fold[cluster] & 1);
}

static dp_err pair_all(picker *p, const dp_learn_context *ctx)
{
    const dp_site *s = p->s;
    size_t         largest = 0, total = 0;
    uint32_t      *start = malloc(((size_t)s->nclusters + 1) * sizeof *start);
    uint32_t      *here = calloc((size_t)s->nclusters + 1, sizeof *here); /* URLs: a part of a site may lack some */
    dp_err         code = start && here ? DP_OK : DP_ENOMEM;
    for (uint32_t c = 0; code == DP_OK && c < s->nclusters; c++) {
        start[c] = (uint32_t)total;
        if (!is_asked(s, ctx, c))
            continue;
        total += s->size[c];
        largest = s->size[c] > largest ? s->size[c] : largest;
    }
    uint32_t *item = malloc((total + 1) * sizeof *item);
    p->rank = malloc((largest + 1) * sizeof *p->rank);
    p->source = malloc((largest + 1) * sizeof *p->source);
    if (!item || !p->rank || !p->source)
        code = DP_ENOMEM;
    for (size_t i = 0; code == DP_OK && i < s->n; i++)
        if (s->cluster[i] != DP_NO_CLUSTER && is_asked(s, ctx, s->cluster[i]))
            item[start[s->cluster[i]] + here[s->cluster[i]]++] = (uint32_t)i;
    for (uint32_t c = 0; code == DP_OK && c < s->nclusters; c++)
        if (is_asked(s, ctx, c))
            code = pair_cluster(p, item + start[c], here[c]);
    free(start);
    free(here);
    free(item);
    free(p->rank);
    free(p->source);
    return code == DP_OK ? order_pairs(p->out) : code;
}

dp_err dp_tree_pick(dp_tree_picks *out, const dp_site *s, const dp_tree_options *o, const dp_learn_context *ctx)
{
    picker p = {.out = out, .s = s, .o = o, .lead = ctx->lead, .seed = ctx->seed};
    *out = (dp_tree_picks){0};
    out->host_of = malloc((s->n + 1) * sizeof *out->host_of);
    out->item = malloc((s->n + 1) * sizeof *out->item);
    dp_err code = out->host_of && out->item ? find_hosts(out, s) : DP_ENOMEM;
    if (code == DP_OK) {
        out->item_at = malloc((out->nhost + 1) * sizeof *out->item_at);
        out->pair_at = malloc((out->nhost + 1) * sizeof *out->pair_at);
        code = out->item_at && out->pair_at ? DP_OK : DP_ENOMEM;
    }
    if (code == DP_OK) {
        order_by_host(out, s);
        code = pair_all(&p, ctx);
    }
    if (code != DP_OK)
        dp_tree_picks_done(out);
    return code;
}

void dp_tree_picks_done(dp_tree_picks *p)
{
    free(p->host);
    free(p->host_of);
    free(p->item);
    free(p->item_at);
    free(p->pair);
    free(p->pair_at);
    *p = (dp_tree_picks){0};
}
