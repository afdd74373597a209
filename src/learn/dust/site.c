/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust/site.h"

#include "learn/dust/order.h"

#include <stdlib.h>

static bool makes_sense(const dp_dust_options *o)
{
    return o->S <= 255 && o->MS >= 1 && o->T_low <= o->T_high && o->T_high <= UINT16_MAX && o->shingles <= 4 &&
           o->MRD >= 0 && o->epsilon >= 0;
}

/* ---- pages --------------------------------------------------------------------------------- */

/* What another record of the same URL adds. */
static void merge(dp_dust_content *c, const dp_dust_url *u)
{
    if (u->has_size) {
        c->min = c->has_size && c->min < u->size_min ? c->min : u->size_min;
        c->max = c->has_size && c->max > u->size_max ? c->max : u->size_max;
        c->has_size = true;
    }
    if (u->has_sketch && !c->mixed) {
        c->mixed = c->sketch && memcmp(c->sketch, u->sketch, sizeof u->sketch) != 0;
        c->sketch = c->mixed ? NULL : u->sketch;
    }
}

static bool says_something(const dp_dust_url *url, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (url[i].has_size || url[i].has_sketch)
            return true;
    return false;
}

/* One page a URL, in order; `given` is the first place where it stands. */
static dp_err make_pages(dp_dust_site *s, const dp_dust_url *url, const dp_keyed *order, size_t n)
{
    enum { SOON = 8, LATER = 16 };
    bool says = says_something(url, n);
    s->v = calloc(n + 1, sizeof *s->v);
    s->given = calloc(n + 1, sizeof *s->given);
    s->content = says ? calloc(n + 1, sizeof *s->content) : NULL;
    if (!s->v || !s->given || (says && !s->content))
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        const dp_dust_url *u = &url[order[i].item];
        if (i + LATER < n)
            __builtin_prefetch(&url[order[i + LATER].item]);
        if (i + SOON < n)
            __builtin_prefetch(url[order[i + SOON].item].url.p);
        if (!s->n || !dp_str_eq(s->v[s->n - 1].url, u->url)) {
            s->given[s->n] = order[i].item;
            s->v[s->n++] = (dp_dust_page){.url = u->url};
        }
        if (says)
            merge(&s->content[s->n - 1], u);
        if (order[i].item < s->given[s->n - 1])
            s->given[s->n - 1] = order[i].item;
    }
    return DP_OK;
}

/* From places in the list to numbers of distinct URLs. */
static dp_err number_given(dp_dust_site *s, size_t n)
{
    if (s->n == n)
        return DP_OK;
    uint32_t *page = calloc(n, sizeof *page), number = 0;
    if (!page)
        return DP_ENOMEM;
    for (size_t i = 0; i < s->n; i++)
        page[s->given[i]] = (uint32_t)i + 1;
    for (size_t i = 0; i < n; i++)
        if (page[i])
            s->given[page[i] - 1] = number++;
    free(page);
    return DP_OK;
}

static dp_err fill(dp_dust_site *s, const dp_dust_url *url, size_t n)
{
    dp_keyed *order = calloc(n + 1, sizeof *order);
    if (!order)
        return DP_ENOMEM;
    dp_err e = dp_dust_order_urls(order, url, n);
    if (e == DP_OK)
        e = make_pages(s, url, order, n);
    free(order);
    DP_TRY(e);
    DP_TRY(number_given(s, n));
    return dp_dust_number_units(s);
}

dp_err dp_dust_site_new(dp_dust_site **out, const dp_dust_url *url, size_t n, const dp_dust_options *o)
{
    if (!makes_sense(o))
        return DP_EINVALID;
    if (n >= UINT32_MAX)
        return DP_ELIMIT;
    dp_dust_site *s = calloc(1, sizeof *s);
    if (!s)
        return DP_ENOMEM;
    dp_err e = fill(s, url, n);
    if (e != DP_OK)
        dp_dust_site_free(s);
    else
        *out = s;
    return e;
}

void dp_dust_site_free(dp_dust_site *s)
{
    if (!s)
        return;
    free(s->v);
    free(s->content);
    free(s->given);
    free(s->unit);
    free(s->first);
    free(s->same);
    free(s->weight);
    free(s);
}

bool dp_dust_is_known(const dp_dust_site *s, uint32_t x, uint32_t y, const dp_dust_options *o)
{
    if (!s->content || o->judged)
        return o->judged;
    const dp_dust_content *a = &s->content[x], *b = &s->content[y];
    return (o->shingles && a->sketch && b->sketch) || (!o->ignore_sizes && a->has_size && b->has_size);
}

bool dp_dust_similar(const dp_dust_site *s, uint32_t x, uint32_t y, const dp_dust_options *o)
{
    if (!s->content)
        return true;
    const dp_dust_content *a = &s->content[x], *b = &s->content[y];
    if (o->shingles && a->sketch && b->sketch) {
        unsigned same = 0;
        for (int i = 0; i < 4; i++)
            same += a->sketch[i] == b->sketch[i];
        return same >= o->shingles;
    }
    if (!o->ignore_sizes && a->has_size && b->has_size)
        return a->min <= b->max && b->min <= a->max;
    return true;
}

dp_err dp_dust_learn(dp_dust_result *out, const dp_dust_url *url, size_t n, const dp_dust_options *o, dp_arena *a)
{
    dp_dust_site  *s = NULL;
    dp_dust_result r = {0};
    DP_TRY(dp_dust_site_new(&s, url, n, o));
    r.urls = s->n;
    dp_err e = dp_dust_detect(&r.rules, s, o, a);
    r.detected = r.rules.n;
    if (e == DP_OK)
        e = dp_dust_eliminate(&r.rules, o);
    if (e == DP_OK)
        e = dp_dust_params(&r, s, o, NULL, NULL, a);
    dp_dust_site_free(s);
    if (e == DP_OK)
        *out = r;
    return e;
}
