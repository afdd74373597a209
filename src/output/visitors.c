/* SPDX-License-Identifier: Apache-2.0 */
#include "output/visitors.h"

#include <stdlib.h>

#include "base/room.h"
#include "base/secret.h"
#include "output/crawler.h"
#include "url/asset.h"

enum {
    MANY_PAGES = 20, /* that nobody looks at without pictures, or following a link */
    LEAST_LINKED = 20 /* requests with a referrer, before a client without them means anything */
};

void dp_visitors_done(dp_visitors *s)
{
    dp_ordinals_done(&s->client);
    free(s->v);
    *s = (dp_visitors){0};
}

static dp_err find(dp_visitors *s, dp_str client, dp_visitor **out)
{
    uint32_t i;
    bool     fresh;
    DP_TRY(dp_ordinals_add(&s->client, dp_secret_text(client), &i, &fresh));
    if (!DP_ROOM_FOR(s->v, (size_t)i + 1, s->cap))
        return DP_ENOMEM;
    if (fresh)
        s->v[i] = (dp_visitor){.crawler = UINT32_MAX};
    *out = &s->v[i];
    return DP_OK;
}

static bool is_linked(const dp_record *rec)
{
    return rec->referer.n && !dp_str_eq(rec->referer, DP_STR("-"));
}

/* Whoever gives no name. */
static uint32_t look_at_browser(const dp_visitors *s, dp_visitor *v, const dp_record *rec, uint32_t crawler)
{
    v->browses |= is_linked(rec) || dp_url_is_asset(rec->url);
    v->pages += !v->browses && v->pages <= MANY_PAGES;
    bool tells = !v->browses && v->pages > MANY_PAGES && s->linked >= LEAST_LINKED;
    return tells ? dp_crawler_by_ways() : crawler;
}

dp_err dp_visitors_look(dp_visitors *s, const dp_record *rec, uint32_t *crawler)
{
    dp_visitor *v;
    s->linked += is_linked(rec);
    if (!rec->client.n || dp_str_eq(rec->client, DP_STR("-")))
        return DP_OK;
    DP_TRY(find(s, rec->client, &v));
    if (!dp_crawler_is(*crawler)) {
        *crawler = look_at_browser(s, v, rec, *crawler);
    } else if (dp_crawler_is_named(*crawler)) {
        v->several |= v->crawler != UINT32_MAX && v->crawler != *crawler;
        v->crawler = *crawler;
        *crawler = v->several ? dp_crawler_of_many_names() : *crawler;
    }
    return DP_OK;
}
