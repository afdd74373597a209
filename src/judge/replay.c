/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/replay.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"
#include "base/order.h"
#include "base/room.h"

enum { MOST_URLS = INT32_MAX, SLICE = 256 /* URLs a task */, PORTION = 1 << 15 /* firings a task */ };

/* What one thread needs, and what it has found. */
typedef struct lane {
    dp_scratch *scratch;
    dp_members  alone;  /* tag: rule, key: where the URL goes to; one a firing */
    uint64_t   *fired;  /* [rules] */
    uint32_t    item;
    bool        failed; /* memory was out in a callback */
} lane;

struct dp_replay {
    const dp_engine *engine;
    dp_pool         *pool;
    size_t           rules;
    lane            *lane; /* [lanes], one a thread; once judged all is in the first */
    unsigned         lanes;
    dp_members       base;  /* one a URL: the form that single rules are tried on; once judged one a form */
    dp_trial        *trial; /* [rules] */
    bool             alone_only;
};

static void lane_done(lane *l)
{
    dp_scratch_free(l->scratch);
    free(l->alone.v);
    free(l->fired);
}

static dp_err lane_init(lane *l, size_t rules)
{
    if ((l->fired = calloc(rules ? rules : 1, sizeof *l->fired)) && dp_scratch_new(&l->scratch) == DP_OK)
        return DP_OK;
    lane_done(l);
    *l = (lane){0};
    return DP_ENOMEM;
}

dp_err dp_replay_new(dp_replay **out, const dp_engine *e)
{
    dp_replay *r = calloc(1, sizeof *r);
    if (!r)
        return DP_ENOMEM;
    r->engine = e;
    r->rules = dp_engine_count(e);
    r->trial = calloc(r->rules ? r->rules : 1, sizeof *r->trial);
    r->lane = calloc(1, sizeof *r->lane);
    if (!r->trial || !r->lane || lane_init(r->lane, r->rules) != DP_OK) {
        dp_replay_free(r);
        return DP_ENOMEM;
    }
    r->lanes = 1;
    *out = r;
    return DP_OK;
}

void dp_replay_free(dp_replay *r)
{
    if (!r)
        return;
    for (unsigned i = 0; i < r->lanes; i++)
        lane_done(&r->lane[i]);
    free(r->lane);
    free(r->base.v);
    free(r->trial);
    free(r);
}

void dp_replay_alone(dp_replay *r)
{
    r->alone_only = true;
}

dp_err dp_replay_on(dp_replay *r, dp_pool *pool)
{
    unsigned threads = dp_pool_threads(pool);
    if (!DP_RESIZE(r->lane, threads))
        return DP_ENOMEM;
    for (; r->lanes < threads; r->lanes++) {
        r->lane[r->lanes] = (lane){0};
        DP_TRY(lane_init(&r->lane[r->lanes], r->rules));
    }
    r->pool = pool;
    return DP_OK;
}

/* One rule has fired, alone. */
static void note_rule(void *ctx, uint32_t rule, dp_str text)
{
    lane *l = ctx;
    l->failed |= !dp_members_push(&l->alone, (dp_member){dp_hash_str(text), rule, l->item});
}

/* URL number `item`, for which there is room in `base`. */
static dp_err try_url(dp_replay *r, lane *l, dp_str url, size_t item)
{
    size_t          nfired;
    const uint32_t *fired;
    l->item = (uint32_t)item;
    dp_str form = dp_engine_each(r->engine, l->scratch, url, note_rule, l);
    if (!form.p || l->failed)
        return DP_ENOMEM;
    r->base.v[item] = (dp_member){dp_hash_str(form), 0, l->item};
    if (r->alone_only)
        return DP_OK;
    if (!dp_engine_run(r->engine, l->scratch, DP_KEY, url, NULL, NULL).p)
        return DP_ENOMEM;
    fired = dp_scratch_fired(l->scratch, &nfired);
    for (size_t i = 0; i < nfired; i++) {
        size_t j = 0;
        while (fired[j] != fired[i])
            j++;
        l->fired[fired[i]] += j == i; /* a URL on which it fired twice is one URL */
    }
    return DP_OK;
}

typedef struct batch {
    dp_replay    *r;
    const dp_str *url; /* [n] */
    size_t        n, first;
} batch;

static dp_err try_slice(void *ctx, size_t i, unsigned worker)
{
    const batch *b = ctx;
    size_t       end = (i + 1) * SLICE < b->n ? (i + 1) * SLICE : b->n;
    for (size_t k = i * SLICE; k < end; k++)
        DP_TRY(try_url(b->r, &b->r->lane[worker], b->url[k], b->first + k));
    return DP_OK;
}

dp_err dp_replay_add(dp_replay *r, const dp_str *url, size_t n)
{
    batch b = {r, url, n, r->base.n};
    if (n > MOST_URLS - r->base.n)
        return DP_ELIMIT;
    if (!dp_members_room(&r->base, n))
        return DP_ENOMEM;
    r->base.n += n;
    return dp_pool_run(r->pool, (n + SLICE - 1) / SLICE, try_slice, &b);
}

