/* Requests of a report: how often each URL was asked for, by whom and on which day.
 *
 *     record ─► dp_report_request ─► hits and bytes by URL; visits (output/visitors.h)
 *     visits ─► dp_report_visits ─► hits by URL and crawler (output/traffic.h) ─► waste, by day, too
 *
 * A day has what is wasted by the crawlers of that day: requests for a URL that is not the one which the crawler asked
 * for most, of all URLs with its key and on all days. So days and crawlers sum up to the same.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/order.h"
#include "base/room.h"
#include "output/report/report.h"

dp_err dp_report_request(dp_report *r, uint32_t number, const dp_record *rec, uint64_t hits)
{
    size_t had = r->url_cap;
    if (!DP_ROOM_FOR(r->url, (size_t)number + 1, r->url_cap))
        return DP_ENOMEM;
    memset(r->url + had, 0, (r->url_cap - had) * sizeof *r->url);
    if (!hits)
        return DP_OK;
    bool      has_agent = dp_record_has(rec, DP_FIELD_AGENT);
    uint64_t  n = dp_record_has(rec, DP_FIELD_SIZE) && rec->size > 0 ? (uint64_t)rec->size : rec->body.n;
    dp_asked *url = &r->url[number];
    url->size = n > url->size ? n : url->size;
    url->bytes += n * hits;
    url->hits = hits < UINT32_MAX - url->hits ? url->hits + (uint32_t)hits : UINT32_MAX;
    return dp_visitors_add(&r->visitors, rec, (dp_visit){
        .url = number, .crawler = has_agent ? dp_agents_look(&r->agents, rec->agent) : 0, .hits = hits,
        .bytes = n * hits});
}

/* ---- by day ---------------------------------------------------------------------------------------------------- */

static dp_report_day *find_day(dp_report *r, int32_t day)
{
    size_t i;
    DP_BISECT(i, r->nday, r->day[i].day < day);
    if (i < r->nday && r->day[i].day == day)
        return &r->day[i];
    if (!DP_ROOM(r->day, r->nday, r->day_cap))
        return NULL;
    memmove(&r->day[i + 1], &r->day[i], (r->nday++ - i) * sizeof *r->day);
    r->day[i] = (dp_report_day){.day = day};
    return &r->day[i];
}

static dp_err add_day(dp_report *r, const dp_visit *visit, bool wasted)
{
    dp_report_day *d = find_day(r, visit->day);
    if (!d)
        return DP_ENOMEM;
    d->hits += visit->hits;
    d->bytes += visit->bytes;
    d->wasted += wasted ? visit->hits : 0;
    d->wasted_bytes += wasted ? visit->bytes : 0;
    return DP_OK;
}

/* ---- by crawler ------------------------------------------------------------------------------------------------ */

/* Requests by URL and crawler, and the pair[visit] of each; those of a record that is no request get none. */
static dp_err pair_visits(dp_report *r, uint32_t *pair)
{
    for (uint32_t i = 0; i < r->visitors.seen.n; i++) {
        const dp_visit *v = &r->visitors.visit[i];
        uint32_t        crawler = dp_visitors_crawler(&r->visitors, v);
        pair[i] = UINT32_MAX;
        if (crawler != DP_NO_CRAWLER)
            DP_TRY(dp_traffic_add(&r->traffic, &(dp_hits){v->url, crawler, v->hits, v->bytes}, &pair[i]));
    }
    return DP_OK;
}

/* Of crawlers; of everybody, where no record names an agent. */
static dp_err count_days(dp_report *r, const uint32_t *pair, const bool *wasted)
{
    for (uint32_t i = 0; i < r->visitors.seen.n; i++) {
        const dp_visit *v = &r->visitors.visit[i];
        if (pair[i] == UINT32_MAX || v->day == DP_NO_DAY)
            continue;
        if (!r->visitors.has_agent || dp_crawler_is(r->traffic.v[pair[i]].crawler))
            DP_TRY(add_day(r, v, wasted[pair[i]]));
    }
    return DP_OK;
}

/* The same by labels. A URL without label is a page of its own, whose number no cluster has. */
static dp_err count_known(dp_report *r)
{
    uint64_t *page = malloc(((size_t)r->truth.n + 1) * sizeof *page);
    r->known = calloc(dp_crawlers(), sizeof *r->known);
    dp_err code = page && r->known ? DP_OK : DP_ENOMEM;
    for (uint32_t i = 0; i < r->truth.n && code == DP_OK; i++) {
        bool bare = r->truth.cluster[i] == r->unknown;
        page[i] = bare ? (uint64_t)1 << 32 | i : r->truth.cluster[i];
    }
    if (code == DP_OK)
        code = dp_traffic_spent(r->known, NULL, &r->traffic, page);
    free(page);
    return code;
}

dp_err dp_report_visits(dp_report *r)
{
    uint32_t *pair = malloc(((size_t)r->visitors.seen.n + 1) * sizeof *pair);
    bool     *wasted = NULL;
    r->spent = calloc(dp_crawlers(), sizeof *r->spent);
    dp_err code = pair && r->spent ? pair_visits(r, pair) : DP_ENOMEM;
    if (code == DP_OK && !(wasted = malloc((size_t)r->traffic.pair.n + 1)))
        code = DP_ENOMEM;
    if (code == DP_OK)
        code = dp_traffic_spent(r->spent, wasted, &r->traffic, r->key);
    if (code == DP_OK)
        code = count_days(r, pair, wasted);
    if (code == DP_OK && r->visitors.has_agent && r->labelled)
        code = count_known(r);
    if (!r->visitors.has_agent) {
        free(r->spent);
        r->spent = NULL;
    }
    free(wasted);
    free(pair);
    return code;
}
