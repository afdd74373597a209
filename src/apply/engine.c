/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/engine.h"

#include <stdlib.h>

#include "apply/boundary.h"
#include "apply/hash.h"
#include "rule/rule.h"
#include "url/host.h"
#include "url/normalize.h"

/* ---- memory of a scratch ------------------------------------------------------------------ */

/* Resize `*v`; false (and s->failed) when memory is out. */
static bool room_bytes(dp_scratch *s, void **v, size_t bytes)
{
    void *p = realloc(*v, bytes);
    if (!p) {
        s->failed = true;
        return false;
    }
    *v = p;
    return true;
}

static bool room_match(const dp_image *im, dp_scratch *s, uint32_t npair)
{
    if (im->head->max_slot > s->slot_cap || !s->match.slot) {
        uint32_t cap = im->head->max_slot < 8 ? 8 : im->head->max_slot;
        if (!room_bytes(s, (void **)&s->match.slot, cap * sizeof *s->match.slot))
            return false;
        s->slot_cap = cap;
    }
    if (npair > s->taken_cap) {
        if (!room_bytes(s, (void **)&s->match.taken, (size_t)npair * 2))
            return false;
        s->taken_cap = npair * 2;
    }
    return true;
}

static bool push_candidate(dp_scratch *s, uint64_t priority, uint32_t rule, uint32_t place)
{
    if (s->ncand == s->cand_cap) {
        size_t cap = s->cand_cap ? s->cand_cap * 2 : 32;
        if (!room_bytes(s, (void **)&s->cand, cap * sizeof *s->cand))
            return false;
        s->cand_cap = cap;
    }
    s->cand[s->ncand++] = (dp_candidate){priority, rule, place};
    return true;
}

static bool room_hash(dp_scratch *s, size_t n)
{
    if (n <= s->hash_cap)
        return true;
    if (!room_bytes(s, (void **)&s->hash, n * 2 * sizeof *s->hash))
        return false;
    s->hash_cap = n * 2;
    return true;
}

/* ---- the layers of a host ------------------------------------------------------------------- */

static const dp_im_host *find_host(const dp_image *im, dp_str name, int port)
{
    uint64_t hash = dp_hash_host(name, port);
    for (uint64_t i = hash & im->host_mask;; i = (i + 1) & im->host_mask) {
        const dp_im_host *h = &im->host[i];
        if (h->layer == DP_NONE)
            return NULL;
        if (h->hash == hash && h->port == port && dp_str_eq(dp_im_str(im, h->name), name))
            return h;
    }
}

static bool push_layer(const dp_image *im, dp_scratch *s, dp_chain *c, uint32_t layer)
{
    if (c->n == c->cap) {
        uint32_t cap = c->cap ? c->cap * 2 : 8;
        if (!room_bytes(s, (void **)&c->layer, cap * sizeof *c->layer) || !room_bytes(s, (void **)&c->keep, cap * sizeof *c->keep))
            return false;
        c->cap = cap;
    }
    const dp_im_layer *l = dp_im_layer_at(im, layer);
    c->layer[c->n++] = layer;
    if (l->keep.n)
        c->keep[c->nkeep++] = l->keep;
    return true;
}

static bool push_host(const dp_image *im, dp_scratch *s, dp_chain *c, dp_str name, int port)
{
    const dp_im_host *h = find_host(im, name, port);
    return !h || push_layer(im, s, c, h->layer);
}

