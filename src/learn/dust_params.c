/* Parameters whose value does not matter: [BKS06] section 5.3, which leaves the details open.
 *
 *     http://a.com/x?sid=17&p=2         bucket of sid:  http://a.com/x?sid= | &p=2    values 17, 18, 99
 *
 * A name is popular when max(10, N/1000) URLs have it. Its values in one bucket are paired (of a large bucket those of
 * the first 32 values by bytes); in three buckets or more, a share 1 - ε of the pairs must look similar. Then the
 * value may be replaced by the most frequent one. It may be omitted when also three URLs or more are there without it,
 * and a share 1 - ε of those look similar.
 *
 * Uses are grouped by name, then by the hash of their bucket; bytes are compared where hashes are equal.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/buf.h"
#include "base/intern.h"
#include "base/keyed.h"
#include "learn/dust_site.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { POPULAR = 10, BUCKETS = 3, WITHOUT = 3, PAIRED = 32 };

/* 32-bit numbers: a URL may have many. */
typedef struct use {
    uint32_t page;
    uint32_t name, value, end; /* bytes where they begin; '&' or the end of the URL */
} use;

typedef struct uses {
    const dp_dust_site    *s;
    const dp_dust_options *o;
    use                   *v;      /* [n] by name, then by bucket */
    uint32_t              *number; /* [n] of the name, while they are collected */
    size_t                 n, cap;
    dp_intern              names;
    size_t                *from; /* [names.n + 1] where the uses of each name begin */
    use                   *work; /* [most] uses of one name */
    dp_keyed              *key, *tmp; /* [most] */
    size_t                 most;
    dp_dust_param         *found; /* [nfound] */
    size_t                 nfound, found_cap;
    dp_buf                 text;
    dp_dust_on_instance   *on_instance; /* NULL: count */
    void                  *self;
} uses;

static dp_str name_of(const uses *l, const use *u)
{
    return dp_str_cut(l->s->v[u->page].url, u->name, u->value - 1);
}

static dp_str value_of(const uses *l, const use *u)
{
    return dp_str_cut(l->s->v[u->page].url, u->value, u->end);
}

static dp_str before(const uses *l, const use *u)
{
    return dp_str_cut(l->s->v[u->page].url, 0, u->value);
}

static dp_str behind(const uses *l, const use *u)
{
    return dp_str_cut(l->s->v[u->page].url, u->end, l->s->v[u->page].url.n);
}

/* ---- collect ------------------------------------------------------------------------------- */

static dp_err add_use(uses *l, use u)
{
    if (l->n == l->cap) {
        size_t    cap = l->cap ? l->cap * 2 : 256;
        use      *v = realloc(l->v, cap * sizeof *v);
        l->v = v ? v : l->v;
        uint32_t *number = realloc(l->number, cap * sizeof *number);
        l->number = number ? number : l->number;
        if (!v || !number)
            return DP_ENOMEM;
        l->cap = cap;
    }
    dp_str name = name_of(l, &u);
    if (!dp_intern_find(&l->names, name, &l->number[l->n])) {
        l->number[l->n] = (uint32_t)l->names.n;
        if (!dp_intern_add(&l->names, name, l->number[l->n]))
            return DP_ENOMEM;
    }
    l->v[l->n++] = u;
    return DP_OK;
}

/* Where the next `a` or `b` stands from `i` on; the end when there is none. */
static size_t find(dp_str s, size_t i, char a, char b)
{
    while (i < s.n && s.p[i] != a && s.p[i] != b)
        i++;
    return i;
}

static dp_err collect(uses *l, uint32_t page)
{
    dp_str      url = l->s->v[page].url;
    const char *query = url.n ? memchr(url.p, '?', url.n) : NULL;
    if (!query)
        return DP_OK;
    for (size_t i = (size_t)(query - url.p), eq, stop; i < url.n; i = stop) {
        size_t name = i + 1;
        eq = find(url, name, '=', '&');
        stop = find(url, eq, '&', '&');
        if (eq != name && eq != stop)
            DP_TRY(add_use(l, (use){page, (uint32_t)name, (uint32_t)eq + 1, (uint32_t)stop}));
    }
    return DP_OK;
}

/* Bring the uses of one name together, in the order of pages. */
static dp_err group_names(uses *l)
{
    size_t names = l->names.n;
    l->from = calloc(names + 2, sizeof *l->from);
    use *v = calloc(l->n + 1, sizeof *v);
    if (!l->from || !v) {
        free(v);
        return DP_ENOMEM;
    }
    for (size_t i = 0; i < l->n; i++)
        l->from[l->number[i] + 2]++;
    for (size_t k = 2; k < names + 2; k++) {
        l->most = l->from[k] > l->most ? l->from[k] : l->most;
        l->from[k] += l->from[k - 1];
    }
    for (size_t i = 0; i < l->n; i++)
        v[l->from[l->number[i] + 1]++] = l->v[i];
    free(l->v);
    free(l->number);
    l->v = v;
    l->number = NULL;
    return DP_OK;
}

