/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/engine.h"

#include <stdlib.h>

#include "base/room.h"
#include "rule/rule.h"
#include "url/host.h"
#include "url/normalize.h"
#include "url/split.h"

/* Room for the captures, cuts and taken pairs of a match on `f`; false when memory is out. */
static inline bool room_for_match(const dp_image *im, dp_scratch *s, const dp_frame *f)
{
    return DP_ROOM_FOR(s->match.slot, im->head->max_slot, s->slot_cap) &&
           DP_ROOM_FOR(s->match.taken, f->npair, s->taken_cap) &&
           DP_ROOM_FOR(s->match.cut, (size_t)im->head->max_cut * f->n, s->cut_cap);
}

/* ---- one step ---------------------------------------------------------------------------------- */

#define ANY_PATH UINT32_MAX

/* A parameter that some keep line names. */
typedef struct kept {
    dp_str name, value;
    bool   has_eq, param;
} kept;

typedef struct kept_walk {
    uint32_t pair, param; /* where to go on: query pairs first, then path parameters */
} kept_walk;

static bool next_kept(dp_keeps keeps, const dp_frame *f, kept_walk *w, kept *out)
{
    while (w->pair < f->npair) {
        const dp_pair *p = &f->pair[w->pair++];
        *out = (kept){dp_pair_name(f, p), dp_pair_value(f, p), p->has_eq, false};
        if (dp_keeps_hold(keeps, out->name, false))
            return true;
    }
    dp_param p;
    if (w->param < f->path)
        w->param = f->path;
    while (dp_frame_param(f, w->param, &p)) {
        w->param = p.end;
        *out = (kept){dp_frame_cut(f, p.at + 1, p.eq), dp_frame_cut(f, p.eq + (p.has_eq ? 1u : 0u), p.end), p.has_eq,
                      true};
        if (dp_keeps_hold(keeps, out->name, true))
            return true;
    }
    return false;
}

/* Whether both URLs hold the same kept parameters in the same order. */
static bool same_kept(dp_keeps keeps, const dp_frame *a, const dp_frame *b)
{
    kept_walk wa = {0}, wb = {0};
    kept      x, y;
    for (;;) {
        bool more = next_kept(keeps, a, &wa, &x);
        if (more != next_kept(keeps, b, &wb, &y))
            return false;
        if (!more)
            return true;
        if (!dp_str_eq(x.name, y.name) || !dp_str_eq(x.value, y.value) || x.has_eq != y.has_eq || x.param != y.param)
            return false;
    }
}

/* Whether a `keep TPL` forbids to touch the URL. */
static bool is_untouchable(dp_keeps keeps, const dp_frame *f, dp_match *m)
{
    for (size_t i = 0; i < keeps.n; i++)
        for (uint32_t j = 0; j < keeps.v[i].n; j++) {
            const dp_im_rule *k = dp_im_body(keeps.im, keeps.im->keep[keeps.v[i].at + j]);
            if (k->on && dp_match_condition(k, k->on, f, m))
                return true;
        }
    return false;
}

/* Read `url` into `v`, in stage-0 form; where its text changes it comes to lie in `room`.
 * False when it is no URL, when its path has a dot segment or more than `max_empty` empty
 * segments (docs/rule-format.md 8.8), or when memory is out (s->failed). */
static bool read_url(dp_scratch *s, dp_view *v, dp_str url, uint32_t max_empty, dp_buf *room)
{
    dp_frame       *f = &v->frame;
    dp_frame_result r = dp_frame_read(f, url);
    if (r == DP_FRAME_OK)
        return max_empty == ANY_PATH || dp_frame_empties(f) <= max_empty;
    if (r == DP_FRAME_NOT_NORMAL) {
        if (max_empty != ANY_PATH && dp_normalize_forbids(url, max_empty))
            return false;
        dp_buf_reset(room);
        if (dp_normalize(room, url))
            r = dp_frame_read(f, dp_buf_view(room));
    }
    s->failed |= r == DP_FRAME_NOMEM || room->failed;
    return r == DP_FRAME_OK;
}

