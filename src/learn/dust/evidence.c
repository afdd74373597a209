/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust/evidence.h"

#include "base/buf.h"
#include "base/intern.h"
#include "base/order.h"
#include "base/room.h"
#include "url/split.h"

#include <stdlib.h>

#define NOBODY UINT32_MAX

/* ---- hosts of a site ----------------------------------------------------------------------- */

static dp_err number_hosts(dp_dust_evidence *e, dp_intern *hosts)
{
    uint32_t last = 0;
    dp_str   name = {NULL, 0};
    for (size_t i = 0; i < e->site->n; i++) {
        dp_split s;
        dp_str   host = dp_split_url(&s, e->site->url[i]) ? s.host : DP_STR("");
        if (i == 0 || !dp_str_eq(host, name)) {
            if (!dp_intern_find(hosts, host, &last)) {
                last = (uint32_t)hosts->n;
                if (!dp_intern_add(hosts, host, last))
                    return DP_ENOMEM;
            }
            name = host;
        }
        e->host[i] = last;
    }
    return DP_OK;
}

static dp_err name_hosts(dp_dust_evidence *e, const dp_intern *hosts)
{
    e->nhost = hosts->n;
    e->name = calloc(e->nhost + 1, sizeof *e->name);
    if (!e->name)
        return DP_ENOMEM;
    for (size_t i = 0; i < e->site->n; i++) {
        dp_split s;
        if (!e->name[e->host[i]].p && dp_split_url(&s, e->site->url[i]))
            e->name[e->host[i]] = s.host;
    }
    return DP_OK;
}

bool dp_dust_has_clients(const dp_site *s)
{
    for (uint32_t i = 1; s->client_at && i < s->client_at[s->n]; i++)
        if (s->client[i] != s->client[0])
            return true;
    return false;
}

static dp_err start(dp_dust_evidence *e)
{
    dp_intern hosts = {0};
    e->many_clients = dp_dust_has_clients(e->site);
    e->v = calloc(e->n + 1, sizeof *e->v);
    e->last = calloc(e->n + 1, sizeof *e->last);
    e->host = calloc(e->site->n + 1, sizeof *e->host);
    dp_err err = e->v && e->last && e->host ? number_hosts(e, &hosts) : DP_ENOMEM;
    if (err == DP_OK)
        err = name_hosts(e, &hosts);
    dp_intern_done(&hosts);
    return err;
}

dp_err dp_dust_evidence_init(dp_dust_evidence *e, const dp_site *s, const dp_dust_options *o, size_t n)
{
    *e = (dp_dust_evidence){.site = s, .o = o, .n = n};
    dp_err err = start(e);
    if (err != DP_OK)
        dp_dust_evidence_done(e);
    return err;
}

void dp_dust_evidence_done(dp_dust_evidence *e)
{
    free(e->v);
    free(e->last);
    free(e->host);
    free(e->name);
    free(e->hosts.v);
    free(e->clients.v);
    *e = (dp_dust_evidence){0};
}

/* ---- instances ----------------------------------------------------------------------------- */

static dp_err add_vote(dp_dust_votes *v, size_t rule, uint32_t of)
{
    if (!DP_ROOM(v->v, v->n, v->cap))
        return DP_ENOMEM;
    v->v[v->n++] = (dp_keyed){(uint64_t)rule << 32 | of, 0};
    return DP_OK;
}

/* What said that the two are similar. */
static dp_by kind_of(const dp_dust_evidence *e, size_t x, size_t y)
{
    static const uint64_t none[4];
    const dp_site        *s = e->site;
    if (e->o->shingles && s->sketch && memcmp(s->sketch[x], none, sizeof none) != 0 &&
        memcmp(s->sketch[y], none, sizeof none) != 0)
        return DP_BY_NEAR;
    return !e->o->ignore_sizes && s->size_min && s->size_min[x] >= 0 && s->size_min[y] >= 0 ? DP_BY_SIZE : DP_BY_LIST;
}

/* The only client that asked for a URL. */
static uint32_t only_client(const dp_site *s, size_t url)
{
    uint32_t from = s->client_at[url];
    return s->client_at[url + 1] - from == 1 ? s->client[from] : NOBODY;
}

static dp_err add_host(dp_dust_evidence *e, size_t rule, size_t url)
{
    uint32_t host = e->host[url];
    if (e->last[rule] == host + 1)
        return DP_OK;
    e->last[rule] = host + 1;
    return add_vote(&e->hosts, rule, host);
}

