/* SPDX-License-Identifier: Apache-2.0 */
#include "content/soft.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/keyed.h"
#include "base/ordinal.h"
#include "base/room.h"
#include "content/parallel.h"
#include "content/ties.h"

enum {
    SAMPLE = 1000,       /* URLs of a set, about, in which common parts are looked for */
    SAMPLE_PERCENT = 40, /* of them must have a part for it to be counted on all */
    TOGETHER = 256,      /* suspects whose parts are counted together, the largest: the others are let go */
    SHARED_PERCENT = 90  /* of the URLs of a set that have a part which ties them together with others */
};

/* ---- counts by key ------------------------------------------------------------------------------------ */

typedef struct counts {
    dp_ordinals key;
    uint64_t   *v; /* [key.n] */
    size_t      cap;
} counts;

static uint64_t pair_key(uint64_t a, uint64_t b)
{
    const uint64_t words[] = {a, b};
    return dp_hash_bytes(words, sizeof words);
}

static bool want(counts *c, uint64_t key)
{
    uint32_t i;
    bool     fresh;
    if (!DP_ROOM(c->v, c->key.n, c->cap) || dp_ordinals_add(&c->key, key, &i, &fresh))
        return false;
    if (fresh)
        c->v[i] = 0;
    return true;
}

/* Count one for a key that is wanted. */
static void count(counts *c, uint64_t key)
{
    uint32_t i;
    if (dp_ordinals_find(&c->key, key, &i))
        c->v[i]++;
}

static uint64_t count_of(const counts *c, uint64_t key)
{
    uint32_t i;
    return dp_ordinals_find(&c->key, key, &i) ? c->v[i] : 0;
}

static void counts_done(counts *c)
{
    free(c->v);
    dp_ordinals_done(&c->key);
}

/* ---- sets that are large enough ------------------------------------------------------------------------- */

/* What many URLs of a suspect have. */
typedef struct common {
    dp_tie   tie;
    uint64_t inside; /* URLs of the suspect that have it */
} common;

typedef struct suspect {
    dp_soft  found;
    size_t   begin, end;  /* its pages in hunt.page */
    common  *part;        /* [nparts] that may tie it together */
    size_t   nparts;
    uint64_t inside, all; /* URLs that have what nearly all of it have: of it, of the host */
} suspect;

typedef struct hunt {
    dp_clusters           *c;
    const dp_strlist      *urls;
    const uint32_t        *host;
    size_t                 hosts;
    const dp_soft_options *o;
    dp_keyed              *page, *tmp; /* pages of sets that are large, those of one set and host side by side */
    size_t                 npages;
    uint32_t              *total;      /* [hosts] pages */
    bool                  *is_hunted;  /* [hosts]: has suspects */
    suspect               *v;
    size_t                 n, cap;
    counts                 on_host;    /* by host and part */
} hunt;

static uint64_t url_hash(const hunt *h, uint32_t page)
{
    dp_str url = dp_strlist_get(h->urls, page);
    return dp_hash_str(url);
}

static bool gather(hunt *h)
{
    size_t n = 0;
    h->total = calloc(h->hosts ? h->hosts : 1, sizeof *h->total);
    h->is_hunted = calloc(h->hosts ? h->hosts : 1, sizeof *h->is_hunted);
    if (!h->total || !h->is_hunted)
        return false;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < h->c->n; i++) {
            if (!h->c->has[i])
                continue;
            uint32_t root = dp_sets_root(&h->c->sets, (uint32_t)i);
            bool     large = h->c->size[root] >= h->o->urls;
            if (round == 0) {
                h->total[h->host[i]]++;
                n += large;
            } else if (large) {
                h->page[h->npages++] = (dp_keyed){pair_key(root, h->host[i]), (uint32_t)i};
            }
        }
        if (round == 0) {
            h->page = malloc((n ? n : 1) * sizeof *h->page);
            h->tmp = malloc((n ? n : 1) * sizeof *h->tmp);
            if (!h->page || !h->tmp)
                return false;
        }
    }
    dp_keyed_group(h->page, h->tmp, h->npages);
    return true;
}