dp_err dp_replay_add_known(dp_replay *r, const dp_str *url, size_t n)
{
    if (n > MOST_URLS - r->base.n)
        return DP_ELIMIT;
    if (!dp_members_room(&r->base, n))
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++, r->base.n++)
        r->base.v[r->base.n] = (dp_member){dp_hash_str(url[i]), 0, (uint32_t)r->base.n};
    return DP_OK;
}

dp_err dp_replay_add_hash(dp_replay *r, uint64_t hash)
{
    if (r->base.n >= MOST_URLS)
        return DP_ELIMIT;
    return dp_members_push(&r->base, (dp_member){hash, 0, (uint32_t)r->base.n}) ? DP_OK : DP_ENOMEM;
}

dp_err dp_replay_tell(dp_replay *r, dp_member firing)
{
    dp_members *alone = &r->lane->alone;
    if (!dp_members_room(alone, 1))
        return DP_ENOMEM;
    alone->v[alone->n++] = firing;
    return DP_OK;
}

/* ---- judging -------------------------------------------------------------------------------------- */

/* The URLs whose form has hash `key`: a run in the sorted forms, at or behind `*from`, which becomes its place. Keys
 * of a rule come in their order, so that the next is near: steps that double, then halves. */
static dp_rule_group find_still(const dp_members *base, uint64_t key, size_t *from)
{
    size_t low = *from, high = low, step = 1;
    while (high < base->n && base->v[high].key < key) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    high = high < base->n ? high : base->n;
    size_t i;
    DP_BISECT(i, high - low, base->v[low + i].key < key);
    size_t end = low += i;
    while (end < base->n && base->v[end].key == key)
        end++;
    *from = low;
    return (dp_rule_group){.still = base->v + low, .nstill = end - low};
}

/* Support by Definition 4 of KDD 2008: v = r(u), v another URL, whether or not r moves v in turn. Returns how many of
 * these pairs are of two clusters. */
static uint64_t add_support(dp_trial *t, const dp_rule_group *g, const uint32_t *cluster)
{
    uint64_t wrong = 0;
    for (size_t i = 0; i < g->nchanged; i++) {
        for (size_t k = 0; k < g->nstill; k++)
            wrong += cluster[g->changed[i].item] != cluster[g->still[k].item];
    }
    t->support += (uint64_t)g->nchanged * g->nstill;
    t->false_support += wrong;
    return wrong;
}

/* What one thread judges with. */
typedef struct bench {
    dp_trier  trier;
    uint32_t *moved; /* [URLs] rule that has moved it, + 1 */
} bench;

/* One run of members with equal rule and key. */
static dp_err judge_run(dp_replay *r, bench *b, const dp_member *v, size_t n, size_t *from)
{
    dp_trial     *t = &r->trial[v->tag];
    dp_rule_group g = find_still(&r->base, v->key, from);
    g.changed = v;
    g.nchanged = n;
    bool     is_url = g.nstill > 0;
    uint64_t wrong = add_support(t, &g, b->trier.labels.cluster), before = t->false_pairs;
    if (g.nstill && b->moved[g.still->item] == v->tag + 1)
        g.nstill = 0; /* the rule moves that form, so nobody stays there */
    DP_TRY(dp_trier_add(&b->trier, &g, t));
    if (is_url)
        t->f += (double)wrong;
    else if (n > 1)
        t->f += (double)(t->false_pairs - before) / (double)(n - 1);
    return DP_OK;
}

/* The cluster that most of `n` URLs are of; of equal ones the first. Sorts `v`. */
static uint32_t majority(uint32_t *v, size_t n)
{
    uint32_t best = v[0];
    size_t   most = 0;
    if (n == 1)
        return best;
    qsort(v, n, sizeof *v, dp_by_number);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && v[j] == v[i]; j++) {}
        if (j - i > most) {
            most = j - i;
            best = v[i];
        }
    }
    return best;
}

/* URLs of one form are one to a rule: what stage 0 joins is not the rule's doing. Only the first
 * of them stays, in `base` and in `alone`, with the label of the majority in label[], which is a
 * copy of all labels. */
static dp_err one_a_form(dp_replay *r, uint32_t *label)
{
    dp_member  *v = r->base.v;
    dp_members *alone = &r->lane->alone;
    size_t      n = 0, left = 0;
    uint32_t   *of = malloc((r->base.n ? r->base.n : 1) * sizeof *of);
    bool       *stays = calloc(r->base.n ? r->base.n : 1, sizeof *stays);
    dp_err      code = of && stays ? DP_OK : DP_ENOMEM;
    dp_members_sort_on(r->pool, v, r->base.n);
    for (size_t i = 0, j; i < r->base.n && code == DP_OK; i = j) {
        j = dp_group_end(v, r->base.n, i);
        for (size_t k = i; k < j; k++)
            of[k - i] = label[v[k].item];
        label[v[i].item] = majority(of, j - i);
        stays[v[i].item] = true;
        v[n++] = v[i];
    }
    for (size_t i = 0; i < alone->n && code == DP_OK; i++) {
        if (stays[alone->v[i].item])
            alone->v[left++] = alone->v[i];
    }
    if (code == DP_OK) {
        r->base.n = n;
        alone->n = left;
    }
    free(of);
    free(stays);
    return code;
}