/* The layers of a URL's host, and its pairs in their order. */
static bool settle(const dp_engine *e, dp_view *v, dp_chain *chain, uint64_t host_hash, dp_buf *room)
{
    dp_frame *f = &v->frame;
    v->layers = chain;
    if (!dp_chain_find(chain, &e->im, f, host_hash))
        return false;
    if (!chain->sorts || dp_frame_is_sorted(f))
        return true;
    dp_buf_reset(room);
    return dp_frame_sort(f, room) && dp_frame_read(f, dp_buf_view(room)) == DP_FRAME_OK;
}

bool dp_view_plan(const dp_engine *e, dp_view *v, dp_chain *chain, uint64_t host_hash, dp_buf *room)
{
    return settle(e, v, chain, host_hash, room) && dp_candidates_plan(&v->candidates, chain, &v->frame);
}

bool dp_view_gather(const dp_engine *e, dp_view *v)
{
    return dp_candidates_gather(&v->candidates, &e->im, v->layers, &v->frame);
}

static bool same_origin(const dp_frame *a, const dp_frame *b)
{
    return a->path == b->path && memcmp(a->s, b->s, a->path) == 0;
}

typedef enum outcome {
    FIRED_NOT, /* or memory is out: s->failed */
    FIRED,
    FIRED_AND_SHRUNK /* the new URL has no candidate that the old one had not, and this rule is none any more */
} outcome;

/* Try one rule on the current URL. When it fires, `new` holds the one it makes, and its layers. */
static outcome try(const dp_engine *e, dp_scratch *s, const dp_candidate *c, const dp_im_rule *r, dp_keeps keeps,
                   dp_view *new)
{
    const dp_view *old = &s->view[s->now];
    dp_buf        *raw = &s->text[(s->filled + 1) % DP_TEXTS];
    dp_buf_reset(raw);
    dp_rewritten what = dp_rewrite(r, &old->frame, keeps, c->place, &s->match, raw, &new->frame);
    s->failed |= raw->failed || what == DP_REWRITE_NOMEM;
    if (what == DP_REWRITE_NOTHING || s->failed)
        return FIRED_NOT;
    bool is_template = r->kind == DP_RULE_REWRITE;
    if (what == DP_REWRITE_FRAME && !(is_template && old->layers->sorts)) {
        new->layers = old->layers;
        if (is_template)
            return keeps.n == 0 || same_kept(keeps, &old->frame, &new->frame) ? FIRED : FIRED_NOT;
        return r->kind != DP_RULE_SET && !old->layers->subs ? FIRED_AND_SHRUNK : FIRED;
    }
    dp_buf *stage0 = &s->text[(s->filled + 2) % DP_TEXTS], *sorted = &s->text[(s->filled + 3) % DP_TEXTS];
    if (!read_url(s, new, dp_buf_view(raw), dp_frame_empties(&old->frame), stage0))
        return FIRED_NOT;
    dp_chain *chain = old->layers;
    if (!same_origin(&old->frame, &new->frame))
        chain = old->layers == &s->chain[0] ? &s->chain[1] : &s->chain[0];
    if (!settle(e, new, chain, 0, sorted)) {
        s->failed = true;
        return FIRED_NOT;
    }
    if (dp_str_eq((dp_str){new->frame.s, new->frame.n}, (dp_str){old->frame.s, old->frame.n}))
        return FIRED_NOT;
    return keeps.n == 0 || r->kind == DP_RULE_FOLD_QUERY || r->kind == DP_RULE_FOLD_NAMES ||
                   r->flags & DP_RULE_PARAMS ||
                   same_kept(keeps, &old->frame, &new->frame)
               ? FIRED
               : FIRED_NOT;
}

/* ---- the loop ------------------------------------------------------------------------------------ */

/* Go on with the view `next`, which candidate number `number` made of the current one. */
static bool turn_to(const dp_engine *e, dp_scratch *s, int next, outcome how, size_t number)
{
    dp_view *new = &s->view[next];
    bool     ok = how == FIRED_AND_SHRUNK
                      ? dp_candidates_copy(&new->candidates, &s->view[s->now].candidates, number)
                      : dp_candidates_plan(&new->candidates, new->layers, &new->frame) && dp_view_gather(e, new);
    s->failed = !ok;
    s->now = next;
    do
        s->filled = (s->filled + 1) % DP_TEXTS;
    while (s->text[s->filled].p != new->frame.s);
    return ok;
}