/* Find the layers of the host of frame number `which`, best first (RULES 3.2). */
static bool find_chain(const dp_engine *e, dp_scratch *s, int which)
{
    const dp_image *im = &e->im;
    const dp_frame *f = &s->frame[which];
    dp_chain       *c = &s->chain[which];
    dp_str          host = dp_frame_host(f);
    int             port = im->head->has_ports ? dp_frame_port(f) : -1;
    if (c->image == im->head->checksum && c->port == port && dp_str_eq(dp_buf_view(&c->host), host))
        return true;
    c->image = 0;
    c->n = c->nkeep = 0;
    if (port >= 0 && !push_host(im, s, c, host, port))
        return false;
    if (!push_host(im, s, c, host, DP_HOST_ANY_PORT))
        return false;
    for (size_t i = 1; im->head->has_wildcards && i + 1 < host.n; i++)
        if (host.p[i] == '.' && !push_host(im, s, c, dp_str_cut(host, i + 1, host.n), DP_HOST_WILDCARD))
            return false;
    if (im->head->any != DP_NONE && !push_layer(im, s, c, im->head->any))
        return false;
    c->sorts = false;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t order = dp_im_layer_at(im, c->layer[i])->order;
        if (order != DP_ORDER_UNSET) {
            c->sorts = order == DP_ORDER_ANY;
            break;
        }
    }
    dp_buf_reset(&c->host);
    dp_buf_str(&c->host, host);
    if (c->host.failed) {
        s->failed = true;
        return false;
    }
    c->port = port;
    c->image = im->head->checksum;
    return true;
}

/* ---- candidates ------------------------------------------------------------------------------ */

static uint64_t priority_of(const dp_im_rule *r, uint32_t rule, uint32_t layer)
{
    return (r->state == DP_PIN ? 0 : (uint64_t)1 << 63) | (uint64_t)layer << 32 | rule;
}

/* What a lookup in one layer needs. */
typedef struct probe {
    const dp_engine   *e;
    dp_scratch        *s;
    const dp_im_layer *layer;
    const uint32_t    *list;
    uint32_t           position; /* of the layer in the chain */
    bool               fetch;
} probe;

static bool push_list(const probe *p, uint32_t at, uint32_t n, uint32_t place)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t          rule = p->list[at + i];
        const dp_im_rule *r = &p->e->im.rule[rule];
        if (dp_engine_can_fire(p->e, r, p->fetch) && !push_candidate(p->s, priority_of(r, rule, p->position), rule, place))
            return false;
    }
    return true;
}

static const dp_im_slot *find_slot(const dp_im_slot *table, uint32_t size, uint64_t hash)
{
    for (uint32_t i = (uint32_t)hash & (size - 1);; i = (i + 1) & (size - 1)) {
        if (table[i].n == 0)
            return NULL;
        if (table[i].tag == (uint32_t)(hash >> 32))
            return &table[i];
    }
}

static bool look_up(const probe *p, uint64_t hash)
{
    const dp_im_slot *slot = find_slot(dp_im_slots(p->layer), p->layer->nslot, hash);
    return !slot || push_list(p, slot->at, slot->n, 0);
}

/* The segment hashes that the layers' masks ask for, into s->hash. */
static bool hash_segments(const dp_image *im, dp_scratch *s, const dp_frame *f, const dp_chain *c)
{
    uint32_t start = 0, end = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const dp_im_layer *l = dp_im_layer_at(im, c->layer[i]);
        start |= l->start_mask;
        end |= l->end_mask;
    }
    if (!room_hash(s, (size_t)f->nseg + f->npair))
        return false;
    for (uint32_t i = 0; start && i < f->nseg; i++, start >>= 1)
        if (start & 1)
            s->hash[i] = dp_hash_str(dp_frame_seg(f, i));
    for (uint32_t i = 0; end && i < f->nseg; i++, end >>= 1)
        if (end & 1)
            s->hash[f->nseg - 1 - i] = dp_hash_str(dp_frame_seg(f, f->nseg - 1 - i));
    return true;
}

static bool probe_pairs(const probe *p, const dp_frame *f, const dp_im_tuple *t, uint64_t base)
{
    for (uint32_t i = 0; i < f->npair; i++) {
        const dp_pair *pair = &f->pair[i];
        dp_str         name = dp_pair_name(f, pair);
        uint64_t       h = p->s->hash[f->nseg + i];
        if (t->driver == DP_DRIVE_NAME_VALUE) {
            h = dp_hash_fold(h, dp_hash_str(dp_pair_value(f, pair)));
        } else if (t->driver == DP_DRIVE_PREFIX) {
            if (name.n < t->prefix)
                continue;
            h = dp_hash_str((dp_str){name.p, t->prefix});
        }
        if (!look_up(p, dp_hash_fold(base, h)))
            return false;
    }
    return true;
}

