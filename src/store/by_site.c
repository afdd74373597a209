/* SPDX-License-Identifier: Apache-2.0 */
#include "store/by_site.h"

#include <stdlib.h>

#include "base/room.h"
#include "store/pack.h"

static dp_err broken(dp_error *err)
{
    return dp_fail(err, DP_EIO, "a work file was changed by somebody else; run again");
}

/* ---- loading ------------------------------------------------------------------------------------------------ */

typedef struct loading {
    dp_by_site     *s;
    dp_site_of      sites;
    size_t          cap;   /* sites */
    dp_intern       known; /* sites by their numbers */
    uint64_t        nfact;
    bool            filling;
} loading;

/* The place of a site in the list, new or not. */
static bool find_site(loading *l, uint32_t site, uint32_t *place)
{
    dp_by_site *s = l->s;
    dp_str      key = {(const char *)&site, sizeof site};
    if (dp_intern_find(&l->known, key, place))
        return true;
    if (!DP_ROOM(s->v, s->n, l->cap))
        return false;
    *place = (uint32_t)s->n;
    s->v[s->n++] = (dp_by_site_run){.site = site};
    return dp_intern_add(&l->known, key, *place);
}

/* Count, or put in place, the facts of some bytes. */
static dp_err look(loading *l, dp_str rest, dp_error *err)
{
    uint32_t last = DP_NO_SITE, place = 0;
    while (rest.n) {
        dp_str   fact;
        uint32_t domain;
        if (!dp_unpack_head(&rest, &fact, &domain, l->sites.n))
            return broken(err);
        uint32_t site = l->sites.v[domain];
        if (site == DP_NO_SITE)
            continue;
        if (site != last && !find_site(l, site, &place))
            return DP_ENOMEM;
        last = site;
        dp_by_site_run *v = &l->s->v[place];
        if (l->filling)
            l->s->fact[v->from + v->n] = fact.p;
        v->n++;
        l->nfact++;
    }
    return DP_OK;
}

static dp_err look_at_all(loading *l, dp_buckets *d, size_t bucket, dp_error *err)
{
    dp_bucket_reader r = {0};
    dp_err           code;
    dp_str           bytes;
    bool             copies = dp_buckets_spilled(d);
    if (copies && l->filling)
        return look(l, dp_buf_view(&l->s->bytes), err);
    dp_bucket_reader_open(&r, d, bucket, false);
    while ((code = dp_bucket_reader_next(&r, &bytes, err)) == DP_OK && bytes.n) {
        size_t at = l->s->bytes.n;
        for (dp_str rest = bytes; copies && rest.n;) {
            dp_str   fact;
            uint32_t domain;
            if (!dp_unpack_head(&rest, &fact, &domain, l->sites.n)) {
                code = broken(err);
                break;
            }
            if (l->sites.v[domain] != DP_NO_SITE)
                dp_buf_str(&l->s->bytes, fact);
        }
        if (code == DP_OK && l->s->bytes.failed)
            code = DP_ENOMEM;
        if (code == DP_OK)
            code = look(l, copies ? dp_str_cut(dp_buf_view(&l->s->bytes), at, l->s->bytes.n) : bytes, err);
        if (code != DP_OK)
            break;
    }
    dp_bucket_reader_done(&r);
    return code;
}

static int by_site(const void *a, const void *b)
{
    const dp_by_site_run *x = a, *y = b;
    return (x->site > y->site) - (x->site < y->site);
}

dp_err dp_by_site_load(dp_by_site *s, dp_buckets *d, size_t bucket, dp_site_of sites, dp_error *err)
{
    loading l = {.s = s, .sites = sites};
    *s = (dp_by_site){0};
    dp_err code = look_at_all(&l, d, bucket, err);
    if (code == DP_OK && !(s->fact = malloc((l.nfact + 1) * sizeof *s->fact)))
        code = DP_ENOMEM;
    for (uint64_t i = 0, from = 0; i < s->n; i++) {
        s->v[i].from = from;
        from += s->v[i].n;
        s->v[i].n = 0;
    }
    l.filling = true;
    if (code == DP_OK)
        code = look_at_all(&l, d, bucket, err);
    dp_intern_done(&l.known);
    if (code != DP_OK)
        dp_by_site_done(s);
    else if (s->n)
        qsort(s->v, s->n, sizeof *s->v, by_site);
    return code;
}

void dp_by_site_done(dp_by_site *s)
{
    dp_buf_done(&s->bytes);
    free(s->fact);
    free(s->v);
    *s = (dp_by_site){0};
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

dp_err dp_by_site_each(const dp_by_site *s, const dp_by_site_run *site, dp_fact_call *call, void *ctx)
{
    for (uint64_t i = site->from; i < site->from + site->n; i++) {
        dp_fact  f;
        uint32_t domain, length;
        memcpy(&length, s->fact[i], sizeof length);
        dp_str bytes = {s->fact[i], length};
        if (!dp_unpack_fact(&bytes, &f, &domain))
            return DP_EIO;
        DP_TRY(call(ctx, &f));
    }
    return DP_OK;
}

static dp_err stream_chunk(dp_str rest, dp_site_of sites, uint32_t site, dp_fact_call *call, void *ctx,
                           dp_error *err)
{
    while (rest.n) {
        dp_str   bytes;
        dp_fact  f;
        uint32_t domain;
        if (!dp_unpack_head(&rest, &bytes, &domain, sites.n))
            return broken(err);
        if (sites.v[domain] != site)
            continue;
        if (!dp_unpack_fact(&bytes, &f, &domain))
            return broken(err);
        DP_TRY(call(ctx, &f));
    }
    return DP_OK;
}

dp_err dp_by_site_stream(dp_buckets *d, size_t bucket, dp_site_of sites, uint32_t site, bool drain,
                         dp_fact_call *call, void *ctx, dp_error *err)
{
    dp_bucket_reader r = {0};
    dp_err           code;
    dp_str           bytes;
    dp_bucket_reader_open(&r, d, bucket, drain);
    while ((code = dp_bucket_reader_next(&r, &bytes, err)) == DP_OK && bytes.n) {
        if ((code = stream_chunk(bytes, sites, site, call, ctx, err)) != DP_OK)
            break;
    }
    dp_bucket_reader_done(&r);
    return code;
}