/* ---- buckets ------------------------------------------------------------------------------- */

static int cmp_envelope(const uses *l, const use *a, const use *b)
{
    int c = dp_str_cmp(before(l, a), before(l, b));
    return c ? c : dp_str_cmp(behind(l, a), behind(l, b));
}

static int by_bucket(const void *x, const void *y, void *list)
{
    int c = cmp_envelope(list, x, y);
    return c ? c : dp_str_cmp(value_of(list, x), value_of(list, y));
}

static uint64_t hash_envelope(const uses *l, const use *u)
{
    dp_str p = before(l, u), s = behind(l, u);
    return XXH3_64bits_withSeed(s.p, s.n, XXH3_64bits(p.p, p.n)) & l->o->hash_mask;
}

/* Bring the PAIRED least values of one bucket to the front, in order. */
static void put_least_first(const uses *l, use *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        size_t k = i < PAIRED ? i : PAIRED;
        use    u = v[i];
        if (i >= PAIRED && by_bucket(&u, &v[PAIRED - 1], (void *)(uintptr_t)l) >= 0)
            continue;
        if (i >= PAIRED)
            v[i] = v[--k];
        for (; k > 0 && by_bucket(&u, &v[k - 1], (void *)(uintptr_t)l) < 0; k--)
            v[k] = v[k - 1];
        v[k] = u;
    }
}

/* Order the uses of one name by bucket, and the first of each bucket by value. */
static void order_buckets(uses *l, use *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        l->key[i] = (dp_keyed){hash_envelope(l, &v[i]), (uint32_t)i};
    dp_keyed_group(l->key, l->tmp, n);
    memcpy(l->work, v, n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = l->work[l->key[i].item];
    for (size_t i = 0, end; i < n; i = end) {
        bool same = true;
        for (end = i + 1; end < n && l->key[end].key == l->key[i].key; end++)
            same = same && cmp_envelope(l, &v[i], &v[end]) == 0;
        if (same)
            put_least_first(l, v + i, end - i);
        else
            qsort_r(v + i, end - i, sizeof *v, by_bucket, l);
    }
}

/* ---- evidence for one name ----------------------------------------------------------------- */

/* One pair: counted, or told. */
static dp_err add_pair(uses *l, uint32_t x, uint32_t y, dp_dust_param *p, size_t number)
{
    bool similar = dp_dust_similar(&l->s->v[x], &l->s->v[y], l->o);
    p->pairs++;
    p->similar += similar;
    return l->on_instance ? l->on_instance(l->self, number, x, y, similar) : DP_OK;
}

static dp_err pair_values(uses *l, const use *v, size_t n, dp_dust_param *p, size_t number)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && cmp_envelope(l, &v[i], &v[end]) == 0; end++) {}
        size_t last = end - i > PAIRED ? i + PAIRED : end;
        p->buckets += end - i > 1;
        for (size_t j = i; j < last; j++)
            for (size_t k = j + 1; k < last; k++)
                DP_TRY(add_pair(l, v[j].page, v[k].page, p, number));
    }
    return DP_OK;
}

/* The URL without the parameter and the separator that it leaves over; false when memory is out. */
static bool write_without(uses *l, const use *u)
{
    dp_str rest = behind(l, u);
    dp_buf_reset(&l->text);
    dp_buf_add(&l->text, l->s->v[u->page].url.p, rest.n ? u->name : u->name - 1);
    if (rest.n)
        dp_buf_add(&l->text, rest.p + 1, rest.n - 1);
    return !l->text.failed;
}

static dp_err pair_without(uses *l, const use *v, size_t n, dp_dust_param *p, size_t number)
{
    for (size_t i = 0; i < n; i++) {
        if (!write_without(l, &v[i]))
            return DP_ENOMEM;
        const dp_dust_page *other = dp_dust_site_find(l->s, dp_buf_view(&l->text));
        if (other)
            DP_TRY(add_pair(l, v[i].page, (uint32_t)(other - l->s->v), p, number));
    }
    return DP_OK;
}

static bool is_enough(const uses *l, const dp_dust_param *p)
{
    return (double)p->similar >= (1 - l->o->epsilon) * (double)p->pairs;
}

/* A name may stand in one URL twice; uses are in the order of pages. */
static size_t count_urls(const use *v, size_t n)
{
    size_t urls = 0;
    for (size_t i = 0; i < n; i++)
        urls += i == 0 || v[i].page != v[i - 1].page;
    return urls;
}

static int by_value(const void *x, const void *y, void *list)
{
    return dp_str_cmp(value_of(list, x), value_of(list, y));
}