static bool add_suspect(hunt *h, size_t begin, size_t end)
{
    if (!DP_ROOM(h->v, h->n, h->cap))
        return false;
    uint32_t example = h->page[begin].item;
    uint64_t least = url_hash(h, example);
    for (size_t i = begin + 1; i < end; i++) {
        uint64_t hash = url_hash(h, h->page[i].item);
        if (hash < least) {
            least = hash;
            example = h->page[i].item;
        }
    }
    uint32_t host = h->host[example];
    h->v[h->n++] = (suspect){.found = {dp_sets_root(&h->c->sets, example), host, (uint32_t)(end - begin), example},
                             .begin = begin, .end = end};
    return true;
}

static bool find_suspects(hunt *h)
{
    for (size_t i = 0, end; i < h->npages; i = end) {
        end = dp_keyed_end(h->page, h->npages, i);
        uint64_t total = h->total[h->host[h->page[i].item]];
        if (end - i >= h->o->urls && (double)(end - i) > h->o->share * (double)total && !add_suspect(h, i, end))
            return false;
    }
    return true;
}

/* ---- ties -------------------------------------------------------------------------------------------------- */

static size_t size_of(const suspect *s)
{
    return s->end - s->begin;
}

/* The parts that at least `least` of n URLs have, whose ties are v; how many of them have each. */
static bool keep_common(suspect *s, dp_keyed *v, dp_keyed *tmp, size_t n, size_t least)
{
    size_t kept = 0;
    dp_keyed_group(v, tmp, n);
    for (size_t i = 0, end; i < n; i = end) {
        end = dp_keyed_end(v, n, i);
        kept += end - i >= least;
    }
    if (kept && !(s->part = malloc(kept * sizeof *s->part)))
        return false;
    for (size_t i = 0, end; i < n; i = end) {
        end = dp_keyed_end(v, n, i);
        if (end - i >= least)
            s->part[s->nparts++] = (common){{v[i].key, v[i].item}, end - i};
    }
    return true;
}

/* Count on all URLs of a suspect who has its parts. */
static bool count_inside(const hunt *h, suspect *s)
{
    dp_tie_filter filter = {0};
    counts        all = {0};
    bool          ok = true;
    for (size_t k = 0; k < s->nparts && ok; k++) {
        dp_tie_filter_add(&filter, &s->part[k].tie);
        ok = want(&all, s->part[k].tie.hash);
    }
    for (size_t i = s->begin; i < s->end && ok && s->nparts; i++) {
        dp_ties t;
        dp_ties_find(&t, dp_strlist_get(h->urls, h->page[i].item), &filter);
        for (size_t k = 0; k < t.n; k++)
            count(&all, t.v[k].hash);
    }
    for (size_t k = 0; k < s->nparts && ok; k++)
        s->part[k].inside = count_of(&all, s->part[k].tie.hash);
    counts_done(&all);
    return ok;
}

/* The parts that half of a suspect's URLs have. */
static bool find_common(const hunt *h, suspect *s)
{
    size_t    m = size_of(s), seen = 0, n = 0, most = (m < 2 * SAMPLE ? m : 2 * SAMPLE);
    uint64_t  limit = m <= SAMPLE ? UINT64_MAX : UINT64_MAX / m * SAMPLE;
    bool      cut = m > SAMPLE; /* what is counted is less than all there is */
    dp_keyed *v = malloc(2 * most * DP_TIES * sizeof *v);
    if (!v)
        return false;
    for (size_t i = s->begin; i < s->end && seen < most; i++) {
        dp_ties t;
        if (limit < UINT64_MAX && url_hash(h, h->page[i].item) > limit)
            continue;
        dp_ties_find(&t, dp_strlist_get(h->urls, h->page[i].item), NULL);
        for (size_t k = 0; k < t.n; k++)
            v[n++] = (dp_keyed){t.v[k].hash, t.v[k].shape};
        cut |= t.full;
        seen++;
    }
    bool   ok = keep_common(s, v, v + most * DP_TIES, n, (seen * SAMPLE_PERCENT + 99) / 100);
    size_t kept = 0;
    free(v);
    if (ok && cut)
        ok = count_inside(h, s);
    for (size_t k = 0; k < s->nparts; k++) {
        if (2 * s->part[k].inside >= m)
            s->part[kept++] = s->part[k];
    }
    s->nparts = kept;
    return ok;
}

