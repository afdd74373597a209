/* SPDX-License-Identifier: Apache-2.0 */
#include "site/lead.h"

#include <stdlib.h>

#include "base/room.h"
#include "url/host.h"
#include "url/split.h"

/* The number of a domain, new or not; UINT32_MAX: memory is out. */
static uint32_t number_domain(dp_lead *l, dp_str domain)
{
    uint32_t number, cap = l->cap;
    if (dp_intern_find(&l->number, domain, &number))
        return number;
    if (!DP_ROOM(l->domain, l->ndomain, cap) || !DP_ROOM(l->crawled, l->ndomain, l->cap) ||
        !dp_intern_add(&l->number, domain, l->ndomain))
        return UINT32_MAX;
    l->domain[l->ndomain] = domain;
    l->crawled[l->ndomain] = 0;
    return l->ndomain++;
}

/* The domain of each URL: they are sorted, so that those of one host lie together. */
static dp_err number_urls(dp_lead *l, const dp_site *s)
{
    dp_str   start = {0}; /* the URL before, up to the slash behind its host */
    uint32_t number = 0;
    if (!(l->domain_of = malloc((s->n + 1) * sizeof *l->domain_of)))
        return DP_ENOMEM;
    for (size_t i = 0; i < s->n; i++) {
        dp_split u;
        if (!start.n || !dp_str_starts(s->url[i], start)) {
            dp_str host = dp_split_url(&u, s->url[i]) ? u.host : DP_STR("");
            if ((number = number_domain(l, dp_host_domain(host))) == UINT32_MAX)
                return DP_ENOMEM;
            start = host.n && u.path.n ? dp_str_cut(s->url[i], 0, (size_t)(u.path.p - s->url[i].p) + 1) : (dp_str){0};
        }
        l->domain_of[i] = number;
        l->crawled[number] += !(s->is_named && s->is_named[i]);
    }
    return DP_OK;
}

dp_err dp_lead_init(dp_lead *l, const dp_site *s, const dp_ownership *o)
{
    *l = (dp_lead){.owners = o};
    DP_TRY(number_urls(l, s));
    for (size_t i = 0; i < s->narrow; i++) {
        uint32_t from = l->domain_of[s->arrow[i].from], to = l->domain_of[s->arrow[i].to];
        if (from != to && !dp_counted_add(&l->names, from, to))
            return DP_ENOMEM;
    }
    return dp_counted_merge(&l->names) ? DP_OK : DP_ENOMEM;
}

void dp_lead_done(dp_lead *l)
{
    free(l->domain_of);
    free(l->domain);
    free(l->crawled);
    dp_intern_done(&l->number);
    dp_counted_done(&l->names);
    *l = (dp_lead){0};
}

uint32_t dp_lead_find(const dp_lead *l, dp_str host)
{
    uint32_t number;
    return dp_intern_find(&l->number, dp_host_domain(host), &number) ? number : UINT32_MAX;
}

bool dp_lead_one_owner(const dp_lead *l, uint32_t x, uint32_t y)
{
    return dp_str_eq(dp_ownership_lead(l->owners, l->domain[x]), dp_ownership_lead(l->owners, l->domain[y]));
}

/* How often x names y. */
static uint32_t count_names(const dp_lead *l, uint32_t x, uint32_t y)
{
    for (size_t i = dp_counted_find(&l->names, x); i < l->names.n && dp_counted_first(&l->names.v[i]) == x; i++) {
        if (dp_counted_second(&l->names.v[i]) == y)
            return l->names.v[i].item;
    }
    return 0;
}

int dp_lead_compare(const dp_lead *l, uint32_t x, uint32_t y)
{
    if (x == y || x == UINT32_MAX || y == UINT32_MAX)
        return 0;
    if (dp_lead_one_owner(l, x, y))
        return dp_ownership_prefer(l->owners, l->domain[y], l->domain[x]) ? 1 : -1;
    uint32_t forth = count_names(l, x, y), back = count_names(l, y, x);
    if (forth == back) {
        forth = l->crawled[y];
        back = l->crawled[x];
    }
    if (forth == back)
        return dp_str_cmp(l->domain[y], l->domain[x]) < 0 ? 1 : -1;
    return forth > back ? 1 : -1;
}
