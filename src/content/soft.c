/* SPDX-License-Identifier: Apache-2.0 */
#include "content/soft.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/keyed.h"
#include "base/room.h"
#include "url/split.h"

enum {
    MAX_PARTS = 48,      /* of a URL that are looked at */
    SAMPLE = 1000,       /* URLs of a set, about, in which common parts are looked for */
    SAMPLE_PERCENT = 40, /* of them must have a part for it to be counted on all */
    FILTER = 64          /* words of a filter */
};

/* ---- parts of a URL --------------------------------------------------------------------------------- */

typedef struct parts {
    uint64_t        v[MAX_PARTS]; /* hashes, each once */
    size_t          n;
    const uint64_t *only; /* [FILTER] bits of the hashes that are asked for; NULL: all are */
} parts;

static void add_part(parts *p, char kind, dp_str text)
{
    uint64_t h = XXH3_64bits_withSeed(text.p, text.n, (unsigned char)kind);
    if (p->only && !(p->only[h >> 6 & (FILTER - 1)] >> (h & 63) & 1))
        return;
    for (size_t i = 0; i < p->n; i++) {
        if (p->v[i] == h)
            return;
    }
    if (p->n < MAX_PARTS)
        p->v[p->n++] = h;
}

/* Add what lies between separators, but for what is empty. */
static void add_pieces(parts *p, char kind, dp_str text, char sep, char other)
{
    for (size_t i = 0, end; i < text.n; i = end + 1) {
        for (end = i; end < text.n && text.p[end] != sep && text.p[end] != other; end++) {}
        if (end > i)
            add_part(p, kind, dp_str_cut(text, i, end));
    }
}

static void find_parts(parts *p, dp_str url)
{
    dp_split s;
    p->n = 0;
    if (!dp_split_url(&s, url))
        return;
    add_part(p, 'w', s.path);
    add_pieces(p, 's', s.path, '/', '/');
    add_pieces(p, 'q', s.query, '&', ';');
}

/* ---- counts by key ------------------------------------------------------------------------------------ */

typedef struct slot {
    uint64_t key; /* 0: free */
    uint64_t count;
} slot;

typedef struct counts {
    slot  *v; /* [cap], a power of two */
    size_t n, cap;
} counts;

static uint64_t pair_key(uint64_t a, uint64_t b)
{
    const uint64_t words[] = {a, b};
    return XXH3_64bits(words, sizeof words) | 1;
}

static slot *find_slot(const counts *c, uint64_t key)
{
    size_t i = (key >> 1) & (c->cap - 1);
    while (c->v[i].key && c->v[i].key != key)
        i = (i + 1) & (c->cap - 1);
    return &c->v[i];
}

static bool want(counts *c, uint64_t key)
{
    if (2 * c->n >= c->cap) {
        counts bigger = {.n = c->n, .cap = c->cap ? c->cap * 2 : 256};
        if (!(bigger.v = calloc(bigger.cap, sizeof *bigger.v)))
            return false;
        for (size_t i = 0; i < c->cap; i++) {
            if (c->v[i].key)
                *find_slot(&bigger, c->v[i].key) = c->v[i];
        }
        free(c->v);
        *c = bigger;
    }
    slot *s = find_slot(c, key);
    c->n += !s->key;
    s->key = key;
    return true;
}

/* Count one for a key that is wanted. */
static void count(counts *c, uint64_t key)
{
    slot *s = c->cap ? find_slot(c, key) : NULL;
    if (s && s->key)
        s->count++;
}

static uint64_t count_of(const counts *c, uint64_t key)
{
    return c->cap ? find_slot(c, key)->count : 0;
}

/* ---- sets that are large enough ------------------------------------------------------------------------- */

typedef struct suspect {
    dp_soft  found;
    size_t   begin, end; /* its pages in hunt.page */
    uint64_t *part;      /* [nparts] that may tie it together */
    size_t    nparts;
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
    counts                 on_host, in_set; /* by host and part, by suspect and part */
} hunt;

static uint64_t url_hash(const hunt *h, uint32_t page)
{
    dp_str url = dp_strlist_get(h->urls, page);
    return XXH3_64bits(url.p, url.n);
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
    h->is_hunted[host] = true;
    h->v[h->n++] = (suspect){.found = {dp_sets_root(&h->c->sets, example), host, (uint32_t)(end - begin), example},
                             .begin = begin, .end = end};
    return true;
}