/* Whether a quarter of the host's URLs that have a part, or several together, are among the suspect's; where there are
 * no counts yet, whether that would be so if all of them had the part. */
static bool is_tied(const hunt *h, const suspect *s)
{
    for (size_t i = 0; i < s->nparts; i++) {
        uint64_t all = h->on_host.key.n ? count_of(&h->on_host, pair_key(s->found.host, s->part[i].tie.hash))
                                    : h->total[s->found.host];
        if (4 * s->part[i].inside >= all)
            return true;
    }
    return s->all && 2 * s->inside >= size_of(s) && 4 * s->inside >= s->all;
}

/* Leave out the suspects that are tied. */
static void acquit(hunt *h)
{
    size_t n = 0;
    for (size_t i = 0; i < h->n; i++) {
        if (is_tied(h, &h->v[i]))
            free(h->v[i].part);
        else
            h->v[n++] = h->v[i];
    }
    h->n = n;
}

/* Count on all URLs of the hosts that have suspects who has their parts. */
static bool count_on_hosts(hunt *h)
{
    dp_tie_filter filter = {0}; /* most parts of most URLs are none that anybody asks for */
    for (size_t s = 0; s < h->n; s++) {
        const suspect *x = &h->v[s];
        for (size_t k = 0; k < x->nparts; k++) {
            dp_tie_filter_add(&filter, &x->part[k].tie);
            h->is_hunted[x->found.host] = true;
            if (!want(&h->on_host, pair_key(x->found.host, x->part[k].tie.hash)))
                return false;
        }
    }
    for (size_t i = 0; i < h->c->n && h->on_host.key.n; i++) {
        dp_ties t;
        if (!h->c->has[i] || !h->is_hunted[h->host[i]])
            continue;
        dp_ties_find(&t, dp_strlist_get(h->urls, i), &filter);
        for (size_t k = 0; k < t.n; k++)
            count(&h->on_host, pair_key(h->host[i], t.v[k].hash));
    }
    return true;
}

/* ---- several parts, none of which ties alone ----------------------------------------------------------------- */

/* Whether nearly all URLs of the suspect have its part `k`. */
static bool is_shared(const suspect *s, size_t k)
{
    return s->part[k].inside * 100 >= size_of(s) * SHARED_PERCENT;
}

static bool has(const dp_ties *t, uint64_t hash)
{
    size_t i = 0;
    while (i < t->n && t->v[i].hash != hash)
        i++;
    return i < t->n;
}

/* Whether a URL with these ties has all that nearly all of the suspect's have; no, where that is a single part. */
static bool has_shared(const suspect *s, const dp_ties *t)
{
    size_t shared = 0;
    for (size_t k = 0; k < s->nparts; k++)
        if (is_shared(s, k)) {
            if (!has(t, s->part[k].tie.hash))
                return false;
            shared++;
        }
    return shared > 1;
}

/* Count on the hosts of the suspects that are left who has all of that. */
static void count_together(hunt *h)
{
    dp_tie_filter filter = {0};
    for (size_t s = 0; s < h->n; s++)
        for (size_t k = 0; k < h->v[s].nparts; k++)
            dp_tie_filter_add(&filter, &h->v[s].part[k].tie);
    for (size_t i = 0; i < h->c->n && h->n; i++) {
        dp_ties t;
        if (!h->c->has[i] || !h->is_hunted[h->host[i]])
            continue;
        dp_ties_find(&t, dp_strlist_get(h->urls, i), &filter);
        for (size_t s = 0; s < h->n; s++) {
            suspect *x = &h->v[s];
            if (x->found.host != h->host[i] || !has_shared(x, &t))
                continue;
            x->all++;
            x->inside += dp_sets_root(&h->c->sets, (uint32_t)i) == x->found.root;
        }
    }
}

