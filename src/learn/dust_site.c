/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust_site.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MAX_TOKENS = 1 << 24 };

static bool makes_sense(const dp_dust_options *o)
{
    return o->S <= 255 && o->MS >= 1 && o->T_low <= o->T_high && o->shingles <= 4 && o->MRD >= 0 && o->epsilon >= 0;
}

static uint32_t *slot_of(const dp_dust_site *s, dp_str url)
{
    for (size_t i = XXH3_64bits(url.p, url.n) & (s->nslot - 1);; i = (i + 1) & (s->nslot - 1))
        if (!s->slot[i] || dp_str_eq(dp_dust_page_text(&s->v[s->slot[i] - 1]), url))
            return &s->slot[i];
}

const dp_dust_page *dp_dust_site_find(const dp_dust_site *s, dp_str url)
{
    uint32_t i = *slot_of(s, url);
    return i ? &s->v[i - 1] : NULL;
}

/* What another record of the same URL adds. */
static void merge(dp_dust_page *p, const dp_dust_url *u)
{
    if (u->has_size) {
        p->min = p->has_size && p->min < u->size_min ? p->min : u->size_min;
        p->max = p->has_size && p->max > u->size_max ? p->max : u->size_max;
        p->has_size = true;
    }
    if (u->has_sketch && !p->mixed) {
        p->mixed = p->sketch && memcmp(p->sketch, u->sketch, sizeof u->sketch) != 0;
        p->sketch = p->mixed ? NULL : u->sketch;
    }
}

static dp_err add_page(dp_dust_site *s, dp_str url)
{
    dp_dust_page *p = &s->v[s->n];
    *p = (dp_dust_page){0};
    DP_TRY(dp_dust_tokenize(&p->t, url, &s->arena));
    uint32_t n = p->t.n;
    if (n >= MAX_TOKENS)
        return DP_ELIMIT;
    p->hash = dp_arena_alloc(&s->arena, ((size_t)n + 1) * sizeof *p->hash);
    if (!p->hash)
        return DP_ENOMEM;
    p->hash[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        dp_str   token = dp_dust_text(&p->t, i, i + 1);
        uint64_t h = i == 0 ? 0x5E : i == n - 1 ? 0x24 : XXH3_64bits(token.p, token.n);
        p->hash[i + 1] = p->hash[i] * DP_DUST_BASE + h;
    }
    if (n > s->longest)
        s->longest = n;
    s->n++;
    return DP_OK;
}

static dp_err fill(dp_dust_site *s, const dp_dust_url *url, size_t n)
{
    s->nslot = 16;
    while (s->nslot / 2 < n)
        s->nslot *= 2;
    s->slot = calloc(s->nslot, sizeof *s->slot);
    s->v = calloc(n ? n : 1, sizeof *s->v);
    if (!s->slot || !s->v)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        uint32_t *slot = slot_of(s, url[i].url);
        if (!*slot) {
            DP_TRY(add_page(s, url[i].url));
            *slot = (uint32_t)s->n;
        }
        merge(&s->v[*slot - 1], &url[i]);
    }
    return DP_OK;
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
    free(s->slot);
    dp_arena_done(&s->arena);
    free(s);
}

bool dp_dust_similar(const dp_dust_page *x, const dp_dust_page *y, const dp_dust_options *o)
{
    if (o->shingles && x->sketch && y->sketch) {
        unsigned same = 0;
        for (int i = 0; i < 4; i++)
            same += x->sketch[i] == y->sketch[i];
        return same >= o->shingles;
    }
    if (!o->ignore_sizes && x->has_size && y->has_size)
        return x->min <= y->max && y->min <= x->max;
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
        e = dp_dust_params(&r, s, o, a);
    dp_dust_site_free(s);
    if (e == DP_OK)
        *out = r;
    return e;
}
