/* Requests of a report: how often each URL was asked for, by whom and on which day, and which rules would save that.
 *
 *     record ─► dp_report_request ─► hits and bytes by URL, by URL and crawler (output/traffic.h), by day
 *     families ─► dp_report_costs ─► URLs too many, their hits and bytes, by rule: the first that changes a URL
 *
 * Whether the rules change a URL is found once, when it comes first. By day a request counts as one for a duplicate
 * when its URL is changed: who asked for which other URL of the page is not known until all has been read.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"
#include "base/keyed.h"
#include "base/order.h"
#include "base/room.h"
#include "output/report/report.h"

enum { SECONDS_A_DAY = 86400 };

/* ---- by URL and day -------------------------------------------------------------------------------------------- */

/* Room for URL `number`; of a new one, whether the rules change it. */
static dp_err make_room(dp_report *r, uint32_t number, dp_str url)
{
    size_t had = r->url_cap, n;
    if (!DP_ROOM_FOR(r->url, (size_t)number + 1, r->url_cap))
        return DP_ENOMEM;
    memset(r->url + had, 0, (r->url_cap - had) * sizeof *r->url);
    if (r->url[number].hits)
        return DP_OK;
    const char *form = dp_apply_view(r->in.engine, r->in.scratch, DP_STAGE0, url.p, url.n, &n);
    uint64_t    before = form ? dp_hash_str((dp_str){form, n}) : 0;
    const char *key = form ? dp_apply_view(r->engine, r->in.scratch, DP_KEY, url.p, url.n, &n) : NULL;
    if (!key)
        return DP_ENOMEM;
    r->url[number].changes = dp_hash_str((dp_str){key, n}) != before;
    return DP_OK;
}

static dp_report_day *find_day(dp_report *r, int64_t day)
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

static dp_err add_day(dp_report *r, const dp_record *rec, const dp_hits *more)
{
    dp_report_day *d = find_day(r, rec->time / SECONDS_A_DAY);
    if (!d)
        return DP_ENOMEM;
    d->hits += more->hits;
    d->bytes += more->bytes;
    if (r->url[more->url].changes) {
        d->changed += more->hits;
        d->changed_bytes += more->bytes;
    }
    return DP_OK;
}

dp_err dp_report_request(dp_report *r, uint32_t number, const dp_record *rec, uint64_t hits)
{
    bool     has_agent = dp_record_has(rec, DP_FIELD_AGENT);
    uint64_t n = dp_record_has(rec, DP_FIELD_SIZE) && rec->size > 0 ? (uint64_t)rec->size : rec->body.n;
    dp_hits  more = {number, has_agent ? dp_agents_look(&r->agents, rec->agent) : 0, hits, n * hits};
    if (has_agent && hits)
        DP_TRY(dp_visitors_look(&r->visitors, rec, &more.crawler));
    DP_TRY(make_room(r, number, rec->url));
    dp_asked *url = &r->url[number];
    if (!hits)
        return DP_OK;
    url->size = n > url->size ? n : url->size;
    url->bytes += more.bytes;
    url->hits = hits < UINT32_MAX - url->hits ? url->hits + (uint32_t)hits : UINT32_MAX;
    if (dp_record_has(rec, DP_FIELD_TIME) && rec->time >= 0 && (!has_agent || dp_crawler_is(more.crawler)))
        DP_TRY(add_day(r, rec, &more));
    return has_agent ? dp_traffic_add(&r->traffic, &more) : DP_OK;
}

/* ---- by rule --------------------------------------------------------------------------------------------------- */

static bool note_first(void *ctx, uint32_t rule, dp_str text)
{
    uint32_t *first = ctx;
    (void)text;
    if (*first == UINT32_MAX)
        *first = rule;
    return true;
}

static bool costs_more(const dp_rule_family *a, const dp_rule_family *b)
{
    uint64_t x = a->good + a->bad, y = b->good + b->bad;
    return a->hits != b->hits ? a->hits > b->hits : x > y;
}

/* Keep those that cost most, in that order. */
static void choose_fixes(dp_report *r)
{
    for (size_t i = 0; i < r->nfamily; i++) {
        size_t at = r->nfix;
        while (at && costs_more(&r->family[i], &r->family[r->fix[at - 1]]))
            at--;
        bool is_wrong = r->labelled && r->family[i].bad > r->family[i].good;
        if (!r->family[i].spare || is_wrong || at == DP_REPORT_FIXES)
            continue;
        r->nfix += r->nfix < DP_REPORT_FIXES;
        memmove(&r->fix[at + 1], &r->fix[at], (r->nfix - at - 1) * sizeof *r->fix);
        r->fix[at] = i;
    }
}