static int by_size(const void *a, const void *b, void *ctx)
{
    const hunt    *h = ctx;
    const suspect *x = a, *y = b;
    if (size_of(x) != size_of(y))
        return size_of(x) > size_of(y) ? -1 : 1;
    return dp_str_cmp(dp_strlist_get(h->urls, x->found.example), dp_strlist_get(h->urls, y->found.example));
}

/* Bound the time: every URL is asked for each of them. */
static void keep_largest(hunt *h)
{
    if (h->n > TOGETHER)
        qsort_r(h->v, h->n, sizeof *h->v, by_size, h);
    while (h->n > TOGETHER)
        free(h->v[--h->n].part);
}

/* ---- sets that repeat each other ------------------------------------------------------------------------------ */

/* Leave out the suspects that say of one version or language what others say of another. Such sets are not large. */
static bool acquit_parallel(hunt *h)
{
    size_t     n = 0, most = 0;
    for (size_t s = 0; s < h->n; s++)
        most += size_of(&h->v[s]) <= SAMPLE ? size_of(&h->v[s]) : 0;
    dp_member *v = malloc((most + 1) * sizeof *v);
    bool      *is = calloc(h->n + 1, sizeof *is), ok = v && is;
    for (size_t s = 0; s < h->n && ok; s++)
        for (size_t i = h->v[s].begin; size_of(&h->v[s]) <= SAMPLE && i < h->v[s].end; i++)
            v[n++] = (dp_member){dp_strlist_get(h->urls, h->page[i].item), (uint32_t)s};
    ok = ok && dp_parallel_find(is, h->n, v, n) == DP_OK;
    n = 0;
    for (size_t s = 0; s < h->n && ok; s++) {
        if (is[s])
            free(h->v[s].part);
        else
            h->v[n++] = h->v[s];
    }
    if (ok)
        h->n = n;
    free(v);
    free(is);
    return ok;
}

/* ---- all together -------------------------------------------------------------------------------------------- */

static void finish(hunt *h)
{
    for (size_t i = 0; i < h->n; i++)
        free(h->v[i].part);
    free(h->v);
    free(h->page);
    free(h->tmp);
    free(h->total);
    free(h->is_hunted);
    counts_done(&h->on_host);
}

static int by_id(const void *a, const void *b, void *ctx)
{
    const hunt    *h = ctx;
    const dp_soft *x = a, *y = b;
    uint64_t       i = h->c->id[x->root], j = h->c->id[y->root];
    if (i != j)
        return i < j ? -1 : 1;
    return dp_str_cmp(dp_strlist_get(h->urls, x->example), dp_strlist_get(h->urls, y->example));
}

static bool find(hunt *h, dp_softs *out)
{
    if (!gather(h) || !find_suspects(h))
        return false;
    if (!h->n)
        return true;
    for (size_t i = 0; i < h->n; i++) {
        if (!find_common(h, &h->v[i]))
            return false;
    }
    acquit(h);
    if (!count_on_hosts(h))
        return false;
    acquit(h);
    if (!acquit_parallel(h))
        return false;
    keep_largest(h);
    count_together(h);
    acquit(h);
    if (!(out->v = malloc((h->n + 1) * sizeof *out->v)))
        return false;
    for (size_t i = 0; i < h->n; i++)
        out->v[out->n++] = h->v[i].found;
    qsort_r(out->v, out->n, sizeof *out->v, by_id, h);
    return true;
}

dp_err dp_softs_find(dp_softs *out, dp_clusters *c, const dp_strlist *urls, const uint32_t *host, size_t hosts,
                     const dp_soft_options *o)
{
    hunt h = {.c = c, .urls = urls, .host = host, .hosts = hosts, .o = o};
    *out = (dp_softs){0};
    if (!o->urls)
        return DP_OK;
    bool ok = find(&h, out);
    finish(&h);
    if (!ok)
        dp_softs_done(out);
    return ok ? DP_OK : DP_ENOMEM;
}

void dp_softs_done(dp_softs *s)
{
    free(s->v);
    *s = (dp_softs){0};
}
