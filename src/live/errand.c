/* SPDX-License-Identifier: Apache-2.0 */
#include "live/errand.h"

#include "base/room.h"
#include "live/actions.h"
#include "url/split.h"

bool dp_fetcher_is_spent(const dp_fetcher *f)
{
    return f->o.max_fetches && f->count.requests >= f->o.max_fetches;
}

/* ---- tables: errands, origins, hosts ------------------------------------------------------- */

/* The number of `key` in a map whose values number a table; a new row is zeroed. False when memory is out. */
static bool number_of(dp_intern *map, dp_str key, void *table, size_t *cap, size_t size, uint32_t *i)
{
    char *row;
    if (dp_intern_find(map, key, i))
        return true;
    *i = (uint32_t)map->n;
    if (*i == *cap && !dp_room(table, cap, size, *i + 1))
        return false;
    memcpy(&row, table, sizeof row);
    memset(row + *i * size, 0, size);
    return dp_intern_add(map, key, *i);
}

dp_host_failures *dp_errand_failures(dp_fetcher *f, dp_str host)
{
    uint32_t i;
    if (!number_of(&f->hosts, host, &f->failures, &f->host_cap, sizeof *f->failures, &i))
        return NULL;
    return &f->failures[i];
}

/* A new errand, in the map of URLs or not; NULL when memory is out. */
static dp_errand *add_errand(dp_fetcher *f, dp_str url, uint32_t robots_of)
{
    dp_split s;
    if (!DP_ROOM(f->errand, f->nerrand, f->errand_cap))
        return NULL;
    dp_errand *e = &f->errand[f->nerrand];
    *e = (dp_errand){.url = dp_arena_str(&f->texts, url), .robots_of = robots_of};
    if (!e->url.p || (robots_of == DP_NO_ORIGIN && !dp_intern_add(&f->urls, url, (uint32_t)f->nerrand)))
        return NULL;
    e->host = dp_split_url(&s, e->url) ? s.host : e->url;
    f->nerrand++;
    return e;
}

dp_errand *dp_errand_of(dp_fetcher *f, dp_str url)
{
    uint32_t i;
    return dp_intern_find(&f->urls, url, &i) ? &f->errand[i] : add_errand(f, url, DP_NO_ORIGIN);
}

/* ---- may it be asked for? ------------------------------------------------------------------- */

void dp_errand_settle(dp_fetcher *f, dp_errand *e, dp_reply_kind kind, dp_cause cause)
{
    e->state = DP_ERRAND_SETTLED;
    e->kind = kind;
    e->cause = cause;
    e->cause.host = e->host;
    f->count.spared += kind == DP_REPLY_SPARED;
    f->count.causes[dp_cause_row(&cause)]++;
}

bool dp_errand_give_up(dp_fetcher *f, dp_errand *e)
{
    uint32_t i;
    if (!dp_intern_find(&f->hosts, e->host, &i) || f->failures[i].n < DP_HOST_FAILURES)
        return false;
    const dp_host_failures *last = &f->failures[i];
    dp_errand_settle(f, e, DP_REPLY_UNKNOWN,
                     (dp_cause){.kind = DP_CAUSE_GIVEN_UP, .fault = last->fault, .status = last->status});
    return true;
}

/* Why a URL is not for us, whatever its server says. */
static dp_cause_kind why_spared(const dp_fetcher *f, const dp_split *s, dp_str url)
{
    if (!dp_str_eq(s->scheme, DP_STR("http")) && !dp_str_eq(s->scheme, DP_STR("https")))
        return DP_CAUSE_NOT_HTTP;
    if (url.n > DP_FETCHED_URL)
        return DP_CAUSE_TOO_LONG;
    if (dp_url_is_masked(url))
        return DP_CAUSE_MASKED;
    if (s->has_user)
        return DP_CAUSE_CREDENTIALS;
    if (dp_str_eq(s->path, DP_STR("/robots.txt")))
        return DP_CAUSE_ROBOTS_ITSELF;
    return !f->o.allow_actions && dp_url_acts(url) ? DP_CAUSE_ACTION : DP_CAUSE_NONE;
}