/* Rewrite the current URL until no rule fires. False when the limit is hit, or memory is out. */
static bool run(const dp_engine *e, dp_scratch *s, bool fetch, dp_trace trace, void *ctx)
{
    dp_rule_choice choice = e->choice;
    choice.fetch = fetch;
    while (s->view[s->now].candidates.n) {
        const dp_view *v = &s->view[s->now];
        if (!room_for_match(&e->im, s, &v->frame)) {
            s->failed = true;
            return false;
        }
        dp_keeps          keeps = {&e->im, v->layers->keep, v->layers->nkeep}, none = {0};
        bool              untouchable = keeps.n && is_untouchable(keeps, &v->frame, &s->match);
        int               other = s->now == 0 ? 1 : 0;
        const dp_im_rule *r = NULL;
        size_t            i = 0;
        outcome           how = FIRED_NOT;
        for (; i < v->candidates.n; i++) {
            r = dp_im_body(&e->im, v->candidates.v[i].body);
            if (!dp_choice_takes(&choice, r) || (untouchable && r->state != DP_PIN))
                continue;
            how = try(e, s, &v->candidates.v[i], r, r->state == DP_PIN ? none : keeps, &s->view[other]);
            if (how != FIRED_NOT)
                break;
            if (s->failed)
                return false;
        }
        if (how == FIRED_NOT)
            return true;
        if (s->nfired == DP_MAX_FIRINGS || s->view[other].frame.n > s->longest)
            return false;
        s->fired[s->nfired++] = r->number;
        s->led_out |= (r->flags & DP_RULE_LEADS_OUT) != 0;
        if (!turn_to(e, s, other, how, i))
            return false;
        if (trace && !trace(ctx, r->number, (dp_str){s->view[other].frame.s, s->view[other].frame.n}))
            return false;
    }
    return true;
}

static void begin(dp_scratch *s, int view)
{
    s->now = view;
    s->filled = 0;
    s->nfired = 0;
    s->failed = s->hit_limit = s->led_out = false;
}

/* Start with stage 0 of `url`. False when it is no URL, or memory is out. */
static bool start(const dp_engine *e, dp_scratch *s, dp_str url, dp_str *stage0)
{
    dp_view *v = &s->view[0];
    begin(s, 0);
    s->is_url = read_url(s, v, url, ANY_PATH, &s->first[0]);
    if (s->is_url && !(dp_view_plan(e, v, &s->chain[0], 0, &s->first[1]) && dp_view_gather(e, v))) {
        s->failed = true;
        s->is_url = false;
    }
    *stage0 = s->is_url ? (dp_str){v->frame.s, v->frame.n} : url;
    return s->is_url;
}

/* Run from the current view, whose text is `stage0`. */
static dp_str finish(const dp_engine *e, dp_scratch *s, dp_str stage0, bool fetch, dp_trace trace, void *ctx)
{
    s->stage0 = stage0;
    s->longest = DP_MAX_GROWTH + 2 * stage0.n;
    if (run(e, s, fetch, trace, ctx))
        return (dp_str){s->view[s->now].frame.s, s->view[s->now].frame.n};
    s->hit_limit = !s->failed;
    return stage0;
}

/* The key of `url`, or (fetch) what the rules of the fetch form alone make of it. */
static dp_str rewritten(const dp_engine *e, dp_scratch *s, dp_str url, bool fetch, dp_trace trace, void *ctx)
{
    dp_str stage0;
    return start(e, s, url, &stage0) ? finish(e, s, stage0, fetch, trace, ctx) : stage0;
}

dp_str dp_engine_run_view(const dp_engine *e, dp_scratch *s, int view)
{
    const dp_frame *f = &s->view[view].frame;
    begin(s, view);
    s->is_url = true;
    return finish(e, s, (dp_str){f->s, f->n}, false, NULL, NULL);
}

dp_str dp_engine_without(const dp_engine *e, dp_scratch *s, dp_str url, const uint32_t *list, uint32_t n,
                         dp_trace trace, void *ctx)
{
    dp_engine rest = *e;
    rest.choice.list = list;
    rest.choice.nwithout = n;
    dp_str key = rewritten(&rest, s, url, false, trace, ctx);
    return s->failed ? (dp_str){NULL, 0} : key;
}