static bool find_suspects(hunt *h)
{
    for (size_t i = 0, end; i < h->npages; i = end) {
        for (end = i + 1; end < h->npages && h->page[end].key == h->page[i].key; end++) {}
        uint64_t total = h->total[h->host[h->page[i].item]];
        if (end - i >= h->o->urls && (double)(end - i) > h->o->share * (double)total && !add_suspect(h, i, end))
            return false;
    }
    return true;
}

/* ---- ties -------------------------------------------------------------------------------------------------- */

/* The parts that many URLs of a suspect have; they are counted from now on. */
static bool find_common(hunt *h, suspect *s)
{
    size_t    m = s->end - s->begin, seen = 0, n = 0, most = (m < 2 * SAMPLE ? m : 2 * SAMPLE);
    uint64_t  limit = m <= SAMPLE ? UINT64_MAX : UINT64_MAX / m * SAMPLE;
    dp_keyed *v = malloc(2 * most * MAX_PARTS * sizeof *v);
    if (!v)
        return false;
    for (size_t i = s->begin; i < s->end && seen < most; i++) {
        if (url_hash(h, h->page[i].item) > limit)
            continue;
        parts p = {.only = NULL};
        find_parts(&p, dp_strlist_get(h->urls, h->page[i].item));
        for (size_t k = 0; k < p.n; k++)
            v[n++] = (dp_keyed){p.v[k], 0};
        seen++;
    }
    dp_keyed_group(v, v + most * MAX_PARTS, n);
    size_t common = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && v[end].key == v[i].key; end++) {}
        if ((end - i) * 100 >= seen * SAMPLE_PERCENT)
            v[common++].key = v[i].key;
    }
    bool ok = !common || (s->part = malloc(common * sizeof *s->part));
    for (size_t i = 0; ok && i < common; i++) {
        s->part[s->nparts++] = v[i].key;
        ok = want(&h->on_host, pair_key(s->found.host, v[i].key)) &&
             want(&h->in_set, pair_key((uint64_t)(s - h->v), v[i].key));
    }
    free(v);
    return ok;
}

static void count_parts(hunt *h)
{
    uint64_t only[FILTER] = {0}; /* most parts of most URLs are none that anybody asks for */
    parts    p = {.only = only};
    for (size_t s = 0; s < h->n; s++) {
        for (size_t k = 0; k < h->v[s].nparts; k++)
            only[h->v[s].part[k] >> 6 & (FILTER - 1)] |= (uint64_t)1 << (h->v[s].part[k] & 63);
    }
    for (size_t i = 0; i < h->c->n && h->on_host.n; i++) {
        if (!h->c->has[i] || !h->is_hunted[h->host[i]])
            continue;
        find_parts(&p, dp_strlist_get(h->urls, i));
        for (size_t k = 0; k < p.n; k++)
            count(&h->on_host, pair_key(h->host[i], p.v[k]));
    }
    for (size_t s = 0; s < h->n; s++) {
        for (size_t i = h->v[s].nparts ? h->v[s].begin : h->v[s].end; i < h->v[s].end; i++) {
            find_parts(&p, dp_strlist_get(h->urls, h->page[i].item));
            for (size_t k = 0; k < p.n; k++)
                count(&h->in_set, pair_key(s, p.v[k]));
        }
    }
}

static bool is_tied(const hunt *h, const suspect *s)
{
    for (size_t i = 0; i < s->nparts; i++) {
        uint64_t inside = count_of(&h->in_set, pair_key((uint64_t)(s - h->v), s->part[i]));
        uint64_t all = count_of(&h->on_host, pair_key(s->found.host, s->part[i]));
        if (2 * inside >= s->end - s->begin && 4 * inside >= all)
            return true;
    }
    return false;
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
    free(h->on_host.v);
    free(h->in_set.v);
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
    count_parts(h);
    if (!(out->v = malloc(h->n * sizeof *out->v)))
        return false;
    for (size_t i = 0; i < h->n; i++) {
        if (!is_tied(h, &h->v[i]))
            out->v[out->n++] = h->v[i].found;
    }
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