/* Rules whose firings are judged as one task. */
typedef struct portions {
    dp_replay *r;
    bench     *bench; /* [lanes] */
    size_t    *from;  /* [n + 1] in the firings: where a rule begins */
} portions;

/* The firings of one rule: those that it moves first, then group by group. */
static dp_err judge_rule(dp_replay *r, bench *b, const dp_member *v, size_t n)
{
    dp_trial *t = &r->trial[v->tag];
    size_t    from = 0; /* in the forms: where the rule has come to */
    for (size_t i = 0; i < n; i++)
        b->moved[v[i].item] = v->tag + 1;
    for (size_t i = 0, j; i < n; i = j) {
        j = dp_group_end(v, n, i);
        DP_TRY(judge_run(r, b, v + i, j - i, &from));
    }
    dp_trier_vote(&b->trier, t);
    /* A rule that erases has no one result: v ranges over the group. */
    if (dp_im_body(&r->engine->im, r->engine->im.about[v->tag].body)->flags & DP_RULE_ERASES) {
        t->support = t->pairs;
        t->false_support = t->false_pairs;
    }
    return DP_OK;
}

static dp_err judge_portion(void *ctx, size_t number, unsigned worker)
{
    const portions  *p = ctx;
    const dp_member *v = p->r->lane->alone.v;
    for (size_t i = p->from[number], j; i < p->from[number + 1]; i = j) {
        for (j = i + 1; j < p->from[number + 1] && v[j].tag == v[i].tag; j++) {}
        DP_TRY(judge_rule(p->r, &p->bench[worker], v + i, j - i));
    }
    return DP_OK;
}

static dp_err judge_forms(dp_replay *r, const dp_labels *labels, size_t urls)
{
    const dp_members *alone = &r->lane->alone;
    size_t         n = 0;
    portions       p = {r, calloc(r->lanes, sizeof *p.bench), malloc((alone->n / PORTION + 2) * sizeof *p.from)};
    dp_err         code = p.bench && p.from ? DP_OK : DP_ENOMEM;
    for (unsigned i = 0; i < r->lanes && code == DP_OK; i++) {
        p.bench[i].moved = calloc(urls + 1, sizeof *p.bench[i].moved);
        code = p.bench[i].moved ? dp_trier_init(&p.bench[i].trier, labels) : DP_ENOMEM;
    }
    for (size_t i = 0; i < r->rules; i++)
        r->trial[i] = (dp_trial){.bad_a = DP_NO_ITEM, .bad_b = DP_NO_ITEM};
    dp_members_sort_on(r->pool, alone->v, alone->n);
    for (size_t i = 0; i < alone->n && code == DP_OK;) {
        p.from[n++] = i;
        i = i + PORTION < alone->n ? i + PORTION : alone->n;
        while (i < alone->n && alone->v[i].tag == alone->v[i - 1].tag)
            i++;
    }
    if (code == DP_OK) {
        p.from[n] = alone->n;
        code = dp_pool_run(r->pool, n, judge_portion, &p);
    }
    for (unsigned i = 0; p.bench && i < r->lanes; i++) {
        dp_trier_done(&p.bench[i].trier);
        free(p.bench[i].moved);
    }
    free(p.bench);
    free(p.from);
    return code;
}

static dp_err judge_rules(dp_replay *r, const dp_labels *labels)
{
    size_t    n = r->base.n;
    uint32_t *label = malloc((n + 1) * sizeof *label);
    if (!label)
        return DP_ENOMEM;
    if (n)
        memcpy(label, labels->cluster, n * sizeof *label);
    dp_labels of_forms = *labels;
    of_forms.cluster = label;
    dp_err code = one_a_form(r, label);
    if (code == DP_OK)
        code = judge_forms(r, &of_forms, n);
    free(label);
    return code;
}

/* What all threads have found, into the first lane. */
static dp_err join_lanes(dp_replay *r)
{
    lane *all = r->lane;
    for (unsigned i = 1; i < r->lanes; i++) {
        lane *l = &r->lane[i];
        if (!dp_members_room(&all->alone, l->alone.n))
            return DP_ENOMEM;
        if (l->alone.n)
            memcpy(all->alone.v + all->alone.n, l->alone.v, l->alone.n * sizeof *l->alone.v);
        all->alone.n += l->alone.n;
        for (size_t k = 0; k < r->rules; k++)
            all->fired[k] += l->fired[k];
        free(l->alone.v);
        l->alone = (dp_members){0};
    }
    return DP_OK;
}

dp_err dp_replay_judge(dp_replay *r, const dp_labels *labels)
{
    DP_TRY(join_lanes(r));
    return judge_rules(r, labels);
}

const dp_trial *dp_replay_rule(const dp_replay *r, size_t i)
{
    return &r->trial[i];
}

uint64_t dp_replay_fired(const dp_replay *r, size_t i)
{
    return r->lane->fired[i];
}
