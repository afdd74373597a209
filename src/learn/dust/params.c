/* Parameters whose value does not matter: [BKS06] section 5.3, which leaves the details open.
 *
 *     http://a.com/x?sid=17&p=2         bucket of sid:  http://a.com/x?sid= | &p=2    values 17, 18, 99
 *
 * A name is popular when max(10, N/1000) URLs have it. Its values in one bucket are paired (of a large bucket those of
 * the first 32 values by bytes); in three buckets or more, a share 1 - ε of the pairs must look similar. Pairs of
 * pages of which nothing is known do not count: all of them would look similar, whatever the name. Then the value may
 * be replaced by the most frequent one. It may be omitted when also three URLs or more are there without it,
 * and a share 1 - ε of those look similar.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/buf.h"
#include "base/hash.h"
#include "base/room.h"
#include "learn/dust/find.h"
#include "learn/dust/uses.h"

#include <stdlib.h>

enum { POPULAR = 10, BUCKETS = 3, WITHOUT = 3 };

typedef struct finder {
    const dp_dust_site    *s;
    const dp_dust_options *o;
    dp_dust_uses           uses;
    dp_dust_param         *found; /* [nfound] */
    size_t                 nfound, found_cap;
    dp_buf                 text;
    dp_dust_find           find; /* empty, until a parameter may be omitted */
    dp_dust_on_instance   *on_instance; /* NULL: count */
    void                  *self;
} finder;

static bool is_same_before(const finder *l, const dp_dust_use *a, const dp_dust_use *b)
{
    return dp_str_eq(dp_dust_use_before(&l->uses, a), dp_dust_use_before(&l->uses, b));
}

static bool is_same_bucket(const finder *l, const dp_dust_use *a, const dp_dust_use *b)
{
    return is_same_before(l, a, b) && dp_str_eq(dp_dust_use_behind(&l->uses, a), dp_dust_use_behind(&l->uses, b));
}

/* ---- evidence for one name ----------------------------------------------------------------- */

/* One pair: counted, or told. */
static dp_err add_pair(finder *l, uint32_t x, uint32_t y, dp_dust_param *p, size_t number)
{
    if (!dp_dust_is_known(l->s, x, y, l->o))
        return DP_OK;
    bool similar = dp_dust_similar(l->s, x, y, l->o);
    p->pairs++;
    p->similar += similar;
    return l->on_instance ? l->on_instance(l->self, number, l->s->given[x], l->s->given[y], similar) : DP_OK;
}

/* Of uses in the order of buckets. */
static dp_err pair_values(finder *l, const dp_dust_use *v, size_t n, dp_dust_param *p, size_t number)
{
    for (size_t i = 0, end; i < n; i = end) {
        dp_dust_uses_fetch(&l->uses, v, i, n);
        for (end = i + 1; end < n && is_same_bucket(l, &v[i], &v[end]); end++)
            dp_dust_uses_fetch(&l->uses, v, end, n);
        size_t last = end - i > DP_DUST_PAIRED ? i + DP_DUST_PAIRED : end, before = p->pairs;
        for (size_t j = i; j < last; j++)
            for (size_t k = j + 1; k < last; k++)
                DP_TRY(add_pair(l, v[j].page, v[k].page, p, number));
        p->buckets += p->pairs > before;
    }
    return DP_OK;
}

/* Put the uses of one name into the order of buckets, and pair them. */
static dp_err pair_buckets(finder *l, dp_dust_use *v, size_t n, dp_dust_param *p)
{
    dp_dust_uses_order(&l->uses, v, n);
    for (size_t i = 0, end; i < n; i = end) {
        dp_dust_uses_fetch(&l->uses, v, i, n);
        for (end = i + 1; end < n && is_same_before(l, &v[i], &v[end]); end++)
            dp_dust_uses_fetch(&l->uses, v, end, n);
        if (end - i > 1) {
            dp_dust_uses_buckets(&l->uses, v + i, end - i);
            DP_TRY(pair_values(l, v + i, end - i, p, 0));
        }
    }
    return DP_OK;
}

/* The URL without the parameter and the separator that it leaves over. */
static void write_without(finder *l, const dp_dust_use *u)
{
    dp_str rest = dp_dust_use_behind(&l->uses, u);
    dp_buf_add(&l->text, l->s->v[u->page].url.p, rest.n ? u->name : u->name - 1);
    if (rest.n)
        dp_buf_add(&l->text, rest.p + 1, rest.n - 1);
}

/* Some uses at a time, so that what is looked up for one is fetched while the next ones are written. */
static dp_err pair_without(finder *l, const dp_dust_use *v, size_t n, dp_dust_param *p, size_t number)
{
    enum { BLOCK = 16 };
    dp_index_walk from[BLOCK];
    size_t        at[BLOCK + 1] = {0};
    if (!l->find.s)
        DP_TRY(dp_dust_find_init(&l->find, l->s));
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t some = n - i < BLOCK ? n - i : BLOCK;
        dp_buf_reset(&l->text);
        for (size_t k = 0; k < some; k++) {
            dp_dust_uses_fetch(&l->uses, v, i + k, n);
            write_without(l, &v[i + k]);
            at[k + 1] = l->text.n;
            if (l->text.failed)
                return DP_ENOMEM;
            from[k] = dp_dust_find_from(&l->find, dp_str_cut(dp_buf_view(&l->text), at[k], at[k + 1]));
        }
        for (size_t k = 0; k < some; k++) {
            uint32_t other;
            if (dp_dust_find_page(&l->find, dp_str_cut(dp_buf_view(&l->text), at[k], at[k + 1]), from[k], &other))
                DP_TRY(add_pair(l, v[i + k].page, other, p, number));
        }
    }
    return DP_OK;
}

