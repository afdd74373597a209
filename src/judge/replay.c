/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/hash.h"
#include "judge/replay.h"

#include <stdlib.h>

#include "apply/engine.h"

/* Members of single rules: where a URL goes to, and, with MOVED as item, the form it leaves. */
#define MOVED UINT32_MAX

enum { MOST_URLS = INT32_MAX };

typedef struct members {
    dp_member *v;
    size_t     n, cap;
} members;

struct dp_replay {
    const dp_engine *engine;
    dp_scratch      *scratch;
    size_t           rules;
    members          key;   /* one a URL, all rules together; sorted by dp_replay_judge */
    members          base;  /* one a URL: the form that single rules are tried on; once judged one a form */
    members          alone; /* tag: rule; two a firing */
    uint64_t        *fired; /* [rules] */
    dp_trial        *trial; /* [rules] */
    dp_tally         total;
    dp_loss          loss[DP_LOSSES_KEPT];
    size_t           nloss;
    uint32_t         item;
    bool             alone_only;
    bool             failed; /* memory was out in a callback */
};

dp_err dp_replay_new(dp_replay **out, const dp_engine *e)
{
    dp_replay *r = calloc(1, sizeof *r);
    if (!r)
        return DP_ENOMEM;
    r->engine = e;
    r->rules = dp_engine_count(e);
    r->fired = calloc(r->rules ? r->rules : 1, sizeof *r->fired);
    r->trial = calloc(r->rules ? r->rules : 1, sizeof *r->trial);
    if (!r->fired || !r->trial || dp_scratch_new(&r->scratch) != DP_OK) {
        dp_replay_free(r);
        return DP_ENOMEM;
    }
    *out = r;
    return DP_OK;
}

void dp_replay_free(dp_replay *r)
{
    if (!r)
        return;
    dp_scratch_free(r->scratch);
    free(r->key.v);
    free(r->base.v);
    free(r->alone.v);
    free(r->fired);
    free(r->trial);
    free(r);
}

void dp_replay_alone(dp_replay *r)
{
    r->alone_only = true;
}

static bool push(members *m, dp_member new)
{
    if (m->n == m->cap) {
        size_t     cap = m->cap ? m->cap + m->cap / 2 : 256;
        dp_member *bigger = realloc(m->v, cap * sizeof *bigger);
        if (!bigger)
            return false;
        m->v = bigger;
        m->cap = cap;
    }
    m->v[m->n++] = new;
    return true;
}

/* One rule has fired, alone. */
static void note_rule(void *ctx, uint32_t rule, dp_str text)
{
    dp_replay *r = ctx;
    /* The form it leaves is only known when all rules were tried: see dp_replay_add. */
    if (!push(&r->alone, (dp_member){dp_hash_str(text), rule, r->item}) ||
        !push(&r->alone, (dp_member){0, rule, MOVED}))
        r->failed = true;
}

dp_err dp_replay_add(dp_replay *r, dp_str url)
{
    size_t          first = r->alone.n, nfired;
    const uint32_t *fired;
    if (r->base.n >= MOST_URLS)
        return DP_ELIMIT;
    r->item = (uint32_t)r->base.n;
    dp_str form = dp_engine_each(r->engine, r->scratch, url, note_rule, r);
    if (!form.p || r->failed)
        return DP_ENOMEM;
    uint64_t from = dp_hash_str(form);
    for (size_t i = first + 1; i < r->alone.n; i += 2)
        r->alone.v[i].key = from;
    if (!push(&r->base, (dp_member){from, 0, r->item}))
        return DP_ENOMEM;
    if (r->alone_only)
        return DP_OK;
    dp_str key = dp_engine_run(r->engine, r->scratch, DP_KEY, url, NULL, NULL);
    if (!key.p || !push(&r->key, (dp_member){dp_hash_str(key), 0, r->item}))
        return DP_ENOMEM;
    fired = dp_scratch_fired(r->scratch, &nfired);
    for (size_t i = 0; i < nfired; i++) {
        size_t j = 0;
        while (fired[j] != fired[i])
            j++;
        r->fired[fired[i]] += j == i; /* a URL on which it fired twice is one URL */
    }
    return DP_OK;
}

/* ---- judging -------------------------------------------------------------------------------------- */

/* The URLs whose form has hash `key`: a run in the sorted forms, at or behind `*from`, which becomes its place. Keys
 * of a rule come in their order, so that the next is near: steps that double, then halves. */
static dp_rule_group find_still(const members *base, uint64_t key, size_t *from)
{
    size_t low = *from, high = low, step = 1;
    while (high < base->n && base->v[high].key < key) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    high = high < base->n ? high : base->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (base->v[mid].key < key)
            low = mid + 1;
        else
            high = mid;
    }
    size_t end = low;
    while (end < base->n && base->v[end].key == key)
        end++;
    *from = low;
    return (dp_rule_group){.still = base->v + low, .nstill = end - low};
}

/* Support by Definition 4 of KDD 2008: v = r(u), v another URL, whether or not r moves v in turn. */
static void add_support(dp_trial *t, const dp_rule_group *g, const uint32_t *cluster)
{
    for (size_t i = 0; i < g->nchanged; i++) {
        for (size_t k = 0; k < g->nstill; k++)
            t->false_support += cluster[g->changed[i].item] != cluster[g->still[k].item];
    }
    t->support += (uint64_t)g->nchanged * g->nstill;
}