dp_err dp_dust_evidence_add(void *self, size_t rule, size_t x, size_t y, bool similar)
{
    dp_dust_evidence *e = self;
    dp_dust_tally    *t = &e->v[rule];
    t->neg += !similar;
    t->similar += similar;
    if (!similar)
        return DP_OK;
    t->by |= 1u << kind_of(e, x, y);
    DP_TRY(add_host(e, rule, x));
    DP_TRY(add_host(e, rule, y));
    if (!e->many_clients)
        return DP_OK;
    uint32_t client = only_client(e->site, x);
    if (client == NOBODY)
        client = only_client(e->site, y);
    return client == NOBODY ? DP_OK : add_vote(&e->clients, rule, client);
}

dp_err dp_dust_evidence_add_similar(void *self, size_t rule, size_t x, size_t y, bool similar)
{
    return similar ? dp_dust_evidence_add(self, rule, x, y, true) : DP_OK;
}

/* ---- sums ---------------------------------------------------------------------------------- */

uint64_t dp_dust_evidence_cap(uint64_t alone, const uint64_t *supplied, size_t n)
{
    uint64_t sum = alone;
    for (size_t i = 0; i < n; i++)
        sum += supplied[i];
    for (uint64_t before = sum + 1; sum < before;) {
        before = sum;
        sum = alone;
        for (size_t i = 0; i < n; i++)
            sum += supplied[i] < before / 3 ? supplied[i] : before / 3;
    }
    return sum;
}

static dp_err sort_votes(dp_dust_votes *v)
{
    dp_keyed *tmp = calloc(v->n + 1, sizeof *tmp);
    if (!tmp)
        return DP_ENOMEM;
    if (v->n)
        dp_keyed_sort(v->v, tmp, v->n, UINT64_MAX);
    free(tmp);
    return DP_OK;
}

/* Clients' votes are sorted; those of one rule give its `n`. */
static dp_err cap_rules(dp_dust_evidence *e)
{
    const dp_dust_votes *c = &e->clients;
    uint64_t            *supplied = calloc(c->n + 1, sizeof *supplied);
    if (!supplied)
        return DP_ENOMEM;
    for (size_t r = 0, i = 0; r < e->n; r++) {
        size_t   n = 0;
        uint64_t sum = 0;
        for (; i < c->n && c->v[i].key >> 32 == r; i++) {
            n += n == 0 || c->v[i].key != c->v[i - 1].key;
            supplied[n - 1] = (n && i && c->v[i].key == c->v[i - 1].key ? supplied[n - 1] : 0) + 1;
            sum++;
        }
        e->v[r].n = n ? dp_dust_evidence_cap(e->v[r].similar - sum, supplied, n) : e->v[r].similar;
    }
    free(supplied);
    return DP_OK;
}

/* The names of hosts in votes [from, to) as a host line has them. */
static dp_err print_hosts(dp_str *out, const dp_dust_evidence *e, size_t from, size_t to, dp_str *name, dp_arena *a)
{
    dp_buf b = {0};
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        if (i == from || e->hosts.v[i].key != e->hosts.v[i - 1].key)
            name[n++] = e->name[(uint32_t)e->hosts.v[i].key];
    qsort(name, n, sizeof *name, dp_by_bytes);
    for (size_t i = 0; i < n; i++) {
        dp_buf_c(&b, i ? ", " : "");
        dp_buf_str(&b, name[i]);
    }
    *out = dp_arena_str(a, dp_buf_view(&b));
    bool good = out->p && !b.failed;
    dp_buf_done(&b);
    return good ? DP_OK : DP_ENOMEM;
}

static dp_err list_hosts(dp_dust_evidence *e, dp_arena *a)
{
    dp_str *name = calloc(e->nhost + 1, sizeof *name);
    dp_err  err = name ? DP_OK : DP_ENOMEM;
    for (size_t r = 0, i = 0; r < e->n && err == DP_OK; r++) {
        size_t from = i;
        while (i < e->hosts.n && e->hosts.v[i].key >> 32 == r)
            i++;
        err = print_hosts(&e->v[r].hosts, e, from, i, name, a);
    }
    free(name);
    return err;
}

dp_err dp_dust_evidence_sum(dp_dust_evidence *e, dp_arena *a)
{
    DP_TRY(sort_votes(&e->clients));
    DP_TRY(sort_votes(&e->hosts));
    DP_TRY(cap_rules(e));
    return list_hosts(e, a);
}
