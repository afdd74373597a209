/* SPDX-License-Identifier: Apache-2.0 */
#include "live/fetcher.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/room.h"
#include "input/http.h"
#include "live/actions.h"
#include "live/cache.h"
#include "live/http.h"
#include "live/notetaker.h"
#include "live/queue.h"
#include "live/robots.h"
#include "url/chars.h"
#include "url/split.h"

enum { PAUSE_MAX = 60000 /* milliseconds that Retry-After can ask for */, BACK_OFF = 4 };

#define NO_ORIGIN UINT32_MAX
#define AGENT     "dustpan/%s (+compares pages that may be duplicates; obeys robots.txt)"

typedef enum entry_state {
    ENTRY_FRESH,   /* nothing was done yet: its robots.txt is not known */
    ENTRY_WAITING, /* in the queue */
    ENTRY_OUT,     /* its request is under way */
    ENTRY_NOTED,   /* the cache has its note */
    ENTRY_SETTLED  /* it will not be asked for: kind, why */
} entry_state;

/* A URL that somebody asked for; or a robots.txt, which has no place in the map of URLs. */
typedef struct entry {
    dp_str        url;  /* in stage-0 form; of a robots.txt the one that redirects led to */
    dp_str        host;
    uint32_t      robots_of; /* number of an origin; NO_ORIGIN: a page */
    unsigned      tries, hops;
    entry_state   state;
    dp_reply_kind kind;
    const char   *why;
} entry;

/* scheme://host:port, and what its robots.txt says. */
typedef struct origin {
    dp_str      name;
    bool        asked, known;
    const char *why; /* everything is forbidden; NULL: as `robots` says */
    dp_robots   robots;
} origin;

