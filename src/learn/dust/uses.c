/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust/uses.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"

/* ---- collect ------------------------------------------------------------------------------- */

static dp_err add_use(dp_dust_uses *l, dp_dust_use u)
{
    size_t cap = l->cap;
    if (!DP_ROOM(l->v, l->n, cap) || !DP_ROOM(l->number, l->n, l->cap))
        return DP_ENOMEM;
    dp_str name = dp_dust_use_name(l, &u);
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

/* Have the text of a page at hand that will be asked for soon. */
static void fetch_page(const dp_dust_uses *l, size_t page)
{
    enum { LINE = 64, LINES = 3 };
    dp_str url = l->s->v[page].url;
    for (size_t i = 0; i < url.n && i < LINE * LINES; i += LINE)
        __builtin_prefetch(url.p + i);
}

void dp_dust_uses_fetch(const dp_dust_uses *l, const dp_dust_use *v, size_t i, size_t n)
{
    enum { SOON = 8, LATER = 16 };
    if (i + LATER < n)
        __builtin_prefetch(&l->s->v[v[i + LATER].page]);
    if (i + SOON < n)
        fetch_page(l, v[i + SOON].page);
}

static dp_err collect(dp_dust_uses *l, uint32_t page)
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
            DP_TRY(add_use(l, (dp_dust_use){page, (uint32_t)name, (uint32_t)eq + 1, (uint32_t)stop}));
    }
    return DP_OK;
}

/* Bring the uses of one name together, in the order of pages. */
static dp_err group_names(dp_dust_uses *l)
{
    size_t names = l->names.n;
    l->from = calloc(names + 2, sizeof *l->from);
    dp_dust_use *v = calloc(l->n + 1, sizeof *v);
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

static dp_err start(dp_dust_uses *l)
{
    enum { SOON = 8 };
    for (size_t i = 0; i < l->s->n; i++) {
        if (i + SOON < l->s->n)
            fetch_page(l, i + SOON);
        DP_TRY(collect(l, (uint32_t)i));
    }
    DP_TRY(group_names(l));
    l->work = calloc(l->most + 1, sizeof *l->work);
    l->key = calloc(l->most + 1, sizeof *l->key);
    l->tmp = calloc(l->most + 1, sizeof *l->tmp);
    return l->work && l->key && l->tmp ? DP_OK : DP_ENOMEM;
}

dp_err dp_dust_uses_init(dp_dust_uses *l, const dp_dust_site *s, const dp_dust_options *o)
{
    *l = (dp_dust_uses){.s = s, .hash_mask = o->hash_mask};
    dp_err e = start(l);
    if (e != DP_OK)
        dp_dust_uses_done(l);
    return e;
}

void dp_dust_uses_done(dp_dust_uses *l)
{
    free(l->v);
    free(l->number);
    free(l->from);
    free(l->work);
    free(l->key);
    free(l->tmp);
    dp_intern_done(&l->names);
    *l = (dp_dust_uses){0};
}

/* ---- buckets ------------------------------------------------------------------------------- */

/* Of uses with the same bytes before the value. */
static int by_bucket(const void *x, const void *y, void *list)
{
    int c = dp_str_cmp(dp_dust_use_behind(list, x), dp_dust_use_behind(list, y));
    return c ? c : dp_str_cmp(dp_dust_use_value(list, x), dp_dust_use_value(list, y));
}

static uint64_t hash_behind(const dp_dust_uses *l, const dp_dust_use *u)
{
    dp_str s = dp_dust_use_behind(l, u);
    return dp_hash_str(s) & l->hash_mask;
}

/* Bring the DP_DUST_PAIRED least values of one bucket to the front, in order. */
static void put_least_first(const dp_dust_uses *l, dp_dust_use *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        size_t      k = i < DP_DUST_PAIRED ? i : DP_DUST_PAIRED;
        dp_dust_use u = v[i];
        if (i >= DP_DUST_PAIRED && by_bucket(&u, &v[DP_DUST_PAIRED - 1], (void *)(uintptr_t)l) >= 0)
            continue;
        if (i >= DP_DUST_PAIRED)
            v[i] = v[--k];
        for (; k > 0 && by_bucket(&u, &v[k - 1], (void *)(uintptr_t)l) < 0; k--)
            v[k] = v[k - 1];
        v[k] = u;
    }
}

void dp_dust_uses_buckets(dp_dust_uses *l, dp_dust_use *v, size_t n)
{
    if (n <= DP_DUST_PAIRED) {
        put_least_first(l, v, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        dp_dust_uses_fetch(l, v, i, n);
        l->key[i] = (dp_keyed){hash_behind(l, &v[i]), (uint32_t)i};
    }
    dp_keyed_group(l->key, l->tmp, n);
    memcpy(l->work, v, n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = l->work[l->key[i].item];
    for (size_t i = 0, end; i < n; i = end) {
        bool same = true;
        for (end = i + 1; end < n && l->key[end].key == l->key[i].key; end++)
            same = same && dp_str_eq(dp_dust_use_behind(l, &v[i]), dp_dust_use_behind(l, &v[end]));
        if (same)
            put_least_first(l, v + i, end - i);
        else
            qsort_r(v + i, end - i, sizeof *v, by_bucket, l);
    }
}

/* A name may stand in one URL several times. All first uses come first, then all second ones, and so on: with equal
 * bytes before them they have equal numbers. */
void dp_dust_uses_order(dp_dust_uses *l, dp_dust_use *v, size_t n)
{
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t number = i && v[i].page == v[i - 1].page ? l->key[i - 1].key + 1 : 0;
        l->key[i] = (dp_keyed){number, (uint32_t)i};
        most = number > most ? number : most;
    }
    if (most == 0)
        return;
    dp_keyed_sort(l->key, l->tmp, n, UINT64_MAX);
    memcpy(l->work, v, n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = l->work[l->key[i].item];
}

