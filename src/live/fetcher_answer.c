/* What a server answered: pages, and the robots.txt of an origin.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <time.h>

#include "input/format/http.h"
#include "live/errand.h"
#include "url/chars.h"
#include "url/split.h"

enum { PAUSE_MAX = 60000 /* milliseconds that Retry-After can ask for */, BACK_OFF = 4 };

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

static dp_err take_page(dp_fetcher *f, dp_errand *e, const dp_http_answer *a, dp_error *err)
{
    dp_note           n;
    int64_t           pause = 0;
    dp_host_failures *failures = dp_errand_failures(f, e->host);
    if (!failures || dp_notetaker_take(f->notetaker, &n, e->url, a) != DP_OK)
        return dp_no_memory(err);
    n.time = (int64_t)time(NULL);
    n.tries = e->tries;
    if (f->o.keep && n.kind == DP_NOTE_PAGE)
        DP_TRY(f->o.keep(f->o.keep_ctx, e->url, n.time, a, err));
    DP_TRY(dp_cache_put(f->cache, e->url, &n, err));
    e->state = DP_ERRAND_NOTED;
    if (is_repeated(f, &n)) {
        pause = pause_after(f, n.tries, a);
        if (dp_errand_enqueue(f, e, true) != DP_OK)
            return dp_no_memory(err);
    } else {
        bool passing = n.kind == DP_NOTE_FAILED && dp_fault_is_passing(n.fault);
        *failures = (dp_host_failures){passing ? failures->n + 1 : 0, n.fault, n.status};
        f->count.pages += n.kind == DP_NOTE_PAGE;
        f->count.redirects += n.kind == DP_NOTE_MOVED;
        f->count.gone += n.kind == DP_NOTE_GONE;
        f->count.failed += n.kind == DP_NOTE_FAILED;
        f->count.causes[DP_CAUSE_GONE] += n.kind == DP_NOTE_GONE;
        f->count.causes[DP_CAUSE_FAULT + (size_t)n.fault] += n.kind == DP_NOTE_FAILED;
    }
    dp_queue_done(f->queue, e->host, dp_fetcher_now(), pause);
    return DP_OK;
}

/* The rules of an origin are there, or what counts in their place (RFC 9309, 2.3.1). */
static dp_err close_robots(dp_fetcher *f, dp_web_origin *o, dp_str text, dp_cause cause, dp_error *err)
{
    dp_split s;
    dp_err   code = DP_OK;
    o->cause = cause;
    o->known = true;
    dp_buf_reset(&f->room);
    if (cause.kind == DP_CAUSE_NONE) {
        dp_split_url(&s, o->name);
        if (dp_errand_robots(f, o, s.host, text, f->product) != DP_OK)
            return dp_no_memory(err);
        dp_robots_print(&f->room, &o->robots);
        code = f->room.failed ? dp_no_memory(err)
                                 : dp_cache_put_robots(f->cache, o->name, dp_buf_view(&f->room),
                                                       (int64_t)time(NULL), err);
    }
    return code;
}

static dp_err take_robots(dp_fetcher *f, dp_errand *e, const dp_http_answer *a, dp_error *err)
{
    dp_web_origin *o = &f->origin[e->robots_of];
    dp_str         host = e->host;
    dp_note        n;
    int64_t        pause = 0;
    if (dp_notetaker_take(f->notetaker, &n, e->url, a) != DP_OK)
        return dp_no_memory(err);
    dp_err code = DP_OK;
    n.tries = e->tries;
    e->state = DP_ERRAND_NOTED;
    if (is_repeated(f, &n)) {
        pause = pause_after(f, n.tries, a);
        code = dp_errand_enqueue(f, e, true);
    } else if (n.kind == DP_NOTE_MOVED && ++e->hops <= DP_ROBOTS_HOPS) {
        dp_split s;
        e->url = dp_arena_str(&f->texts, n.target);
        e->tries = 0;
        if (!e->url.p || !dp_split_url(&s, e->url))
            return dp_no_memory(err);
        e->host = s.host;
        code = dp_errand_enqueue(f, e, true);
    } else if (n.kind == DP_NOTE_PAGE) {
        code = close_robots(f, o, a->body, (dp_cause){0}, err);
    } else if (n.kind == DP_NOTE_GONE || n.kind == DP_NOTE_MOVED) {
        code = close_robots(f, o, (dp_str){0}, (dp_cause){0}, err);
    } else {
        dp_cause_kind why = n.fault == DP_FAULT_PRIVATE ? DP_CAUSE_FAULT : DP_CAUSE_NO_ROBOTS;
        code = close_robots(f, o, (dp_str){0}, (dp_cause){.kind = why, .fault = n.fault, .status = n.status}, err);
    }
    dp_queue_done(f->queue, host, dp_fetcher_now(), pause);
    return code == DP_ENOMEM ? dp_no_memory(err) : code;
}

dp_err dp_errand_answer(dp_fetcher *f, dp_errand *e, const dp_http_answer *a, dp_error *err)
{
    return e->robots_of == DP_NO_ORIGIN ? take_page(f, e, a, err) : take_robots(f, e, a, err);
}