static bool is_enough(const finder *l, const dp_dust_param *p)
{
    return (double)p->similar >= (1 - l->o->epsilon) * (double)p->pairs;
}

/* A name may stand in one URL twice; uses are in the order of pages. */
static size_t count_urls(const dp_dust_use *v, size_t n)
{
    size_t urls = 0;
    for (size_t i = 0; i < n; i++)
        urls += i == 0 || v[i].page != v[i - 1].page;
    return urls;
}

static int by_value(const void *x, const void *y, void *list)
{
    return dp_str_cmp(dp_dust_use_value(list, x), dp_dust_use_value(list, y));
}

static void fetch_key(const finder *l, const dp_dust_use *v, size_t i, size_t n)
{
    enum { SOON = 8 };
    if (i + SOON < n) {
        const dp_dust_use *u = &v[l->uses.key[i + SOON].item];
        __builtin_prefetch(l->s->v[u->page].url.p + u->value);
    }
}

/* The most frequent value; of several the first by bytes. A group of equal hashes that is smaller than the best is not
 * looked at. */
static dp_str choose_value(finder *l, const dp_dust_use *v, size_t n, size_t *times)
{
    dp_str best = dp_dust_use_value(&l->uses, v);
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        dp_dust_uses_fetch(&l->uses, v, i, n);
        dp_str x = dp_dust_use_value(&l->uses, &v[i]);
        l->uses.key[i] = (dp_keyed){dp_hash_str(x) & l->o->hash_mask, (uint32_t)i};
    }
    dp_keyed_group(l->uses.key, l->uses.tmp, n);
    for (size_t i = 0, end; i < n; i = end) {
        bool same = true;
        fetch_key(l, v, i, n);
        for (end = i + 1; end < n && l->uses.key[end].key == l->uses.key[i].key; end++)
            fetch_key(l, v, end, n);
        if (end - i < most)
            continue;
        for (size_t j = i; j < end; j++) {
            l->uses.work[j] = v[l->uses.key[j].item];
            same = same && by_value(&l->uses.work[i], &l->uses.work[j], &l->uses) == 0;
        }
        if (!same)
            qsort_r(l->uses.work + i, end - i, sizeof *l->uses.work, by_value, &l->uses);
        for (size_t j = i, stop; j < end; j = stop) {
            dp_str x = dp_dust_use_value(&l->uses, &l->uses.work[j]);
            for (stop = j + 1; stop < end && dp_str_eq(x, dp_dust_use_value(&l->uses, &l->uses.work[stop])); stop++) {}
            if (stop - j > most || (stop - j == most && dp_str_cmp(x, best) < 0)) {
                most = stop - j;
                best = x;
            }
        }
    }
    *times = most;
    return best;
}

/* ---- names --------------------------------------------------------------------------------- */

static dp_err add_found(finder *l, const dp_dust_param *p)
{
    if (!DP_ROOM(l->found, l->nfound, l->found_cap))
        return DP_ENOMEM;
    l->found[l->nfound++] = *p;
    return DP_OK;
}

static dp_err judge_name(finder *l, dp_dust_use *v, size_t n)
{
    dp_dust_param p = {.name = dp_dust_use_name(&l->uses, v), .urls = count_urls(v, n)};
    if (p.urls < POPULAR || p.urls < l->s->n / 1000)
        return DP_OK;
    DP_TRY(pair_buckets(l, v, n, &p));
    if (p.buckets < BUCKETS || !is_enough(l, &p))
        return DP_OK;
    p.uses = n;
    p.value = choose_value(l, v, n, &p.times);
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

static dp_err find_params(finder *l)
{
    DP_TRY(dp_dust_uses_init(&l->uses, l->s, l->o));
    for (size_t k = 0; k < l->uses.names.n; k++)
        DP_TRY(judge_name(l, l->uses.v + l->uses.from[k], l->uses.from[k + 1] - l->uses.from[k]));
    if (l->nfound)
        qsort(l->found, l->nfound, sizeof *l->found, by_evidence);
    return DP_OK;
}

/* Tell all pairs of what was found. */
static dp_err tell(finder *l, dp_dust_on_instance *on_instance, void *self)
{
    l->on_instance = on_instance;
    l->self = self;
    for (size_t i = 0; i < l->nfound; i++) {
        uint32_t      k = 0;
        dp_dust_param unused = {0};
        dp_intern_find(&l->uses.names, l->found[i].name, &k);
        const dp_dust_use *v = l->uses.v + l->uses.from[k];
        size_t     n = l->uses.from[k + 1] - l->uses.from[k];
        DP_TRY(l->found[i].omit ? pair_without(l, v, n, &unused, i) : pair_values(l, v, n, &unused, i));
    }
    return DP_OK;
}

static dp_err keep_found(dp_dust_result *out, const finder *l, dp_arena *a)
{
    dp_dust_param *v = DP_NEWS(a, l->nfound, dp_dust_param);
    if (!v)
        return DP_ENOMEM;
    if (l->nfound)
        memcpy(v, l->found, l->nfound * sizeof *v);
    out->param = v;
    out->nparam = l->nfound;
    return DP_OK;
}

dp_err dp_dust_params(dp_dust_result *out, const dp_dust_site *s, const dp_dust_options *o,
                      dp_dust_on_instance *on_instance, void *self, dp_arena *a)
{
    finder l = {.s = s, .o = o};
    dp_err e = find_params(&l);
    if (e == DP_OK)
        e = keep_found(out, &l, a);
    if (e == DP_OK && on_instance)
        e = tell(&l, on_instance, self);
    free(l.found);
    dp_dust_uses_done(&l.uses);
    dp_dust_find_done(&l.find);
    dp_buf_done(&l.text);
    return e;
}
