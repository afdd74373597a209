/* SPDX-License-Identifier: Apache-2.0 */
#include "live/fetcher.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/machine.h"
#include "live/errand.h"

#define AGENT "dustpan/%s (+compares pages that may be duplicates; obeys robots.txt)"

int64_t dp_fetcher_now(void)
{
    return (int64_t)dp_clock_ms();
}

/* ---- asking ------------------------------------------------------------------------------- */

static void reply_spent(dp_reply *out)
{
    *out = (dp_reply){.kind = DP_REPLY_SPARED, .cause = {.kind = DP_CAUSE_BUDGET}, .budget_is_spent = true};
}

/* What the note of `e` says; false: go on at its target. */
static bool reply_note(dp_reply *out, const dp_errand *e, const dp_note *n)
{
    out->cause = (dp_cause){.kind = DP_CAUSE_FAULT, .fault = n->fault, .status = n->status, .host = e->host};
    switch (n->kind) {
    case DP_NOTE_PAGE:
        out->kind = DP_REPLY_PAGE;
        out->cause = (dp_cause){0};
        out->last = e->url;
        out->size = n->size;
        out->time = n->time;
        out->digest = n->digest;
        memcpy(out->sketch, n->sketch, sizeof out->sketch);
        return true;
    case DP_NOTE_MOVED: return false;
    case DP_NOTE_GONE:
        out->kind = DP_REPLY_GONE;
        out->cause.kind = DP_CAUSE_GONE;
        return true;
    default:
        out->kind = n->fault == DP_FAULT_PRIVATE ? DP_REPLY_SPARED : DP_REPLY_UNKNOWN;
        return true;
    }
}

static dp_err ask(void *self, dp_str url, dp_reply *out, dp_error *err)
{
    dp_fetcher *f = self;
    *out = (dp_reply){.size = -1};
    for (;;) {
        dp_errand *e = dp_errand_of(f, url);
        if (!e)
            return dp_no_memory(err);
        uint32_t i = (uint32_t)(e - f->errand);
        if (e->state == DP_ERRAND_FRESH && dp_errand_advance(f, e) != DP_OK)
            return dp_no_memory(err);
        e = &f->errand[i];
        if (e->state == DP_ERRAND_SETTLED) {
            out->kind = e->kind;
            out->cause = e->cause;
            return DP_OK;
        }
        if (e->state != DP_ERRAND_NOTED) {
            if (e->state != DP_ERRAND_OUT && dp_fetcher_is_spent(f))
                reply_spent(out);
            return DP_OK;
        }
        const dp_note *n = dp_cache_find(f->cache, e->url);
        if (reply_note(out, e, n))
            return DP_OK;
        if (++out->hops > DP_MAX_HOPS) {
            out->kind = DP_REPLY_UNKNOWN;
            out->cause.kind = DP_CAUSE_LOOP;
            return DP_OK;
        }
        url = n->target;
    }
}

/* ---- one round ----------------------------------------------------------------------------- */

/* Take due errands out of the queue and record that they are asked for. */
static dp_err choose(dp_fetcher *f, size_t *n, dp_error *err)
{
    int64_t  now = dp_fetcher_now();
    uint32_t i;
    *n = 0;
    while (!dp_fetcher_is_spent(f) && dp_queue_next(f->queue, now, &i)) {
        dp_errand *e = &f->errand[i];
        if (e->robots_of == DP_NO_ORIGIN && dp_errand_give_up(f, e)) {
            dp_queue_done(f->queue, e->host, now, 0);
            continue;
        }
        e->state = DP_ERRAND_OUT;
        f->count.repeats += e->tries > 0;
        e->tries++;
        f->count.requests++;
        f->sending[(*n)++] = i;
        if (e->robots_of == DP_NO_ORIGIN)
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
        if (dp_http_start(f->http, f->errand[f->sending[i]].url, f->sending[i]) != DP_OK)
            return dp_no_memory(err);
        f->out++;
    }
    int64_t wait = dp_fetcher_is_spent(f) ? -1 : dp_queue_wait(f->queue, dp_fetcher_now());
    if (f->out == 0 && wait < 0)
        return DP_OK; /* nothing can happen */
    dp_err code = dp_http_wait(f->http, wait >= 0 && wait < ms ? (int)wait : ms);
    if (code != DP_OK)
        return dp_fail_at(err, code, NULL, 0, 0, "libcurl failed to send or receive");
    while (dp_http_next(f->http, &a)) {
        dp_errand *e = &f->errand[a.tag];
        f->out--;
        DP_TRY(dp_errand_answer(f, e, &a, err));
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
        dp_notetaker_new(&f->notetaker) != DP_OK)
        return dp_no_memory(err);
    DP_TRY(dp_http_new(&f->http, &h, err));
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
        return dp_no_memory(err);
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
    dp_cache *caches[] = {f->cache, f->earlier};
    for (size_t i = 0; i < DP_COUNT(caches); i++) {
        if (finished)
            dp_cache_remove(caches[i]);
        else
            dp_cache_close(caches[i]);
    }
    dp_intern_done(&f->urls);
    dp_intern_done(&f->origins);
    dp_intern_done(&f->hosts);
    dp_arena_done(&f->texts);
    dp_buf_done(&f->room);
    free(f->errand);
    free(f->origin);
    free(f->failures);
    free(f->sending);
    free(f->user_agent);
    free(f);
}

dp_err dp_fetcher_again(dp_fetcher *f, const char *cache, dp_error *err)
{
    dp_cache *next = NULL;
    assert(!f->out && !f->earlier);
    DP_TRY(dp_cache_open(&next, cache, err));
    f->earlier = f->cache;
    f->cache = next;
    f->count.found += dp_cache_found(next);
    dp_intern_done(&f->urls);
    f->urls = (dp_intern){0};
    f->nerrand = 0;
    return DP_OK;
}

dp_teller dp_fetcher_teller(dp_fetcher *f)
{
    return (dp_teller){f, ask};
}

const dp_fetcher_counts *dp_fetcher_count(const dp_fetcher *f)
{
    return &f->count;
}