/* The URLs of one key, n of them: all but the one that was asked for most are too many. */
static void find_best(uint32_t *best_of, const dp_report *r, const dp_keyed *v, size_t n)
{
    uint32_t best = v[0].item;
    for (size_t i = 1; i < n; i++) {
        const dp_asked *one = &r->url[v[i].item], *most = &r->url[best];
        if (one->hits > most->hits || (one->hits == most->hits && most->changes && !one->changes))
            best = v[i].item;
    }
    for (size_t i = 0; i < n; i++) {
        if (v[i].item != best)
            best_of[v[i].item] = best;
    }
}

/* For each URL that is too many the one to keep; UINT32_MAX for the others. NULL: memory is out. */
static uint32_t *find_spare(const dp_report *r)
{
    dp_keyed *v = malloc((2 * (size_t)r->nitem + 1) * sizeof *v);
    uint32_t *best_of = malloc(((size_t)r->truth.n + 1) * sizeof *best_of);
    bool      ok = v && best_of;
    for (uint32_t i = 0; ok && i < r->truth.n; i++)
        best_of[i] = UINT32_MAX;
    for (uint32_t i = 0; ok && i < r->nitem; i++)
        v[i] = (dp_keyed){r->key[r->item[i]], r->item[i]};
    if (ok)
        dp_keyed_sort(v, v + r->nitem, r->nitem, UINT64_MAX);
    for (size_t i = 0, j; ok && i < r->nitem; i = j) {
        j = dp_keyed_end(v, r->nitem, i);
        find_best(best_of, r, v + i, j - i);
    }
    free(v);
    if (!ok) {
        free(best_of);
        best_of = NULL;
    }
    return best_of;
}

/* The family of the first rule that changes URL i; SIZE_MAX: none does. False: memory is out. */
static bool find_family(const dp_report *r, const size_t *family, dp_scratch *scratch, uint32_t i, size_t *out)
{
    uint32_t first = UINT32_MAX;
    *out = SIZE_MAX;
    if (!r->url[i].changes)
        return true;
    if (!dp_engine_run(r->engine, scratch, DP_KEY, dp_truth_text(&r->truth, i), note_first, &first).p)
        return false;
    *out = first == UINT32_MAX ? SIZE_MAX : family[first];
    return true;
}

/* URL i is too many, since there is `best`. The rule that changes it has to answer, or else the one that changes the
 * other; a rule that changes `best` leads away from what most are asking for. */
static dp_err blame(dp_report *r, const size_t *family, dp_scratch *scratch, uint32_t i, uint32_t best)
{
    size_t own, of_best;
    if (!find_family(r, family, scratch, i, &own) || !find_family(r, family, scratch, best, &of_best))
        return DP_ENOMEM;
    if (of_best != SIZE_MAX)
        r->family[of_best].away++;
    if (own != SIZE_MAX && own != of_best)
        r->family[own].toward++;
    size_t f = own != SIZE_MAX ? own : of_best;
    if (f == SIZE_MAX)
        return DP_OK;
    r->family[f].spare++;
    r->family[f].hits += r->url[i].hits;
    r->family[f].bytes += r->url[i].bytes;
    return DP_OK;
}

dp_err dp_report_costs(dp_report *r)
{
    size_t     *family = malloc((r->rules->nrule + 1) * sizeof *family);
    uint32_t   *best_of = find_spare(r);
    dp_scratch *scratch = NULL;
    dp_err      code = family && best_of ? dp_scratch_new(&scratch) : DP_ENOMEM;
    for (size_t f = 0; family && f < r->nfamily; f++) {
        for (size_t k = 0; k < r->family[f].said.rules; k++)
            family[r->by_family[r->family[f].first + k]] = f;
    }
    for (uint32_t i = 0; i < r->truth.n && code == DP_OK; i++) {
        if (best_of[i] != UINT32_MAX)
            code = blame(r, family, scratch, i, best_of[i]);
    }
    if (code == DP_OK)
        choose_fixes(r);
    dp_scratch_free(scratch);
    free(best_of);
    free(family);
    return code;
}