/* The most frequent value; of several the first by bytes. */
static dp_str choose_value(uses *l, const use *v, size_t n)
{
    dp_str best = value_of(l, v);
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        dp_str x = value_of(l, &v[i]);
        l->key[i] = (dp_keyed){XXH3_64bits(x.p, x.n) & l->o->hash_mask, (uint32_t)i};
    }
    dp_keyed_group(l->key, l->tmp, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && l->key[end].key == l->key[i].key; end++)
            l->work[end] = v[l->key[end].item];
        qsort_r(l->work + i, end - i, sizeof *l->work, by_value, l);
        for (size_t j = i, stop; j < end; j = stop) {
            dp_str x = value_of(l, &l->work[j]);
            for (stop = j + 1; stop < end && dp_str_eq(x, value_of(l, &l->work[stop])); stop++) {}
            if (stop - j > most || (stop - j == most && dp_str_cmp(x, best) < 0)) {
                most = stop - j;
                best = x;
            }
        }
    }
    return best;
}

/* ---- names --------------------------------------------------------------------------------- */

static dp_err add_found(uses *l, const dp_dust_param *p)
{
    if (l->nfound == l->found_cap) {
        size_t         cap = l->found_cap ? l->found_cap * 2 : 16;
        dp_dust_param *v = realloc(l->found, cap * sizeof *v);
        if (!v)
            return DP_ENOMEM;
        l->found = v;
        l->found_cap = cap;
    }
    l->found[l->nfound++] = *p;
    return DP_OK;
}

static dp_err judge_name(uses *l, use *v, size_t n)
{
    dp_dust_param p = {.name = name_of(l, v), .urls = count_urls(v, n)};
    if (p.urls < POPULAR || p.urls < l->s->n / 1000)
        return DP_OK;
    order_buckets(l, v, n);
    DP_TRY(pair_values(l, v, n, &p, 0));
    if (p.buckets < BUCKETS || !is_enough(l, &p))
        return DP_OK;
    p.value = choose_value(l, v, n);
    DP_TRY(add_found(l, &p));
    p.omit = true;
    p.pairs = p.similar = 0;
    DP_TRY(pair_without(l, v, n, &p, 0));
    return p.pairs >= WITHOUT && is_enough(l, &p) ? add_found(l, &p) : DP_OK;
}

static int by_evidence(const void *x, const void *y)
{
    const dp_dust_param *a = x, *b = y;
    if (a->similar != b->similar)
        return a->similar < b->similar ? 1 : -1;
    int c = dp_str_cmp(a->name, b->name);
    return c ? c : b->omit - a->omit;
}

static dp_err find_params(uses *l)
{
    for (size_t i = 0; i < l->s->n; i++)
        DP_TRY(collect(l, (uint32_t)i));
    DP_TRY(group_names(l));
    l->work = calloc(l->most + 1, sizeof *l->work);
    l->key = calloc(l->most + 1, sizeof *l->key);
    l->tmp = calloc(l->most + 1, sizeof *l->tmp);
    if (!l->work || !l->key || !l->tmp)
        return DP_ENOMEM;
    for (size_t k = 0; k < l->names.n; k++)
        DP_TRY(judge_name(l, l->v + l->from[k], l->from[k + 1] - l->from[k]));
    if (l->nfound)
        qsort(l->found, l->nfound, sizeof *l->found, by_evidence);
    return DP_OK;
}

/* Tell all pairs of what was found. */
static dp_err tell(uses *l, dp_dust_on_instance *on_instance, void *self)
{
    l->on_instance = on_instance;
    l->self = self;
    for (size_t i = 0; i < l->nfound; i++) {
        uint32_t      k = 0;
        dp_dust_param unused = {0};
        dp_intern_find(&l->names, l->found[i].name, &k);
        const use *v = l->v + l->from[k];
        size_t     n = l->from[k + 1] - l->from[k];
        DP_TRY(l->found[i].omit ? pair_without(l, v, n, &unused, i) : pair_values(l, v, n, &unused, i));
    }
    return DP_OK;
}

dp_err dp_dust_params(dp_dust_result *out, const dp_dust_site *s, const dp_dust_options *o,
                      dp_dust_on_instance *on_instance, void *self, dp_arena *a)
{
    uses   l = {.s = s, .o = o};
    dp_err e = find_params(&l);
    if (e == DP_OK && on_instance)
        e = tell(&l, on_instance, self);
    dp_dust_param *v = e == DP_OK ? DP_NEWS(a, l.nfound, dp_dust_param) : NULL;
    if (e == DP_OK && !v)
        e = DP_ENOMEM;
    if (v) {
        if (l.nfound)
            memcpy(v, l.found, l.nfound * sizeof *v);
        out->param = v;
        out->nparam = l.nfound;
    }
    free(l.v);
    free(l.number);
    free(l.from);
    free(l.work);
    free(l.key);
    free(l.tmp);
    free(l.found);
    dp_intern_done(&l.names);
    dp_buf_done(&l.text);
    return e;
}