/* The candidates before the rule that fired did not fire on this URL, and will not: those behind it are left. */
dp_str dp_engine_otherwise(const dp_engine *e, const dp_scratch *s, dp_scratch *other, uint32_t without, uint32_t n)
{
    const dp_view *v = &s->view[s->now == 0 ? 1 : 0];
    dp_view       *to = &other->view[0];
    dp_engine      rest = *e;
    size_t         i = 0;
    rest.choice.without = without;
    rest.choice.nwithout = n;
    while (dp_im_body(&e->im, v->candidates.v[i].body)->number != s->fired[s->nfired - 1])
        i++;
    begin(other, 0);
    other->is_url = true;
    other->nfired = s->nfired - 1;
    other->longest = s->longest;
    to->layers = v->layers;
    if (!dp_frame_copy(&to->frame, &v->frame) || !dp_candidates_after(&to->candidates, &v->candidates, i))
        return (dp_str){NULL, 0};
    if (run(&rest, other, false, NULL, NULL))
        return (dp_str){other->view[other->now].frame.s, other->view[other->now].frame.n};
    other->hit_limit = !other->failed;
    return other->failed ? (dp_str){NULL, 0} : s->stage0;
}

dp_str dp_engine_each(const dp_engine *e, dp_scratch *s, dp_str url, dp_alone call, void *ctx)
{
    dp_str         stage0;
    const dp_view *v = &s->view[0];
    if (!start(e, s, url, &stage0))
        return s->failed ? (dp_str){NULL, 0} : stage0;
    if (!room_for_match(&e->im, s, &v->frame))
        return (dp_str){NULL, 0};
    dp_keeps keeps = {&e->im, v->layers->keep, v->layers->nkeep}, none = {0};
    bool     untouchable = keeps.n && is_untouchable(keeps, &v->frame, &s->match);
    uint32_t last = DP_NONE; /* that fired: a sub rule is offered once a place */
    for (size_t i = 0; i < v->candidates.n; i++) {
        const dp_candidate *c = &v->candidates.v[i];
        const dp_im_rule   *r = dp_im_body(&e->im, c->body);
        if (!dp_choice_takes(&e->choice, r) || (untouchable && r->state != DP_PIN) || r->number == last)
            continue;
        if (try(e, s, c, r, r->state == DP_PIN ? none : keeps, &s->view[1]) != FIRED_NOT) {
            last = r->number;
            call(ctx, last, (dp_str){s->view[1].frame.s, s->view[1].frame.n});
        }
        if (s->failed)
            return (dp_str){NULL, 0};
    }
    return stage0;
}

/* Copy an answer to where the next run does not overwrite it. */
static dp_str save(dp_scratch *s, dp_buf *room, dp_str text)
{
    dp_buf_reset(room);
    dp_buf_str(room, text);
    s->failed |= room->failed;
    return dp_buf_view(room);
}

/* docs/rule-format.md 8.11: the result of the fetch rules, if it has the key of the input, else stage 0. */
static dp_str fetch_form(const dp_engine *e, dp_scratch *s, dp_str url, dp_trace trace, void *ctx)
{
    dp_str result = rewritten(e, s, url, true, trace, ctx);
    if (!s->is_url || s->failed || s->nfired == 0 || s->hit_limit)
        return result;
    bool     limit;
    size_t   nfired = s->nfired;
    uint32_t fired[DP_MAX_FIRINGS];
    memcpy(fired, s->fired, nfired * sizeof *fired);
    result = save(s, &s->form, result);
    dp_str key = save(s, &s->saved, rewritten(e, s, url, false, NULL, NULL));
    limit = s->hit_limit;
    if (!s->failed && dp_str_eq(key, rewritten(e, s, result, false, NULL, NULL)) && !s->failed) {
        memcpy(s->fired, fired, nfired * sizeof *fired);
        s->nfired = nfired;
        s->hit_limit = limit;
        return result;
    }
    dp_str stage0;
    start(e, s, url, &stage0);
    return stage0;
}