struct dp_fetcher {
    dp_fetcher_options o;
    char              *user_agent;
    dp_str             product; /* of it: the name that a robots.txt calls us by */
    dp_cache          *cache;
    dp_http           *http;
    dp_queue          *queue;
    dp_notetaker      *notetaker;
    dp_intern          urls, origins, hosts; /* numbers into the arrays */
    entry             *entry;
    origin            *origin;
    unsigned          *failures; /* of a host, in a row */
    size_t             nentry, entry_cap, origin_cap, host_cap;
    uint32_t          *sending; /* [parallel] */
    size_t             out;     /* requests under way */
    dp_arena           texts;
    dp_buf             room;
    dp_fetcher_counts  count;
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static dp_err no_memory(dp_error *err)
{
    return dp_fail_at(err, DP_ENOMEM, NULL, 0, 0, "memory is out");
}

static bool is_spent(const dp_fetcher *f)
{
    return f->o.max_fetches && f->count.requests >= f->o.max_fetches;
}

/* ---- tables: entries, origins, hosts ------------------------------------------------------- */

/* The number of `key` in a map whose values number a table; a new row is zeroed. False when memory is out. */
static bool number_of(dp_intern *map, dp_str key, void **table, size_t *cap, size_t size, uint32_t *i)
{
    if (dp_intern_find(map, key, i))
        return true;
    *i = (uint32_t)map->n;
    if (*i == *cap && !dp_room(table, cap, size))
        return false;
    memset((char *)*table + *i * size, 0, size);
    return dp_intern_add(map, key, *i);
}

static unsigned *failures_of(dp_fetcher *f, dp_str host)
{
    uint32_t i;
    if (!number_of(&f->hosts, host, (void **)&f->failures, &f->host_cap, sizeof *f->failures, &i))
        return NULL;
    return &f->failures[i];
}

static bool is_given_up(dp_fetcher *f, dp_str host)
{
    uint32_t i;
    return dp_intern_find(&f->hosts, host, &i) && f->failures[i] >= DP_HOST_FAILURES;
}

/* A new entry, in the map of URLs or not; NULL when memory is out. */
static entry *add_entry(dp_fetcher *f, dp_str url, uint32_t robots_of)
{
    dp_split s;
    if (!DP_ROOM(f->entry, f->nentry, f->entry_cap))
        return NULL;
    entry *e = &f->entry[f->nentry];
    *e = (entry){.url = dp_arena_str(&f->texts, url), .robots_of = robots_of};
    if (!e->url.p || (robots_of == NO_ORIGIN && !dp_intern_add(&f->urls, url, (uint32_t)f->nentry)))
        return NULL;
    e->host = dp_split_url(&s, e->url) ? s.host : e->url;
    f->nentry++;
    return e;
}

static entry *entry_of(dp_fetcher *f, dp_str url)
{
    uint32_t i;
    return dp_intern_find(&f->urls, url, &i) ? &f->entry[i] : add_entry(f, url, NO_ORIGIN);
}

/* ---- may it be asked for? ------------------------------------------------------------------- */

static void settle(dp_fetcher *f, entry *e, dp_reply_kind kind, const char *why)
{
    e->state = ENTRY_SETTLED;
    e->kind = kind;
    e->why = why;
    f->count.spared += kind == DP_REPLY_SPARED;
}

/* Why a URL is not for us, whatever its server says; NULL: it is. */
static const char *why_spared(const dp_fetcher *f, const dp_split *s, dp_str url)
{
    if (!dp_str_eq(s->scheme, DP_STR("http")) && !dp_str_eq(s->scheme, DP_STR("https")))
        return "not http";
    if (dp_url_is_masked(url))
        return "masked value";
    if (s->has_user)
        return "credentials";
    if (dp_str_eq(s->path, DP_STR("/robots.txt")))
        return "robots.txt itself";
    return !f->o.allow_actions && dp_url_acts(url) ? "action word" : NULL;
}

static dp_err enqueue(dp_fetcher *f, entry *e, bool first)
{
    uint32_t i = (uint32_t)(e - f->entry);
    e->state = ENTRY_WAITING;
    return first ? dp_queue_add_first(f->queue, e->host, i) : dp_queue_add(f->queue, e->host, i);
}

static dp_err learn_robots(dp_fetcher *f, origin *o, dp_str host, dp_str text, dp_str product)
{
    double delay;
    DP_TRY(dp_robots_read(&o->robots, text, product, &f->texts));
    o->known = true;
    delay = o->robots.delay < DP_ROBOTS_DELAY ? o->robots.delay : DP_ROBOTS_DELAY;
    return delay > 0 ? dp_queue_delay(f->queue, host, delay) : DP_OK;
}

/* The origin of a URL; its robots.txt is asked for when nobody has. NULL when memory is out. */
static origin *origin_of(dp_fetcher *f, const dp_split *s)
{
    const char *end = s->has_port ? s->port.p + s->port.n : s->host.p + s->host.n;
    dp_str      name = {s->scheme.p, (size_t)(end - s->scheme.p)};
    uint32_t    i;
    if (!number_of(&f->origins, name, (void **)&f->origin, &f->origin_cap, sizeof *f->origin, &i))
        return NULL;
    origin *o = &f->origin[i];
    if (o->asked)
        return o;
    dp_str rules = dp_cache_robots(f->cache, name);
    o->asked = true;
    if (rules.p)
        return learn_robots(f, o, s->host, rules, DP_STR("*")) == DP_OK ? o : NULL;
    dp_buf_reset(&f->room);
    dp_buf_str(&f->room, name);
    dp_buf_c(&f->room, "/robots.txt");
    o->name = dp_arena_str(&f->texts, name);
    entry *e = f->room.failed || !o->name.p ? NULL : add_entry(f, dp_buf_view(&f->room), i);
    return e && enqueue(f, e, false) == DP_OK ? o : NULL;
}

/* Whether the cache has all that we will ever know of this URL; else how often it was tried. */
static bool is_noted(const dp_fetcher *f, entry *e)
{
    const dp_note *n = dp_cache_find(f->cache, e->url);
    if (!n || n->kind == DP_NOTE_ASKED)
        return false;
    e->tries = n->tries;
    return n->kind != DP_NOTE_FAILED || !dp_fault_is_passing(n->fault) || n->tries > f->o.retries;
}

/* Take a fresh entry as far as it goes. DP_ENOMEM. */
static dp_err advance(dp_fetcher *f, entry *e)
{
    dp_split    s;
    uint32_t    number = (uint32_t)(e - f->entry);
    const char *why = dp_split_url(&s, e->url) && s.has_scheme ? why_spared(f, &s, e->url) : "not http";
    if (why) {
        settle(f, e, DP_REPLY_SPARED, why);
        return DP_OK;
    }
    if (is_noted(f, e)) {
        e->state = ENTRY_NOTED;
        return DP_OK;
    }
    if (is_given_up(f, e->host)) {
        settle(f, e, DP_REPLY_UNKNOWN, "its host fails");
        return DP_OK;
    }
    if (is_spent(f))
        return DP_OK;
    origin *o = origin_of(f, &s);
    if (!o)
        return DP_ENOMEM;
    e = &f->entry[number]; /* the table may have moved */
    if (!o->known)
        return DP_OK;
    if (o->why) {
        settle(f, e, DP_REPLY_SPARED, o->why);
        return DP_OK;
    }
    dp_str path = dp_str_cut(e->url, (size_t)(s.path.p - e->url.p), e->url.n);
    if (!dp_robots_allow(&o->robots, path)) {
        f->count.robots_denied++;
        settle(f, e, DP_REPLY_SPARED, "robots.txt");
        return DP_OK;
    }
    return enqueue(f, e, false);
}

/* ---- asking ------------------------------------------------------------------------------- */

static void reply_spent(dp_reply *out)
{
    *out = (dp_reply){.kind = DP_REPLY_SPARED, .why = "budget", .budget_is_spent = true};
}

/* What the note of `e` says; false: go on at its target. */
static bool reply_note(dp_reply *out, const entry *e, const dp_note *n)
{
    out->status = n->status;
    switch (n->kind) {
    case DP_NOTE_PAGE:
        out->kind = DP_REPLY_PAGE;
        out->last = e->url;
        out->size = n->size;
        memcpy(out->sketch, n->sketch, sizeof out->sketch);
        return true;
    case DP_NOTE_MOVED: return false;
    case DP_NOTE_GONE:
        out->kind = DP_REPLY_GONE;
        out->why = "no page";
        return true;
    default:
        out->kind = n->fault == DP_FAULT_PRIVATE ? DP_REPLY_SPARED : DP_REPLY_UNKNOWN;
        out->why = dp_fault_name(n->fault);
        return true;
    }
}

static dp_err ask(void *self, dp_str url, dp_reply *out, dp_error *err)
{
    dp_fetcher *f = self;
    *out = (dp_reply){.size = -1};
    for (;;) {
        entry *e = entry_of(f, url);
        if (!e)
            return no_memory(err);
        uint32_t i = (uint32_t)(e - f->entry);
        if (e->state == ENTRY_FRESH && advance(f, e) != DP_OK)
            return no_memory(err);
        e = &f->entry[i];
        if (e->state == ENTRY_SETTLED) {
            out->kind = e->kind;
            out->why = e->why;
            return DP_OK;
        }
        if (e->state != ENTRY_NOTED) {
            if (e->state != ENTRY_OUT && is_spent(f))
                reply_spent(out);
            return DP_OK;
        }
        const dp_note *n = dp_cache_find(f->cache, e->url);
        if (reply_note(out, e, n))
            return DP_OK;
        if (++out->hops > DP_MAX_HOPS) {
            out->kind = DP_REPLY_UNKNOWN;
            out->why = "redirects without end";
            return DP_OK;
        }
        url = n->target;
    }
}

/* ---- answers ------------------------------------------------------------------------------ */

/* Milliseconds that the host rests after a failure. */
static int64_t pause_after(const dp_fetcher *f, unsigned tries, const dp_http_answer *a)
{
    dp_str  after = dp_header_field(a->header, "retry-after");
    int64_t pause = (int64_t)(1000 / f->o.rate), asked = 0;
    for (unsigned i = 0; i < tries && pause < PAUSE_MAX; i++)
        pause *= BACK_OFF;
    for (size_t i = 0; i < after.n && dp_is(after.p[i], DP_CH_DIGIT) && asked < PAUSE_MAX; i++)
        asked = asked * 10 + (after.p[i] - '0') * 1000;
    if (pause < asked)
        pause = asked;
    return pause < PAUSE_MAX ? pause : PAUSE_MAX;
}

static bool is_repeated(const dp_fetcher *f, const dp_note *n)
{
    return n->kind == DP_NOTE_FAILED && dp_fault_is_passing(n->fault) && n->tries <= f->o.retries;
}

static dp_err take_page(dp_fetcher *f, entry *e, const dp_http_answer *a, dp_error *err)
{
    dp_note   n;
    int64_t   pause = 0;
    unsigned *failures = failures_of(f, e->host);
    if (!failures || dp_notetaker_take(f->notetaker, &n, e->url, a) != DP_OK)
        return no_memory(err);
    n.time = (int64_t)time(NULL);
    n.tries = e->tries;
    DP_TRY(dp_cache_put(f->cache, e->url, &n, err));
    e->state = ENTRY_NOTED;
    if (is_repeated(f, &n)) {
        pause = pause_after(f, n.tries, a);
        if (enqueue(f, e, true) != DP_OK)
            return no_memory(err);
    } else {
        *failures = n.kind == DP_NOTE_FAILED && dp_fault_is_passing(n.fault) ? *failures + 1 : 0;
        f->count.pages += n.kind == DP_NOTE_PAGE;
        f->count.redirects += n.kind == DP_NOTE_MOVED;
        f->count.gone += n.kind == DP_NOTE_GONE;
        f->count.failed += n.kind == DP_NOTE_FAILED;
    }
    dp_queue_done(f->queue, e->host, now_ms(), pause);
    return DP_OK;
}

/* The rules of an origin are there, or what counts in their place (RFC 9309, 2.3.1). */
static dp_err close_robots(dp_fetcher *f, origin *o, dp_str text, const char *why, dp_error *err)
{
    dp_split s;
    dp_err   code = DP_OK;
    o->why = why;
    o->known = true;
    dp_buf_reset(&f->room);
    if (!why) {
        dp_split_url(&s, o->name);
        if (learn_robots(f, o, s.host, text, f->product) != DP_OK)
            return no_memory(err);
        dp_robots_print(&f->room, &o->robots);
        code = f->room.failed ? no_memory(err)
                                 : dp_cache_put_robots(f->cache, o->name, dp_buf_view(&f->room),
                                                       (int64_t)time(NULL), err);
    }
    return code;
}

static dp_err take_robots(dp_fetcher *f, entry *e, const dp_http_answer *a, dp_error *err)
{
    origin *o = &f->origin[e->robots_of];
    dp_str  host = e->host;
    dp_note n;
    int64_t pause = 0;
    if (dp_notetaker_take(f->notetaker, &n, e->url, a) != DP_OK)
        return no_memory(err);
    dp_err code = DP_OK;
    n.tries = e->tries;
    e->state = ENTRY_NOTED;
    if (is_repeated(f, &n)) {
        pause = pause_after(f, n.tries, a);
        code = enqueue(f, e, true);
    } else if (n.kind == DP_NOTE_MOVED && ++e->hops <= DP_ROBOTS_HOPS) {
        dp_split s;
        e->url = dp_arena_str(&f->texts, n.target);
        e->tries = 0;
        if (!e->url.p || !dp_split_url(&s, e->url))
            return no_memory(err);
        e->host = s.host;
        code = enqueue(f, e, true);
    } else if (n.kind == DP_NOTE_PAGE) {
        code = close_robots(f, o, a->body, NULL, err);
    } else if (n.kind == DP_NOTE_GONE || n.kind == DP_NOTE_MOVED) {
        code = close_robots(f, o, (dp_str){0}, NULL, err);
    } else {
        code = close_robots(f, o, (dp_str){0},
                            n.fault == DP_FAULT_PRIVATE ? "private address" : "robots.txt cannot be had", err);
    }
    dp_queue_done(f->queue, host, now_ms(), pause);
    return code == DP_ENOMEM ? no_memory(err) : code;
}

/* ---- one round ----------------------------------------------------------------------------- */

/* Take due entries out of the queue and record that they are asked for. */
static dp_err choose(dp_fetcher *f, size_t *n, dp_error *err)
{
    int64_t  now = now_ms();
    uint32_t i;
    *n = 0;
    while (!is_spent(f) && dp_queue_next(f->queue, now, &i)) {
        entry *e = &f->entry[i];
        if (e->robots_of == NO_ORIGIN && is_given_up(f, e->host)) {
            settle(f, e, DP_REPLY_UNKNOWN, "its host fails");
            dp_queue_done(f->queue, e->host, now, 0);
            continue;
        }
        e->state = ENTRY_OUT;
        f->count.repeats += e->tries > 0;
        e->tries++;
        f->count.requests++;
        f->sending[(*n)++] = i;
        if (e->robots_of == NO_ORIGIN)
            DP_TRY(dp_cache_ask(f->cache, e->url, e->tries, (int64_t)time(NULL), err));
    }
    return DP_OK;
}

dp_err dp_fetcher_step(dp_fetcher *f, int ms, dp_error *err)
{
    size_t         n;
    dp_http_answer a;
    DP_TRY(choose(f, &n, err));
    DP_TRY(dp_cache_sync(f->cache, err));
    for (size_t i = 0; i < n; i++) {
        if (dp_http_start(f->http, f->entry[f->sending[i]].url, f->sending[i]) != DP_OK)
            return no_memory(err);
        f->out++;
    }
    int64_t wait = is_spent(f) ? -1 : dp_queue_wait(f->queue, now_ms());
    if (f->out == 0 && wait < 0)
        return DP_OK; /* nothing can happen */
    dp_err code = dp_http_wait(f->http, wait >= 0 && wait < ms ? (int)wait : ms);
    if (code != DP_OK)
        return dp_fail_at(err, code, NULL, 0, 0, "the network layer fails");
    while (dp_http_next(f->http, &a)) {
        entry *e = &f->entry[a.tag];
        f->out--;
        DP_TRY(e->robots_of == NO_ORIGIN ? take_page(f, e, &a, err) : take_robots(f, e, &a, err));
    }
    return DP_OK;
}

/* ---- made and freed -------------------------------------------------------------------------- */

static dp_err open_all(dp_fetcher *f, dp_error *err)
{
    if (f->o.ca_file && access(f->o.ca_file, R_OK) != 0)
        return dp_fail_at(err, DP_EIO, f->o.ca_file, 0, 0, "cannot be read: %s", strerror(errno));
    dp_http_options h = {f->user_agent, f->o.ca_file, f->o.timeout, f->o.max_size, f->o.allow_private};
    if (!f->sending || !f->user_agent || dp_queue_new(&f->queue, f->o.rate, f->o.parallel) != DP_OK ||
        dp_notetaker_new(&f->notetaker) != DP_OK || dp_http_new(&f->http, &h) != DP_OK)
        return no_memory(err);
    f->product = dp_str_c(f->user_agent);
    f->product.n = strcspn(f->user_agent, "/ (");
    DP_TRY(dp_cache_open(&f->cache, f->o.cache, err));
    f->count.found = dp_cache_found(f->cache);
    return DP_OK;
}

dp_err dp_fetcher_new(dp_fetcher **out, const dp_fetcher_options *o, dp_error *err)
{
    dp_fetcher *f = calloc(1, sizeof *f);
    if (!f)
        return no_memory(err);
    f->o = *o;
    f->sending = calloc(o->parallel ? o->parallel : 1, sizeof *f->sending);
    if (o->user_agent)
        f->user_agent = strdup(o->user_agent);
    else if (asprintf(&f->user_agent, AGENT, dp_version()) < 0)
        f->user_agent = NULL;
    dp_err code = open_all(f, err);
    if (code != DP_OK) {
        dp_fetcher_free(f, false);
        return code;
    }
    *out = f;
    return DP_OK;
}

void dp_fetcher_free(dp_fetcher *f, bool finished)
{
    if (!f)
        return;
    dp_http_free(f->http);
    dp_queue_free(f->queue);
    dp_notetaker_free(f->notetaker);
    if (finished)
        dp_cache_remove(f->cache);
    else
        dp_cache_close(f->cache);
    dp_intern_done(&f->urls);
    dp_intern_done(&f->origins);
    dp_intern_done(&f->hosts);
    dp_arena_done(&f->texts);
    dp_buf_done(&f->room);
    free(f->entry);
    free(f->origin);
    free(f->failures);
    free(f->sending);
    free(f->user_agent);
    free(f);
}

dp_source dp_fetcher_source(dp_fetcher *f)
{
    return (dp_source){f, ask};
}

const dp_fetcher_counts *dp_fetcher_count(const dp_fetcher *f)
{
    return &f->count;
}