static bool probe_params(const probe *p, const dp_frame *f, const dp_im_tuple *t, uint64_t base)
{
    dp_param param;
    for (uint32_t at = f->path; dp_frame_param(f, at, &param); at = param.end) {
        dp_str name = dp_frame_cut(f, param.at + 1, param.eq);
        if (t->driver == DP_DRIVE_PARAM_PREFIX) {
            if (name.n < t->prefix)
                continue;
            name.n = t->prefix;
        }
        if (!look_up(p, dp_hash_fold(base, dp_hash_str(name))))
            return false;
    }
    return true;
}

static bool probe_tuple(const probe *p, const dp_frame *f, uint32_t number)
{
    const dp_im_tuple *t = dp_im_tuples(p->layer) + number;
    if (t->exact ? f->nseg != t->nseg : f->nseg < t->nseg)
        return true;
    const uint64_t *segment = p->s->hash;
    uint64_t        h = dp_hash_tuple(number);
    for (uint32_t mask = t->start_mask; mask; mask &= mask - 1)
        h = dp_hash_fold(h, segment[__builtin_ctz(mask)]);
    for (uint32_t mask = t->end_mask; mask; mask &= mask - 1)
        h = dp_hash_fold(h, segment[f->nseg - 1 - (uint32_t)__builtin_ctz(mask)]);
    switch ((dp_driver)t->driver) {
    case DP_DRIVE_NONE: return look_up(p, h);
    case DP_DRIVE_NAME:
    case DP_DRIVE_NAME_VALUE:
    case DP_DRIVE_PREFIX: return probe_pairs(p, f, t, h);
    case DP_DRIVE_PARAM:
    case DP_DRIVE_PARAM_PREFIX: return probe_params(p, f, t, h);
    }
    return true;
}

/* Whether α of `r` stands at `at` of the whole URL, between boundaries, as its anchors ask. */
static bool alpha_stands(const dp_image *im, const dp_im_rule *r, dp_str url, size_t at)
{
    dp_str alpha = dp_im_str(im, r->alpha);
    return at + alpha.n <= url.n && (alpha.n == 0 || memcmp(url.p + at, alpha.p, alpha.n) == 0) &&
           dp_is_boundary(url, at) && dp_is_boundary(url, at + alpha.n) && (!(r->flags & DP_RULE_AT_START) || at == 0) &&
           (!(r->flags & DP_RULE_AT_END) || at + alpha.n == url.n);
}

/* Candidates among the layer's sub rules, each with every place where its α stands: after
 * sorting, the leftmost of a rule comes first. */
static bool probe_subs(const probe *p, const dp_frame *f)
{
    const dp_image    *im = &p->e->im;
    const dp_im_slot  *table = dp_im_subs(p->layer);
    dp_str             url = {f->s, f->n};
    for (uint32_t i = 0; i < p->layer->sub_any.n; i++) {
        uint32_t          rule = p->list[p->layer->sub_any.at + i];
        const dp_im_rule *r = &im->rule[rule];
        size_t            at = r->flags & DP_RULE_AT_START ? 0 : url.n;
        if (alpha_stands(im, r, url, at) && !push_list(p, p->layer->sub_any.at + i, 1, (uint32_t)at))
            return false;
    }
    if (p->layer->nsub == 0)
        return true;
    for (size_t at = 0, end; at < url.n; at = end) {
        end = dp_next_boundary(url, at);
        dp_str token = dp_str_cut(url, at, end);
        if (!(p->layer->sub_filter & dp_sub_bit(token)))
            continue;
        const dp_im_slot *slot = find_slot(table, p->layer->nsub, dp_hash_str(token));
        for (uint32_t i = 0; slot && i < slot->n; i++) {
            const dp_im_rule *r = &im->rule[p->list[slot->at + i]];
            if (at >= r->pivot && alpha_stands(im, r, url, at - r->pivot) &&
                !push_list(p, slot->at + i, 1, (uint32_t)(at - r->pivot)))
                return false;
        }
    }
    return true;
}