dp_err dp_errand_enqueue(dp_fetcher *f, dp_errand *e, bool first)
{
    uint32_t i = (uint32_t)(e - f->errand);
    e->state = DP_ERRAND_WAITING;
    return first ? dp_queue_add_first(f->queue, e->host, i) : dp_queue_add(f->queue, e->host, i);
}

dp_err dp_errand_robots(dp_fetcher *f, dp_web_origin *o, dp_str host, dp_str text, dp_str product)
{
    double delay;
    DP_TRY(dp_robots_read(&o->robots, text, product, &f->texts));
    o->known = true;
    delay = o->robots.delay < DP_ROBOTS_DELAY ? o->robots.delay : DP_ROBOTS_DELAY;
    return delay > 0 ? dp_queue_delay(f->queue, host, delay) : DP_OK;
}

/* The origin of a URL; its robots.txt is asked for when nobody has. NULL when memory is out. */
static dp_web_origin *origin_of(dp_fetcher *f, const dp_split *s)
{
    const char *end = s->has_port ? s->port.p + s->port.n : s->host.p + s->host.n;
    dp_str      name = {s->scheme.p, (size_t)(end - s->scheme.p)};
    uint32_t    i;
    if (!number_of(&f->origins, name, &f->origin, &f->origin_cap, sizeof *f->origin, &i))
        return NULL;
    dp_web_origin *o = &f->origin[i];
    if (o->asked)
        return o;
    dp_str rules = dp_cache_robots(f->cache, name);
    o->asked = true;
    if (rules.p)
        return dp_errand_robots(f, o, s->host, rules, DP_STR("*")) == DP_OK ? o : NULL;
    dp_buf_reset(&f->room);
    dp_buf_str(&f->room, name);
    dp_buf_c(&f->room, "/robots.txt");
    o->name = dp_arena_str(&f->texts, name);
    dp_errand *e = f->room.failed || !o->name.p ? NULL : add_errand(f, dp_buf_view(&f->room), i);
    return e && dp_errand_enqueue(f, e, false) == DP_OK ? o : NULL;
}

/* Whether the cache has all that we will ever know of this URL; else how often it was tried. */
static bool is_noted(const dp_fetcher *f, dp_errand *e)
{
    const dp_note *n = dp_cache_find(f->cache, e->url);
    if (!n || n->kind == DP_NOTE_ASKED)
        return false;
    e->tries = n->tries;
    return n->kind != DP_NOTE_FAILED || !dp_fault_is_passing(n->fault) || n->tries > f->o.retries;
}

dp_err dp_errand_advance(dp_fetcher *f, dp_errand *e)
{
    dp_split      s;
    uint32_t      number = (uint32_t)(e - f->errand);
    dp_cause_kind why = dp_split_url(&s, e->url) && s.has_scheme ? why_spared(f, &s, e->url) : DP_CAUSE_NOT_HTTP;
    if (why != DP_CAUSE_NONE) {
        dp_errand_settle(f, e, DP_REPLY_SPARED, (dp_cause){.kind = why});
        return DP_OK;
    }
    if (is_noted(f, e)) {
        e->state = DP_ERRAND_NOTED;
        return DP_OK;
    }
    if (dp_errand_give_up(f, e) || dp_fetcher_is_spent(f))
        return DP_OK;
    dp_web_origin *o = origin_of(f, &s);
    if (!o)
        return DP_ENOMEM;
    e = &f->errand[number]; /* the table may have moved */
    if (!o->known)
        return DP_OK;
    if (o->cause.kind != DP_CAUSE_NONE) {
        dp_errand_settle(f, e, DP_REPLY_SPARED, o->cause);
        return DP_OK;
    }
    dp_str path = dp_str_cut(e->url, (size_t)(s.path.p - e->url.p), e->url.n);
    if (!dp_robots_allow(&o->robots, path)) {
        f->count.robots_denied++;
        dp_errand_settle(f, e, DP_REPLY_SPARED, (dp_cause){.kind = DP_CAUSE_FORBIDDEN});
        return DP_OK;
    }
    return dp_errand_enqueue(f, e, false);
}
