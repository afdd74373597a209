/* SPDX-License-Identifier: Apache-2.0 */
#include "output/visitors.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "base/secret.h"
#include "output/crawler.h"
#include "url/asset.h"

enum {
    MANY_PAGES = 20, /* that nobody looks at without pictures, or following a link */
    LEAST_LINKED = 20, /* requests with a referrer, before a client without them means anything */
    SECONDS_A_DAY = 86400
};

void dp_visitors_done(dp_visitors *s)
{
    dp_ordinals_done(&s->client);
    dp_ordinals_done(&s->seen);
    free(s->v);
    free(s->visit);
    *s = (dp_visitors){0};
}

/* ---- clients ---------------------------------------------------------------------------------------------------- */

static dp_err find(dp_visitors *s, dp_str client, uint32_t *out)
{
    bool fresh;
    DP_TRY(dp_ordinals_add(&s->client, dp_secret_text(client), out, &fresh));
    if (!DP_ROOM_FOR(s->v, (size_t)*out + 1, s->cap))
        return DP_ENOMEM;
    if (fresh)
        s->v[*out] = (dp_visitor){.crawler = UINT32_MAX};
    return DP_OK;
}

static bool has_client(const dp_record *rec)
{
    return rec->client.n && !dp_str_eq(rec->client, DP_STR("-"));
}

static bool is_linked(const dp_record *rec)
{
    return rec->referer.n && !dp_str_eq(rec->referer, DP_STR("-"));
}

/* What a record tells of its client, which calls itself `crawler`. */
static void look_at(dp_visitor *v, const dp_record *rec, uint32_t crawler)
{
    if (!dp_crawler_is(crawler)) {
        v->browses |= is_linked(rec) || dp_url_is_asset(rec->url);
        v->pages += v->pages <= MANY_PAGES;
    } else if (dp_crawler_is_named(crawler)) {
        v->several |= v->crawler != UINT32_MAX && v->crawler != crawler;
        v->crawler = crawler;
    }
}

/* ---- visits ----------------------------------------------------------------------------------------------------- */

static dp_err count_visit(dp_visitors *s, const dp_visit *more)
{
    uint32_t i;
    bool     fresh;
    uint64_t who = dp_hash_mix((uint64_t)more->client << 32 | more->crawler);
    uint64_t what = dp_hash_mix((uint64_t)more->url << 32 | (uint32_t)more->day);
    if (!DP_ROOM(s->visit, s->seen.n, s->visit_cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&s->seen, dp_hash_mix(who ^ dp_hash_mix(what)), &i, &fresh));
    if (fresh) {
        s->visit[i] = *more;
        return DP_OK;
    }
    s->visit[i].hits += more->hits;
    s->visit[i].bytes += more->bytes;
    return DP_OK;
}

dp_err dp_visitors_add(dp_visitors *s, const dp_record *rec, dp_visit visit)
{
    bool has_agent = dp_record_has(rec, DP_FIELD_AGENT), has_time = dp_record_has(rec, DP_FIELD_TIME);
    visit.client = DP_NO_CLIENT;
    visit.day = has_time && rec->time >= 0 ? (int32_t)(rec->time / SECONDS_A_DAY) : DP_NO_DAY;
    s->has_agent |= has_agent;
    s->linked += is_linked(rec);
    if (!has_agent)
        visit.crawler = has_client(rec) ? dp_crawler_of(DP_STR("")) : DP_NO_CRAWLER;
    if (has_client(rec)) {
        DP_TRY(find(s, rec->client, &visit.client));
        look_at(&s->v[visit.client], rec, visit.crawler);
        /* Never a crawler: then neither the client nor the day matters. */
        if (has_agent && !dp_crawler_is(visit.crawler) && s->v[visit.client].browses) {
            visit.client = DP_NO_CLIENT;
            visit.day = DP_NO_DAY;
        }
    }
    return count_visit(s, &visit);
}

uint32_t dp_visitors_crawler(const dp_visitors *s, const dp_visit *visit)
{
    const dp_visitor *v = visit->client == DP_NO_CLIENT ? NULL : &s->v[visit->client];
    if (!s->has_agent)
        return dp_crawler_of(DP_STR(""));
    if (!v || visit->crawler == DP_NO_CRAWLER)
        return visit->crawler;
    if (dp_crawler_is_named(visit->crawler))
        return v->several ? dp_crawler_of_many_names() : visit->crawler;
    bool tells = !dp_crawler_is(visit->crawler) && !v->browses && v->pages > MANY_PAGES && s->linked >= LEAST_LINKED;
    return tells ? dp_crawler_by_ways() : visit->crawler;
}