static int by_priority(const void *a, const void *b)
{
    const dp_candidate *x = a, *y = b;
    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void sort_candidates(dp_scratch *s)
{
    if (s->ncand > 32) {
        qsort(s->cand, s->ncand, sizeof *s->cand, by_priority);
        return;
    }
    for (size_t i = 1; i < s->ncand; i++) {
        dp_candidate c = s->cand[i];
        size_t       j = i;
        for (; j > 0 && by_priority(&c, &s->cand[j - 1]) < 0; j--)
            s->cand[j] = s->cand[j - 1];
        s->cand[j] = c;
    }
}

/* All rules that may fire on the current URL, in the order in which they are tried. */
static bool gather(const dp_engine *e, dp_scratch *s, bool fetch)
{
    const dp_image *im = &e->im;
    const dp_frame *f = &s->frame[s->now];
    const dp_chain *c = &s->chain[s->now];
    s->ncand = 0;
    if (c->n == 0)
        return true;
    if (!hash_segments(im, s, f, c))
        return false;
    bool named = false;
    for (uint32_t i = 0; i < c->n; i++) {
        const dp_im_layer *l = dp_im_layer_at(im, c->layer[i]);
        probe              p = {e, s, l, dp_im_list(l), i, fetch};
        if (f->npair && !named && l->drivers & (1u << DP_DRIVE_NAME | 1u << DP_DRIVE_NAME_VALUE)) {
            for (uint32_t j = 0; j < f->npair; j++)
                s->hash[f->nseg + j] = dp_hash_str(dp_pair_name(f, &f->pair[j]));
            named = true;
        }
        for (uint32_t j = 0; j < l->ntuple; j++)
            if (!probe_tuple(&p, f, j))
                return false;
        if ((l->nsub || l->sub_any.n) && !probe_subs(&p, f))
            return false;
    }
    sort_candidates(s);
    return true;
}

/* ---- one step ---------------------------------------------------------------------------------- */

bool dp_engine_can_fire(const dp_engine *e, const dp_im_rule *r, bool fetch)
{
    if (r->state == DP_OFF || (r->state == DP_LIKELY && !e->with_likely))
        return false;
    if (r->state != DP_PIN && r->p < e->min_precision)
        return false;
    return !fetch || (!(r->flags & DP_RULE_ERASES) && (r->state == DP_PIN || r->flags & DP_RULE_FETCHES));
}

/* A parameter that some keep line names. */
typedef struct kept {
    dp_str name, value;
    bool   has_eq, param;
} kept;

typedef struct kept_walk {
    uint32_t pair, param; /* where to go on: query pairs first, then path parameters */
} kept_walk;

static bool next_kept(const dp_image *im, dp_keeps keeps, const dp_frame *f, kept_walk *w, kept *out)
{
    while (w->pair < f->npair) {
        const dp_pair *p = &f->pair[w->pair++];
        *out = (kept){dp_pair_name(f, p), dp_pair_value(f, p), p->has_eq, false};
        if (dp_keeps_hold(im, keeps, out->name, false))
            return true;
    }
    dp_param p;
    if (w->param < f->path)
        w->param = f->path;
    while (dp_frame_param(f, w->param, &p)) {
        w->param = p.end;
        *out = (kept){dp_frame_cut(f, p.at + 1, p.eq), dp_frame_cut(f, p.eq + (p.has_eq ? 1u : 0u), p.end), p.has_eq, true};
        if (dp_keeps_hold(im, keeps, out->name, true))
            return true;
    }
    return false;
}

/* Whether both URLs hold the same kept parameters in the same order. */
static bool same_kept(const dp_image *im, dp_keeps keeps, const dp_frame *a, const dp_frame *b)
{
    kept_walk wa = {0}, wb = {0};
    kept      x, y;
    for (;;) {
        bool more = next_kept(im, keeps, a, &wa, &x);
        if (more != next_kept(im, keeps, b, &wb, &y))
            return false;
        if (!more)
            return true;
        if (!dp_str_eq(x.name, y.name) || !dp_str_eq(x.value, y.value) || x.has_eq != y.has_eq || x.param != y.param)
            return false;
    }
}

/* Whether a `keep TPL` forbids to touch the current URL. */
static bool is_untouchable(const dp_image *im, dp_scratch *s, const dp_frame *f)
{
    const dp_chain *c = &s->chain[s->now];
    for (uint32_t i = 0; i < c->nkeep; i++)
        for (uint32_t j = 0; j < c->keep[i].n; j++) {
            const dp_im_keep *k = &im->keep[c->keep[i].at + j];
            if (k->tpl != DP_NONE && dp_match_condition(im, &im->tpl[k->tpl], f, &s->match))
                return true;
        }
    return false;
}

#define ANY_PATH UINT32_MAX

/* Bring `url` to stage 0 and read it into frame number `which`, with the chain of its host;
 * where its text changes it comes to lie in a or b. False when it is no URL, when its path
 * has a dot segment or more than `max_empty` empty segments (RULES 3.4), or when memory is
 * out (s->failed). */
static bool settle(const dp_engine *e, dp_scratch *s, int which, dp_str url, uint32_t max_empty, dp_buf *a, dp_buf *b)
{
    dp_frame       *f = &s->frame[which];
    dp_frame_result r = dp_frame_read(f, url);
    if (r == DP_FRAME_NOT_NORMAL) {
        if (max_empty != ANY_PATH && dp_normalize_forbids(url, max_empty))
            return false;
        dp_buf_reset(a);
        if (!dp_normalize(a, url)) {
            s->failed |= a->failed;
            return false;
        }
        r = dp_frame_read(f, dp_buf_view(a));
    } else if (r == DP_FRAME_OK && max_empty != ANY_PATH && dp_frame_empties(f) > max_empty) {
        return false;
    }
    s->failed |= r == DP_FRAME_NOMEM;
    if (r != DP_FRAME_OK || !find_chain(e, s, which))
        return false;
    if (!s->chain[which].sorts || dp_frame_is_sorted(f))
        return true;
    dp_buf_reset(b);
    s->failed |= !dp_frame_sort(f, b) || dp_frame_read(f, dp_buf_view(b)) != DP_FRAME_OK;
    return !s->failed;
}

/* Try one rule on the current URL. When it fires the other frame holds the new one. */
static bool fires(const dp_engine *e, dp_scratch *s, const dp_candidate *c, bool untouchable)
{
    const dp_image   *im = &e->im;
    const dp_im_rule *r = &im->rule[c->rule];
    bool              pinned = r->state == DP_PIN;
    dp_keeps          keeps = {s->chain[s->now].keep, pinned ? 0 : s->chain[s->now].nkeep};
    const dp_frame   *old = &s->frame[s->now], *new = &s->frame[1 - s->now];
    if (untouchable && !pinned)
        return false;
    dp_buf *room[3];
    for (int i = 0, n = 0; n < 3; i++)
        if (s->text[i].p == NULL || s->text[i].p != old->s)
            room[n++] = &s->text[i];
    dp_buf_reset(room[0]);
    bool matched = dp_rewrite(im, r, old, keeps, c->place, &s->match, room[0]);
    s->failed |= room[0]->failed;
    if (!matched || s->failed)
        return false;
    if (!settle(e, s, 1 - s->now, dp_buf_view(room[0]), dp_frame_empties(old), room[1], room[2]))
        return false;
    if (dp_str_eq((dp_str){new->s, new->n}, (dp_str){old->s, old->n}))
        return false;
    return keeps.n == 0 || r->kind == DP_RULE_DROP || r->kind == DP_RULE_ERASE || r->kind == DP_RULE_SET ||
           r->kind == DP_RULE_FOLD_QUERY || same_kept(im, keeps, old, new);
}

/* ---- the loop ------------------------------------------------------------------------------------ */

/* Rewrite the current URL until no rule fires. False when the limit is hit, or memory is out. */
static bool run(const dp_engine *e, dp_scratch *s, bool fetch, dp_trace trace, void *ctx)
{
    const dp_image *im = &e->im;
    s->nfired = 0;
    for (;;) {
        dp_frame *f = &s->frame[s->now];
        if (!gather(e, s, fetch))
            return false;
        if (s->ncand == 0)
            return true;
        if (!room_match(im, s, f->npair))
            return false;
        bool untouchable = s->chain[s->now].nkeep && is_untouchable(im, s, f), fired = false;
        for (size_t i = 0; i < s->ncand && !fired; i++) {
            fired = fires(e, s, &s->cand[i], untouchable);
            if (s->failed)
                return false;
            if (fired) {
                if (s->nfired == DP_MAX_FIRINGS)
                    return false;
                s->fired[s->nfired++] = s->cand[i].rule;
                s->now = 1 - s->now;
                if (trace)
                    trace(ctx, s->cand[i].rule, (dp_str){s->frame[s->now].s, s->frame[s->now].n});
            }
        }
        if (!fired)
            return true;
    }
}

/* Start with stage 0 of `url`. False when it is no URL, or memory is out. */
static bool start(const dp_engine *e, dp_scratch *s, dp_str url, dp_str *stage0)
{
    s->now = 0;
    s->nfired = 0;
    s->failed = s->hit_limit = false;
    s->is_url = settle(e, s, 0, url, ANY_PATH, &s->first[0], &s->first[1]);
    *stage0 = s->is_url ? (dp_str){s->frame[0].s, s->frame[0].n} : url;
    return s->is_url;
}

/* The key of `url`, or (fetch) what the rules of the fetch form alone make of it. */
static dp_str rewritten(const dp_engine *e, dp_scratch *s, dp_str url, bool fetch, dp_trace trace, void *ctx)
{
    dp_str stage0;
    if (!start(e, s, url, &stage0))
        return stage0;
    if (run(e, s, fetch, trace, ctx))
        return (dp_str){s->frame[s->now].s, s->frame[s->now].n};
    s->hit_limit = !s->failed;
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

/* RULES 3.6: the result of the fetch rules, if it has the key of the input, else stage 0. */
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

/* http://www.a.com:81/x -> http://(com,a,www,:81)/x; addresses are not turned round. */
static dp_str surt_form(dp_scratch *s, dp_str key)
{
    dp_frame *f = &s->frame[1 - s->now];
    if (!s->is_url || s->failed || dp_frame_read(f, key) != DP_FRAME_OK)
        return key;
    dp_str  host = dp_frame_host(f);
    dp_buf *out = &s->form;
    dp_buf_reset(out);
    dp_buf_add(out, f->s, f->scheme_n ? f->scheme_n + 3 : 0);
    dp_buf_byte(out, '(');
    if (dp_host_is_address(host)) {
        dp_buf_str(out, host);
    } else {
        for (size_t end = host.n, at;; end = at - 1) {
            for (at = end; at > 0 && host.p[at - 1] != '.'; at--) {}
            dp_buf_add(out, host.p + at, end - at);
            dp_buf_byte(out, ',');
            if (at == 0)
                break;
        }
    }
    if (f->port >= 0)
        dp_buf_printf(out, ":%d", f->port);
    if (f->user_end) {
        dp_buf_byte(out, '@');
        dp_buf_str(out, dp_frame_cut(f, f->user, f->user_end));
    }
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
    for (int i = 0; i < 2; i++) {
        dp_frame_done(&s->frame[i]);
        dp_buf_done(&s->first[i]);
        dp_buf_done(&s->chain[i].host);
        free(s->chain[i].layer);
        free(s->chain[i].keep);
    }
    for (int i = 0; i < 4; i++)
        dp_buf_done(&s->text[i]);
    dp_buf_done(&s->form);
    dp_buf_done(&s->saved);
    dp_buf_done(&s->match.moved);
    free(s->match.slot);
    free(s->match.taken);
    free(s->cand);
    free(s->hash);
    free(s);
}

const char *dp_apply_view(const dp_engine *e, dp_scratch *s, dp_form form, const char *url, size_t len, size_t *n)
{
    dp_str answer = dp_engine_run(e, s, form, (dp_str){url, len}, NULL, NULL);
    *n = answer.n;
    return answer.p;
}

size_t dp_apply_form(const dp_engine *e, dp_scratch *s, dp_form form, const char *url, size_t len, char *out, size_t cap)
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

int dp_scratch_hit_limit(const dp_scratch *s)
{
    return s->hit_limit;
}

const uint32_t *dp_scratch_fired(const dp_scratch *s, size_t *n)
{
    *n = s->hit_limit ? 0 : s->nfired;
    return s->fired;
}