/* http://user@www.a.com:81/x -> com,a,www:81)/x; addresses are not turned round. */
static dp_str surt_form(dp_scratch *s, dp_str key)
{
    dp_frame *f = &s->view[s->now == 0 ? 1 : 0].frame;
    if (!s->is_url || s->failed || dp_frame_read(f, key) != DP_FRAME_OK)
        return key;
    dp_str  host = dp_frame_host(f);
    dp_buf *out = &s->form;
    dp_buf_reset(out);
    if (dp_host_is_address(host)) {
        dp_buf_str(out, host);
    } else {
        for (size_t end = host.n, at;; end = at - 1) {
            for (at = end; at > 0 && host.p[at - 1] != '.'; at--) {}
            dp_buf_add(out, host.p + at, end - at);
            if (at == 0)
                break;
            dp_buf_byte(out, ',');
        }
    }
    if (f->port >= 0)
        dp_buf_printf(out, ":%d", f->port);
    dp_buf_byte(out, ')');
    dp_buf_str(out, dp_frame_cut(f, f->path, f->n));
    s->failed |= out->failed;
    return dp_buf_view(out);
}

dp_str dp_engine_run(const dp_engine *e, dp_scratch *s, dp_form form, dp_str url, dp_trace trace, void *ctx)
{
    dp_str answer = url;
    switch (form) {
    case DP_KEY: answer = rewritten(e, s, url, false, trace, ctx); break;
    case DP_FETCH: answer = fetch_form(e, s, url, trace, ctx); break;
    case DP_SURT: answer = surt_form(s, rewritten(e, s, url, false, trace, ctx)); break;
    case DP_STAGE0: start(e, s, url, &answer); break;
    case DP_FOUND: rewritten(e, s, url, false, trace, ctx); break;
    }
    return s->failed ? (dp_str){NULL, 0} : answer;
}

/* ---- public ------------------------------------------------------------------------------------------ */

dp_err dp_scratch_new(dp_scratch **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? DP_OK : DP_ENOMEM;
}

void dp_scratch_free(dp_scratch *s)
{
    if (!s)
        return;
    for (int i = 0; i < DP_VIEWS; i++) {
        dp_frame_done(&s->view[i].frame);
        dp_candidates_done(&s->view[i].candidates);
        dp_chain_done(&s->chain[i]);
        dp_buf_done(&s->first[i]);
    }
    for (int i = 0; i < DP_TEXTS; i++)
        dp_buf_done(&s->text[i]);
    dp_buf_done(&s->form);
    dp_buf_done(&s->saved);
    dp_buf_done(&s->match.moved);
    free(s->match.slot);
    free(s->match.taken);
    free(s->match.cut);
    free(s);
}

const char *dp_apply_view(const dp_engine *e, dp_scratch *s, dp_form form, const char *url, size_t len, size_t *n)
{
    dp_str answer = dp_engine_run(e, s, form, (dp_str){url, len}, NULL, NULL);
    *n = answer.n;
    return answer.p;
}

size_t dp_apply_form(const dp_engine *e, dp_scratch *s, dp_form form, const char *url, size_t len, char *out,
                     size_t cap)
{
    dp_str answer = dp_engine_run(e, s, form, (dp_str){url, len}, NULL, NULL);
    if (s->failed)
        return (size_t)-1;
    if (answer.n && cap)
        memcpy(out, answer.p, answer.n < cap ? answer.n : cap);
    return answer.n;
}

size_t dp_apply(const dp_engine *e, dp_scratch *s, const char *url, size_t len, char *out, size_t cap)
{
    return dp_apply_form(e, s, DP_KEY, url, len, out, cap);
}

int dp_scratch_is_url(const dp_scratch *s)
{
    return s->is_url;
}

const char *dp_scratch_foreign(const dp_scratch *s, size_t *n)
{
    dp_split u;
    if (!s->led_out || s->hit_limit || !dp_split_url(&u, s->stage0))
        return NULL;
    dp_str own = dp_host_domain(u.host), there = dp_host_domain(dp_frame_host(&s->view[s->now].frame));
    *n = own.n;
    return dp_str_eq(own, there) ? NULL : own.p;
}

int dp_scratch_hit_limit(const dp_scratch *s)
{
    return s->hit_limit;
}

const uint32_t *dp_scratch_fired(const dp_scratch *s, size_t *n)
{
    *n = s->hit_limit ? 0 : s->nfired;
    return s->fired;
}