/* One run of members with equal rule and key: those that come to it, then marks of those that leave it. */
static dp_err judge_run(dp_replay *r, dp_trier *trier, const dp_member *v, size_t n, size_t *from)
{
    size_t    come = 0;
    dp_trial *t = &r->trial[v->tag];
    while (come < n && v[come].item != MOVED)
        come++;
    if (come == 0)
        return DP_OK;
    dp_rule_group g = find_still(&r->base, v->key, from);
    g.changed = v;
    g.nchanged = come;
    add_support(t, &g, trier->labels.cluster);
    if (come < n)
        g.nstill = 0; /* the rule moves that form, so nobody stays there */
    return dp_trier_add(trier, &g, t);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The cluster that most of `n` URLs are of; of equal ones the first. Sorts `v`. */
static uint32_t majority(uint32_t *v, size_t n)
{
    uint32_t best = v[0];
    size_t   most = 0;
    qsort(v, n, sizeof *v, by_number);
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
    dp_member *v = r->base.v;
    size_t     n = 0, left = 0;
    uint32_t  *of = malloc((r->base.n ? r->base.n : 1) * sizeof *of);
    bool      *stays = calloc(r->base.n ? r->base.n : 1, sizeof *stays);
    dp_err     code = of && stays ? DP_OK : DP_ENOMEM;
    dp_members_sort(v, r->base.n);
    for (size_t i = 0, j; i < r->base.n && code == DP_OK; i = j) {
        j = dp_group_end(v, r->base.n, i);
        for (size_t k = i; k < j; k++)
            of[k - i] = label[v[k].item];
        label[v[i].item] = majority(of, j - i);
        stays[v[i].item] = true;
        v[n++] = v[i];
    }
    /* Firings come in pairs, a URL and the mark of where it came from. */
    for (size_t i = 0; i < r->alone.n && code == DP_OK; i++) {
        if (r->alone.v[i].item == MOVED || stays[r->alone.v[i].item])
            r->alone.v[left++] = r->alone.v[i];
    }
    if (code == DP_OK) {
        r->base.n = n;
        r->alone.n = left;
    }
    free(of);
    free(stays);
    return code;
}

static dp_err judge_forms(dp_replay *r, const dp_labels *labels)
{
    dp_trier trier;
    DP_TRY(dp_trier_init(&trier, labels));
    dp_members_sort(r->alone.v, r->alone.n);
    memset(r->trial, 0, r->rules * sizeof *r->trial);
    for (size_t i = 0; i < r->rules; i++)
        r->trial[i].bad_a = r->trial[i].bad_b = DP_NO_ITEM;
    dp_err           code = DP_OK;
    const dp_member *v = r->alone.v;
    size_t           from = 0; /* in the forms: where the rule at hand has come to */
    for (size_t i = 0, j; i < r->alone.n && code == DP_OK; i = j) {
        j = dp_group_end(v, r->alone.n, i);
        from = i && v[i].tag == v[i - 1].tag ? from : 0;
        code = judge_run(r, &trier, v + i, j - i, &from);
        if (code == DP_OK && (j == r->alone.n || v[j].tag != v[i].tag)) {
            dp_trial *t = &r->trial[v[i].tag];
            dp_trier_vote(&trier, t);
            /* A rule that erases has no one result: v ranges over the group. */
            if (dp_im_body(&r->engine->im, r->engine->im.about[v[i].tag].body)->flags & DP_RULE_ERASES) {
                t->support = t->pairs;
                t->false_support = t->false_pairs;
            }
        }
    }
    dp_trier_done(&trier);
    return code;
}

static dp_err judge_rules(dp_replay *r, const dp_labels *labels)
{
    size_t    n = r->base.n ? r->base.n : 1;
    uint32_t *label = malloc(n * sizeof *label);
    if (!label)
        return DP_ENOMEM;
    if (r->base.n)
        memcpy(label, labels->cluster, r->base.n * sizeof *label);
    dp_labels of_forms = *labels;
    of_forms.cluster = label;
    dp_err code = one_a_form(r, label);
    if (code == DP_OK)
        code = judge_forms(r, &of_forms);
    free(label);
    return code;
}

dp_err dp_replay_judge(dp_replay *r, const dp_labels *labels)
{
    dp_stamps s;
    DP_TRY(judge_rules(r, labels));
    if (r->alone_only)
        return DP_OK;
    DP_TRY(dp_stamps_init(&s, labels->clusters));
    dp_members_sort(r->key.v, r->key.n);
    r->total = dp_groups_tally(r->key.v, r->key.n, labels->cluster, &s);
    r->nloss = dp_losses_find(r->loss, DP_LOSSES_KEPT, r->key.v, r->key.n, labels->cluster, &s);
    dp_stamps_done(&s);
    return DP_OK;
}

const dp_tally *dp_replay_total(const dp_replay *r)
{
    return &r->total;
}

const dp_trial *dp_replay_rule(const dp_replay *r, size_t i)
{
    return &r->trial[i];
}

uint64_t dp_replay_fired(const dp_replay *r, size_t i)
{
    return r->fired[i];
}

const dp_loss *dp_replay_losses(const dp_replay *r, size_t *n)
{
    *n = r->nloss;
    return r->loss;
}
